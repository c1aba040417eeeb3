package pairrank

import (
	"fmt"

	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/memory"
	"pairrank/internal/parallel"
	"pairrank/internal/rows"
	"pairrank/internal/spell"
	"pairrank/kernel"
	"pairrank/pref"
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
		return solution{iterating, CG, weighed}, nil
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
	return solution{form, form.solver(), why}, nil
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

// chooses reports whether anything is held out: to choose, or to estimate.
func (t *trainer) chooses() bool {
	return t.estimating || t.o.learnsWeights() || // by held-out errors
		t.wanted != nil || t.valid != nil || t.learner.count(t)*len(t.o.Kernels) > 1
}

// once reports whether there is a single training, which needs no eigenvectors.
func (t *trainer) once() bool { return t.oneValue() && !t.chooses() }

// memory estimates the bytes that a form needs in addition to the data.
func (l LeastSquares) memory(t *trainer, form leastForm) float64 {
	return form.memory(t, t.once()) + l.pairMemory(t) + t.featureMemory(2) + t.mapMemory(form)
}

// width is the number of weights: the features, or the largest number that a map makes of them.
func (t *trainer) width() int {
	if !mapped(t.o.Kernels) {
		return t.features()
	}
	most := 0
	for _, k := range t.o.Kernels {
		switch k := k.(type) {
		case kernel.Fourier:
			most = max(most, k.Features)
		case kernel.Spline:
			most = max(most, t.splines[k].Features())
		}
	}
	return most
}

// widthText is the name and the number of these features.
func (t *trainer) widthText() string {
	name := "features"
	switch {
	case random(t.o.Kernels):
		name = "random features"
	case mapped(t.o.Kernels):
		name = "features and hinges"
	}
	return fmt.Sprintf("%s (%d)", name, t.width())
}

// mapMemory is the memory of the rows as the features of a map, and of the frequencies of random ones. The primal form
// makes the rows of some queries at a time, and reads the linear ones beside splines where they are.
func (t *trainer) mapMemory(of form) float64 {
	if !mapped(t.o.Kernels) {
		return 0
	}
	rows := float64(t.rows())
	if makesRows(of) {
		const panels = 3 * 512 // in which a goroutine has and multiplies rows
		rows = min(rows, panels*float64(parallel.Workers()))
	}
	if t.valid != nil {
		rows += float64(len(t.valid.Y))
	}
	if random(t.o.Kernels) {
		rows += float64(t.features()) / 2
	}
	return 8 * float64(t.width()) * rows
}

// mapCode is the code of features of maps that do not fit into memory.
func (t *trainer) mapCode() fault.Code {
	if random(t.o.Kernels) {
		return codes.FaultRandomFeatures
	}
	return faultSpline
}

// featureMemory is the memory of vectors as long as there are features: weights, and the vectors of an
// iteration.
func (t *trainer) featureMemory(vectors float64) float64 {
	if !t.linear() {
		return 0
	}
	return 8 * vectors * float64(t.width())
}

// pairMemory is the memory of a Laplacian without structure: the relative cost keeps the weight of every pair
// of a query.
func (l LeastSquares) pairMemory(t *trainer) float64 {
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

func (l LeastSquares) tooLarge(t *trainer, form leastForm, need, free float64) error {
	if need := t.featureMemory(2); need > free && !mapped(t.o.Kernels) {
		return rows.ManyFeatures(t.x, need, free)
	}
	err := fmt.Errorf("the %s solver would take about %s of memory, and %s are free", form.solver(), memory.Size(need),
		memory.Size(free))
	code := codes.FaultManyRows
	switch {
	case l.pairMemory(t) > free/2:
		code = codes.FaultRelativeCost
	case mapped(t.o.Kernels):
		code = t.mapCode()
	case t.linear():
		code = codes.FaultLinearMemory
	}
	return &fault.Error{Kind: fault.Memory, Code: code, Err: err}
}

// iterative is the solution of a learner that iterates with so many vectors of weights. It refuses a kernel map
// that does not fit into memory.
func (t *trainer) iterative(s solution, vectors float64) (solution, error) {
	free := memory.Free()
	if !t.onBasis() {
		if need := t.mapMemory(s.form) + t.featureMemory(vectors); need > free && mapped(t.o.Kernels) {
			return solution{}, &fault.Error{Kind: fault.Memory, Code: t.mapCode(),
				Err: fmt.Errorf("the %s of %d rows would take about %s of memory, and %s are free",
					t.widthText(), t.rows(), memory.Size(need), memory.Size(free))}
		}
		if need := t.featureMemory(vectors); need > free {
			return solution{}, rows.ManyFeatures(t.x, need, free)
		}
		return s, nil
	}
	m, b := float64(t.rows()), float64(len(t.support))
	if need := 8 * (2*m*b + 3*b*b); need > free {
		return solution{}, &fault.Error{Kind: fault.Memory, Code: codes.FaultKernelMap,
			Err: fmt.Errorf("the kernel map of %.0f basis rows would take about %s of memory, and %s are free",
				b, memory.Size(need), memory.Size(free))}
	}
	s.Why = fmt.Sprintf("%s on the kernel map of %s", s.Why, spell.Plural(len(t.support), "row"))
	return s, nil
}

// exact returns the form if it is exact, else nil.
func (t *trainer) exact() exactForm {
	e, _ := t.solution.form.(exactForm)
	return e
}
