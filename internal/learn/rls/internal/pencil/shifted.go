package pencil

import "pairrank/internal/linalg"

// solveShifted replaces x by (A + λI)⁻¹ x and destroys the upper triangle of a.
func solveShifted(a linalg.Mat, lambda float64, x linalg.Mat) error {
	for i := range a.Rows {
		a.Row(i)[i] += lambda
	}
	if _, ok := linalg.Cholesky(linalg.Upper, a); !ok {
		return ErrNotPositive
	}
	if x.Cols == 1 && x.Stride == 1 {
		linalg.Trsv(linalg.Upper, linalg.T, a, x.Data)
		linalg.Trsv(linalg.Upper, linalg.NoTrans, a, x.Data)
		return nil
	}
	linalg.CholeskySolve(linalg.Upper, a, x)
	return nil
}

func scaled(lambdas []float64, factor float64) []float64 {
	out := make([]float64, len(lambdas))
	for l, v := range lambdas {
		out[l] = v * factor
	}
	return out
}
