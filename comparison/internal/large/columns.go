package large

import (
	"context"
	"fmt"

	"pairrank/comparison/internal/incidence"
	"pairrank/internal/linalg"
)

// mostSolved is the largest number of entries of the solutions that are held at once: a gigabyte.
const mostSolved = 1 << 27

// ColumnsOf are the columns of the inverse of some items, a row for each dimension, and of the rest if asked for. Where
// means are open, scores are those less the mean of their component. The residual is the largest of the solves.
func (l *System) ColumnsOf(ctx context.Context, about []int, rest bool) (z linalg.Mat, residual float64, err error) {
	m := len(about)
	if rest {
		m += l.rest
	}
	if m*l.dims() > mostSolved {
		return z, 0, fmt.Errorf("the variances of %d of %d items take %.3g GB for their solutions: name fewer",
			len(about), l.Items, 8e-9*float64(m)*float64(l.dims()))
	}
	z = linalg.NewMat(l.dims(), m)
	for k := range m {
		e, x := make([]float64, l.dims()), make([]float64, l.dims())
		if k < len(about) {
			e[about[k]] = 1
		} else {
			e[l.Items+k-len(about)] = 1
		}
		incidence.Centre(e[:l.Items], l.parts)
		r, err := l.solve(ctx, e, x, l.Tolerance)
		if err != nil {
			return z, 0, err
		}
		incidence.Centre(x[:l.Items], l.parts)
		residual = max(residual, r.Residual)
		for i, v := range x {
			z.Row(i)[k] = v
		}
	}
	return z, residual, nil
}
