package pencil

import (
	"math"

	"pairrank/internal/linalg"
)

// Outside holds rows outside the loss, and bounds of the rounding in their predictions: the bounds
// of HoldOut with nothing held out. It is not safe for concurrent use.
type Outside struct {
	p     *Pencil
	rowTo func(dst []float64, a int)
	row   []float64
	kappa []float64          // κ_h
	v     map[int]linalg.Mat // rows of V that are known, 1×k
}

// NewOutside keeps rowTo, which fills dst with one of the rows: k numbers in the basis, or m kernel
// values with the training rows.
func (p *Pencil) NewOutside(rows int, rowTo func(dst []float64, a int)) *Outside {
	o := &Outside{p: p, rowTo: rowTo, row: make([]float64, p.coef.Cols), kappa: make([]float64, rows),
		v: map[int]linalg.Mat{}}
	if p.dual {
		o.row = make([]float64, p.L.Dim())
	}
	root := sqrt(float64(len(o.row)))
	for a := range o.kappa {
		rowTo(o.row, a)
		own := linalg.Nrm2(o.row)
		if p.dual {
			own = root * p.sizes.norm * largestAbs(o.row)
		}
		o.kappa[a] = own + p.sizes.row
	}
	return o
}

// Rounding is the rounding of predictions f, h×v, by the Coefficients at λ. A bound costs O(k), and
// O(k²) for the first bound of a row.
func (o *Outside) Rounding(lambda float64, f linalg.Mat) *Rounding {
	p := o.p
	k, n, v := len(p.Eigenvalues), f.Rows, f.Cols
	inverse := make([]float64, k)
	p.shiftTo(inverse, lambda)
	for j, e := range inverse {
		inverse[j] = 1 / e
	}
	solutions := columnNormsTo(nil, p.shifted(lambda))
	r := &Rounding{maxAbs: largestOf(f), each: linalg.NewMat(n, v)}
	if k == 0 { // all predictions are 0
		return r
	}
	size := func(c int, kappa, g float64) float64 {
		x := solutions[c]
		return errorUnit * (kappa*x + g*(p.sizes.right[c]+(p.sizes.system+lambda)*x))
	}
	longest := largestAbs(o.kappa)
	for c := range v {
		r.most = max(r.most, atMost*size(c, longest, longest*inverse[p.nullity()]))
	}
	null := p.nullCount(lambda)
	r.later(make([]bool, n), func(a int) {
		row, g := o.values(a), 0.0
		for j, d := range inverse[null:] {
			g += row[null+j] * d * row[null+j] * d
		}
		for c := range v {
			r.each.Row(a)[c] = min(r.most, size(c, o.kappa[a], math.Sqrt(g)))
		}
	})
	return r
}

// values is row a of V.
func (o *Outside) values(a int) []float64 {
	if v, known := o.v[a]; known {
		return v.Row(0)
	}
	p, v := o.p, linalg.NewMat(1, len(o.p.Eigenvalues))
	o.rowTo(o.row, a)
	trans := linalg.T
	if p.dual {
		trans = linalg.NoTrans
	}
	x := linalg.Mat{Rows: 1, Cols: len(o.row), Stride: len(o.row), Data: o.row}
	linalg.Gemm(linalg.NoTrans, trans, 1, x, p.coef, 0, v)
	addToRows(v, p.constantRow())
	o.v[a] = v
	return v.Row(0)
}
