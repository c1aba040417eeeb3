package pencil

import "pairrank/internal/linalg"

// constantRow is Constant in the coordinates of the eigenvectors, which is added to each row of V;
// nil without a Constant. It needs coef.
func (p *Pencil) constantRow() []float64 {
	if p.Constant == nil {
		return nil
	}
	c := linalg.Column(p.Constant)
	row := linalg.NewMat(len(p.Eigenvalues), 1)
	trans := linalg.NoTrans
	if p.dual {
		trans = linalg.T
	}
	linalg.Gemm(trans, linalg.NoTrans, 1, p.coef, c, 0, row)
	return row.Data
}

// addToRows adds x to each row of a; nil is 0.
func addToRows(a linalg.Mat, x []float64) {
	if x == nil {
		return
	}
	for i := range a.Rows {
		linalg.Axpy(1, x, a.Row(i))
	}
}

// addConstant adds cᵀw to each row of scores, for the weights in that row of w; nil is 0.
func addConstant(scores, w linalg.Mat, c []float64) {
	if c == nil {
		return
	}
	for l := range scores.Rows {
		constant := linalg.Dot(w.Row(l), c)
		row := scores.Row(l)
		for a := range row {
			row[a] += constant
		}
	}
}
