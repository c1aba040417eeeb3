package pencil

import (
	"context"
	"math"
	"slices"

	"pairrank/internal/parallel"
)

// LeavePairsScaled is LeavePairs where the pair i, j has a λ of its own, scale(i, j) times as much, as where rows have
// weights. The predictions without a pair are a rational function of its λ, whose poles are not positive. They are
// interpolated, for each pair, in the values of LeavePairs at a few λ:
//
//	f(λ c) ≈ Σ_n ℓ_n(c) f(λ c_n)
//
// with the Lagrange polynomials ℓ_n of the Chebyshev points c_n of the range of c. With c₀ and h its middle and half its
// width, N points leave a share of about ρ^−N of f with ρ = z + √(z²−1), z = c₀/h (Trefethen 2013, Approximation theory
// and approximation practice, theorem 8.2). N is such that this is below 2⁻⁴⁴: about 13 for ten rows, 8 for a
// hundred, 5 for some thousand. Where there are fewer values of c, they are the points. The cost is N times that of
// LeavePairs. scale must be above 0, and symmetric.
func (p *Pencil) LeavePairsScaled(ctx context.Context, lambda float64, scale func(i, j int) float64,
	emit func(worker, i, c int, fi, fj []float64)) error {
	m := p.L.Dim()
	at := newScalePoints(m, scale)
	rows := p.newPairRows()
	solvers := make([]*pairSolver, len(at.points))
	for n, c := range at.points {
		solvers[n] = rows.at(lambda * c)
		if err := solvers[n].overflow(); err != nil {
			return err
		}
	}
	sums := make([][]float64, 2*parallel.Workers()*p.Outputs()) // of fi, then of fj, of each output and worker
	shares := make([][]float64, parallel.Workers())
	const panel = 128
	for lo := 0; lo < m-1; lo += panel {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		hi := min(m, lo+panel)
		for _, s := range solvers {
			s.fill(lo, hi)
		}
		parallel.For(hi-lo, func(worker, a int) {
			i := lo + a
			if shares[worker] == nil {
				shares[worker] = make([]float64, m*len(solvers))
			}
			share := shares[worker][:(m-i-1)*len(solvers)]
			for b := range m - i - 1 {
				at.sharesTo(share[b*len(solvers):(b+1)*len(solvers)], scale(i, i+1+b))
			}
			own := sums[2*worker*p.Outputs() : 2*(worker+1)*p.Outputs()]
			for k := range own {
				if own[k] == nil {
					own[k] = make([]float64, m)
				}
				clear(own[k][:m-i-1])
			}
			for n, s := range solvers {
				s.row(worker, lo, a, func(_, _, c int, fi, fj []float64) {
					toI, toJ := own[2*c][:len(fi)], own[2*c+1][:len(fi)]
					for b, f := range fi {
						l := share[b*len(solvers)+n]
						toI[b] += l * f
						toJ[b] += l * fj[b]
					}
				})
			}
			for c := range p.Outputs() {
				if n := m - i - 1; n > 0 {
					emit(worker, i, c, own[2*c][:n], own[2*c+1][:n])
				}
			}
		})
	}
	return ctx.Err()
}

// scalePoints are the points at which functions of a scale are known.
type scalePoints struct {
	points  []float64
	weights []float64 // of the barycentric formula; nil where the points are all values
}

func newScalePoints(m int, scale func(i, j int) float64) *scalePoints {
	least, most, values := math.Inf(1), 0.0, map[float64]bool{}
	const few = 16
	for i := range m {
		for j := i + 1; j < m; j++ {
			c := scale(i, j)
			if least, most = min(least, c), max(most, c); len(values) <= few {
				values[c] = true
			}
		}
	}
	middle, half := (most+least)/2, (most-least)/2
	n := few
	if z := middle / half; half > 0 {
		n = min(48, int(math.Ceil(44*math.Ln2/math.Log(z+math.Sqrt(z*z-1)))))
	}
	if len(values) <= min(n, few) {
		s := &scalePoints{}
		for c := range values {
			s.points = append(s.points, c)
		}
		slices.Sort(s.points)
		return s
	}
	s := &scalePoints{points: make([]float64, n), weights: make([]float64, n)}
	for k := range n {
		angle := math.Pi * (float64(k) + 0.5) / float64(n)
		s.points[k], s.weights[k] = middle+half*math.Cos(angle), math.Sin(angle)
		if k%2 == 1 {
			s.weights[k] = -s.weights[k]
		}
	}
	return s
}

// sharesTo sets the shares of the points in the value at c.
func (s *scalePoints) sharesTo(dst []float64, c float64) {
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
