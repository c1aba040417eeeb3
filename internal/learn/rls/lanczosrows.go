package rls

import (
	"math"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/krylov"
	"pairrank/internal/linalg"
)

// rowLanczos is the Lanczos process of XᵀLX from Xᵀr in the coordinates of the rows, for no more
// sparse rows than features. The vectors of lanczos are v = Xᵀa:
//
//	β' a' = L f − α a − β a°    f = XXᵀa    α = fᵀLf    ‖Xᵀa‖ = 1
//
// where a° is the vector before a. The product with XXᵀ, which gives f and β' at once,
// reads each stored value once, and no vector has the length of the features.
//
// The part of a in the null space of Xᵀ grows by about the factor by which the residual for λ = 0
// falls, and f loses as many digits. That is negligible where CGOptions.Scores ends the iteration,
// and too much for full precision.
type rowLanczos struct {
	xt                  *data.CSR
	l                   goals.Laplacian
	shifts              []*krylov.Shift
	a, before, next     []float64 // m each
	f, g                []float64 // XXᵀ a and XXᵀ next
	norm                float64   // ‖Xᵀr‖
	alpha, beta, beyond float64
}

// newRowLanczos prepares one system, with a shift for each λ, whose images are those of
// a; r is kept.
func newRowLanczos(xt *data.CSR, l goals.Laplacian, r, lambdas []float64) *rowLanczos {
	m := len(r)
	z := &rowLanczos{xt: xt, l: l, next: r, a: make([]float64, m), before: make([]float64, m), f: make([]float64, m),
		g: make([]float64, m)}
	for _, lambda := range lambdas {
		z.shifts = append(z.shifts, krylov.NewShift(lambda, m))
	}
	return z
}

// start makes the first vector, r over the length of Xᵀr. Where that is 0 so is the
// solution.
func (z *rowLanczos) start() {
	largest := 0.0
	for _, r := range z.next {
		largest = max(largest, math.Abs(r))
	}
	_, exponent := math.Frexp(largest) // so that squares neither overflow nor underflow
	for i, r := range z.next {
		z.next[i] = math.Ldexp(r, -exponent)
	}
	z.beyond = math.Sqrt(z.xt.GramVecTo(z.g, z.next))
	z.norm = math.Ldexp(z.beyond, exponent)
	if z.beyond == 0 {
		krylov.EndAt(z.shifts, 0)
		return
	}
	z.rotate()
}

// rotate makes next, divided by ‖Xᵀnext‖, the current vector.
func (z *rowLanczos) rotate() {
	z.before, z.a, z.next = z.a, z.next, z.before
	z.f, z.g = z.g, z.f
	z.beta = z.beyond
	linalg.Scal(1/z.beta, z.a)
	linalg.Scal(1/z.beta, z.f)
}

// step is one step: a product with XXᵀ, and one with L.
func (z *rowLanczos) step(o CGOptions) {
	z.l.MulTo(z.g, z.f, 1)
	z.alpha = linalg.Dot(z.f, z.g)
	for i, u := range z.g {
		z.next[i] = u - (z.alpha*z.a[i] + z.beta*z.before[i])
	}
	z.beyond = math.Sqrt(z.xt.GramVecTo(z.g, z.next))
	for _, h := range z.shifts {
		if !h.Ended {
			h.Advance(z.alpha, z.beta, z.beyond, z.a, o.Tolerance, o.Scores)
		}
	}
	krylov.EndAt(z.shifts, z.beyond)
	z.rotate()
}

func (z *rowLanczos) distance(o CGOptions) float64 {
	return krylov.Distance(z.shifts, o.Tolerance, o.Scores)
}

// ended reports whether every λ has.
func (z *rowLanczos) ended() bool { return krylov.AllEnded(z.shifts) }

// rowTolerance is the least tolerance for which this process is used: there some seven digits of a
// lie in the null space of Xᵀ, and as many are left.
const rowTolerance = 1e-7
