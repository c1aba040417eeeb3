package pencil

import (
	"math"

	"pairrank/internal/linalg"
)

// togetherRows is the largest group whose systems at all λ are solved together: beyond it a system alone fills the
// vector units.
const togetherRows = 20

// together holds the systems of a small group at every λ, entry by entry: Q_ab at all λ is one row. The entries are one
// product of matrices, and the elimination goes over the λ in its inner loops, where no step waits for another.
type together struct {
	pairs   linalg.Mat  // of rows a ≤ b: w_a ∘ w_b
	entries linalg.Mat  // of the same: Q_ab, a column for each λ
	of      [][]float64 // row a·h + b of them, for a ≤ b
	right   linalg.Mat  // δ as it was
	bad     []bool      // λ without a factor
	inverse []float64   // memory: of a pivot at every λ
	x       []float64   // memory: of a system
}

// canTogether reports whether the systems of the group in work may be solved together: for few rows, of a size whose
// squares keep their digits.
func (s *scratch) canTogether() bool {
	const small, large = 1e-140, 1e140
	if n := s.w.Rows; n < 2 || n > togetherRows || len(s.res.lambdas) < 2 {
		return false
	}
	for _, size := range s.omega {
		if size != 0 && !(size > small && size < large) {
			return false
		}
	}
	return true
}

// solveTogether replaces delta by the solutions of Q_HH δ = a_H at every λ of s.res, as one solveSemidefinite for each
// would, and sets s.least and s.diagonal. It costs O(nλ (h²k + h³)) for h rows, k columns and nλ values of λ.
func (p *Pencil) solveTogether(s *scratch, delta linalg.Mat) {
	n, v := s.w.Rows, p.Outputs()
	t := &s.systems
	p.entriesTo(t, s)
	t.fixNull(n, s.inside)
	for a := range n {
		for l, x := range t.of[a*n+a] {
			if !p.dual {
				x = s.lhh.Row(a)[a]
			}
			s.diagonal.Row(l)[a] = sqrt(x)
		}
	}
	copy(sized(&t.right, n, delta.Cols).Data, delta.Data)
	t.factor(n)
	t.solve(n, v, delta)
	for l, bad := range t.bad {
		if !bad {
			s.least[l] = t.leastAt(n, l)
			continue
		}
		own := delta.Slice(0, n, l*v, (l+1)*v)
		for a := range n {
			copy(own.Row(a), t.right.Row(a)[l*v:(l+1)*v])
		}
		p.residualMatrix(s, l)
		s.least[l] = solveSemidefinite(s.q, own)
	}
}

// entriesTo sets the entries of Q_HH, of λQ_HH in the primal form.
func (p *Pencil) entriesTo(t *together, s *scratch) {
	n, k, lambdas := s.w.Rows, s.w.Cols, len(s.res.lambdas)
	pairs := sized(&t.pairs, n*(n+1)/2, k)
	t.of, t.bad = grown(t.of, n*n), grown(t.bad, lambdas)
	t.inverse, t.x = grown(t.inverse, lambdas), grown(t.x, n)
	clear(t.bad)
	at := 0
	for a := range n {
		for b := a; b < n; b++ {
			row, wa, wb := pairs.Row(at), s.w.Row(a)[:k], s.w.Row(b)[:k]
			for j := range row {
				row[j] = wa[j] * wb[j]
			}
			at++
		}
	}
	entries := sized(&t.entries, at, lambdas)
	linalg.Gemm(linalg.NoTrans, linalg.T, 1, pairs, s.res.inverse, 0, entries)
	at = 0
	for a := range n {
		for b := a; b < n; b++ {
			row := entries.Row(at)
			t.of[a*n+b] = row
			at++
			if !p.dual {
				own := s.lhh.Row(a)[b]
				for l, x := range row {
					row[l] = own - x
				}
			}
		}
	}
}

// fixNull is fixNull at every λ.
func (t *together) fixNull(n int, inside [][]int) {
	size := t.inverse
	for _, at := range inside {
		clear(size)
		for _, a := range at {
			for l, x := range t.of[a*n+a] {
				size[l] += x
			}
		}
		linalg.Scal(1/(float64(len(at))*float64(len(at))), size)
		for x, a := range at {
			for _, b := range at[x:] {
				linalg.Axpy(1, size, t.of[a*n+b])
			}
		}
	}
	for a := range n {
		row := t.of[a*n+a]
		for l, x := range row {
			if x == 0 {
				row[l] = 1
			}
		}
	}
}

// factor replaces the entries by those of R with RᵀR = Q at every λ (Golub and Van Loan 2013, section 4.2).
func (t *together) factor(n int) {
	for j := range n {
		pivot, inverse := t.of[j*n+j], t.inverse[:len(t.bad)]
		for l, x := range pivot {
			if !(x > 0 && x <= math.MaxFloat64) {
				t.bad[l], x = true, 1
			}
			pivot[l] = sqrt(x)
			inverse[l] = 1 / pivot[l]
		}
		for b := j + 1; b < n; b++ {
			row := t.of[j*n+b][:len(inverse)]
			for l, x := range inverse {
				row[l] *= x
			}
		}
		for i := j + 1; i < n; i++ {
			left := t.of[j*n+i]
			for b := i; b < n; b++ {
				subtractProducts(t.of[i*n+b], left, t.of[j*n+b])
			}
		}
	}
}

// subtractProducts is dst −= x∘y.
func subtractProducts(dst, x, y []float64) {
	x, y = x[:len(dst)], y[:len(dst)]
	for l := range dst {
		dst[l] -= x[l] * y[l]
	}
}

// solve replaces delta by R⁻¹R⁻ᵀ delta at every λ, for v outputs side by side.
func (t *together) solve(n, v int, delta linalg.Mat) {
	for j := range n {
		own := delta.Row(j)
		divideEach(own, t.of[j*n+j], v)
		for b := j + 1; b < n; b++ {
			subtractEach(delta.Row(b), t.of[j*n+b], own, v)
		}
	}
	for j := n - 1; j >= 0; j-- {
		own := delta.Row(j)
		for b := j + 1; b < n; b++ {
			subtractEach(own, t.of[j*n+b], delta.Row(b), v)
		}
		divideEach(own, t.of[j*n+j], v)
	}
}

// divideEach divides the v numbers of each λ by d at that λ.
func divideEach(dst, d []float64, v int) {
	for l, x := range d {
		for c := l * v; c < (l+1)*v; c++ {
			dst[c] /= x
		}
	}
}

// subtractEach subtracts from the v numbers of each λ those of y times x at that λ.
func subtractEach(dst, x, y []float64, v int) {
	if v == 1 {
		subtractProducts(dst, x, y)
		return
	}
	for l, a := range x {
		linalg.Axpy(-a, y[l*v:(l+1)*v], dst[l*v:(l+1)*v])
	}
}

// leastAt is leastOf at one λ.
func (t *together) leastAt(n, l int) float64 {
	at := 0
	for a := range n {
		if t.of[a*n+a][l] < t.of[at*n+at][l] {
			at = a
		}
	}
	x := t.x[:n]
	clear(x)
	x[at] = 1
	for i := at; i < n; i++ {
		x[i] /= t.of[i*n+i][l]
		for b := i + 1; b < n; b++ {
			x[b] -= t.of[i*n+b][l] * x[i]
		}
	}
	for i := n - 1; i >= 0; i-- {
		for b := i + 1; b < n; b++ {
			x[i] -= t.of[i*n+b][l] * x[b]
		}
		x[i] /= t.of[i*n+i][l]
	}
	return 1 / linalg.Nrm2(x)
}
