package rls

import (
	"context"

	"pairrank/data"
	"pairrank/internal/linalg"
)

// Predict emits predictions of new rows at each λ, with bounds of their rounding. rows holds
// features, h×n, for a primal basis, and kernel values with the training rows, h×m, or the basis
// rows, h×b, for a dual or sparse one. Predict adds the constant of the basis. A λ costs O(k²v +
// hkv), and a bound O(k²) where it is used, once for all λ. emit must not keep the predictions. It
// panics unless every λ is positive and finite, and returns the error of ctx.
func (p *Path) Predict(ctx context.Context, rows data.Matrix, lambdas []float64, emit func(l int, held Held)) error {
	if _, made := rows.(rowMaker); made {
		rows = data.ToDense(rows) // each λ reads them
	}
	h, n := rows.Dims()
	rowTo := func(dst []float64, a int) { rows.RowTo(dst, a) }
	if p.basis.kind == SparseKind {
		row := linalg.NewMat(1, n)
		rowTo = func(dst []float64, a int) {
			rows.RowTo(row.Data, a)
			to := linalg.Mat{Rows: 1, Cols: len(dst), Stride: len(dst), Data: dst}
			linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, row, p.basis.lift, 0, to)
		}
	}
	outside := p.factored().NewOutside(h, rowTo)
	for l, lambda := range lambdas {
		if err := ctx.Err(); err != nil {
			return err
		}
		f := p.At(lambda).Predict(rows)
		emit(l, Held{F: f, Rounding: outside.Rounding(p.effective(lambda), linalg.Mat(*f))})
	}
	return nil
}

// Predict returns f on new rows, h×v, in O(hkv); rows are those of Path.Predict.
func (f *Fit) Predict(rows data.Matrix) *data.Dense { return f.plus(data.Multiply(rows, f.Coef)) }

// plus adds the constant of the basis to scores.
func (f *Fit) plus(scores *data.Dense) *data.Dense {
	for j, c := range f.basis.constant {
		for i := range scores.Rows {
			linalg.Axpy(c, f.w.Row(j), scores.Row(i))
		}
	}
	return scores
}
