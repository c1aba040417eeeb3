package stream

import (
	"cmp"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/knots"
	"pairrank/internal/pick"
	"pairrank/kernel"
	"pairrank/model"
)

// checkKnots refuses knots that are none of a spline.
func (m *Mapping) checkKnots(spline kernel.Spline) error {
	if err := spline.Check(); err != nil {
		return fault.Optionf("Map", "has a kernel that is none: %w", err)
	}
	in, _ := knots.Parse(spline.In)
	most := in.Most(spline.Knots)
	if err := cmp.Or(
		fault.Refuse(m.Basis != nil, "Map", "has basis rows and a spline, which has knots"),
		fault.Refuse(m.Knots == nil, "Map", "has a spline without knots, which all sums that are added share: those of a "+
			"model are in its Map"),
	); err != nil {
		return err
	}
	for j, knots := range m.Knots {
		for k, t := range knots {
			if math.IsNaN(t-t) || k > 0 && !(knots[k-1] < t) || k >= most {
				return fault.Optionf("Map", "has the knots %v of feature %d, which are not finite, do not ascend, or are "+
					"more than %d", knots, j+1, most)
			}
		}
	}
	return nil
}

// copyKnots are the knots, those of no feature an empty list.
func (m *Mapping) copyKnots() [][]float64 {
	all := make([][]float64, len(m.Knots))
	for j, knots := range m.Knots {
		all[j] = append([]float64{}, knots...)
	}
	return all
}

// knots are the knots of a spline; nil of others, and without a map.
func (m *Mapping) knots() [][]float64 {
	if m == nil {
		return nil
	}
	return m.Knots
}

// behind copies the last features of x, which a spline has no knots of, behind its hinges in z, and returns the others.
func behind(z *data.Dense, x data.Matrix, further int) data.Matrix {
	_, n := x.Dims()
	row := make([]float64, n)
	for i := range z.Rows {
		x.RowTo(row, i)
		copy(z.Row(i)[z.Cols-further:], row[n-further:])
	}
	return data.SelectColumns(x, pick.All[int](n-further))
}

// curves is scorer of a spline: the weights of features without knots, which stand behind the hinges, come before them.
func (m *Mapping) curves(spline kernel.Spline, n int, coef *data.Dense) *model.Spline {
	known, further := len(m.Knots), n-len(m.Knots)
	hinges := coef.Rows - n
	weights := data.NewDense(coef.Cols, coef.Rows, nil)
	for o := range coef.Cols {
		row := weights.Row(o)
		for d := range coef.Rows {
			switch at := d - known; {
			case d < known:
				row[d] = coef.Row(d)[o]
			case at < hinges:
				row[d+further] = coef.Row(d)[o]
			default:
				row[d-hinges] = coef.Row(d)[o]
			}
		}
	}
	return &model.Spline{Map: kernel.SplineOf(spline, append(slices.Clone(m.Knots), make([][]float64, further)...)),
		Weights: weights}
}
