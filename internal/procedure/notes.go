package procedure

import (
	"fmt"

	"pairrank/eval/cv"
	"pairrank/internal/event"
	"pairrank/internal/spell"
)

// The codes of notes that every kind of data may have.
const (
	NoteStopped        event.Code = "stopped"         // the model is the best before the end
	NoteFolds          event.Code = "folds"           // trainings of folds did not converge
	NoteEndOfPath      event.Code = "end-of-path"     // the best candidate is the first or the last
	NoteNoInterval     event.Code = "no-interval"     // the interval takes too long
	NoteFailedInterval event.Code = "failed-interval" // halves have no estimate
	NoteFewPairs       event.Code = "few-pairs"       // the nested estimate is coarse
)

// WarnFolds counts the trainings of folds that did not converge.
func WarnFolds(j *event.Journal, n int) {
	j.Warn(NoteFolds, "%s of folds did not converge; the errors are those of the last iterates",
		spell.Plural(n, "training"))
}

// NoteEnds says so where the best of three candidates or more is the first or the last
// of them: a better one may lie beyond.
func NoteEnds(j *event.Journal, k cv.KernelEstimate) {
	const few = 3 // of which most are an end
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
