package similarity_test

import (
	"fmt"

	"pairrank/data"
	"pairrank/internal/similarity"
)

// The cosine normalisation gives every node similarity 1 with itself.
func ExampleNormalize() {
	k := data.NewDense(2, 2, []float64{4, 3, 3, 9})
	if err := similarity.Normalize(k); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(k.Row(0), k.Row(1))
	// Output: [1 0.5] [0.5 1]
}
