package kernel_test

import (
	"fmt"

	"pairrank/data"
	"pairrank/kernel"
)

// A grid of widths, and the values of two rows with the first row under each kernel. With a small γ
// all rows are similar; with a large one a row is similar only to itself.
func Example() {
	x := data.NewDense(3, 2, []float64{0, 0, 1, 0, 3, 4})
	kernels, err := kernel.ParseGrid("gaussian:gamma=2^-6:2^0:3")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, k := range kernels {
		fmt.Printf("%-22s %.3f\n", k, kernel.Matrix(k, x, x).Row(0))
	}
	// Output:
	// gaussian:gamma=0.015625 [1.000 0.984 0.677]
	// gaussian:gamma=0.125   [1.000 0.882 0.044]
	// gaussian:gamma=1       [1.000 0.368 0.000]
}

// Serve one row at a time: the rows of the model are prepared once.
func ExamplePrepare() {
	support := data.NewDense(3, 2, []float64{0, 0, 1, 0, 3, 4})
	p := kernel.Prepare(kernel.Polynomial{Gamma: 1, Coef0: 1, Degree: 2}, support)
	values := make([]float64, p.Len())
	p.RowTo(values, []float64{1, 2})
	fmt.Println(values)
	// Output: [1 4 144]
}

// A user's own kernel over values of any type enters as a matrix: here the number of letters that
// two words have in common at the same place.
func ExampleGram() {
	k := kernel.Gram([]string{"rank", "rant", "tank"}, func(a, b string) float64 {
		same := 0.0
		for i := range min(len(a), len(b)) {
			if a[i] == b[i] {
				same++
			}
		}
		return same
	})
	for i := range k.Rows {
		fmt.Println(k.Row(i))
	}
	// Output:
	// [4 3 3]
	// [3 4 2]
	// [3 2 4]
}
