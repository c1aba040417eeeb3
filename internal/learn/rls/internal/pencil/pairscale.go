package pencil

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// ScaledPairs leaves out pairs of which each has a λ of its own, a factor c times as much, as where rows have
// weights. The predictions without a pair are a rational function of its λ, whose poles are not positive. They are
// interpolated, for each pair, in the values of LeavePairs at a few λ:
//
//	f(λ c) ≈ Σ_n ℓ_n(t) f(λ c_n)        t = (log c − middle) / half
//
// with the Lagrange polynomials ℓ_n of the Chebyshev points t_n of the range of t, [−1,1]. As a function of t the
// poles are at least z = πi/half away from 0, and N points leave a share of about ρ^−N of f with ρ = |z| + √(|z|²+1)
// (Trefethen 2013, Approximation theory and approximation practice, theorem 8.2). N is such that this is below 2⁻³⁶:
// about 8 for ten rows, 5 for fifty, 4 for some thousand, 1 where all c are equal. It is safe for concurrent use.
type ScaledPairs struct {
	rows         *pairRows
	scale        func(rows ...int32) float64
	middle, half float64
	reach        float64     // the largest |log c − middle|
	center       float64     // exp(middle)
	points, at   []float64   // c_n and t_n
	weights      []float64   // of the barycentric formula
	places       [][]float64 // t of the pairs of each row and those after it; nil where that is too much memory
	placed       sync.Once   // sets places
	orders       *pairOrders // nil where there are none
}

// NewScaledPairs prepares to leave out the pairs i, j with the factor scale(i, j) > 0, which is symmetric. It costs
// O(m²) calls of scale, and O(mk).
func (p *Pencil) NewScaledPairs(scale func(rows ...int32) float64) *ScaledPairs {
	m := p.L.Dim()
	s := &ScaledPairs{rows: p.newPairRows(), scale: scale, half: 1}
	least, most := make([]float64, m), make([]float64, m)
	if i, j, ok := s.rows.extremes(); ok {
		least[0], most[0] = math.Log(scale(i[:]...)), math.Log(scale(j[:]...))
		least[0], most[0] = min(least[0], most[0]), max(least[0], most[0])
		s.choosePoints(least[:1], most)
	} else {
		parallel.For(m-1, func(_, i int) {
			t := s.placesOf(i, make([]float64, m-i-1))
			least[i], most[i] = slices.Min(t), slices.Max(t)
		})
		s.choosePoints(least[:max(0, m-1)], most)
	}
	s.center = math.Exp(s.middle)
	s.orders = s.newPairOrders()
	return s
}

// extremes are the pairs with the least and the largest c, in this order or the other. They are the two lightest and
// the two heaviest rows: c rises with both weights under weights by pairs, and falls by edges, where each row has at
// most a quarter of all weight. In regression c is 1.
func (r *pairRows) extremes() (lightest, heaviest [2]int32, ok bool) {
	if r.list == nil || len(r.list.mass) < 4 {
		return lightest, heaviest, false
	}
	order, mass, sum := all(len(r.list.mass)), r.list.mass, 0.0
	for _, a := range mass {
		sum += a
	}
	slices.SortFunc(order, func(i, j int32) int { return cmp.Compare(mass[i], mass[j]) })
	last := len(order) - 1
	return [2]int32{order[0], order[1]}, [2]int32{order[last-1], order[last]},
		!r.p.Centred || 4*mass[order[last]] <= sum
}

// placesOf sets dst to t of the pairs of row i with the rows after it.
func (s *ScaledPairs) placesOf(i int, dst []float64) []float64 {
	pair := []int32{int32(i), 0}
	for b := range dst {
		pair[1] = int32(i + 1 + b)
		dst[b] = (math.Log(s.scale(pair...)) - s.middle) / s.half
	}
	return dst
}

// placesFor is placesOf as it is kept, or else in the memory of dst.
func (s *ScaledPairs) placesFor(i int, dst []float64) []float64 {
	const numbers = 1 << 22 // that are kept
	s.placed.Do(func() {
		m := s.rows.p.L.Dim()
		if m*m/2 > numbers {
			return
		}
		places := make([][]float64, m)
		parallel.For(m, func(_, i int) { places[i] = s.placesOf(i, make([]float64, m-i-1)) })
		s.places = places
	})
	if s.places != nil {
		return s.places[i]
	}
	return s.placesOf(i, dst[:s.rows.p.L.Dim()-i-1])
}

// choosePoints sets the points from the least and the largest logarithm of c of each row.
func (s *ScaledPairs) choosePoints(least, most []float64) {
	const bits, limit = 36, 48
	n := 1
	if len(least) > 0 {
		low, high := slices.Min(least), slices.Max(most[:len(least)])
		s.middle = (low + high) / 2
		half := (high - low) / 2
		if s.reach = half; half > 0 {
			z := math.Pi / half
			s.half, n = half, min(limit, int(math.Ceil(bits*math.Ln2/math.Log(z+math.Sqrt(z*z+1)))))
		}
	}
	s.at = make([]float64, n)
	for k := range n {
		s.at[k] = math.Cos(math.Pi * (float64(k) + 0.5) / float64(n))
	}
	for k, t := range s.at {
		s.points, s.weights = append(s.points, math.Exp(s.middle+s.half*t)), append(s.weights, 1)
		for l, other := range s.at {
			if l != k {
				s.weights[k] /= 2 * (t - other) // 2 keeps products of many factors in range
			}
		}
	}
}

// sharesTo sets the shares of the points in the value at t (Berrut and Trefethen 2004, Barycentric Lagrange
// interpolation, formula 4.2).
func (s *ScaledPairs) sharesTo(dst []float64, t float64) {
	total := 0.0
	for k, at := range s.at {
		if at == t {
			clear(dst)
			dst[k] = 1
			return
		}
		dst[k] = s.weights[k] / (t - at)
		total += dst[k]
	}
	for k := range dst {
		dst[k] /= total
	}
}

// LeavePairs is that of the Pencil, for factors of their own. It costs as much at each of N points, and O(m²Nv).
func (s *ScaledPairs) LeavePairs(ctx context.Context, lambda float64,
	emit func(worker, i, c int, fi, fj []float64)) error {
	values, err := s.valuesAt(lambda)
	if err != nil {
		return err
	}
	m := s.rows.p.L.Dim()
	const panel = 128
	for lo := 0; lo < m-1; lo += panel {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		values.emit(lo, min(m, lo+panel), emit)
	}
	return ctx.Err()
}

// scaledValues interpolates the predictions at one λ.
type scaledValues struct {
	of      *ScaledPairs
	solvers []*pairSolver // of the points
	work    []scaledWork  // of each worker
}

// scaledWork is the memory of a worker: the predictions fi and fj of each output, t, and the shares of the points.
type scaledWork struct {
	sums           linalg.Mat
	places, shares []float64
}

func (s *ScaledPairs) valuesAt(lambda float64) (*scaledValues, error) {
	v := &scaledValues{of: s, work: make([]scaledWork, parallel.Workers())}
	for _, c := range s.points {
		at := s.rows.at(lambda * c)
		if err := at.overflow(); err != nil {
			return nil, err
		}
		v.solvers = append(v.solvers, at)
	}
	return v, nil
}

// emit emits the pairs of rows [lo,hi) with the rows after them.
func (v *scaledValues) emit(lo, hi int, emit func(worker, i, c int, fi, fj []float64)) {
	m, outputs := v.of.rows.p.L.Dim(), v.of.rows.p.Outputs()
	for _, at := range v.solvers {
		at.fill(lo, hi)
	}
	parallel.For(hi-lo, func(worker, a int) {
		w, i := &v.work[worker], lo+a
		if w.shares == nil {
			w.sums, w.places = linalg.NewMat(2*outputs, m), make([]float64, m)
			w.shares = make([]float64, m*len(v.solvers))
		}
		v.row(w, worker, lo, a)
		for c := range outputs {
			if n := m - i - 1; n > 0 {
				emit(worker, i, c, w.sums.Row(2 * c)[:n], w.sums.Row(2*c + 1)[:n])
			}
		}
	})
}

// row interpolates the predictions of the pairs of row lo+a.
func (v *scaledValues) row(w *scaledWork, worker, lo, a int) {
	i, n := lo+a, len(v.solvers)
	for b, t := range v.of.placesFor(i, w.places) {
		v.of.sharesTo(w.shares[b*n:(b+1)*n], t)
	}
	for k := range w.sums.Rows {
		clear(w.sums.Row(k)[:w.sums.Cols-i-1])
	}
	for at, solver := range v.solvers {
		solver.row(worker, lo, a, func(_, _, c int, fi, fj []float64) {
			toI, toJ := w.sums.Row(2 * c)[:len(fi)], w.sums.Row(2*c + 1)[:len(fi)]
			for b, f := range fi {
				l := w.shares[b*n+at]
				toI[b] += l * f
				toJ[b] += l * fj[b]
			}
		})
	}
}
