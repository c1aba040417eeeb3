package trec_test

import (
	"fmt"
	"strings"

	"pairrank/eval/metric"
	"pairrank/format/trec"
)

// Evaluate a run as trec_eval does.
func ExampleJoin() {
	qrels, err := trec.ReadQrels(strings.NewReader("7 0 a 1\n7 0 b 0\n7 0 c 1\n"), "qrels")
	if err != nil {
		fmt.Println(err)
		return
	}
	run, err := trec.ReadRun(strings.NewReader("7 Q0 b 1 3.5 me\n7 Q0 a 2 3.1 me\n"), "run")
	if err != nil {
		fmt.Println(err)
		return
	}
	joined, err := trec.Join(run, qrels, trec.JoinOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := metric.Evaluate(joined.Input, []metric.Metric{metric.MAP, metric.MRR},
		metric.Options{Style: metric.TREC})
	for j := range report.Results {
		fmt.Println(report.Results[j].Metric, report.Results[j].Mean.Value, err)
	}
	// Output:
	// map 0.25 <nil>
	// mrr 0.5 <nil>
}
