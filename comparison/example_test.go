package comparison_test

import (
	"context"
	"fmt"
	"log"

	"pairrank/comparison"
)

// Three players, and how often the left one beat the right one. Nobody has seen ada against cal when the error of
// that pair is measured.
func ExampleRank() {
	games := &comparison.Problem{Items: []string{"ada", "bob", "cal"}, Lines: []comparison.Line{
		{Left: 0, Right: 1, Wins: 7, Losses: 3, Annotator: -1, Stratum: -1, Cluster: -1},
		{Left: 1, Right: 2, Wins: 6, Losses: 4, Annotator: -1, Stratum: -1, Cluster: -1},
		{Left: 0, Right: 2, Wins: 8, Losses: 2, Annotator: -1, Stratum: -1, Cluster: -1},
	}}
	ranking, err := comparison.Rank(context.Background(), *games, comparison.RankOptions{
		Options: comparison.Options{Loss: comparison.Logistic},
		HoldOut: &comparison.Unit{Kind: "pair"},
		Versus:  [2]string{"ada", "cal"},
		Next:    1,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range ranking.Items() {
		fmt.Printf("%d  %s  %.0f, from %.0f to %.0f, rank %d to %d\n", item.Rank, item.Name, item.Value, item.Lo, item.Hi,
			item.RankLo, item.RankHi)
	}
	_, above := ranking.Difference(ranking.Versus[0], ranking.Versus[1])
	next := ranking.Next[0]
	fmt.Printf("ada is above cal with probability %.3f\n", above)
	fmt.Printf("error of unseen pairs: %.2f\n", ranking.HeldOut.Error.Value)
	fmt.Printf("next: %s against %s\n", games.Items[next.A], games.Items[next.B])
	// Output:
	// 1  ada  1129, from 1011 to 1246, rank 1 to 3
	// 2  bob  974, from 866 to 1083, rank 1 to 3
	// 3  cal  897, from 784 to 1010, rank 1 to 3
	// ada is above cal with probability 0.987
	// error of unseen pairs: 0.30
	// next: ada against bob
}
