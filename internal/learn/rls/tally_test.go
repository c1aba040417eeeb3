package rls_test

import (
	"fmt"
	"strings"

	"pairrank/internal/learn/rls"
)

// allowed is the bar for λ in units of the weight of a pair: below 1e-3 the
// condition number of the system, and with it the error, grows as 1/λ.
func allowed(lambda, weight float64) float64 { return bar * max(1, 1e-3*weight/lambda) }

// allowed is the bar for one space, plus the errors of its conditioning:
//
//   - a sparse basis leaves out eigenvalues of K_BB below 1e-12 of the largest, at most m, which
//     changes f by their part of A, up to 1e-12 m² pair weights, relative to λ;
//   - a primal hold-out subtracts the moments of H from A, with a rounding error of up to n ε‖A‖
//     relative to λ. The dual form has no such difference.
func (s setting) allowed(sp space, path *rls.Path, lambda float64) float64 {
	limit := allowed(lambda, s.pairWeight())
	switch {
	case strings.HasPrefix(sp.name, "sparse"):
		limit = max(limit, 1e-12*float64(s.M*s.M)*s.pairWeight()/lambda)
	case strings.HasPrefix(sp.name, "primal") && path != nil:
		d := path.Eigenvalues()
		limit = max(limit, float64(s.N)*0x1p-52*d[len(d)-1]/lambda)
	}
	return limit
}

// tally keeps the largest differences, for λ of at least 1e-3 pair weights and for
// smaller ones.
type tally struct {
	problems       int
	regular, small float64
}

func (w *tally) add(d, lambda, weight float64) {
	w.problems++
	if lambda >= 1e-3*weight {
		w.regular = max(w.regular, d)
	} else {
		w.small = max(w.small, d)
	}
}

func (w *tally) String() string {
	return fmt.Sprintf("%d comparisons, worst relative difference %.2g for λ ≥ 1e-3, %.2g down to 2^-15",
		w.problems, w.regular, w.small)
}
