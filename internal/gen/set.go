package gen

import (
	"fmt"
	"math"
	"math/rand/v2"

	"pairrank/data"
)

// Set is m dense rows with n features around 5 in q queries, whose labels have ties.
func Set(m, n, q int, seed uint64) *data.Set {
	r := rand.New(rand.NewPCG(seed, 3))
	x := data.NewDense(m, n, nil)
	y, of := make([]float64, m), make([]int32, m)
	ids := make([]string, q)
	for g := range ids {
		ids[g] = fmt.Sprint("q", g)
	}
	for i := range m {
		for j := range n {
			x.Row(i)[j] = 5 + r.NormFloat64()
		}
		y[i] = math.Round(x.Row(i)[0] - x.Row(i)[n-1] + 0.5*r.NormFloat64())
		of[i] = int32(i * q / m)
	}
	return &data.Set{X: x, Y: y, Queries: data.NewQueries(of, ids), HasQID: q > 1}
}

// Sparse is the values of x that keep keeps, with all values for nil.
func Sparse(x *data.Dense, keep func(i, j int, v float64) bool) *data.CSR {
	s := &data.CSR{Rows: x.Rows, Cols: x.Cols, Ptr: []int{0}}
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			if keep == nil || keep(i, j, v) {
				s.Col, s.Val = append(s.Col, int32(j)), append(s.Val, v)
			}
		}
		s.Ptr = append(s.Ptr, len(s.Val))
	}
	return s
}

// NotZero keeps values other than 0 in [Sparse].
func NotZero(_, _ int, v float64) bool { return v != 0 }

// Normal is a matrix of independent standard normal numbers.
func Normal(rows, cols int, seed uint64) *data.Dense {
	r := rand.New(rand.NewPCG(seed, 1))
	x := data.NewDense(rows, cols, nil)
	for k := range x.Data {
		x.Data[k] = r.NormFloat64()
	}
	return x
}
