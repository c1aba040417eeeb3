// Leaderboard ranks three players by ten games: the scores of the model of Bradley and Terry, and how well they predict
// two players who have never met. docs/by-hand.md works the games out by hand.
//
//	go run ./examples/leaderboard
package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"pairrank/comparison"
	"pairrank/format/table"
)

//go:embed games.csv
var games string

func main() { rank(context.Background(), os.Stdout) }

func rank(ctx context.Context, w io.Writer) {
	read, err := table.ReadComparisonsFrom(strings.NewReader(games), "games.csv", table.ComparisonsOptions{})
	check(err)
	problem := &comparison.Problem{Items: read.Items, Compact: read.Lines}
	ranking, err := comparison.Rank(ctx, *problem, comparison.RankOptions{Options: comparison.Options{
		Loss: comparison.Logistic}, HoldOut: &comparison.Unit{Kind: "pair"}, Scale: comparison.RawScale, Anchor: "cal"})
	check(err)
	for _, item := range ranking.Items()[:2] {
		fmt.Fprintf(w, "%s  %.3f above cal, standard error %.3f\n", item.Name, item.Value, item.SE)
	}
	fmt.Fprintf(w, "%.3f of the wins of pairs left out are predicted wrongly\n", ranking.HeldOut.Error.Value)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
