package pencil

import (
	"math"
	"slices"

	"pairrank/internal/linalg"
)

// Rounding bounds the rounding in the predictions of a group, h×v: two of them
// that are equal in exact arithmetic differ by no more than the sum of their
// bounds.
type Rounding struct {
	each          linalg.Mat // h×v; without rows the bound is rows[a]·outputs[c]
	rows, outputs []float64
	most, maxAbs  float64
}

// At is the bound of row a of the group and output c.
func (r *Rounding) At(a, c int) float64 {
	if r.each.Data != nil {
		return r.each.Row(a)[c]
	}
	return r.rows[a] * r.outputs[c]
}

// Most is at least At of every row and output.
func (r *Rounding) Most() float64 { return r.most }

// Widest is the largest |f| of the group's predictions; NaN where one is.
func (r *Rounding) Widest() float64 { return r.maxAbs }

// columnNorms are those of s.w and of delta: by Cauchy and Schwarz their products
// bound the terms of W_Hᵀδ, which may cancel.
func (s *scratch) columnNorms(delta linalg.Mat) (w, d []float64) {
	s.normsW, s.normsDelta = columnNormsTo(s.normsW, s.w), columnNormsTo(s.normsDelta, delta)
	return s.normsW, s.normsDelta
}

func columnNormsTo(dst []float64, a linalg.Mat) []float64 {
	if cap(dst) < a.Cols {
		dst = make([]float64, a.Cols)
	}
	dst = dst[:a.Cols]
	clear(dst)
	if a.Rows == 1 {
		for j, v := range a.Row(0) {
			dst[j] = math.Abs(v)
		}
		return dst
	}
	for i := range a.Rows {
		for j, v := range a.Row(i) {
			dst[j] += v * v
		}
	}
	for j, v := range dst {
		dst[j] = sqrt(v)
	}
	return dst
}

// lemmaRounding fills s.sizes with the bounds of s.f: 16 ε times the sum of
// the sizes of the terms of each prediction, s.bound.
func (s *scratch) lemmaRounding() {
	n, k := s.v.Rows, s.v.Cols
	values := sized(&s.scaled, n, k)
	for i, x := range s.v.Data[:n*k] {
		values.Data[i] = math.Abs(x)
	}
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, values, s.bound, 0, sized(&s.sizes, n, s.f.Cols))
}

// roundingOf is that of predictions f with these bounds.
func (s *scratch) roundingOf(f, sizes linalg.Mat) *Rounding {
	s.rounding = Rounding{each: sizes}
	for a := range sizes.Rows {
		s.rounding.most = max(s.rounding.most, largest(sizes.Row(a)))
		for _, v := range f.Row(a) {
			s.rounding.maxAbs = max(s.rounding.maxAbs, v, -v)
		}
	}
	return &s.rounding
}

// flushToZero sets predictions that are within rounding of 0 to 0, so that rows of
// which nothing is known tie, as they do in exact arithmetic.
func (s *scratch) flushToZero() {
	for i, x := range s.f.Data {
		if math.Abs(x) <= s.sizes.Data[i] {
			s.f.Data[i] = 0
		}
	}
}

// largest is the greatest of sizes, 0 of none.
func largest(sizes []float64) float64 {
	most := 0.0
	for _, v := range sizes {
		most = max(most, v)
	}
	return most
}

// lemmaError bounds the relative error of predictions by the lemma, of the sizes of
// the terms that are added, by the condition number of its system.
func lemmaError(condition float64) float64 { return epsilon * (128 + min(4*condition, 0x1p20)) }

// productError is the bound for predictions that are products with weights.
const productError = 64 * epsilon

// productRounding fills s.rowSizes with productError times the norms of the rows,
// and s.outputSizes with the norms of the weights, a row of w each, and of the
// weights with the group in, from whose moments those of the group are subtracted:
// their products bound the rounding in the scores. constant is the norm of Constant.
func (s *scratch) productRounding(w, rows linalg.Mat, with []float64, constant float64) {
	s.rowSizes, s.outputSizes = s.rowSizes[:0], s.outputSizes[:0]
	for a := range rows.Rows {
		s.rowSizes = append(s.rowSizes, productError*(linalg.Nrm2(rows.Row(a))+constant))
	}
	for l := range w.Rows {
		s.outputSizes = append(s.outputSizes, linalg.Nrm2(w.Row(l))+with[l])
	}
}

// weightNorms are the norms of the solutions at each λ, for output c of λ l at
// l·v + c.
func (p *Pencil) weightNorms(shifted linalg.Mat) []float64 {
	most, norms := make([]float64, shifted.Cols), make([]float64, shifted.Cols)
	for j := range shifted.Rows {
		for x, v := range shifted.Row(j) {
			most[x] = max(most[x], math.Abs(v))
		}
	}
	for j := range shifted.Rows { // the eigenvectors are orthonormal
		for x, v := range shifted.Row(j) {
			if v != 0 {
				norms[x] += (v / most[x]) * (v / most[x])
			}
		}
	}
	for x := range norms {
		norms[x] = most[x] * sqrt(norms[x])
	}
	return norms
}

// flushProductsToZero is flushToZero of scores, a row for each row of the weights. It
// fills s.maxAbs with their largest |f|, NaN where one is not finite.
func (s *scratch) flushProductsToZero(scores linalg.Mat) {
	longest := largest(s.rowSizes)
	s.maxAbs = s.maxAbs[:0]
	for l, size := range s.outputSizes {
		row, most := scores.Row(l), size*longest
		maxAbs, bad := 0.0, 0.0
		for a, f := range row {
			if size := math.Abs(f); size > maxAbs {
				maxAbs = size
			}
			bad += 0 * f // not a number where one is not finite
			if f <= most && -f <= most && math.Abs(f) <= size*s.rowSizes[a] {
				row[a] = 0
			}
		}
		s.maxAbs = append(s.maxAbs, maxAbs+bad)
	}
}

// equateDuplicates gives equal rows of a group the same predictions, as they have in exact
// arithmetic.
func (p *Pencil) equateDuplicates(f linalg.Mat, h []int32) {
	equal := p.Equal()
	if !slices.ContainsFunc(h, func(i int32) bool { return equal[i] != i }) {
		return
	}
	first := make(map[int32]int, len(h))
	for a, i := range h {
		if b, seen := first[equal[i]]; seen {
			copy(f.Row(a), f.Row(b))
		} else {
			first[equal[i]] = a
		}
	}
}
