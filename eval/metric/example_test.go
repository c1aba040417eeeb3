package metric_test

import (
	"fmt"

	"pairrank/data"
	"pairrank/eval/metric"
)

// Evaluate a ranking: labels and scores of two queries, the second without a relevant
// document.
func ExampleEvaluate() {
	metrics, err := metric.ParseList("disagreement,ndcg@10,map")
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := metric.Evaluate(metric.Input{
		Labels:  []float64{2, 0, 1, 0, 0},
		Scores:  []float64{0.9, 0.5, 0.4, 0.7, 0.2},
		Queries: data.NewQueries([]int32{0, 0, 0, 1, 1}, []string{"red shoes", "blue hat"}),
	}, metrics, metric.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range report.Results {
		fmt.Printf("%-12s %.4f, undefined on %d of 2\n", r.Metric, r.Mean.Value, r.Undefined)
	}
	// Output:
	// disagreement 0.3333, undefined on 1 of 2
	// ndcg@10      0.9639, undefined on 1 of 2
	// map          0.8333, undefined on 1 of 2
}
