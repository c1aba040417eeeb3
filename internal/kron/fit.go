package kron

import (
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// Fit is the solution of a Path for one λ. It is safe for concurrent use.
type Fit struct {
	Lambda float64
	// Coef is A, p×r: f(u,v) = Σ_ij A_ij k(u,u_i) g(v,v_j), without parts that change no score. It lies in the
	// range of the kernel matrix of the rows, and for the regression loss in that of the columns; see InRange.
	Coef *data.Dense

	path *Path
	mid  linalg.Mat // E ∘ M in the ranges
}

// At returns the fit for a λ > 0, with Coef of p×r, for two products, O(p²r + pr²). It panics unless λ is
// positive and finite.
func (p *Path) At(lambda float64) *Fit {
	checkLambda(lambda)
	f := &Fit{Lambda: lambda, path: p, mid: p.inRanges(lambda)}
	f.Coef = dense(p.turnBack(f.mid))
	return f
}

// inRanges is E ∘ M for one λ, 0 where it changes no score.
func (p *Path) inRanges(lambda float64) linalg.Mat {
	mid := p.middle(lambda)
	times(mid, p.e)
	for k, d := range p.rows.d {
		row := mid.Row(k)
		if d == 0 {
			clear(row)
		}
		for l, idle := range p.idle {
			if idle {
				row[l] = 0
			}
		}
	}
	return mid
}

// turnBack is U₁ mid U₂ᵀ.
func (p *Path) turnBack(mid linalg.Mat) linalg.Mat {
	half := mid.Mul(p.cols.u) // p×r, in the eigenvectors of the rows
	return p.rows.u.TMul(half)
}

func checkLambda(lambda float64) {
	if !(lambda > 0) || math.IsInf(lambda, 1) {
		panic(fmt.Sprintf("kron: λ = %v is not a finite number greater than 0", lambda))
	}
}

// Scores returns F, p×r, the scores of the training pairs, for two products, O(p²r + pr²).
func (f *Fit) Scores() *data.Dense {
	half := f.mid.Mul(f.path.weighted)
	scaleRows(half, f.path.rows.d)
	return dense(f.path.rows.u.TMul(half))
}

// Objective returns (y−f)ᵀL(y−f) + λ‖f‖², for the given p×r labels. At the minimum it is λ Σ E_kl² M_kl, and what no
// symmetric or reciprocal f has of the labels. It costs O(pr).
func (f *Fit) Objective() float64 {
	sums := make([]float64, f.path.e.Rows)
	parallel.Chunks(len(sums), 64, func(_, lo, hi int) {
		for k := lo; k < hi; k++ {
			d := f.path.rows.d[k]
			for l, v := range f.path.e.Row(k) {
				sums[k] += v * v * (f.Lambda / (d*f.path.cols.d[l] + f.Lambda))
			}
		}
	})
	objective := linalg.Sum(sums)
	if given, y := f.path.labels, f.path.y; given != y {
		for i := range y.Rows {
			for j, v := range y.Row(i) {
				rest := given.Row(i)[j] - v
				objective += rest * rest
			}
		}
	}
	return objective
}
