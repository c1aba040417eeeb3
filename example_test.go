package pairrank_test

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"

	"pairrank"
	"pairrank/eval/cv"
	"pairrank/kernel"
	"pairrank/model"
)

// rows are 40 of two features, in 8 queries: labels go with the first one and with the
// square of the second, but for noise.
func rows() (x [][]float64, y []float64, queries []string) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 40 {
		x = append(x, []float64{r.NormFloat64(), r.NormFloat64()})
		y = append(y, float64(int(2*x[i][0]+x[i][1]*x[i][1]+r.NormFloat64()+4)))
		queries = append(queries, fmt.Sprint(i/5))
	}
	return x, y, queries
}

// Train chooses λ by the exact leave-query-out error, and the model is saved.
func Example() {
	x, y, queries := rows()
	set, err := pairrank.Rows(x, y, queries)
	check(err)
	result, err := pairrank.Train(context.Background(), pairrank.Problem{Set: set}, pairrank.Options{})
	check(err)
	fmt.Printf("λ = %g, held-out error %.3f\n", result.Choice.Lambda, result.Choice.Error)
	file := filepath.Join(os.TempDir(), "pairrank-example-model.txt")
	check(result.Model.WriteFile(file))
	defer os.Remove(file)

	m, err := model.ReadFile(file)
	check(err)
	fmt.Printf("score of a new row %.2f\n", m.ScoreRow([]float64{1, 0}))
	// Output:
	// λ = 2048, held-out error 0.111
	// score of a new row 0.16
}

// A kernel is chosen together with λ.
func ExampleTrain_kernels() {
	x, y, queries := rows()
	set, err := pairrank.Rows(x, y, queries)
	check(err)
	result, err := pairrank.Train(context.Background(), pairrank.Problem{Set: set}, pairrank.Options{
		Kernels: []kernel.Kernel{kernel.Linear{}, kernel.Gaussian{Gamma: 0.1}, kernel.Gaussian{Gamma: 1}},
	})
	check(err)
	for _, k := range result.Choice.Kernels {
		fmt.Printf("%-20s error %.3f\n", k.Kernel, k.Error())
	}
	fmt.Println("chosen:", result.Choice.Kernel)
	// Output:
	// linear               error 0.111
	// gaussian:gamma=0.1   error 0.069
	// gaussian:gamma=1     error 0.125
	// chosen: gaussian:gamma=0.1
}

// Estimate tells the error on what was not seen, of the whole procedure, too.
func ExampleEstimate() {
	x, y, queries := rows()
	set, err := pairrank.Rows(x, y, queries)
	check(err)
	e, err := pairrank.Estimate(context.Background(), pairrank.Problem{Set: set}, pairrank.EstimateOptions{
		Nested: &cv.Method{Kind: cv.LeaveQueryOut}, Permutations: 99,
	})
	check(err)
	fmt.Printf("best λ = %g: error %.3f ± %.3f\n", e.Choice.Lambda, e.Choice.Error, e.Choice.StdErr.Value)
	i := e.Interval(0)
	fmt.Printf("95 %% interval %.2f to %.2f\n", i.Lo, i.Hi)
	fmt.Printf("choice and training: error %.3f\n", e.Nested.Error)
	fmt.Printf("p = %.2f\n", e.Permutation.P)
	// Output:
	// best λ = 2048: error 0.111 ± 0.036
	// 95 % interval 0.04 to 0.27
	// choice and training: error 0.111
	// p = 0.01
}

// RankSVM is another learner behind the same door.
func ExampleRankSVM() {
	x, y, queries := rows()
	set, err := pairrank.Rows(x, y, queries)
	check(err)
	result, err := pairrank.Train(context.Background(), pairrank.Problem{Set: set}, pairrank.Options{
		Learner: pairrank.RankSVM{}, Lambdas: []float64{0.01, 0.1, 1}, Method: &cv.Method{Kind: cv.KFold, Folds: 4},
	})
	check(err)
	fmt.Printf("λ = %g by %s: error %.3f\n", result.Choice.Lambda, result.Choice.Method, result.Choice.Error)
	fmt.Println(result.Training.Objective)
	// Output:
	// λ = 1 by kfold:4: error 0.097
	// mean max(0, 1 - (f_i - f_j)) + lambda |f|^2 over pairs of a query with y_i > y_j
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
