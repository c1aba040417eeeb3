package data_test

import (
	"fmt"

	"pairrank/data"
)

// A function over the stored values of rows is the same for dense and sparse ones.
func ExampleEach() {
	sparse := &data.CSR{Rows: 2, Cols: 3, Ptr: []int{0, 1, 3}, Col: []int32{1, 0, 2}, Val: []float64{5, 7, 9}}
	for i := range 2 {
		data.Each(sparse, i, func(j int, v float64) { fmt.Println("row", i, "feature", j, "is", v) })
	}
	// Output:
	// row 0 feature 1 is 5
	// row 1 feature 0 is 7
	// row 1 feature 2 is 9
}

// Rows by query: they need not follow one another.
func ExampleNewQueries() {
	queries := data.NewQueries([]int32{0, 1, 0, 1, 1}, []string{"red shoes", "blue hat"})
	for g := range queries.Len() {
		fmt.Println(queries.ID(g), queries.Part(g))
	}
	// Output:
	// red shoes [0 2]
	// blue hat [1 3 4]
}
