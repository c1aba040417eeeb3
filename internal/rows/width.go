package rows

import (
	"fmt"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/memory"
)

// CheckWidth returns an *Error of kind Memory if so many vectors as long as the rows of x, n numbers each, do
// not fit into the free memory. n counts the features of sparse rows up to their largest index. It costs O(1).
func CheckWidth(x data.Matrix, vectors float64) error {
	_, n := x.Dims()
	need := 8 * vectors * float64(n)
	if free, is := memory.Beyond(need); is {
		return ManyFeatures(x, need, free)
	}
	return nil
}

// ManyFeatures is the error of too many features, counted up to their largest index.
func ManyFeatures(x data.Matrix, need, free float64) error {
	_, n := x.Dims()
	return &fault.Error{Kind: fault.Memory, Code: codes.FaultManyFeatures,
		Err: fmt.Errorf("vectors of %d features would take about %s of memory, and %s are free", n, memory.Size(need),
			memory.Size(free))}
}
