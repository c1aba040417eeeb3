package kron_test

import (
	"context"
	"fmt"

	"pairrank/data"
	"pairrank/internal/kron"
	"pairrank/kernel"
)

// Three drugs and four targets, all pairs measured. The scores of a drug from a training without its row cost
// only a few products.
func Example() {
	drugs, targets, y := data.NewDense(3, 2, nil), data.NewDense(4, 3, nil), data.NewDense(3, 4, nil)
	copy(drugs.Data, []float64{1, 0, 0.9, 0.2, 0, 1})
	copy(targets.Data, []float64{1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1})
	copy(y.Data, []float64{
		5.0, 6.1, 4.2, 7.3,
		5.5, 5.8, 4.0, 6.9,
		8.1, 5.2, 6.6, 5.9,
	})
	g := kernel.Gaussian{Gamma: 0.5}
	path, err := kron.Factor(context.Background(), kernel.Matrix(g, drugs, drugs),
		kernel.Matrix(g, targets, targets), y, kron.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	seen := path.At(0.1).Scores()
	unseen, err := path.HoldOut(0.1, kron.Rows)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("the second drug, trained on:  %.1f\n", seen.Row(1))
	fmt.Printf("the second drug, as a new one: %.1f\n", unseen.Row(1))
	// Output:
	// the second drug, trained on:  [-0.4 -0.0 -1.5 1.1]
	// the second drug, as a new one: [-0.4 -0.1 -1.3 1.1]
}
