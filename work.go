package pairrank

import (
	"errors"
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/learn/rls"
	"pairrank/internal/procedure"
)

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

// outer is the method of the outer folds.
func (t *trainer) outer() cv.Method {
	outer := *t.o.Nested
	if outer.Kind == cv.KFold && outer.Folds == 0 && t.weights == nil && t.nestsPairs() == nil &&
		t.nestWork(1) <= nestBudget {
		return cv.Method{Kind: cv.LeavePairOut}
	}
	if outer.Kind == cv.KFold && outer.Folds == 0 {
		units := t.units().n
		outer.Folds = max(2, min(10, units))
		if t.queries.Len() == 1 {
			outer.Folds = foldsOfList(units)
		}
		if t.givenFolds != nil {
			outer.Folds = t.givenFolds.Len()
		}
	}
	return outer
}

// nestsPairs returns why every pair of rows cannot be left out with every choice made anew, nil where it can: where one
// factorisation gives both.
func (t *trainer) nestsPairs() error {
	switch {
	case t.solution.exact == nil:
		return errors.New("leaves out every pair only by a closed form, which this training does not have")
	case t.censored != nil:
		return errors.New("leaves out pairs within pairs only of labels: of censored times use kfold")
	case t.queries.Len() > 1:
		return errors.New("leaves out pairs only of a single list: with several queries use lqo")
	case t.groups != nil:
		return errors.New("leaves out two rows, but rows of a group leave together: use kfold, which leaves out groups")
	case t.givenFolds != nil:
		return errors.New("leaves out pairs, but folds are given: use kfold")
	case t.weights != nil && t.nestWork(1) > nestWeightsBudget:
		return fmt.Errorf("of %d rows with weights chooses and trains again for each pair, about %.0f minutes of one "+
			"core: use kfold", t.rows(), math.Ceil(t.nestWork(1)/nestWeightsBudget*nestWeightsMinutes))
	case t.outputs > 1:
		return errors.New("leaves out pairs only of one output")
	case t.rows() < leastNest:
		return errors.New("needs 5 rows or more, since two pairs are left out")
	}
	goal, err := t.goal()
	if err == nil {
		err = goal.CanHoldOutAny()
	}
	return err
}

// leastNest is the least number of rows of which two pairs are left out.
const leastNest = 5

// checkNestPairs refuses nested leave-pair-out where there is no shortcut. Outer rounds that leave out one row would
// rank scores of different trainings together: they leave out pairs of rows instead, or are refused, too.
func (t *trainer) checkNestPairs() error {
	if t.o.Nested == nil || t.o.Nested.Kind != cv.LeavePairOut && t.o.Nested.Kind != cv.LeaveOneOut {
		return nil
	}
	alone, err := t.o.Nested.Kind == cv.LeaveOneOut, t.nestsPairs()
	switch {
	case err != nil && alone:
		return fault.Optionf("Nested", "by loo would rank rows by scores of different trainings: kfold and lqo leave out "+
			"rows together that are compared")
	case err != nil:
		return fault.Optionf("Nested", "%w", err)
	case alone:
		t.o.Nested = &cv.Method{Kind: cv.LeavePairOut}
		t.journal.Note(codes.NoteNestPairs,
			"the nested estimate leaves out pairs of rows: scores of rows that are left out one "+
				"by one come from different trainings, which cannot be compared")
	}
	return nil
}

// nestBudget is the largest work of nested leave-pair-out that is done by default: some seconds of one core.
const nestBudget = 2e9

// nestWeightsBudget is the largest work of nested leave-pair-out of rows with weights, which trains again for each
// pair. On one core 20 rows of 20 features take 0.2 s, 60 4.4 s, 100 24 s, 60 of 200 8.9 s, and 50 of 2,000 5 s: the
// estimate is 0.65 to 0.95 of that.
const nestWeightsBudget, nestWeightsMinutes = 1e12, 5

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
	exact := t.solution.exact
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

func (primal) factorWork(s *trainer, m float64) (columns, factor float64) {
	k := float64(s.features())
	return k, m*k*k + 12*k*k*k
}

func (f dual) factorWork(s *trainer, m float64) (columns, factor float64) {
	columns, factor = m, eigenWork(m)
	if inverts, pairs := f.inverts(s); inverts {
		factor = m * m * m
		if pairs {
			columns = 0
		}
	} else if f.foldsAgain(s) {
		columns, factor = 0, m*m*m
	}
	if s.x != nil {
		factor += m * m * float64(s.features()) * data.Density(s.x)
	}
	return columns, factor
}

func (subset) factorWork(s *trainer, m float64) (columns, factor float64) {
	k := float64(len(s.support))
	return k, 2*m*k*k + 12*k*k*k
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

// foldWork is the work of a factorisation, or of conjugate gradients, which end after at most as many
// iterations as there are features: for each λ unless the values share them.
func (l LeastSquares) foldWork(s *trainer, share float64, lambdas []float64) float64 {
	if exact := s.solution.exact; exact != nil {
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
