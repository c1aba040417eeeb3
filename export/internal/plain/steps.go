package plain

import (
	"fmt"
	"math"

	"pairrank/model"
)

// Steps scores a row of raw features by Σ_t Weight_t [x_j > Threshold_t].
type Steps struct {
	Names    []string // of the features, or nil
	Features int
	Terms    []model.Stump
	Missing  []float64 // Substitutes of the model
}

// NewSteps takes a model of stumps, whose normaliser goes into the thresholds, exactly: the
// steps hold for the same float64 values. Terms that hold for every finite value have the
// threshold −math.MaxFloat64, and those that hold for none are left out. It returns a
// *fault.RefusedError for a model of another kind, or one that normalises by query, and an error for a
// scale below 0.
func NewSteps(target string, m *model.Model) (*Steps, error) {
	if err := CheckRows(target, m); err != nil {
		return nil, err
	}
	scorer, is := m.Scorer.(*model.Stumps)
	if !is {
		return nil, notLinear(target, m)
	}
	s := &Steps{Names: m.Names, Features: scorer.Features, Terms: scorer.Terms, Missing: Substitutes(m)}
	shift, scale, _ := Normaliser(m)
	if scale == nil {
		return s, nil
	}
	s.Terms = nil
	for _, t := range scorer.Terms {
		if scale[t.Feature] < 0 {
			return nil, fmt.Errorf("the normaliser scales feature %d by %g, which is below 0",
				t.Feature+1, scale[t.Feature])
		}
		raw, ever := rawThreshold(t.Threshold, shift[t.Feature], scale[t.Feature])
		if ever {
			s.Terms = append(s.Terms, model.Stump{Feature: t.Feature, Threshold: raw, Weight: t.Weight})
		}
	}
	return s, nil
}

// rawThreshold is the greatest x with (x − shift) scale ≤ threshold, as float64 computes it:
// x is above it if and only if the normalised x is above threshold, since rounding keeps
// the order. It is sought among the float64 values in their order, in 64 steps. ever reports
// whether any finite x is above. scale is at least 0.
func rawThreshold(threshold, shift, scale float64) (raw float64, ever bool) {
	above := func(x float64) bool { return (x-shift)*scale > threshold }
	const most = math.MaxFloat64
	switch {
	case scale == 0: // whatever x is
		return -most, 0 > threshold
	case !above(most):
		return 0, false
	case above(-most):
		return -most, true
	}
	lo, hi := order(-most), order(most) // not above, above
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		if above(unorder(mid)) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return unorder(lo), true
}

// order returns the position of x among all float64 values, and unorder inverts it.
func order(x float64) uint64 {
	b := math.Float64bits(x)
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}

func unorder(k uint64) float64 {
	if k>>63 == 1 {
		return math.Float64frombits(k &^ (1 << 63))
	}
	return math.Float64frombits(^k)
}
