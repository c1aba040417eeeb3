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

// chooseSolver returns the solver of least squares: the given one, or the cheapest exact one that fits into
// memory. It considers conjugate gradients, too, for a single λ, and for sparse rows if they take less work or
// nothing else fits. drawBasis may have drawn a basis. It refuses a solver that does not fit, and names the remedy.
func (l LeastSquares) chooseSolver(t *trainer) (solution, error) {
	m := t.rows()
	free := memory.Free()
	if form, why := l.asked(t); form != nil {
		if lost := form.lost(t); lost != "" {
			t.warnScales(lost)
		}
		return l.within(t, form, why, free)
	}
	n, features := t.width(), t.widthText()
	best, why := gramForm(primal{}), fmt.Sprintf("no more %s than rows (%d)", features, m)
	if n > m {
		best, why = l.dual(), fmt.Sprintf("fewer rows (%d) than %s", m, features)
	} else if directions := m - t.queries.Len(); !l.Regression && t.edges == nil && !t.o.AllPairs && n > directions {
		// Only scores within a query are compared, so m rows have m − q directions. If the features fill them
		// all, the primal form loses its digits.
		best, why = l.dual(), fmt.Sprintf("fewer rows less queries (%d) than %s", directions, features)
	}
	iterating := l.form(CG)
	iterate, weighed := l.weigh(t, best, free)
	if iterate {
		return solution{iterating, nil, CG, weighed}, nil
	}
	if lost := best.lost(t); lost != "" && n <= mostPrimal {
		best, why, weighed = primal{}, lost, ""
	} else if lost != "" {
		t.warnScales(lost)
	}
	if need := l.memory(t, best); need > free && t.oneValue() {
		return l.within(t, iterating, fmt.Sprintf("%s would take %s of memory", best.solver(), memory.Size(need)), free)
	}
	if weighed != "" {
		why += ": " + weighed
	}
	return l.within(t, best, why, free)
}

// within returns the solution by a form, or an error if it needs more than the free memory.
func (l LeastSquares) within(t *trainer, form leastForm, why string, free float64) (solution, error) {
	if need := l.memory(t, form); need > free {
		return solution{}, l.tooLarge(t, form, need, free)
	}
	exact, _ := form.(exactForm)
	return solution{form, exact, form.solver(), why}, nil
}

// asked is the form that the options fix, nil if they leave it open.
func (l LeastSquares) asked(t *trainer) (leastForm, string) {
	switch {
	case l.Solver != Auto:
		return l.form(l.Solver), "asked for"
	case l.Basis.given():
		return l.form(Sparse), "a basis of some rows"
	case !t.linear():
		return l.dual(), "a kernel matrix"
	}
	return nil, ""
}

// oneValue reports whether a single λ was given.
func (t *trainer) oneValue() bool { return len(t.lambdas) == 1 }

// once reports whether there is a single training, which needs no eigenvectors.
func (t *trainer) once() bool { return t.oneValue() && !t.chooses }

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
