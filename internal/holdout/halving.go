package holdout

import (
	"context"
	"fmt"
	"math/rand/v2"

	"pairrank/eval/cv"
	"pairrank/internal/spell"
)

// Halving is how the half-samples of an estimate are made.
type Halving struct {
	Units int    // rows, queries or nodes that are split
	Of    string // their name, such as "row"
	Least int    // units below which a half has too few to estimate anything
	Given bool   // the standard error of the estimate is over the same units
	Drawn bool   // folds or pairs are drawn in each half
	// Few is the note where there are fewer than Least; "" is none.
	Few string
	// Without is a reason why there are no halves, or "".
	Without string
	// Independent is the number of independent units that the standard error is over, from which there is an interval
	// without halves; 0 where there is none.
	Independent int
	// Work is the multiplications of all halves.
	Work float64

	Draw     func(r *rand.Rand) [2][]int
	Estimate func(ctx context.Context, units []int) ([]float64, error)
}

// Wanted decides whether half-samples are made. Where they would take too long it returns false and
// a note. Where IntervalsHalves asks for them and there are none, it returns an error with the
// reason. Cost O(1).
func (h *Halving) Wanted(when cv.Intervals) (wanted bool, note string, err error) {
	reason := h.Without
	switch {
	case when == cv.IntervalsNone:
		return false, "", nil
	case reason == "" && h.Units < h.Least:
		reason = spell.Plural(h.Units, h.Of) + " are too few for halves"
	}
	switch {
	case reason != "" && when == cv.IntervalsHalves:
		return false, "", fmt.Errorf("halves cannot be made: %s", reason)
	case h.Without == "" && reason != "":
		return false, h.Few, nil
	case reason != "":
		return false, "", nil
	case when != cv.IntervalsHalves && h.Work > HalvesBudget:
		return false, fmt.Sprintf("no 95 %% interval: its %d estimates on halves of the %s would take too long",
			2*HalfSplits, spell.Plural(h.Units, h.Of)), nil
	}
	return true, "", nil
}

// Sample returns HalfSamples of HalfSplits splits; progress may be nil.
func (h *Halving) Sample(ctx context.Context, seed uint64, progress func(done, total int)) (*cv.Halves, error) {
	halves, err := cv.HalfSamples(ctx, HalfSplits, seed, h.Draw, h.Estimate, progress)
	if err == nil {
		halves.Units, halves.Of, halves.Given, halves.Drawn = h.Units, h.Of, h.Given, h.Drawn
	}
	return halves, err
}

// HalfSplits is the default number of random splits into halves. The standard error of the variance
// over 60 splits is small compared with that over 60 units.
const HalfSplits = 60

// LeastUnits is the number of rows, queries or nodes below which a half has too few to
// estimate anything.
const LeastUnits = 8

// HalvesBudget is the largest work of half-samples, in multiplications, that is done by default:
// some ten seconds of one core.
const HalvesBudget = 2e10
