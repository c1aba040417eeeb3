package pairrank

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pairrank/internal/event"
	"pairrank/internal/memory"
	"pairrank/internal/procedure"
	"pairrank/internal/spell"
	"pairrank/learn/rls"
)

// mostPrimal is the number of features up to which the primal form is taken to keep their digits although there
// are fewer rows: some ten seconds of one core.
const mostPrimal = 2000

// lost says how much of some features a linear kernel matrix loses, "" if less than fewDigits: its sums over
// features are rounded by ε times the largest feature. The features that matter are the largest ones, as many
// as the rows have directions to be fitted in; little is left for the others to learn.
func (f dual) lost(t *trainer) string {
	if !t.linear() || randomFeatures(t.o.Kernels) > 0 {
		return ""
	}
	if t.featureMemory(2) > memory.Free() {
		return "" // refused elsewhere
	}
	goal, err := f.l.goal(t)
	if err != nil {
		return "" // training reports it
	}
	squares := rls.Squares(t.x, goal)
	slices.SortFunc(squares, func(a, b float64) int { return cmp.Compare(b, a) })
	directions := t.rows()
	if goal.Centred() {
		directions -= goal.L.Components().Len()
	}
	if len(squares) == 0 || directions < 1 {
		return ""
	}
	all, least := 0.0, squares[min(directions, len(squares))-1]
	for _, v := range squares {
		all += v
	}
	lost := 0x1p-52 * all / least
	if !(lost > fewDigits) || least == 0 || math.IsInf(all, 1) {
		return ""
	}
	return fmt.Sprintf("features differ in size by %.0e, so that a kernel matrix rounds the smaller ones by %.0e",
		math.Sqrt(all/least), min(1, lost))
}

// warnScales warns of the features that a solver loses; lost describes them.
func (t *trainer) warnScales(lost string) {
	t.journal.Add(event.Note{Warning: true, Code: NoteScales, Text: lost,
		Remedy: "normalise the features, or take the primal solver"})
}

// warnGraded warns if, at the chosen λ, features are so small compared with others that the eigenvalues, which
// the held-out predictions use, have lost them. The weights of the model have not.
func (s *source) warnGraded(c *procedure.Choice) {
	path := s.path()
	if path == nil {
		return
	}
	if lost := path.Lost(c.Candidate()); lost > fewDigits {
		s.journal.Add(event.Note{Warning: true, Code: NoteScales,
			Text: fmt.Sprintf("features differ so much in size that the error has lost %.0e of the smallest",
				min(1, lost)),
			Remedy: "normalise the features"})
		return
	}
	below := 0.0
	for _, lambda := range c.Chosen().Candidates {
		if path.Lost(lambda) > fewDigits {
			below = max(below, lambda)
		}
	}
	if below > 0 {
		s.journal.Add(event.Note{Code: NoteScales,
			Text: fmt.Sprintf("features differ so much in size that errors up to lambda = %s have lost "+
				"up to %.0e of the smallest",
				spell.Power(below), min(1, path.Lost(c.Chosen().Candidates[0]))),
			Remedy: "normalise the features"})
	}
}
