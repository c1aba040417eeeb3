package kernelsum

import (
	"context"
	"math"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// Held is what is left out of rows.
type Held struct {
	// Sets are sets of rows without a common row, each of which is left out at a time. nil is every pair of rows of a
	// component of the Laplacian.
	Sets [][]int32
	// Alone takes each residual by itself. Else those of a set are compared.
	Alone bool
}

// Rows is the Problem of m rows with the goal of Complete or Rows kind and one output. Its loss over a component p, in
// which each two rows are compared, is Σ D_i (y_i − f_i − b_p)² with the best constant b_p. So S = √D makes it ridge
// regression of z = PSy by the kernel PSKSP, and the projection P leaves out the constants.
type Rows struct {
	// Norms are n_i: the mean of the squared distances of the rows to their mean, weighted by D, under each kernel.
	Norms []float64

	goal    *goals.Goal
	held    Held
	lambdas []float64
	kernels []linalg.Mat    // PSKSP/n_i
	parts   *data.Partition // the components, nil without constants
	of      []int32         // the component of each row
	s, unit []float64       // S, and of each component the constant of length 1, S1/|S1|
	z       []float64       // PSy
	size    []float64       // Σ D of each component
	scale   func(...int32) float64
	at      int // the place of the last λ, −1 at first
}

// NewRows takes over kernel matrices of m×m, which it changes. HoldOut has to follow. Cost O(nm²) for n kernels.
func NewRows(kernels []*data.Dense, y []float64, goal *goals.Goal) *Rows {
	m := len(y)
	r := &Rows{goal: goal, s: goals.Diagonal(goal.L), unit: make([]float64, m), z: make([]float64, m)}
	if goal.Centred() {
		r.components()
	}
	for i, d := range r.s {
		r.s[i] = math.Sqrt(d)
		r.z[i] = r.s[i] * y[i]
	}
	r.centre(r.z)
	total := linalg.Dot(r.s, r.s)
	for _, k := range kernels {
		a, trace, before := linalg.Mat(*k), 0.0, 0.0
		for i, s := range r.s {
			before += s * s * a.Row(i)[i]
		}
		parallel.For(m, func(_, i int) {
			row := a.Row(i)
			for j := range row {
				row[j] *= r.s[i] * r.s[j]
			}
			r.centre(row)
		})
		a = a.T()
		parallel.For(m, func(_, i int) { r.centre(a.Row(i)) })
		for i := range m {
			trace += a.Row(i)[i]
		}
		n := normOf(trace, before, total)
		divide(a, n)
		r.Norms, r.kernels = append(r.Norms, n), append(r.kernels, a)
	}
	return r
}

// components makes D of the diagonal of L: of a row with weight a_i in a component of weight s it is w(s a_i − a_i²),
// and D is ws a_i.
func (r *Rows) components() {
	r.parts = r.goal.L.Components()
	r.of, r.size = r.parts.Of(), make([]float64, r.parts.Len())
	for p := range r.parts.Len() {
		rows, mass := r.parts.Part(p), 0.0
		for _, i := range rows {
			mass += goals.WeightOf(r.goal.RowWeights, i)
		}
		for _, i := range rows {
			if rest := mass - goals.WeightOf(r.goal.RowWeights, i); rest > 0 {
				r.s[i] *= mass / rest
			}
			r.size[p] += r.s[i]
		}
		for _, i := range rows {
			if r.size[p] > 0 {
				r.unit[i] = math.Sqrt(r.s[i] / r.size[p])
			}
		}
	}
}

// HoldOut sets what is left out, and the grid of λ. CanHoldOut of the goal for the sets, or CanHoldOutAny, returns nil.
func (r *Rows) HoldOut(held Held, lambdas []float64) {
	r.held, r.lambdas, r.at, r.scale = held, lambdas, -1, r.goal.LambdaScale()
	if r.parts != nil && r.whole() {
		r.scale = func(...int32) float64 { return 1 }
	}
}

// whole reports whether every set is of whole components, whose λ stays.
func (r *Rows) whole() bool {
	for _, set := range r.held.Sets {
		for _, within := range r.within(set) {
			if len(within) < len(r.parts.Part(int(r.of[within[0]]))) {
				return false
			}
		}
	}
	return r.held.Sets != nil
}

// within cuts rows by component.
func (r *Rows) within(rows []int32) map[int32][]int32 {
	cut := map[int32][]int32{}
	for _, i := range rows {
		cut[r.of[i]] = append(cut[r.of[i]], i)
	}
	return cut
}

// centre is P.
func (r *Rows) centre(x []float64) {
	if r.parts == nil {
		return
	}
	for p := range r.parts.Len() {
		rows, along := r.parts.Part(p), 0.0
		for _, i := range rows {
			along += r.unit[i] * x[i]
		}
		for _, i := range rows {
			x[i] -= along * r.unit[i]
		}
	}
}

// Sizes is the number of kernels.
func (r *Rows) Sizes() []int { return []int{len(r.kernels)} }

// Start is centred alignment in the inner products of the loss. Cost O(n²m²).
func (r *Rows) Start() []float64 {
	n := len(r.kernels)
	m, a := linalg.NewMat(n, n), make([]float64, n)
	kz := make([]float64, len(r.z))
	for i, k := range r.kernels {
		for j, other := range r.kernels {
			m.Row(i)[j] = linalg.Dot(k.Data, other.Data)
		}
		linalg.Gemv(linalg.NoTrans, 1, k, r.z, 0, kz)
		a[i] = linalg.Dot(kz, r.z)
	}
	return aligned(m, a)
}

// spectrum is K(β) in its eigenvectors, the constants with the eigenvalue τ in the place of 0.
type spectrum struct {
	*Rows
	tau float64
	w   []float64
	v   linalg.Mat // an eigenvector a row
	vt  linalg.Mat // an eigenvector a column
	z   []float64  // in eigenvectors
}

// negligible is an error, as a share of that of no scores, which is no less than none.
const negligible = 1e-9

// At is At of a Problem. Cost O(m³), for sets Σ|S|²m and for pairs O(m³) for each λ that it tries.
func (r *Rows) At(ctx context.Context, weights []float64) (float64, []float64, error) {
	e := r.spectrum(weights)
	if err := ctx.Err(); err != nil {
		return 0, nil, err
	}
	loss := func(l int) float64 { return e.loss(r.lambdas[l], nil) }
	r.at = best(len(r.lambdas), r.at, loss)
	gamma := linalg.NewMat(len(r.z), len(r.z))
	value := e.loss(r.lambdas[r.at], &gamma) + negligible*linalg.Dot(r.z, r.z)
	slope := make([]float64, len(r.kernels))
	for i, k := range r.kernels {
		slope[i] = 2 * linalg.Dot(k.Data, gamma.Data) / value
	}
	return math.Log(value), slope, ctx.Err()
}

func (r *Rows) spectrum(weights []float64) *spectrum {
	m := len(r.z)
	e := &spectrum{Rows: r, w: make([]float64, m), v: linalg.NewMat(m, m), z: make([]float64, m)}
	a := linalg.NewMat(m, m)
	for i, k := range r.kernels {
		linalg.Axpy(weights[i], k.Data, a.Data)
	}
	for i := range m {
		e.tau += a.Row(i)[i] / float64(m)
	}
	if r.parts != nil {
		for i := range m {
			row := a.Row(i)
			for _, j := range r.parts.Part(int(r.of[i])) {
				row[j] += e.tau * r.unit[i] * r.unit[j]
			}
		}
	}
	linalg.SymEigen(a, e.w, e.v)
	for k, w := range e.w {
		e.w[k] = max(0, w)
	}
	e.vt = e.v.T()
	linalg.Gemv(linalg.NoTrans, 1, e.v, r.z, 0, e.z)
	return e
}
