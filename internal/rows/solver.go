package rows

import (
	"fmt"

	"pairrank/eval/cv"
	"pairrank/internal/event"
	"pairrank/internal/fault"
	"pairrank/internal/memory"
	"pairrank/internal/spell"
	"pairrank/pref"
)

// chooseSolver is the solver of least squares: the one that was asked for, or the
// cheapest exact one whose memory fits; for a single λ also conjugate gradients, and for
// sparse rows where they take less work, or all that fits. It refuses what does not fit,
// with the way out.
func (l LeastSquares) chooseSolver(t *task) (Solution, error) {
	m := t.rows()
	free := memory.Free()
	if solver, why := l.asked(t); solver != Auto {
		if lost := l.lostScales(t, solver); lost != "" {
			t.warnScales(lost)
		}
		if need := l.memory(t, solver); need > free {
			return Solution{}, l.tooLarge(t, solver, need, free)
		}
		return Solution{solver, why}, nil
	}
	n, features := t.width(), t.widthText()
	best, why := Primal, fmt.Sprintf("no more %s than rows (%d)", features, m)
	if n > m {
		best, why = Dual, fmt.Sprintf("fewer rows (%d) than %s", m, features)
	} else if directions := m - t.queries.Len(); !l.Regression && t.edges == nil && !t.o.AllPairs && n > directions {
		// Scores within a query are compared: m rows have m − q directions, and
		// where the features fill them all the primal form loses its digits.
		best, why = Dual, fmt.Sprintf("fewer rows less queries (%d) than %s", directions, features)
	}
	iterate, weighed := l.weigh(t, best, free)
	if iterate {
		return Solution{CG, weighed}, nil
	}
	if lost := l.lostScales(t, best); lost != "" && n <= mostPrimal {
		best, why, weighed = Primal, lost, ""
	} else if lost != "" {
		t.warnScales(lost)
	}
	if need := l.memory(t, best); need > free {
		if !t.oneValue() {
			return Solution{}, l.tooLarge(t, best, need, free)
		}
		if other := l.memory(t, CG); other > free {
			return Solution{}, l.tooLarge(t, CG, other, free)
		}
		best, why = CG, fmt.Sprintf("%s would take %s of memory", best, memory.Size(need))
	} else if weighed != "" {
		why += ": " + weighed
	}
	return Solution{best, why}, nil
}

// asked is the solver that the options ask for, Auto where they leave it open.
func (l LeastSquares) asked(t *task) (Solver, string) {
	switch {
	case l.Solver != Auto:
		return l.Solver, "asked for"
	case l.Basis.given():
		return Sparse, "a basis of some rows"
	case !t.linear():
		return Dual, "a kernel matrix"
	}
	return Auto, ""
}

// oneValue reports whether a single λ was given.
func (t *task) oneValue() bool { return len(t.o.Lambdas) == 1 }

// chooses reports whether anything is held out: to choose, or to estimate.
func (t *task) chooses() bool {
	return t.estimating || t.o.Method != nil || t.valid != nil || t.learner.count(t)*len(t.o.Kernels) > 1
}

// memory estimates the bytes that a solver takes beside the data: the matrices of its
// factorisation, fewer where one λ needs no eigenvectors.
func (l LeastSquares) memory(t *task, solver Solver) float64 {
	return l.matrixMemory(t, solver) + l.pairMemory(t) + t.featureMemory(2) + t.mapMemory()
}

// featureMemory is that of vectors as long as there are features: weights, and what
// an iteration keeps.
func (t *task) featureMemory(vectors float64) float64 {
	if t.given != nil || !t.linear() {
		return 0
	}
	return 8 * vectors * float64(t.width())
}

// pairMemory is that of a Laplacian without structure: the relative cost keeps the
// weight of every pair of a query.
func (l LeastSquares) pairMemory(t *task) float64 {
	if l.Regression || l.Pairs.Cost != pref.Relative || t.edges != nil {
		return 0
	}
	queries := t.compared()
	sum := 0.0
	for g := range queries.Len() {
		h := float64(len(queries.Part(g)))
		sum += h * h
	}
	return 8 * sum
}

// matrixMemory is that of the matrices of a factorisation: seven with eigenvectors, what
// they are made from and what holds out.
func (l LeastSquares) matrixMemory(t *task, solver Solver) float64 {
	m, n, b := float64(t.rows()), float64(t.width()), float64(len(t.support))
	if t.oneValue() && !t.chooses() && (t.given == nil || solver != Dual) {
		return l.onceMemory(t, solver, m, n, b)
	}
	switch solver {
	case Primal:
		return 8 * 7 * n * n
	case Dual:
		return 8 * 7 * m * m
	case Sparse:
		return 8 * (2*m*b + 7*b*b)
	}
	return 8 * (8*n + 3*m)
}

// onceMemory is matrixMemory of a single training, without eigenvectors: one kernel
// matrix, in which it is factored, and of which one list writes half, and of a basis a
// panel of rows at a time. Where pairs
// have weights of their own the Laplacian has roots that are made beside, and the rows of
// a basis are all there.
func (l LeastSquares) onceMemory(t *task, solver Solver, m, n, b float64) float64 {
	weighted := !l.Regression && (t.edges != nil || l.Pairs.Cost == pref.Relative)
	switch {
	case solver == Primal:
		return 8 * 2.5 * n * n
	case solver == Dual && weighted:
		return 8 * 14 * m * m
	case solver == Dual:
		return 8 * m * m
	case solver == Sparse && weighted:
		return 8 * (3*m*b + 5*b*b)
	case solver == Sparse:
		const numbers, rows = 1 << 18, 256 // of a panel, see rls.SparseOf
		return 8 * (max(numbers, rows*b) + 5*b*b)
	}
	return l.iterativeMemory(t)
}

func (l LeastSquares) tooLarge(t *task, solver Solver, need, free float64) error {
	if need := t.featureMemory(2); need > free && randomFeatures(t.o.Kernels) == 0 {
		return manyFeatures(t.x, need, free)
	}
	err := fmt.Errorf("the %s solver would take about %s of memory, and %s are free", solver, memory.Size(need), memory.Size(free))
	code := FaultManyRows
	switch {
	case l.pairMemory(t) > free/2:
		code = FaultRelativeCost
	case randomFeatures(t.o.Kernels) > 0:
		code = FaultRandomFeatures
	case t.given == nil && t.linear():
		code = FaultLinearMemory
	}
	return &fault.Error{Kind: fault.Memory, Code: code, Err: err}
}

// iterative is the solution of a learner that iterates with so many vectors of
// weights. It refuses a kernel map that does not fit into memory.
func (t *task) iterative(solver Solver, how string, vectors float64) (Solution, error) {
	free := memory.Free()
	if !t.mapped() {
		if need := t.mapMemory() + t.featureMemory(vectors); need > free && randomFeatures(t.o.Kernels) > 0 {
			return Solution{}, &fault.Error{Kind: fault.Memory, Code: FaultRandomFeatures,
				Err: fmt.Errorf("the %s of %d rows would take about %s of memory, and %s are free", t.widthText(), t.rows(), memory.Size(need), memory.Size(free))}
		}
		if need := t.featureMemory(vectors); need > free {
			return Solution{}, manyFeatures(t.x, need, free)
		}
		return Solution{solver, how}, nil
	}
	m, b := float64(t.rows()), float64(len(t.support))
	if need := 8 * (2*m*b + 3*b*b); need > free {
		return Solution{}, &fault.Error{Kind: fault.Memory, Code: FaultKernelMap,
			Err: fmt.Errorf("the kernel map of %.0f basis rows would take about %s of memory, and %s are free", b, memory.Size(need), memory.Size(free))}
	}
	return Solution{solver, fmt.Sprintf("%s on the kernel map of %s", how, spell.Plural(len(t.support), "row"))}, nil
}

// longPairs is how many predictions of pairs are told of before they begin: some
// seconds to a minute.
const longPairs = 2e9

// leavesPairs reports whether the estimate will leave out pairs: it was asked for, or
// is the default of a single list.
func (t *task) leavesPairs() bool {
	l, is := t.learner.(LeastSquares)
	if !is || l.Solver == CG || t.solution.Solver == CG || t.valid != nil || t.edges != nil || !t.chooses() {
		return false
	}
	if m := t.o.Method; m != nil {
		return m.Kind == cv.LeavePairOut
	}
	return t.queries.Len() == 1 && (l.Regression || l.Pairs.Ties == pref.IncludeTies)
}

// announcePairs tells that leave-one-out compares scores of different trainings, and how much
// work leaving out the pairs of queries is where that is much, and refuses what does not fit into
// memory. Those of a single list are drawn where they are many.
func (t *task) announcePairs() error {
	if m := t.o.Method; m != nil && m.Kind == cv.LeaveOneOut {
		t.journal.Add(event.Note{Code: NotePooled, Text: "loo compares scores of different trainings with one another",
			Remedy: "lpo compares two scores of one training"})
	}
	if !t.leavesPairs() || t.queries.Len() == 1 {
		return nil
	}
	m := float64(t.rows())
	const panels, panelRows = 4, 256 // of m numbers each, see rls.Path.LeavePairOut
	if need, free := 8*panels*panelRows*m, memory.Free(); need > free {
		return &fault.Error{Kind: fault.Memory, Code: FaultPairsOfQueries,
			Err: fmt.Errorf("leaving out pairs of %d rows would take about %s of memory, and %s are free", t.rows(), memory.Size(need), memory.Size(free))}
	}
	values := t.learner.count(t)
	pairs, times := m*(m-1)/2, float64(values*len(t.o.Kernels)*t.outputs)
	if pairs*times < longPairs {
		return nil
	}
	each := spell.Plural(values, "value") + " of λ"
	if n := len(t.o.Kernels); n > 1 {
		each += " and " + spell.Plural(n, "kernel")
	}
	if t.outputs > 1 {
		each += fmt.Sprintf(" and %d outputs", t.outputs)
	}
	t.journal.Add(event.Note{Code: NoteManyPairs, Text: fmt.Sprintf("leaving out all %.3g pairs for %s is %.3g predictions", pairs, each, pairs*times), Remedy: "leaving out queries is quick"})
	return nil
}
