package pairrank

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/event"
	"pairrank/internal/codes"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/internal/memory"
	"pairrank/internal/procedure"
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

// eigenSpeed is the multiplications of factorWork that one core does in a second: eigenvectors of 1,000 and of 2,000
// rows take 0.15 and 1.2 s.
const eigenSpeed = 8e10

// eigenWork is the multiplications of eigenvectors of an m×m matrix.
func eigenWork(m float64) float64 { return 12 * m * m * m }

// factorTime is how long the multiplications of a factorisation take.
func factorTime(multiplications float64) time.Duration {
	return time.Duration(multiplications / eigenSpeed * float64(time.Second)).Round(5 * time.Second)
}

// announceFactor notes before the work how long a factorisation takes that serves every λ, where that is more than ten
// seconds of one core. It tells no progress.
func (t *trainer) announceFactor() {
	exact := t.exact()
	if exact == nil || t.once() || exact.foldsAgain(t) {
		return
	}
	columns, factor := exact.factorWork(t, float64(t.rows()))
	columns = cmp.Or(columns, float64(t.rows())) // pairs by an inverse have none
	if factor < 10*eigenSpeed {
		return
	}
	t.journal.Add(event.Note{Code: codes.NoteFactor,
		Text: fmt.Sprintf("the %s solver factors a matrix of %.0f columns, which takes some %s of one core",
			t.solution.Solver, columns, factorTime(factor)),
		Remedy: "a basis of some rows takes a part of it, and so does one λ"})
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
	trainings := 1.0
	if t.chooses() {
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
	trace := math.Inf(1)
	if squares != nil {
		trace = 0
	}
	for _, v := range squares {
		trace += v
	}
	w = work{an * l.iterations(t, trace), l.memory(t, l.form(CG))}
	if scattered*w.multiplications >= enough && len(t.lambdas) > 0 {
		w.multiplications = an * l.iterations(t, rls.LargestEigenvalue(x, goal))
	}
	return w, true
}

// iterations is the number of iterations until the energy of the error is below the tolerance, for the
// condition number of the least λ (Golub and Van Loan 2013, theorem 11.3.3). Often a few times fewer are
// needed.
func (l LeastSquares) iterations(t *trainer, largest float64) float64 {
	condition := math.Exp2(12) // that of holdout.IterativeLambdas
	if len(t.lambdas) > 0 {
		condition = 1 + largest/t.lambdas[0]
	}
	tolerance := l.Tolerance
	if tolerance == 0 {
		tolerance = rls.DefaultScores
	}
	return min(math.Ceil(math.Sqrt(condition)/2*math.Log(2/tolerance)), float64(l.MaxIterations))
}

// folds is the number of trainings that hold something out.
func (l LeastSquares) folds(t *trainer) int {
	switch {
	case t.valid != nil:
		return 1
	case t.edges != nil && t.wanted != nil && t.wanted.Folds == 0:
		return t.pairs.Lines() // at most
	case t.wanted != nil:
		return splitsOf(*t.wanted, t)
	case t.queries.Len() > 1:
		return min(10, t.queries.Len())
	}
	return min(10, t.rows())
}

// splitsOf is the number of test sets of a method; leave-pair-out counts the pairs of rows.
func splitsOf(m cv.Method, t *trainer) int {
	switch m.Kind {
	case cv.LeaveQueryOut:
		return t.queries.Len()
	case cv.LeaveOneOut:
		return t.rows()
	case cv.LeavePairOut:
		return t.rows() * (t.rows() - 1) / 2
	}
	return m.Folds
}

// roundsOf is the number of trainings of a method that trains again: leave-pair-out needs none for equal labels.
func roundsOf(m cv.Method, t *trainer) int {
	if m.Kind == cv.LeavePairOut {
		return int(t.unlikePairs())
	}
	return splitsOf(m, t)
}

// foldWork is the work of a factorisation, or of conjugate gradients, which end after at most as many
// iterations as there are features: for each λ unless the values share them.
func (l LeastSquares) foldWork(s *trainer, share float64, lambdas []float64) float64 {
	if exact := s.exact(); exact != nil {
		_, factor := exact.factorWork(s, share*float64(s.rows()))
		return factor
	}
	trainings := float64(s.outputs)
	if goal, err := l.goal(s); err != nil || !s.shares(goal) {
		trainings *= float64(len(lambdas))
	}
	_, features := s.iterated()
	return trainings * min(trainingSteps, features) * s.stepWork(share)
}

// mayIterate reports whether conjugate gradients can compute everything requested.
func (t *trainer) mayIterate() bool { return t.linear() && t.mayRetrain() }

// mayRetrain reports whether everything requested can be computed without a factorisation for all λ.
func (t *trainer) mayRetrain() bool {
	pairs := t.wanted != nil && t.wanted.Kind == cv.LeavePairOut
	nested := t.o.Nested != nil && t.o.Nested.Kind == cv.LeavePairOut
	return !pairs && !nested && !t.o.ROC
}

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
		if t.chooses() {
			exactly = ", and hold out without training again"
		}
		return true, fmt.Sprintf("at most %s; %s would take %s%s", iterating, exact.solver(), factoring, exactly)
	}
	return false, fmt.Sprintf("%s; cg may take %s, of sparse rows", factoring, iterating)
}

// iterativeMemory is the memory of conjugate gradients: vectors of features and rows for each simultaneous
// training, the transpose of sparse rows, and what each λ keeps.
func (l LeastSquares) iterativeMemory(t *trainer) float64 {
	m, n := float64(t.rows()), float64(t.width())
	trainings, lambdas := float64(t.outputs), 1.0
	if t.chooses() {
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

// choiceWork estimates the multiplications of repeating a choice on a share of the rows and queries.
func (s *source) choiceWork(c *procedure.Choice, share float64) float64 {
	if c.Retrained {
		return float64(len(s.o.Kernels)) * s.foldsWork(c.Method, share, c.Chosen().Candidates)
	}
	return s.chooseWork(c.Method, share)
}

// chooseWork estimates the multiplications of a choice on a share of the rows and queries, if it is exact.
func (t *trainer) chooseWork(method cv.Method, share float64) float64 {
	kernels, lambdas := float64(len(t.o.Kernels)), float64(t.learner.count(t))
	return kernels * t.work(method, share, lambdas)
}

// nestWork is NestWork of a Source.
func (t *trainer) nestWork(share float64) float64 {
	pairs := float64(t.unlikePairs()) * share * share
	if t.weights != nil {
		every := t.work(cv.Method{Kind: cv.LeavePairOut}, share, float64(t.learner.count(t)))
		return float64(len(t.o.Kernels)) * pairs * every
	}
	return 4 * float64(len(t.o.Kernels)*t.learner.count(t)) * pairs * pairs
}

// work estimates the multiplications of an estimate on a share of the rows and queries: a factorisation, and so
// many values of λ over the pairs or groups that are left out; 0 if nothing is factored.
func (t *trainer) work(method cv.Method, share, lambdas float64) float64 {
	exact := t.exact()
	if exact == nil {
		return 0
	}
	m, outputs := float64(t.rows())*share, float64(t.outputs)
	k, factor := exact.factorWork(t, m)
	if t.censored != nil && (method.Kind == cv.LeavePairOut || t.queries.Len() == 1) {
		return factor + t.starWork(method, m, k, lambdas)
	}
	if method.Kind != cv.LeavePairOut || t.groups != nil {
		groups := m
		if t.groups != nil {
			groups = float64(t.groups.Len()) * share
		}
		if method.Kind == cv.LeavePairOut {
			const least = 4000     // for few rows, measured
			rows := 2 * m / groups // of two groups
			return factor + groups*groups/2*lambdas*(least+rows*rows*k+8*rows*k*outputs+rows*rows*rows)
		}
		switch {
		case method.Kind == cv.KFold:
			groups = float64(method.Folds)
		case t.queries.Len() > 1 && method.Kind == cv.LeaveQueryOut:
			groups = float64(t.queries.Len()) * share
		}
		rows := m / groups
		const ordering = 300 // of a row among those of its query, with its ties; measured
		return factor + lambdas*m*outputs*ordering + groups*min(k*k*k+lambdas*outputs*(k*k+rows*k),
			lambdas*(rows*rows*k+8*rows*k*outputs+rows*rows*rows))
	}
	if t.weights != nil { // a pair is interpolated at several λ; measured
		const choice, row = 1e6, 1600
		return choice + factor + lambdas*m*(row+m*(0.5*k+20*outputs))
	}
	return factor + lambdas*m*m*(1.5*k+40*outputs) // every pair
}

// starWork estimates the multiplications of leaving out pairs, folds or rows of censored times, beside a factorisation.
func (t *trainer) starWork(method cv.Method, m, k, lambdas float64) float64 {
	switch method.Kind {
	case cv.LeavePairOut:
		return rls.StarWork(m*m/2, m, k, lambdas)
	case cv.KFold:
		return float64(method.Folds)*(m*k*k+rls.StarWork(1, 0, k, lambdas)) + lambdas*m*300
	}
	return m*(m*k*k+rls.StarWork(1, 0, k, lambdas)) + lambdas*m*300
}
