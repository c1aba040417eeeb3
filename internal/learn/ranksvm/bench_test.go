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
// that all differ, dense and sparse, queries with labels 0 to 4, and one list of times of which half are censored. The
// first list and the queries are trained with weights of the rows as well.
//
// An evaluation with weights adds numbers where one without counts bits, 64 in a word. Medians of five trainings on one
// thread, processor time beside that of none: an evaluation of the hinge loss takes 1.6 times as long at 2,000 rows, 2.1
// to 2.4 at 20,000, 2.8 at 100,000, 1.5 in queries of five labels, 1.2 where products with sparse rows take most of the
// time, and one of the squared loss 1.1 to 1.5. Bits serve no sum of other numbers, and trees of sums wait for their
// additions, not for memory. The weights also make another problem: 17 iterations in place of 13 at 20,000 × 8, 14 and
// 14 at 20,000 × 50, 10 and 11 at 2,000 × 8.
func BenchmarkTrain(b *testing.B) {
	for _, c := range []struct {
		m, n, each, queries int
		lambda              float64
		timed, weighted     bool
	}{
		{20_000, 8, 8, 1, 1e-4, false, false}, {20_000, 8, 8, 1, 1e-4, false, true}, {100_000, 8, 8, 1, 1e-4, false, false},
		{10_000, 20, 20, 300, 1e-3, false, false}, {10_000, 20, 20, 300, 1e-3, false, true},
		{64_000, 47_000, 78, 1, 1e-7, false, false}, {100_000, 10, 10, 1, 1e-4, true, false},
		{1_000_000, 10, 10, 1, 1e-4, true, false},
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
		var weights []float64
		if r := rand.New(rand.NewPCG(1, 2)); c.weighted {
			weights = make([]float64, c.m)
			for i := range weights {
				weights[i] = 0.5 + 1.5*r.Float64()
			}
		}
		for _, loss := range []Loss{Hinge, SquaredHinge} {
			name := fmt.Sprintf("m=%d/n=%d/queries=%d/timed=%t/weighted=%t/%s", c.m, c.n, c.queries, c.timed, c.weighted, loss)
			b.Run(name, func(b *testing.B) {
				b.ReportAllocs()
				evaluations := 0
				for b.Loop() {
					s, err := New(x, y, queries, Options{Loss: loss, Censored: censored, RowWeights: weights})
					if err != nil {
						b.Fatal(err)
					}
					fit, err := s.Train(b.Context(), c.lambda)
					if err != nil {
						b.Fatal(err)
					}
					evaluations = fit.Evaluations
				}
				b.ReportMetric(float64(evaluations), "evaluations")
			})
		}
	}
}
