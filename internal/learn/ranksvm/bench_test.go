package ranksvm

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pairrank/data"
)

// madeRows is m rows, of whose n features each are not 0, with labels that a linear
// function of them gives, and noise.
func madeRows(m, n, each int) (data.Matrix, []float64) {
	r := rand.New(rand.NewPCG(5, 5))
	w, y := make([]float64, n), make([]float64, m)
	for j := range w {
		w[j] = r.NormFloat64()
	}
	if each == n {
		x := data.NewDense(m, n, nil)
		for i := range y {
			for j := range n {
				v := r.NormFloat64()
				x.Row(i)[j] = v
				y[i] += v * w[j]
			}
			y[i] += 2 * r.NormFloat64()
		}
		return x, y
	}
	x := &data.CSR{Rows: m, Cols: n, Ptr: []int{0}}
	for i := range y {
		for j := r.IntN(2 * n / each); j < n; j += 1 + r.IntN(2*n/each) {
			v := r.Float64() / float64(each)
			x.Col, x.Val = append(x.Col, int32(j)), append(x.Val, v)
			y[i] += v * w[j]
		}
		x.Ptr = append(x.Ptr, len(x.Val))
	}
	return x, y
}

// BenchmarkTrain times a whole training, labels sorted anew: one list of labels
// that all differ, dense and sparse, queries with labels 0 to 4, and one list of times of which half are censored.
func BenchmarkTrain(b *testing.B) {
	for _, c := range []struct {
		m, n, each, queries int
		lambda              float64
		timed               bool
	}{
		{20_000, 8, 8, 1, 1e-4, false}, {100_000, 8, 8, 1, 1e-4, false}, {10_000, 20, 20, 300, 1e-3, false},
		{64_000, 47_000, 78, 1, 1e-7, false}, {100_000, 10, 10, 1, 1e-4, true}, {1_000_000, 10, 10, 1, 1e-4, true},
	} {
		x, y := madeRows(c.m, c.n, c.each)
		queries := data.OneList(c.m)
		if c.queries > 1 {
			of := make([]int32, c.m)
			for i := range of {
				of[i] = int32(i * c.queries / c.m)
				y[i] = float64(min(max(int(y[i]/3)+2, 0), 4))
			}
			queries = data.NewPartition(of, c.queries)
		}
		var censored []bool
		if c.timed {
			censored = make([]bool, c.m)
			for i := range censored {
				censored[i] = i%2 == 0
			}
		}
		for _, loss := range []Loss{Hinge, SquaredHinge} {
			b.Run(fmt.Sprintf("m=%d/n=%d/queries=%d/timed=%t/%s", c.m, c.n, c.queries, c.timed, loss), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					s, err := New(x, y, queries, Options{Loss: loss, Censored: censored})
					if err != nil {
						b.Fatal(err)
					}
					if _, err := s.Train(b.Context(), c.lambda); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
