package main

import (
	"math"

	"pairrank/data"
)

// evaluation is what weights are worth on some rows, from a loop over the pairs of
// rows of a query with different labels: nothing here is counted as package
// ranksvm counts it.
type evaluation struct {
	pairs   int
	hinge   float64 // mean of max(0, 1 − (f_i − f_j)) over the pairs y_i > y_j
	squares float64 // ‖w‖²
	wrong   mistakes
}

// objective is J at a λ.
func (j evaluation) objective(lambda float64) float64 { return j.hinge + lambda*j.squares }

// norm is ‖w‖.
func (j evaluation) norm() float64 { return math.Sqrt(j.squares) }

// evaluate evaluates weights w. A wrong order is a mistake and a tied score half of
// one; a query without a pair is left out.
func evaluate(s *data.Set, w []float64) (out evaluation) {
	for _, v := range w {
		out.squares += v * v
	}
	f := make([]float64, len(s.Y))
	s.X.MulVecTo(f, w)
	queries := 0.0
	for g := range s.Queries.Len() {
		rows := s.Queries.Part(g)
		pairs, wrong := 0, 0.0
		for _, i := range rows {
			for _, j := range rows {
				if s.Y[i] <= s.Y[j] {
					continue
				}
				pairs++
				out.hinge += max(0, 1-(f[i]-f[j]))
				switch {
				case f[i] < f[j]:
					wrong++
				case f[i] == f[j]:
					wrong += 0.5
				}
			}
		}
		if pairs > 0 {
			queries++
			out.wrong.queries += wrong / float64(pairs)
		}
		out.pairs += pairs
		out.wrong.pairs += wrong
	}
	out.hinge /= float64(out.pairs)
	out.wrong.pairs /= float64(out.pairs)
	out.wrong.queries /= queries
	return out
}
