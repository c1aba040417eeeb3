package pencil

import (
	"context"
	"maps"
	"math"
	"slices"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// ScaledPairs leaves out pairs of which each has a λ of its own, a factor c times as much, as where rows have
// weights. The predictions without a pair are a rational function of its λ, whose poles are not positive. They are
// interpolated, for each pair, in the values of LeavePairs at a few λ:
//
//	f(λ c) ≈ Σ_n ℓ_n(c) f(λ c_n)
//
// with the Lagrange polynomials ℓ_n of the Chebyshev points c_n of the range of c. With c₀ and h its middle and half
// its width, N points leave a share of about ρ^−N of f with ρ = z + √(z²−1), z = c₀/h (Trefethen 2013, Approximation
// theory and approximation practice, theorem 8.2). N is such that this is below 2⁻³⁶: about 10 for ten rows, 6 for a
// hundred, 4 for some thousand. Where there are fewer values of c, they are the points. It is safe for concurrent use.
type ScaledPairs struct {
	rows   *pairRows
	scale  func(i, j int) float64
	points []float64
	// weights are those of the barycentric formula; nil where the points are all values.
	weights []float64
	shares  [][]float64 // of the points, for each row and following row; nil where that is too much memory
}

// NewScaledPairs prepares to leave out the pairs i, j with the factor scale(i, j) > 0, which is symmetric. It costs
// O(m²) calls of scale.
func (p *Pencil) NewScaledPairs(scale func(i, j int) float64) *ScaledPairs {
	m := p.L.Dim()
	s := &ScaledPairs{rows: p.newPairRows(), scale: scale}
	s.choosePoints(m)
	const numbers = 1 << 22 // that are kept
	if m*m/2*len(s.points) > numbers {
		return s
	}
	s.shares = make([][]float64, m)
	parallel.For(m, func(_, i int) { s.shares[i] = s.sharesOf(i, make([]float64, (m-i-1)*len(s.points))) })
	return s
}

// LeavePairs is that of the Pencil, for factors of their own. It costs as much at each of N points, and O(m²Nv).
func (s *ScaledPairs) LeavePairs(ctx context.Context, lambda float64,
	emit func(worker, i, c int, fi, fj []float64)) error {
	m, outputs := s.rows.p.L.Dim(), s.rows.p.Outputs()
	solvers := make([]*pairSolver, len(s.points))
	for n, c := range s.points {
		solvers[n] = s.rows.at(lambda * c)
		if err := solvers[n].overflow(); err != nil {
			return err
		}
	}
	work := make([]scaledWork, parallel.Workers())
	const panel = 128
	for lo := 0; lo < m-1; lo += panel {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		hi := min(m, lo+panel)
		for _, at := range solvers {
			at.fill(lo, hi)
		}
		parallel.For(hi-lo, func(worker, a int) {
			w, i := &work[worker], lo+a
			if w.shares == nil {
				w.sums, w.shares = linalg.NewMat(2*outputs, m), make([]float64, m*len(s.points))
			}
			w.row(s, solvers, worker, lo, a)
			for c := range outputs {
				if n := m - i - 1; n > 0 {
					emit(worker, i, c, w.sums.Row(2 * c)[:n], w.sums.Row(2*c + 1)[:n])
				}
			}
		})
	}
	return ctx.Err()
}

// scaledWork is the memory of a worker: the predictions fi and fj of each output, and the shares of the points.
type scaledWork struct {
	sums   linalg.Mat
	shares []float64
}

// row interpolates the predictions of the pairs of row lo+a.
func (w *scaledWork) row(s *ScaledPairs, solvers []*pairSolver, worker, lo, a int) {
	i, points := lo+a, len(solvers)
	rest := w.sums.Cols - i - 1
	var share []float64
	if s.shares != nil {
		share = s.shares[i]
	} else {
		share = s.sharesOf(i, w.shares[:rest*points])
	}
	for k := range w.sums.Rows {
		clear(w.sums.Row(k)[:rest])
	}
	for n, at := range solvers {
		at.row(worker, lo, a, func(_, _, c int, fi, fj []float64) {
			toI, toJ := w.sums.Row(2 * c)[:len(fi)], w.sums.Row(2*c + 1)[:len(fi)]
			for b, f := range fi {
				l := share[b*points+n]
				toI[b] += l * f
				toJ[b] += l * fj[b]
			}
		})
	}
}

// sharesOf sets dst to the shares of the points for the pairs of row i with the rows after it.
func (s *ScaledPairs) sharesOf(i int, dst []float64) []float64 {
	n := len(s.points)
	for b := range len(dst) / n {
		s.sharesTo(dst[b*n:(b+1)*n], s.scale(i, i+1+b))
	}
	return dst
}

// choosePoints sets the points for m rows.
func (s *ScaledPairs) choosePoints(m int) {
	least, most, values := math.Inf(1), 0.0, map[float64]bool{}
	const few = 16
	for i := range m {
		for j := i + 1; j < m; j++ {
			c := s.scale(i, j)
			if least, most = min(least, c), max(most, c); len(values) <= few {
				values[c] = true
			}
		}
	}
	const bits, limit = 36, 48
	middle, half, n := (most+least)/2, (most-least)/2, limit
	if z := middle / half; half > 0 {
		n = min(limit, int(math.Ceil(bits*math.Ln2/math.Log(z+math.Sqrt(z*z-1)))))
	}
	if len(values) <= min(n, few) {
		s.points = slices.Sorted(maps.Keys(values))
		return
	}
	s.points, s.weights = make([]float64, n), make([]float64, n)
	for k := range n {
		angle := math.Pi * (float64(k) + 0.5) / float64(n)
		s.points[k], s.weights[k] = middle+half*math.Cos(angle), math.Sin(angle)
		if k%2 == 1 {
			s.weights[k] = -s.weights[k]
		}
	}
}

// sharesTo sets the shares of the points in the value at c.
func (s *ScaledPairs) sharesTo(dst []float64, c float64) {
	total := 0.0
	for k, point := range s.points {
		if point == c {
			clear(dst)
			dst[k] = 1
			return
		}
		if s.weights != nil {
			dst[k] = s.weights[k] / (c - point)
			total += dst[k]
		}
	}
	for k := range dst {
		dst[k] /= total
	}
}
