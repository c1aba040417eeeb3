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
