package scores

import (
	"fmt"
	"math"

	"pairrank/internal/linalg"
)

// fit is the worths of the systems, and what each unit contributes to them.
type fit struct {
	worth []float64 // of mean 0
	mean  []float64 // of the scores of a system
	cells []int     // of a system, on items with two scores or more
	units int       // that have such an item
	// parts is what blocks of units contribute, a row each: r_g = (G−1)/G (a − a without unit g), less its mean. Up to
	// mostBlocks units each are a block. share is the part that a block has of all differences, Σ (n_i − 1) over its
	// items.
	parts linalg.Mat
	share []float64
	// shares are those of blocks in what is known of each system; nil where they are share.
	shares *shares
	// covariance is G/(G−1) Σ_g r_g r_gᵀ, the jackknife's.
	covariance linalg.Mat
	// free is by how many units the variance of a worth is known, less 1: 1/Σ_g q² − 1, with the share q of the
	// system's cells that a unit has.
	free []float64
	// residual is the variance of a score around a_s + b_i.
	residual float64
	// essential is an item in the unit without which the systems fall apart, −1 where there is none.
	essential int
	// complete says that every item with two scores or more has one of each system.
	complete bool
	items    int // with two scores or more
}

// mostBlocks bounds how many blocks have a sign of their own.
const mostBlocks = 2048

// fitOf fits a problem whose systems are one part. What the units contribute is nil where there are fewer than
// leastUnits, or where one is essential. Cost O(I S² + S³), for complete tables O(I S + S³); memory O(S²) and
// mostBlocks S.
func fitOf(p *Problem) (*fit, error) {
	s := len(p.Systems)
	f := &fit{worth: make([]float64, s), mean: make([]float64, s), cells: make([]int, s), essential: -1}
	counts, complete := make([]int, s), 0
	right := make([]float64, s)
	l := linalg.NewMat(s, s)
	for i := range p.Y.Rows {
		row := p.Y.Row(i)
		mean, _, n := moments(row)
		for k, y := range row {
			if !math.IsNaN(y) {
				f.mean[k] += y
				counts[k]++
			}
		}
		if n < 2 {
			continue
		}
		f.items++
		for k, y := range row {
			if !math.IsNaN(y) {
				f.cells[k]++
				right[k] += y - mean
			}
		}
		if n == s {
			complete++
		} else {
			addItem(l, row, 1, n)
		}
	}
	for k := range s {
		f.mean[k] /= float64(counts[k])
		for t := range s {
			l.Row(k)[t] -= float64(complete) / float64(s)
		}
		l.Row(k)[k] += float64(complete)
	}
	f.complete = complete == f.items
	inverse, err := pseudoInverse(l)
	if err != nil {
		return nil, err
	}
	linalg.Symv(linalg.Upper, 1, inverse, right, 0, f.worth)
	return f, f.contribute(p, l, inverse)
}

// addItem adds x C_i = x (I_i − 1_i 1_iᵀ/n_i) of an item with n scores.
func addItem(l linalg.Mat, row []float64, x float64, n int) {
	share := x / float64(n)
	for k, y := range row {
		if math.IsNaN(y) {
			continue
		}
		to := l.Row(k)
		to[k] += x
		for t, y := range row {
			if !math.IsNaN(y) {
				to[t] -= share
			}
		}
	}
}

// pseudoInverse is that of the Laplacian of one part: (L + τ 11ᵀ/S)⁻¹ − 11ᵀ/(τ S), with the mean τ of its diagonal.
func pseudoInverse(l linalg.Mat) (linalg.Mat, error) {
	s := l.Rows
	tau := 0.0
	for k := range s {
		tau += l.Row(k)[k] / float64(s)
	}
	m, inverse := l.Clone(), linalg.NewMat(s, s)
	for k := range s {
		for t := range s {
			m.Row(k)[t] += tau / float64(s)
		}
		inverse.Row(k)[k] = 1
	}
	if pivot, ok := linalg.Cholesky(linalg.Upper, m); !ok {
		return inverse, fmt.Errorf("the differences of system %d are not determined", pivot)
	}
	linalg.CholeskySolve(linalg.Upper, m, inverse)
	for k := range inverse.Data {
		inverse.Data[k] -= 1 / (tau * float64(s))
	}
	return inverse, nil
}
