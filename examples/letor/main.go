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

	"pairrank"
	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/format/svmlight"
)

//go:embed train.txt test.txt
var files embed.FS

func main() {
	ctx := context.Background()
	train, test := read(ctx, "train.txt"), read(ctx, "test.txt")

	// Every λ: what would the error on each query be, had it not been seen?
	result, err := pairrank.Train(ctx, pairrank.Problem{Set: train}, pairrank.Options{})
	check(err)
	fmt.Printf("λ = %g, leave-query-out error %.4f\n", result.Choice.Lambda, result.Choice.Error)

	// Score new documents and measure the ranking.
	scores, err := result.Model.Score(test)
	check(err)
	metrics, err := metric.ParseList("pooled-disagreement,ndcg@10,map")
	check(err)
	report, err := metric.Evaluate(metric.Input{Labels: test.Y, Scores: scores, Queries: test.Queries}, metrics,
		metric.Options{})
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
