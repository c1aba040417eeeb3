package kron

import (
	"math"
	"slices"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// skeleton is M_kl = 1/(d₁_k d₂_l + λ) as a sum of few products: M ≈ ABᵀ, each entry with a small relative
// error. A has the columns of M for some d₂_l. B interpolates the others: rational functions of d₂ that are 1
// at one of these d₂_l and 0 at the others, with poles at −λ/d₁_k of some rows. M is a Cauchy matrix, so both
// the functions and the error are products,
//
//	M − ABᵀ = M ∘ φψᵀ    φ_k = Π (d₁_k − a)/(d₁_k b + λ)    ψ_l = λᵗ Π (d₂_l − b)/(a d₂_l + λ)
//
// over the chosen pairs (a,b) of rows and columns. The rows and columns with the greatest φ and ψ are the next
// pair. The number of pairs grows as log(d₁d₂/λ) log(1/error), for any size of M (Beckermann and Townsend 2017,
// On the singular values of matrices with displacement structure, section 4).
type skeleton struct {
	a, b       linalg.Mat // p×s and r×s
	rows, cols []float64  // the chosen d₁ and d₂
}

// skeletonError is the relative error of an entry at which no more pairs are added.
const skeletonError = 1e-13

// newSkeleton adds pairs until the error is below skeletonError, at most this many; ok reports whether they
// were enough.
func newSkeleton(d1, d2 []float64, lambda float64, most int) (s *skeleton, ok bool) {
	rows, cols, ok := crossing(d1, d2, lambda, most)
	if !ok {
		return nil, false
	}
	s = &skeleton{linalg.NewMat(len(d1), len(rows)), linalg.NewMat(len(d2), len(rows)), rows, cols}
	for k, x := range d1 {
		for c, b := range cols {
			s.a.Row(k)[c] = 1 / (x*b + lambda)
		}
	}
	cardinals(s.b, d2, lambda, rows, cols)
	return s, true
}

// crossing returns the d₁ and d₂ of a skeleton, in O(s(p + r)).
func crossing(d1, d2 []float64, lambda float64, most int) (rows, cols []float64, ok bool) {
	if len(d1) == 0 || len(d2) == 0 {
		return nil, nil, true
	}
	phi, psi := newFactor(d1), newFactor(d2)
	rows, cols = []float64{slices.Max(d1)}, []float64{slices.Min(d2)}
	for {
		a, b := rows[len(rows)-1], cols[len(cols)-1]
		phi.take(a, b, lambda)
		psi.take(b, a, lambda)
		left := phi.log + psi.log + float64(len(rows))*math.Log(lambda)
		if phi.at < 0 || psi.at < 0 || left < math.Log(skeletonError) {
			return rows, cols, true
		}
		if len(rows) >= most {
			return nil, nil, false
		}
		rows, cols = append(rows, d1[phi.at]), append(cols, d2[psi.at])
	}
}

// cardinals sets row l of dst to the values of cardinal at d_l.
func cardinals(dst linalg.Mat, d []float64, lambda float64, rows, cols []float64) {
	parallel.Chunks(len(d), 16, func(_, lo, hi int) {
		for l := lo; l < hi; l++ {
			cardinal(dst.Row(l), d[l], lambda, rows, cols)
		}
	})
}

// cardinal sets dst_c to the value at y of the function that is 1 at cols_c and 0 at the others.
func cardinal(dst []float64, y, lambda float64, rows, cols []float64) {
	for c, at := range cols {
		v := 1.0
		for q, a := range rows {
			v *= (a*at + lambda) / (a*y + lambda)
			if q != c {
				v *= (y - cols[q]) / (at - cols[q])
			}
		}
		dst[c] = v
	}
}

// factor is φ or ψ, scaled to a largest value of 1; log is the logarithm of the scale.
type factor struct {
	d, value []float64
	log      float64
	at       int // index of the largest value, −1 if all are 0
}

func newFactor(d []float64) *factor {
	f := &factor{d: d, value: make([]float64, len(d))}
	for k := range f.value {
		f.value[k] = 1
	}
	return f
}

// take multiplies by (d − own)/(d other + λ).
func (f *factor) take(own, other, lambda float64) {
	greatest := 0.0
	f.at = -1
	for k, d := range f.d {
		f.value[k] *= (d - own) / (d*other + lambda)
		if v := math.Abs(f.value[k]); v > greatest {
			greatest, f.at = v, k
		}
	}
	if f.at < 0 {
		return
	}
	f.log += math.Log(greatest)
	for k := range f.value {
		f.value[k] /= greatest
	}
}

// gathering computes Σ_l w_l x_lc x_le for all pairs of columns of an n×s matrix x, and Σ_l w_l x_lc, for many
// weights w. Row l of x has the values of s rational functions at an eigenvalue d_l, each with the denominator
// Π (pole d + λ). So all products and the functions themselves are polynomials of degree 2s − 1 over the square
// of that denominator. Their values at 2s eigenvalues determine them; the weights of all other eigenvalues are
// distributed to these.
type gathering struct {
	spread linalg.Mat // n × 2s: the share of the weight of an eigenvalue at each of the 2s
	pairs  linalg.Mat // 2s × s(s+3)/2: the products there, by rows of the upper triangle, and the functions
}

func newGathering(x linalg.Mat, d, poles []float64, lambda float64) *gathering {
	s := x.Cols
	twice := append(slices.Clone(poles), poles...)
	at, left := []int{0}, newFactor(d)
	for {
		left.take(d[at[len(at)-1]], twice[len(at)-1], lambda)
		if left.at < 0 || len(at) == 2*s {
			break
		}
		at = append(at, left.at)
	}
	nodes := make([]float64, len(at))
	m := &gathering{linalg.NewMat(len(d), len(at)), linalg.NewMat(len(at), s*(s+3)/2)}
	for h, k := range at {
		nodes[h] = d[k]
		row, to := x.Row(k), m.pairs.Row(h)
		for c, v := range row {
			for e, w := range row[c:] {
				to[e] = v * w
			}
			to = to[s-c:]
		}
		copy(to, row)
	}
	cardinals(m.spread, d, lambda, twice[:len(at)], nodes)
	return m
}
