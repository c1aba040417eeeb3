package rankboost_test

import (
	"context"
	"fmt"

	"pairrank/data"
	"pairrank/learn/rankboost"
	"pairrank/pref"
)

// The number of rounds is chosen on a query that training did not see: its
// scores grow stump by stump, and the best round is kept.
func ExampleTrain() {
	x := &data.Dense{Rows: 8, Cols: 2, Stride: 2, Data: []float64{1, 5, 2, 1, 3, 4, 4, 2, 1, 1, 2, 2, 3, 5, 4, 3}}
	y := []float64{0, 0, 2, 1, 0, 1, 2, 2}
	queries := pref.NewPartition([]int32{0, 0, 0, 0, 1, 1, 1, 1}, 2)
	fit, err := rankboost.Train(context.Background(), x, y, queries, rankboost.Options{Rounds: 6})
	if err != nil {
		panic(err)
	}
	held := &data.Dense{Rows: 3, Cols: 2, Stride: 2, Data: []float64{1, 4, 3, 3, 2, 2}}
	labels := []float64{0, 2, 1}
	scores := make([]float64, 3)
	best, fewest := 0, len(labels)+1
	for t := range fit.Stumps.Terms {
		fit.Stumps.Part(t, t+1).AddTo(scores, held)
		if wrong := notAbove(labels, scores); wrong < fewest {
			best, fewest = t+1, wrong
		}
	}
	fmt.Printf("%v pairs, loss %.3f after 1 round and %.3f after %d\n", fit.Pairs, fit.Loss[0], fit.Loss[len(fit.Loss)-1], len(fit.Loss))
	fmt.Printf("%d pairs of the held-out query not right after %d rounds\n", fewest, best)
	for _, s := range fit.Stumps.Part(0, best).Terms {
		fmt.Printf("%+.3f where feature %d is above %v\n", s.Weight, s.Feature+1, s.Threshold)
	}
	// Output:
	// 10 pairs, loss 0.467 after 1 round and 0.070 after 6
	// 0 pairs of the held-out query not right after 3 rounds
	// +1.099 where feature 1 is above 2.5
	// +0.952 where feature 1 is above 2.5
	// +0.896 where feature 1 is above 1.5
}

// notAbove counts the pairs whose better row is not scored above the other.
func notAbove(y, f []float64) (count int) {
	for i := range y {
		for j := range y {
			if y[i] > y[j] && f[i] <= f[j] {
				count++
			}
		}
	}
	return count
}
