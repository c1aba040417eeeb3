package pencil

import (
	"math"
	"slices"

	"pairrank/internal/parallel"
)

// pairBounds is the memory of the bounds of pairs.
type pairBounds struct {
	size, used, bounds []float64
	rounding           []float64 // twice that of a row in f'_i − f'_j
	largest            []float64 // of each piece of the rows
	counts             []int     // of rows of each piece that are used
	off, whole, unit   float64   //
	weight             float64   // c

	mass               []float64 // of rows with weights, as share, grow and drift: see setMasses
	share, grow, drift float64
	reach              float64 // T
}

// of returns numbers B_i such that a left-out pair keeps the order of f_i and f_j where these
// differ by more than 2 max(B_i, B_j); nil where there are none. With C the sum of the magnitudes
// of a diagonal and an off-diagonal entry of L, s_i = w_iᵀDw_i, t_i² = |L_ij| + s_i and the
// Cauchy–Schwarz inequality, λQ_ii = C − t_i² and |λQ_ij| ≤ t_i t_j, so that
//
//	|δ_i| ≤ (C|a_i| + t_i t_j |a_j|) / C(C − t_i² − t_j²)
//	|f'_i − f'_j − (f_i − f_j)| ≤ Σ_{h=i,j} √s_h (√s_i + √s_j) |δ_h| / c.
//
// B_i assumes that the other row of the pair is no worse than the 95 % quantile of the rows; worse
// rows have bounds for the worst row. Where no row has a leverage below a quarter there are no
// bounds. B_i includes the rounding in f'_i − f'_j, as in pairSolver.row, twice.
func (b *pairBounds) of(s *pairSolver, c int) []float64 {
	m := s.w.Rows
	off, whole := 0.0, s.weight
	if s.p.Centred {
		off = s.weight / float64(m)
	}
	if b.setMasses(s, c); s.list != nil {
		off, whole = b.off, b.whole
	}
	unit, rounded := 1.0, 1e-12*whole // of Q and a in the primal form, which has λQ and λa
	if s.p.dual {
		unit, rounded = s.lambda, rounded+16*whole*s.p.EigenError/s.lambda
	}
	b.off, b.whole, b.unit, b.weight = off, whole, unit, whole
	b.size, b.used, b.bounds, b.rounding = grown(b.size, m), grown(b.used, m)[:0], grown(b.bounds, m),
		grown(b.rounding, m)
	size, bounds := b.size, b.bounds // s_i
	a := s.a.Row(c)
	largest, constant := b.sizes(s, a, rounded)
	used := b.used
	if len(used) == 0 {
		return nil
	}
	worst, usual := slices.Max(used), usualOf(used)
	shift := func(i int, other float64) float64 {
		own := off + size[i]
		delta := (whole*unit*b.residual(a, i) +
			math.Sqrt(own*(off+other))*largest) / (whole * (whole - own - off - other))
		return 1.001 * math.Sqrt(size[i]) * (math.Sqrt(size[i]) + math.Sqrt(other)) / whole * delta
	}
	spread := 2 * (worst/whole + constant) * (whole + off + worst) / (whole * (whole - 2*(off+worst))) // of |α|+|γ|
	rounding, fsize, asize := b.rounding, s.fsize.Row(c), s.asize.Row(c)
	b.largest = grown(b.largest, (m+rowsOfPiece-1)/rowsOfPiece)
	parallel.Chunks(m, rowsOfPiece, func(_, lo, hi int) {
		most := 0.0
		for i := lo; i < hi; i++ {
			rounding[i] = 4 * errorUnit * (fsize[i] + spread*unit*asize[i])
			if len(b.mass) > 0 {
				rounding[i] = 4*errorUnit*(fsize[i]+spread*unit*asize[i]/math.Sqrt(b.mass[i])) + b.drift*math.Sqrt(size[i])/whole
			}
			switch v := size[i]; {
			case v <= usual:
				bounds[i] = shift(i, usual) + rounding[i]
				most = max(most, shift(i, worst)+rounding[i])
			case off+v > whole/4:
				bounds[i] = math.Inf(1)
			default:
				bounds[i] = shift(i, worst) + rounding[i]
			}
		}
		b.largest[lo/rowsOfPiece] = most
	})
	most := slices.Max(b.largest)
	parallel.Chunks(m, rowsOfPiece, func(_, lo, hi int) {
		for i, v := range size[lo:hi] {
			if v > usual {
				bounds[lo+i] += most
			}
		}
	})
	return bounds
}

// sizes fills size, and used with the sizes of rows that have bounds. It returns the largest |a_i|
// of these rows and the largest |columnConstant|.
func (b *pairBounds) sizes(s *pairSolver, a []float64, rounded float64) (largest, constant float64) {
	m := len(b.size)
	pieces := (m + rowsOfPiece - 1) / rowsOfPiece
	b.largest, b.counts = grown(b.largest, 2*pieces), grown(b.counts, pieces)
	b.used = b.used[:m]
	parallel.Chunks(m, rowsOfPiece, func(_, lo, hi int) {
		size, used := b.size[lo:hi], b.used[lo:lo]
		largest, constant := 0.0, 0.0
		for i, q := range s.qii[lo:hi] {
			if len(b.mass) == 0 {
				size[i] = max(0, b.whole-b.off-b.unit*q) + rounded
				constant = max(constant, math.Abs(s.columnConstant[lo+i]))
			} else {
				a := b.mass[lo+i]
				size[i] = b.grow * (max(0, b.whole-b.share*a-b.unit*q/a) + rounded) * max(1, 1/a)
				constant = max(constant, math.Abs(s.columnConstant[lo+i])/math.Sqrt(a))
			}
			if b.off+size[i] <= b.whole/4 {
				used = append(used, size[i])
				largest = max(largest, b.unit*b.residual(a, lo+i))
			}
		}
		piece := lo / rowsOfPiece
		b.counts[piece], b.largest[2*piece], b.largest[2*piece+1] = len(used), largest, constant
	})
	kept := 0
	for piece, n := range b.counts {
		lo := piece * rowsOfPiece
		if kept < lo {
			copy(b.used[kept:], b.used[lo:lo+n])
		}
		kept += n
		largest, constant = max(largest, b.largest[2*piece]), max(constant, b.largest[2*piece+1])
	}
	b.used = b.used[:kept]
	return largest, constant
}

// pairSide holds the numbers of a row for the bound of a pair: 64 bytes, a line of the cache.
type pairSide struct {
	f, bound float64 // prediction, and B_i
	root, t  float64 // √s_i and t_i
	a        float64 // |a_i|
	rounding float64
	level    int32 // level of its label
	_        int32
	_        float64
}

// residual is |a_i|, over the root of the weight of the row and at any λ of its pairs.
func (b *pairBounds) residual(a []float64, i int) float64 {
	if len(b.mass) == 0 {
		return math.Abs(a[i])
	}
	return math.Abs(a[i])/math.Sqrt(b.mass[i]) + b.drift*math.Sqrt(b.size[i])/b.unit
}

// sideTo adds the bound of row i to its side.
func (b *pairBounds) sideTo(side *pairSide, a []float64, i int) {
	side.bound, side.root, side.t = b.bounds[i], math.Sqrt(b.size[i]), math.Sqrt(b.off+b.size[i])
	side.a, side.rounding = b.unit*b.residual(a, i), b.rounding[i]
}

// keeps reports whether a pair keeps its order when it is left out, by the bound above for these
// two rows.
func (b *pairBounds) keeps(i, j *pairSide) bool {
	cross := i.t * j.t
	room := b.whole - i.t*i.t - j.t*j.t
	shift := 1.001 * (i.root + j.root) * (i.root*(b.whole*i.a+cross*j.a) + j.root*(b.whole*j.a+cross*i.a))
	far := math.Abs(i.f-j.f) - i.rounding - j.rounding
	return room > b.whole/4 && far*b.weight*b.whole*room > shift && !math.IsInf(i.bound, 1) && !math.IsInf(j.bound, 1)
}

// usualOf is about the 95 % quantile of values.
func usualOf(values []float64) float64 {
	const most = 1000 // values that are sorted
	var some []float64
	for i := 0; i < len(values); i += 1 + len(values)/most {
		some = append(some, values[i])
	}
	slices.Sort(some)
	return some[len(some)*19/20]
}
