package rankboost_test

import (
	"context"
	"fmt"

	"pairrank/data"
	"pairrank/internal/learn/rankboost"
)

// Three stumps; each lowers the loss.
func ExampleTrain() {
	x := data.NewDense(4, 2, []float64{1, 5, 2, 1, 3, 4, 4, 2})
	y := []float64{0, 0, 2, 1}
	fit, err := rankboost.Train(context.Background(), x, y, data.OneList(4), rankboost.Options{Rounds: 3})
	if err != nil {
		panic(err)
	}
	for t, s := range fit.Stumps.Terms {
		fmt.Printf("%+.3f where feature %d is above %v: loss %.3f\n", s.Weight, s.Feature+1, s.Threshold, fit.Loss[t])
	}
	// Output:
	// +0.805 where feature 1 is above 2.5: loss 0.558
	// +0.718 where feature 1 is above 2.5: loss 0.374
	// +0.494 where feature 2 is above 3: loss 0.307
}

// The number of rounds is chosen on a query that training did not see: its
// scores grow stump by stump, and the best round is kept.
func ExampleTrain_rounds() {
	x := data.NewDense(8, 2, []float64{1, 5, 2, 1, 3, 4, 4, 2, 1, 1, 2, 2, 3, 5, 4, 3})
	y := []float64{0, 0, 2, 1, 0, 1, 2, 2}
	queries := data.NewPartition([]int32{0, 0, 0, 0, 1, 1, 1, 1}, 2)
	fit, err := rankboost.Train(context.Background(), x, y, queries, rankboost.Options{Rounds: 6})
	if err != nil {
		panic(err)
	}
	held, labels := data.NewDense(3, 2, []float64{1, 4, 3, 3, 2, 2}), []float64{0, 2, 1}
	scores, best, fewest := make([]float64, 3), 0, len(labels)+1
	for t := range fit.Stumps.Terms {
		fit.Stumps.Part(t, t+1).AddTo(scores, held)
		if wrong := notAbove(labels, scores); wrong < fewest {
			best, fewest = t+1, wrong
		}
	}
	fmt.Printf("%v pairs, loss %.3f after %d rounds\n", fit.Pairs, fit.Loss[len(fit.Loss)-1], len(fit.Loss))
	fmt.Printf("%d pairs of the held-out query not right after %d rounds\n", fewest, best)
	// Output:
	// 10 pairs, loss 0.070 after 6 rounds
	// 0 pairs of the held-out query not right after 3 rounds
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
