package pairrank

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pairrank/event"
	"pairrank/internal/codes"
	"pairrank/internal/learn/rls"
	"pairrank/internal/memory"
)

// mostPrimal is the number of features up to which the primal form is taken to keep their digits although there
// are fewer rows: some ten seconds of one core.
const mostPrimal = 2000

// lost says how much of some features a linear kernel matrix loses, "" if less than fewDigits: its sums over
// features are rounded by ε times the largest feature. The features that matter are the largest ones, as many
// as the rows have directions to be fitted in; little is left for the others to learn.
func (f dual) lost(t *trainer) string {
	if !t.linear() || random(t.o.Kernels) {
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
	t.journal.Add(event.Note{Warning: true, Code: codes.NoteScales, Text: lost,
		Remedy: "normalise the features, or take the primal solver"})
}
