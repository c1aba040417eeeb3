package pairrank

import (
	"fmt"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/learn/rls"
	"pairrank/internal/memory"
	"pairrank/internal/parallel"
	"pairrank/internal/rows"
	"pairrank/internal/spell"
	"pairrank/kernel"
	"pairrank/pref"
)

// memory estimates the bytes that a form needs in addition to the data.
func (l LeastSquares) memory(t *trainer, form leastForm) float64 {
	return form.memory(t, t.once()) + l.pairMemory(t) + t.featureMemory(2) + t.mapMemory(form)
}

func (primal) memory(t *trainer, once bool) float64 {
	matrices, n := 7.0, float64(t.width())
	if once {
		matrices = 2.5
	}
	if !once && t.pairsLeave() {
		matrices += 5 * float64(t.rows()) / n // dense rows, and those of the path
	}
	return 8 * matrices * n * n
}

// memory for one training is one kernel matrix, which is factored in place; one list fills half of it. A given
// matrix needs a path.
func (f dual) memory(t *trainer, once bool) float64 {
	m := float64(t.rows())
	switch {
	case f.foldsAgain(t):
		return 8 * m * m
	case !once && t.pairsLeave():
		return 8 * 10 * m * m // with the root, and its path
	case t.o.learnsWeights():
		return 8 * float64(14+len(kernel.Terms(t.o.Kernels[0]))) * m * m
	case !once || t.given != nil:
		return 8 * 7 * m * m
	case f.l.ownWeights(t):
		return 8 * 14 * m * m
	}
	return 8 * m * m
}

// memory for one training is one panel of rows, unless each pair has its weight.
func (f subset) memory(t *trainer, once bool) float64 {
	m, b := float64(t.rows()), float64(len(t.support))
	switch {
	case !once:
		return basisMemory(m, b)
	case f.l.ownWeights(t):
		return 8 * (3*m*b + 5*b*b)
	}
	const numbers, rows = 1 << 18, 256 // of a panel, see rls.SparseOf
	return 8 * (max(numbers, rows*b) + 5*b*b)
}

// basisMemory is the memory of the path of a basis of b of m rows.
func basisMemory(m, b float64) float64 { return 8 * (2*m*b + 7*b*b) }

func (f gradients) memory(t *trainer, _ bool) float64 { return f.l.iterativeMemory(t) }

// iterativeMemory is the memory of conjugate gradients: vectors of features and rows for each simultaneous
// training, the transpose of sparse rows, and what each λ keeps.
func (l LeastSquares) iterativeMemory(t *trainer) float64 {
	m, n := float64(t.rows()), float64(t.width())
	trainings, lambdas := float64(t.outputs), 1.0
	if t.chooses {
		trainings *= float64(max(1, l.folds(t)))
		lambdas = float64(l.count(t))
	}
	trainings = min(trainings, rls.TrainingsAtOnce)
	x, sparse := t.x.(*data.CSR)
	sparse = sparse && !mapped(t.o.Kernels)
	if sparse && trainings > 4 {
		trainings = rls.TrainingsAtOnce // including columns of zeros
	}
	bytes := 8 * (5*n + m + trainings*(3*n+3*m) + 2*lambdas*m*float64(t.outputs))
	if sparse {
		bytes += 12*float64(x.Ptr[x.Rows]-x.Ptr[0]) + 8*n
	}
	return bytes
}

// ownWeights reports whether each pair has its weight. Then the roots of the Laplacian are extra matrices.
func (l LeastSquares) ownWeights(t *trainer) bool {
	return !l.Regression && (t.edges != nil || l.Pairs.Cost == pref.Relative)
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

// featureMemory is the memory of vectors as long as there are features: weights, and the vectors of an
// iteration.
func (t *trainer) featureMemory(vectors float64) float64 {
	if !t.linear() {
		return 0
	}
	return 8 * vectors * float64(t.width())
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

// makesRows reports whether a form reads mapped rows in pieces, so that they are made when they are read.
func makesRows(of form) bool {
	_, is := of.(primal)
	return is
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

// mapCode is the code of features of maps that do not fit into memory.
func (t *trainer) mapCode() fault.Code {
	if random(t.o.Kernels) {
		return codes.FaultRandomFeatures
	}
	return faultSpline
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
