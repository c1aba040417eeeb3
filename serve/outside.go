package serve

import (
	"math"

	"pairrank/data"
	"pairrank/model"
)

// seen counts the values of features of a request that are not as training had them.
type seen struct {
	missing int // and filled in
	unknown int // features unknown to the training, left out
	outside int // beyond all values of training
}

// lengths counts a row of so many values for n features.
func (s *seen) lengths(width, n int) {
	s.missing += max(0, n-width)
	s.unknown += max(0, width-n)
}

// ranges bound the values of each feature in the training, as far as the normaliser of the model
// implies: minmax keeps the least and the greatest; with zscore none of m rows is further than
// √(m−1) deviations from the mean.
type ranges struct{ low, high []float64 }

func rangesOf(m *model.Model) *ranges {
	norm := m.Normalizer
	if norm == nil || norm.Shift == nil {
		return nil
	}
	const rounding = 1e-9 // of the numbers of a normaliser, relative
	r := &ranges{make([]float64, len(norm.Shift)), make([]float64, len(norm.Shift))}
	for j, shift := range norm.Shift {
		least, most := 0.0, 1.0
		if norm.Kind == data.NormalizeZScore {
			most = math.Sqrt(float64(max(1, m.Info.Rows) - 1))
			least = -most
		}
		spread := math.Inf(1) // of a feature that was constant, whose value is not kept
		if norm.Scale[j] != 0 {
			spread = 1 / norm.Scale[j]
		}
		slack := rounding * (math.Abs(shift) + spread)
		r.low[j], r.high[j] = shift+least*spread-slack, shift+most*spread+slack
	}
	return r
}

// outside is how many values lie beyond the ranges, 0 where there are none.
func (r *ranges) outside(x data.Matrix) (n int) {
	if r == nil {
		return 0
	}
	rows, _ := x.Dims()
	for i := range rows {
		data.Each(x, i, func(j int, v float64) {
			if v < r.low[j] || v > r.high[j] {
				n++
			}
		})
	}
	return n
}
