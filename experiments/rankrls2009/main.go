// Command rankrls2009 repeats the OHSUMED column of table 3 of Pahikkala,
// Tsivtsivadze, Airola, Järvinen and Boberg 2009, An efficient algorithm for
// learning to rank from preference graphs, section 5.3: mean disagreement error
// over queries, labels binarised at 2, features scaled to [0,1] within each
// query, three parts to train, λ of 2^-15 … 2^15 chosen on the fourth, tested on
// the fifth, over the five rotations of LETOR 2.0.
//
//	go run ./experiments/rankrls2009 -data DIR
//
// DIR has S1.txt.gz … S5.txt.gz; by default it is looked for in
// $PAIRRANK_DATA/ohsumed_letor2, or ../shared/data/ohsumed_letor2.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"path/filepath"

	"pairrank"

	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/experiments/internal/experiment"
	"pairrank/format/svmlight"
)

func main() {
	dir := flag.String("data", defaultDir(), "folder with S1.txt.gz … S5.txt.gz of LETOR 2.0 OHSUMED")
	experiment.Main("rankrls2009", func(ctx context.Context) error { return run(ctx, *dir) })
}

func defaultDir() string {
	return filepath.Join(experiment.DataDir(), "ohsumed_letor2")
}

// learners are the columns of the table that are here.
var learners = []struct {
	name    string
	paper   float64
	options pairrank.Options
}{
	{"rankrls", 0.340, pairrank.Options{}},
	{"rankrls, all pairs", 0.346, pairrank.Options{AllPairs: true}},
	{"rls", 0.346, pairrank.Options{Learner: pairrank.LeastSquares{Regression: true}}},
}

// lambdas are 2^-15 … 2^15.
func lambdas() (path []float64) {
	for e := -15; e <= 15; e++ {
		path = append(path, math.Exp2(float64(e)))
	}
	return path
}

func run(ctx context.Context, dir string) error {
	parts := make([]*data.Set, 5)
	for p := range parts {
		var err error
		if parts[p], err = load(ctx, filepath.Join(dir, fmt.Sprintf("S%d.txt.gz", p+1))); err != nil {
			return err
		}
	}
	fmt.Printf("%-20s  %s  %8s  %8s\n", "mean disagreement", "fold 1 … 5 (log2 λ)", "mean", "paper")
	for _, l := range learners {
		sum := 0.0
		fmt.Printf("%-20s ", l.name)
		for fold := range 5 {
			at := func(k int) *data.Set { return parts[(fold+k)%5] }
			test, exponent, err := rotate(ctx, l.options, experiment.Join(at(0), at(1), at(2)), at(3), at(4))
			if err != nil {
				return err
			}
			sum += test
			fmt.Printf(" %.4f (%d)", test, exponent)
		}
		fmt.Printf("  %.4f  %.3f\n", sum/5, l.paper)
	}
	return nil
}

// load reads one part, binarised and scaled within queries.
func load(ctx context.Context, path string) (*data.Set, error) {
	set, err := svmlight.ReadFile(ctx, path, svmlight.Options{Storage: svmlight.StoreDense, Features: 25})
	if err != nil {
		return nil, err
	}
	data.Binarize(set.Y, 2)
	norm, err := data.FitNormalizer(data.NormalizeQueryMinMax, set)
	if err != nil {
		return nil, err
	}
	return set, norm.Apply(set)
}

// rotate trains, chooses λ on the validation part and returns the error on the
// test part.
func rotate(ctx context.Context, o pairrank.Options, train, validation, test *data.Set) (result float64, exponent int, err error) {
	o.Lambdas, o.Metric = lambdas(), &metric.Disagreement
	trained, err := pairrank.Train(ctx, pairrank.Problem{Set: train, Valid: validation}, o)
	if err != nil {
		return 0, 0, err
	}
	scores, err := trained.Model.Score(test)
	if err != nil {
		return 0, 0, err
	}
	report, err := metric.Evaluate(metric.Input{Labels: test.Y, Scores: scores, Queries: test.Queries}, []metric.Metric{metric.Disagreement}, metric.Options{})
	if err != nil {
		return 0, 0, err
	}
	return report.Results[0].Mean.Value, int(math.Log2(trained.Choice.Lambda)), nil
}
