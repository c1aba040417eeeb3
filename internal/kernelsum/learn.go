// Package kernelsum learns the weights of a sum of kernels,
//
//	K(β) = Σ_i β_i K_i/n_i     β ≥ 0, Σ β_i = 1
//
// by the squared error E(β,λ) of held-out rows. E is exact: leaving out equals training again. It is minimised
// over a grid of λ, and over β by projected gradients from the weights of centred alignment (Cortes, Mohri and
// Rostamizadeh 2012, Algorithms for learning kernels based on centered alignment, section 3.2). n_i normalises a
// kernel, so that its unit does not matter.
//
// With the residual operator N = (K + λ)⁻¹ over centred labels z, and h = Nz, the residuals of a set S that is left out
// are r_S = N_SS⁻¹h_S. For E = rᵀBr, g = Br and u_S = N_SS⁻¹g_S the derivative in the direction A of K is
//
//	dE = 2 Σ_S u_Sᵀ(dh_S − dN_SS r_S) = 2⟨A, Σ_S (N_:S u_S)(N_:S r_S − h)ᵀ⟩     dN = −NAN
//
// A step costs an eigenproblem of K, the residuals for a few λ, and one such sum. learn.go descends, rows.go has the
// error of rows, heldrows.go what its parts need; edges.go and heldedges.go have that of edges between nodes, with a
// sum of each side.
package kernelsum

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/internal/linalg"
)

// Problem is what weights are learnt for.
type Problem interface {
	// Sizes returns the number of weights of each sum. Those of one sum follow one another.
	Sizes() []int
	// Start returns the weights of centred alignment, numbers of at least 0 that add up to 1 in each sum.
	Start() []float64
	// At returns ln E for some weights at the best λ of the grid, and its derivatives.
	At(ctx context.Context, weights []float64) (value float64, gradient []float64, err error)
}

// MostSteps bounds the calls of Problem.At, each of which costs an eigenproblem.
const MostSteps = 8

// still is the change of a weight, and of ln E, below which the descent ends: held-out errors of some thousand pairs do
// not tell such weights apart.
const still = 1e-4

// Learn returns the weights of the least error that it meets on its descent of at most MostSteps. It returns the error
// of At.
func Learn(ctx context.Context, p Problem) ([]float64, error) {
	at, sizes := p.Start(), p.Sizes()
	value, slope, err := p.At(ctx, at)
	if err != nil {
		return nil, err
	}
	const first = 0.25 // the largest change of a weight in the first step
	steep := apart(slope, sizes)
	if steep < still { // as for one kernel
		return at, nil
	}
	step := first / steep
	for range MostSteps - 1 {
		next := onto(at, slope, step, sizes)
		moved := make([]float64, len(at))
		for i := range moved {
			moved[i] = next[i] - at[i]
		}
		if linalg.MaxAbs(moved) < still {
			break
		}
		lower, turned, err := p.At(ctx, next)
		if err != nil {
			return nil, err
		}
		down := linalg.Dot(slope, moved)
		if !(lower < value) { // the parabola through both values and the slope
			step *= max(0.1, min(0.5, -down/(2*(lower-value-down))))
			continue
		}
		bend := linalg.Dot(turned, moved) - down
		if step *= 4; bend > 0 {
			step = min(step, linalg.Dot(moved, moved)/bend)
		}
		gained := value - lower
		if at, value, slope = next, lower, turned; gained < still {
			break
		}
	}
	return at, nil
}

// sums calls do with the part of each sum.
func sums(x []float64, sizes []int, do func(part []float64)) {
	for _, n := range sizes {
		do(x[:n:n])
		x = x[n:]
	}
}

// apart is the largest difference of numbers from the mean of their sum.
func apart(x []float64, sizes []int) (most float64) {
	sums(x, sizes, func(part []float64) {
		mean := linalg.Sum(part) / float64(len(part))
		for _, v := range part {
			most = max(most, math.Abs(v-mean))
		}
	})
	return most
}

// onto is the point nearest to at − step·slope with each sum on its simplex.
func onto(at, slope []float64, step float64, sizes []int) []float64 {
	x := slices.Clone(at)
	linalg.Axpy(-step, slope, x)
	sums(x, sizes, ontoSimplex)
	return x
}

// ontoSimplex moves x to the nearest point of the simplex.
func ontoSimplex(x []float64) {
	if len(x) == 1 {
		x[0] = 1 // without rounding
		return
	}
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	sum, shift := 0.0, 0.0
	for k, v := range slices.Backward(sorted) {
		sum += v
		if by := (sum - 1) / float64(len(x)-k); v > by {
			shift = by
		}
	}
	for i, v := range x {
		x[i] = max(0, v-shift)
	}
}

// aligned minimises vᵀMv − 2vᵀa over v ≥ 0, and returns v over its sum: M are inner products of centred kernels, and a
// those with zzᵀ. A thousandth is added to the diagonal, so that kernels that are alike share their weight. Where no
// kernel is aligned with the labels, all weights are equal.
func aligned(m linalg.Mat, a []float64) []float64 {
	const sweeps, ridge = 10_000, 1e-3 // of coordinates, of which there are few
	v := make([]float64, len(a))
	for range sweeps {
		for i := range v {
			if own := m.Row(i)[i]; own > 0 {
				v[i] = max(0, v[i]+(a[i]-linalg.Dot(m.Row(i), v)-ridge*own*v[i])/((1+ridge)*own))
			}
		}
	}
	sum := linalg.Sum(v)
	for i := range v {
		if v[i] /= sum; !(sum > 0) {
			v[i] = 1 / float64(len(v))
		}
	}
	return v
}

// divide divides a kernel by its norm. One that is 0 is rounding, and becomes 0.
func divide(k linalg.Mat, norm float64) {
	if norm == 0 {
		clear(k.Data)
		return
	}
	linalg.Scal(1/norm, k.Data)
}

// normOf is a trace over a number of rows, 0 where it is rounding of the trace before the kernel was centred.
func normOf(trace, before, rows float64) float64 {
	const rounding = 1e-12
	if trace <= rounding*before {
		return 0
	}
	return trace / rows
}

// negligibleShare is the share of a kernel below which a sum does without it: the descent does not tell it from 0.
const negligibleShare = 1e-4

// Weights returns the weights β_i/n_i of K for shares β of kernels with norms n: 0 for a kernel without a share, and to
// four digits, so that a model shows weights that train it again.
func Weights(shares, norms []float64) []float64 {
	w := make([]float64, len(shares))
	for i, n := range norms {
		if shares[i] >= negligibleShare && n > 0 {
			w[i], _ = strconv.ParseFloat(strconv.FormatFloat(shares[i]/n, 'g', 4, 64), 64)
		}
	}
	return w
}

// Text says which shares were learnt of kernels, in words that follow "of".
func Text(names []string, shares []float64) string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = fmt.Sprintf("%s %.3g %%", name, 100*shares[i])
	}
	return fmt.Sprintf("%d kernels, %s of the sum,", len(names), strings.Join(texts, ", "))
}

// best is the place of the least value of a function of places 0 to n−1, looked for near a first place, or over all of
// the range where that is below 0: a function that falls and then grows.
func best(n, first int, value func(l int) float64) int {
	known := map[int]float64{}
	of := func(l int) float64 {
		if l < 0 || l >= n {
			return math.Inf(1)
		}
		v, is := known[l]
		if !is {
			v = value(l)
			known[l] = v
		}
		return v
	}
	const stride = 4
	if first < 0 {
		first = 0
		for l := 0; l < n; l += stride {
			if of(l) < of(first) {
				first = l
			}
		}
	}
	for at := first; ; {
		next := at
		for _, l := range []int{at - 1, at + 1, at - stride/2, at + stride/2} {
			if of(l) < of(next) {
				next = l
			}
		}
		if next == at {
			return at
		}
		at = next
	}
}
