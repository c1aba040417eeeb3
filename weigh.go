package pairrank

import (
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/internal/memory"
)

// work is the estimated cost of a solver: multiplications, and bytes in addition to the data.
type work struct{ multiplications, bytes float64 }

func (w work) String() string {
	return fmt.Sprintf("%.2g multiplications and %s", w.multiplications, memory.Size(w.bytes))
}

const (
	// weighs is the number of multiplications of a factorisation from which on it pays to ask whether iterating
	// takes less: with the pairs that are then left out, some ten seconds of one core for 2,800 rows of text. Below it
	// auto keeps the exact solvers, which can hold out more.
	weighs = 1e11
	// scattered is how many multiplications of a factorisation take as long as one with sparse rows, which
	// reads the vector at scattered places: 0.03 ns against about 2 ns.
	scattered = 64
)

// weigh compares an exact solver with conjugate gradients if the rows are sparse and factoring is much work. It
// reports whether to iterate, and the cost of both, "" if it did not compare.
func (l LeastSquares) weigh(t *trainer, exact gramForm, free float64) (iterate bool, why string) {
	x, sparse := t.x.(*data.CSR)
	if !sparse || mapped(t.o.Kernels) || l.Solver != Auto || l.Basis.given() || !t.mayIterate() {
		return false, ""
	}
	factoring := l.exactWork(t, x, exact)
	if factoring.multiplications < weighs && factoring.bytes <= free {
		return false, ""
	}
	if l.memory(t, l.form(CG)) > free {
		return false, "" // too costly even to ask how many iterations
	}
	iterating, ok := l.iterativeWork(t, x, factoring.multiplications)
	if !ok {
		return false, ""
	}
	if factoring.bytes > free || scattered*iterating.multiplications < factoring.multiplications {
		exactly := ""
		if t.chooses {
			exactly = ", and hold out without training again"
		}
		return true, fmt.Sprintf("at most %s; %s would take %s%s", iterating, exact.solver(), factoring, exactly)
	}
	return false, fmt.Sprintf("%s; cg may take %s, of sparse rows", factoring, iterating)
}

// mayIterate reports whether conjugate gradients can compute everything requested.
func (t *trainer) mayIterate() bool { return t.linear() && t.mayRetrain() }

// mayRetrain reports whether everything requested can be computed without a factorisation for all λ.
func (t *trainer) mayRetrain() bool {
	pairs := t.wanted != nil && t.wanted.Kind == cv.LeavePairOut
	nested := t.o.Nested != nil && t.o.Nested.Kind == cv.LeavePairOut
	return !pairs && !nested && !t.o.ROC
}

// exactWork is the work of factoring the rows. After the products of the sparse rows with each other, k
// features or rows take k³/3 multiplications for one λ by Cholesky, and 4.5 k³ for eigenvectors (Golub and Van
// Loan 2013, sections 4.2.5 and 8.3.1).
func (l LeastSquares) exactWork(t *trainer, x *data.CSR, form gramForm) work {
	k, products := form.gram(x)
	cubes := 4.5
	if t.once() {
		cubes = 1.0 / 3
	}
	return work{cubes*k*k*k + products, l.memory(t, form)}
}

// iterativeWork is the work of conjugate gradients: two products an iteration for the model, and about half as
// much for each of several folds that share them. If the features differ in size, each λ counts. The largest
// eigenvalue is not computed if its bound, the trace, already shows that the work is less than enough. ok is
// false if nothing can be learnt.
func (l LeastSquares) iterativeWork(t *trainer, x *data.CSR, enough float64) (w work, ok bool) {
	goal, err := l.goal(t)
	if err != nil {
		return work{}, false // training reports it
	}
	squares := rls.Squares(x, goal)
	trace := math.Inf(1)
	if squares != nil {
		trace = 0
	}
	for _, v := range squares {
		trace += v
	}
	steps, trainings := l.iterations(t, trace), 1.0
	if t.chooses {
		trainings += float64(l.folds(t)) / 2
	}
	if holdout.Spread(squares) > preconditioned {
		trainings *= float64(max(1, l.count(t)))
	}
	if t.o.Nested != nil {
		trainings *= 1 + float64(splitsOf(t.outer(), t))
	}
	trainings *= float64(1 + t.o.Permutations)
	an := 2 * float64(x.Ptr[x.Rows]-x.Ptr[0]) * trainings * float64(t.outputs) // iteration
	w = work{an * steps, l.memory(t, l.form(CG))}
	if scattered*w.multiplications >= enough && len(t.lambdas) > 0 {
		w.multiplications = an * l.iterations(t, rls.LargestEigenvalue(x, goal))
	}
	return w, true
}
