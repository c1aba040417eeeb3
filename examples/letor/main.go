// Letor trains a ranker on one file of graded documents, measures it on
// another and prints what it found: the λ that leave-query-out chose, the error
// it promised, and how the test queries came out.
//
//	go run ./examples/letor
package main

import (
	"context"
	"embed"
	"fmt"
	"log"
	"math"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/format/svmlight"
	"pairrank/learn/rls"
	"pairrank/pref"
)

//go:embed train.txt test.txt
var files embed.FS

func main() {
	ctx := context.Background()
	train, test := read(ctx, "train.txt"), read(ctx, "test.txt")

	// Compare every two documents of a query, and factor the problem once.
	goal, err := pref.Scored(train.Y, 1, train.Queries, pref.Options{})
	check(err)
	path, err := rls.Factor(ctx, rls.Primal(train.X), goal)
	check(err)

	// Every λ: what would the error on each query be, had it not been seen?
	var lambdas []float64
	for e := -15; e <= 15; e++ {
		lambdas = append(lambdas, math.Ldexp(1, e))
	}
	labels := cv.Labels{Y: train.Y, Queries: train.Queries}
	estimates, err := cv.Estimated(ctx, path, labels, cv.Options{
		Method: cv.Method{Kind: cv.LeaveQueryOut}, Lambdas: lambdas,
	})
	check(err)
	best := estimates[0].Points[estimates[0].Best]
	fmt.Printf("λ = %g, leave-query-out error %.4f\n", best.Lambda, best.Error)

	// Score new documents and measure the ranking.
	scores := make([]float64, len(test.Y))
	test.X.MulVecTo(scores, path.At(best.Lambda).Coef.Data)
	metrics, err := metric.ParseList("pooled-disagreement,ndcg@10,map")
	check(err)
	report, err := metric.Evaluate(metric.Input{
		Labels: test.Y, Scores: scores, Queries: test.Queries,
	}, metrics, metric.Options{})
	check(err)
	for _, r := range report.Results {
		fmt.Printf("%-19s  %.4f over %d queries\n", r.Metric, r.Mean.Value, r.Queries)
	}
}

func read(ctx context.Context, name string) *data.Set {
	f, err := files.Open(name)
	check(err)
	defer f.Close()
	set, err := svmlight.ReadAll(ctx, f, name, svmlight.Options{Features: 12})
	check(err)
	return set
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
