package procedure

import (
	"fmt"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/codes"
	"pairrank/internal/journal"
	"pairrank/internal/ratio"
	"pairrank/internal/spell"
)

// WarnFolds reports how many trainings on folds did not converge.
func WarnFolds(j *journal.Journal, n int) {
	j.Warn(codes.NoteFolds, "%s of folds did not converge; the errors are those of the last iterates",
		spell.Plural(n, "training"))
}

// WarnAlike warns that no feature distinguishes compared rows; constant says what is constant, and where.
func WarnAlike(j *journal.Journal, constant string) {
	j.Warn(codes.NoteAlike, "%s, so the compared rows all get the same score and nothing is learnt about their order",
		constant)
}

// WarnZero warns that all weights are 0.
func WarnZero(j *journal.Journal) {
	j.Warn(codes.NoteZeroWeights, "all weights are 0, so every row gets the same score: no feature goes with the labels, "+
		"or λ is too large for double precision beside the features")
}

// ends counts the outputs whose best of three candidates or more is the first or the last. Numbers of features with a λ
// each are no path.
func ends(k cv.KernelEstimate) (ends int) {
	const few = 3 // with fewer candidates most are at an end
	for _, e := range k.Outputs {
		n := len(e.Points)
		if k.Parameter != cv.Features && (e.Best == 0 || e.Best == n-1) && (n >= few || n > 1 && len(k.Outputs) > 1) {
			ends++
		}
	}
	return ends
}

// noteEnds notes that the best candidate is at an end: a better one may lie beyond, unless the held-out ranking no
// longer changes from a value on.
func noteEnds(j *journal.Journal, k cv.KernelEstimate, settled *float64) {
	at := ends(k)
	which := fmt.Sprintf("= %s", k.Parameter.Text(k.Best()))
	switch {
	case at == 0:
		return
	case len(k.Outputs) > 1:
		which = fmt.Sprintf("of %d of %d outputs", at, len(k.Outputs))
	case settled != nil:
		on := "on"
		if k.Outputs[0].Best == 0 {
			on = "down"
		}
		j.Note(codes.NoteEndOfPath, "from %s = %s %s the held-out ranking no longer changes: none beyond the chosen %s is "+
			"better", k.Parameter, k.Parameter.Text(*settled), on, k.Parameter.Text(k.Best()))
		return
	}
	j.Note(codes.NoteEndOfPath, "the chosen %s %s is at the end of the values tried%s", k.Parameter, which, beyond(k))
}

// beyond says what is to be expected beyond the last candidate: where it is chosen of the only output, from which one
// on the error is the same; otherwise a better candidate.
func beyond(k cv.KernelEstimate) string {
	e := k.Outputs[0]
	last := len(e.Points) - 1
	from := last
	for from > 0 && e.Points[from-1].Error == e.Points[last].Error {
		from--
	}
	if len(k.Outputs) > 1 || e.Best != last || from == last {
		return ": a better one may lie beyond"
	}
	return fmt.Sprintf("; from %s on the error no longer changes", k.Parameter.Text(e.Points[from].Candidate))
}

// warnWrongWay warns if an interval lies above ½, which none of models does that know nothing of what they rank.
func (r *Run) warnWrongWay() {
	for output := range r.Choice.Chosen().Outputs {
		i, what := r.Interval(output), "error"
		if r.Nested != nil && r.Nested.Interval.Defined {
			i, what = r.Nested.Interval, "nested error"
		}
		if i.Defined && i.Lo > 0.5 && r.Choice.Measure == "" {
			r.plan.Journal.Warn(codes.NoteWrongWay,
				"no signal: the interval of the %s lies above 1/2, so the models point the wrong "+
					"way for what was held out; without a signal leaving out turns chance against itself: take it for no better "+
					"than 1/2, not for worse", what)
			return
		}
	}
}

// noteUnits says why the chosen error has no standard error, or that its units are few.
func noteUnits(j *journal.Journal, p cv.Point) {
	over := p.Over
	switch text := ratio.Text(over); {
	case over.N == 0:
	case ratio.RarelySeen(over):
		j.Note(codes.NoteNoStdErr, "the error has no standard error and no interval: the rarer label is on %s, and "+
			"it takes %d", spell.Plural(over.Rarer, "row"), ratio.LeastUnits)
	case over.N == 1:
		j.Note(codes.NoteNoStdErr, "the error has no standard error: the held-out scores are a single %s", over.Of)
	case over.N < ratio.LeastUnits:
		j.Note(codes.NoteNoStdErr, "the error has no standard error: it is over %s, and it takes %d", text, ratio.LeastUnits)
	case !p.StdErr.Defined && p.Drawn == 0:
		j.Note(codes.NoteNoStdErr, "the error has no standard error: the share of wrong pairs is the same for each of %s, "+
			"which does not say how it would vary", text)
	case ratio.Few(over):
		j.Warn(codes.NoteFewUnits,
			"the error has no interval: it is over %s, one of which has most of the pairs; the standard "+
				"error is by leaving out each", text)
	default:
		DoubtUnits(j, "the error", over)
	}
}

// DoubtUnits warns of a standard error over few units, or of which few have most of the weight.
func DoubtUnits(j *journal.Journal, what string, over metric.Over) {
	if doubt := ratio.Doubt(over); doubt != "" {
		j.Warn(codes.NoteFewUnits, "%s is over %s", what, doubt)
	}
}
