package procedure

import (
	"fmt"

	"pairrank/eval/cv"
	"pairrank/internal/event"
	"pairrank/internal/spell"
)

// The codes of notes that every kind of data may have.
const (
	NoteStopped        event.Code = "stopped"         // the training was stopped; the model is the best so far
	NoteFolds          event.Code = "folds"           // trainings on folds did not converge
	NoteEndOfPath      event.Code = "end-of-path"     // the best candidate is the first or the last
	NoteNoInterval     event.Code = "no-interval"     // the interval would take too long
	NoteFewUnits       event.Code = "few-units"       // there are too few units for an interval
	NoteFailedInterval event.Code = "failed-interval" // half-samples have no estimate
	NoteFewPairs       event.Code = "few-pairs"       // the nested estimate is coarse
	NoteAlike          event.Code = "alike"           // no feature distinguishes the compared rows
	NoteZeroWeights    event.Code = "zero-weights"    // all weights are 0
)

// WarnFolds reports how many trainings on folds did not converge.
func WarnFolds(j *event.Journal, n int) {
	j.Warn(NoteFolds, "%s of folds did not converge; the errors are those of the last iterates",
		spell.Plural(n, "training"))
}

// WarnAlike warns that no feature distinguishes compared rows; constant says what is constant, and where.
func WarnAlike(j *event.Journal, constant string) {
	j.Warn(NoteAlike, "%s, so the compared rows all get the same score and nothing is learnt about their order",
		constant)
}

// WarnZero warns that all weights are 0.
func WarnZero(j *event.Journal) {
	j.Warn(NoteZeroWeights, "all weights are 0, so every row gets the same score: no feature goes with the labels, "+
		"or λ is too large for double precision beside the features")
}

// NoteEnds notes that the best of three candidates or more is the first or the last: a better one may lie
// beyond. Numbers of features with a λ each are no path.
func NoteEnds(j *event.Journal, k cv.KernelEstimate) {
	if k.Parameter == cv.Features {
		return
	}
	const few = 3 // with fewer candidates most are at an end
	ends := 0
	for _, e := range k.Outputs {
		if n := len(e.Points); (e.Best == 0 || e.Best == n-1) && (n >= few || n > 1 && len(k.Outputs) > 1) {
			ends++
		}
	}
	which := fmt.Sprintf("= %s", k.Parameter.Text(k.Best()))
	switch {
	case ends == 0:
		return
	case len(k.Outputs) > 1:
		which = fmt.Sprintf("of %d of %d outputs", ends, len(k.Outputs))
	}
	j.Note(NoteEndOfPath, "the chosen %s %s is at the end of the values tried", k.Parameter, which)
}
