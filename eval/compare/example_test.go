package compare_test

import (
	"fmt"

	"pairrank/data"
	"pairrank/eval/compare"
	"pairrank/eval/metric"
)

// Compare two rankings of the same eight queries, of a relevant and another document
// each: A has six of them right, B one.
func ExampleReports() {
	in := metric.Input{Queries: data.Consecutive([]int{0, 2, 4, 6, 8, 10, 12, 14, 16})}
	a, b := in, in
	for g := range 8 {
		in.Labels = append(in.Labels, 1, 0)
		a.Scores = append(a.Scores, float64(6-g), 0.5)
		b.Scores = append(b.Scores, float64(1-g), 0.5)
	}
	a.Labels, b.Labels = in.Labels, in.Labels
	ofA, errA := metric.Evaluate(a, []metric.Metric{metric.Disagreement}, metric.Options{})
	ofB, errB := metric.Evaluate(b, []metric.Metric{metric.Disagreement}, metric.Options{})
	report, err := compare.Reports(ofA, ofB, compare.Options{})
	if errA != nil || errB != nil || err != nil {
		fmt.Println(errA, errB, err)
		return
	}
	r := report.Results[0]
	fmt.Printf("A − B = %.3f, from %.3f to %.3f\n", r.Difference.Value, r.Lo.Value, r.Hi.Value)
	fmt.Printf("A wins %d, ties %d, loses %d; p = %.4f\n", r.Wins, r.Ties, r.Losses, r.Flips.P)
	// Output:
	// A − B = -0.625, from -1.000 to -0.192
	// A wins 5, ties 3, loses 0; p = 0.0625
}
