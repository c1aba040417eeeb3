package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"pairrank/data"
	"pairrank/format/table"
	"pairrank/kernel"
	"pairrank/learn/rls"
	"pairrank/pref"
)

// trainProblem is what is to be learnt from some rows.
type trainProblem struct {
	plan    *trainPlan
	x       data.Matrix // nil for a precomputed kernel
	k       *data.Dense // kernel matrix of a dual basis, made when first needed
	cross   *data.Dense // kernel matrix rows × basis of a sparse basis
	y       []float64   // labels, m×outputs
	outputs int
	queries *pref.Partition
	edges   []pref.Edge // preferences, or nil
	basis   []int       // rows of a sparse basis, 0-based

	image *data.Dense // the rows under the kernel map of the basis, made when first needed
	lift  *data.Dense // coefficients of the basis rows from weights of the map
	doubt string      // about the map, or empty

	origin *trainProblem // of which this is a part, or nil
	within []int         // its rows there

	shift *shift      // that the rows went through, or nil
	mixes bool        // scores of different trainings are compared
	valid *validation // rows that judge instead of held-out ones, or nil

	unconverged *int // trainings of folds that conjugate gradients did not finish
}

// rows is m.
func (p *trainProblem) rows() int { return len(p.y) / p.outputs }

// use makes k the kernel at work; matrices of another one are let go.
func (p *trainProblem) use(k kernel.Kernel) {
	if k == p.plan.kernel {
		return
	}
	p.plan.kernel = k
	for ; p != nil; p = p.origin {
		p.k, p.cross, p.image, p.lift = nil, nil, nil, nil
	}
}

// newGoal is the goal of the rows, nil for learners that are not least squares.
func (p *trainProblem) newGoal() (*pref.Goal, error) {
	switch {
	case !p.plan.leastSquares():
		return nil, nil
	case p.plan.learner == "rls":
		return pref.Regression(p.y, p.outputs), nil
	case p.edges != nil:
		goal, err := pref.Preferences(p.rows(), pref.Weighted(p.edges), p.plan.goal.Cost)
		if err != nil && !errors.Is(err, pref.ErrNothingToLearn) {
			err = asData(err)
		}
		return goal, err
	case p.plan.pairs == "all":
		return pref.Scored(p.y, p.outputs, pref.OneList(p.rows()), p.plan.goal)
	}
	return pref.Scored(p.y, p.outputs, p.queries, p.plan.goal)
}

// newBasis is the space of functions on the rows.
func (p *trainProblem) newBasis() *rls.Basis {
	switch p.plan.solver {
	case "primal":
		return rls.Primal(p.x)
	case "sparse":
		return p.beside(rls.Sparse(clone(p.crossBasis()), p.amongBasis()))
	}
	if p.k == nil {
		p.k = kernel.Matrix(p.plan.kernel, p.x, p.x)
	}
	return p.beside(rls.Dual(p.k))
}

// beside gives predictions back the constant that a shift has taken off.
func (p *trainProblem) beside(b *rls.Basis) *rls.Basis {
	if c := p.constant(); c != nil {
		return b.WithConstant(c)
	}
	return b
}

// checkedBasis is newBasis, refused where no function can tell rows apart.
func (p *trainProblem) checkedBasis() (*rls.Basis, error) {
	basis := p.newBasis()
	if basis.Rank() == 0 {
		return nil, errZeroKernel()
	}
	return basis, nil
}

func clone(d *data.Dense) *data.Dense {
	c := data.NewDense(d.Rows, d.Cols, nil)
	for i := range d.Rows {
		copy(c.Row(i), d.Row(i))
	}
	return c
}

// crossBasis is crossKernel, made once.
func (p *trainProblem) crossBasis() *data.Dense {
	switch {
	case p.cross != nil:
	case p.origin != nil:
		p.cross = selectRows(p.origin.crossBasis(), p.within)
	default:
		p.cross = p.crossKernel()
	}
	return p.cross
}

// crossKernel is the kernel matrix of all rows with the basis rows.
func (p *trainProblem) crossKernel() *data.Dense {
	if p.plan.precomputed {
		c := data.NewDense(p.k.Rows, len(p.basis), nil)
		for i := range c.Rows {
			for a, j := range p.basis {
				c.Row(i)[a] = p.k.Row(i)[j]
			}
		}
		return c
	}
	return kernel.Matrix(p.plan.kernel, p.x, p.basisRows())
}

func (p *trainProblem) amongBasis() *data.Dense {
	if p.plan.precomputed {
		c := data.NewDense(len(p.basis), len(p.basis), nil)
		for a, i := range p.basis {
			for b, j := range p.basis {
				c.Row(a)[b] = p.k.Row(i)[j]
			}
		}
		return c
	}
	rows := p.basisRows()
	return kernel.Matrix(p.plan.kernel, rows, rows)
}

// prepareBasis sets the rows of a sparse basis: named in a file, or drawn by
// seed.
func (p *trainProblem) prepareBasis(a *app) error {
	m := p.rows()
	switch {
	case p.plan.mapped() && !p.plan.changed("basis") && !p.plan.changed("basis-rows"):
		p.basis = indices(m) // the whole space: the optimum lies in it
		return nil
	case p.plan.solver != "sparse" && !p.plan.mapped():
		return nil
	}
	if p.plan.basisRows == "" {
		if p.plan.basis > m {
			return usagef("--basis %d is more than the %d rows", p.plan.basis, m)
		}
		r := rand.New(rand.NewPCG(p.plan.seed, 0x6261736973))
		p.basis = r.Perm(m)[:p.plan.basis]
		slices.Sort(p.basis)
		return nil
	}
	rows, err := awaitFor(a.Ctx, func() ([]int, error) { return table.ReadIndices(p.plan.basisRows, m) })
	if err != nil {
		return readError(err)
	}
	p.basis = rows
	slices.Sort(p.basis)
	if distinct := slices.Compact(slices.Clone(p.basis)); len(distinct) < len(p.basis) {
		return asData(fmt.Errorf("%s names a row twice", p.plan.basisRows))
	}
	if len(p.basis) == 0 {
		return asData(fmt.Errorf("%s names no row", p.plan.basisRows))
	}
	p.plan.basis = len(p.basis)
	return nil
}

// retrain trains on some rows and predicts others, for each λ: what cv asks of
// a learner without a shortcut.
func (p *trainProblem) retrain(ctx context.Context, train, test []int, lambdas []float64, emit func(l int, f *data.Dense)) error {
	var overflow error
	err := p.retrainPart(ctx, train, test, lambdas, func(l int, f *data.Dense) {
		if overflow == nil {
			overflow = finiteScores(f.Data, func(i int) string { return fmt.Sprintf("held-out row %d", test[i/f.Cols]+1) })
		}
		emit(l, f)
	})
	if !errors.Is(err, pref.ErrNothingToLearn) {
		return cmp.Or(err, overflow)
	}
	for l := range lambdas {
		emit(l, data.NewDense(len(test), p.outputs, nil))
	}
	return nil
}

// retrainPart is retrain where there is something to learn.
func (p *trainProblem) retrainPart(ctx context.Context, train, test []int, lambdas []float64, emit func(l int, f *data.Dense)) error {
	switch p.plan.learner {
	case rankSVM:
		return p.retrainSVM(ctx, train, test, lambdas, emit)
	case rankBoost:
		return p.retrainBoost(ctx, train, test, lambdas, emit)
	}
	part, within := p.part(train)
	goal, err := part.newGoal()
	if err != nil {
		return err
	}
	if p.plan.solver == "cg" {
		return part.pathCG(ctx, goal, data.Select(p.x, test), lambdas, emit)
	}
	path, err := rls.Factor(ctx, part.newBasis(), goal)
	if err != nil {
		return err
	}
	predict, constant := p.predictor(train, within, test), part.constant()
	for l, lambda := range lambdas {
		coef := path.At(lambda).Coef
		emit(l, addConstant(predict(coef), coef, constant))
	}
	return nil
}

// part is the problem of some rows. within are the numbers, among all rows, of
// its basis rows.
func (p *trainProblem) part(rows []int) (part *trainProblem, within []int) {
	of := make([]int32, len(rows))
	place := make(map[int]int, len(rows))
	for a, i := range rows {
		of[a] = p.queries.Of()[i]
		place[i] = a
	}
	part = &trainProblem{plan: p.plan, outputs: p.outputs, queries: pref.NewPartition(of, p.queries.Len()),
		shift: p.shift, mixes: p.mixes, unconverged: p.unconverged}
	for _, i := range rows {
		part.y = append(part.y, p.y[i*p.outputs:(i+1)*p.outputs]...)
	}
	if p.edges != nil {
		part.edges = []pref.Edge{}
	}
	for _, e := range p.edges {
		i, in := place[e.I]
		if j, both := place[e.J]; in && both {
			e.I, e.J = i, j
			part.edges = append(part.edges, e)
		}
	}
	if p.onBasis() {
		// The basis stays as it is: its rows are points of the space, and
		// their labels are not used.
		part.origin, part.within = p, rows
		part.basis, part.x, part.k = p.basis, p.x, p.k
		return part, p.basis
	}
	if p.k != nil {
		part.k = submatrix(p.k, rows, rows)
	}
	if p.x != nil {
		part.x = data.Select(p.x, rows)
	}
	return part, rows
}

func selectRows(d *data.Dense, rows []int) *data.Dense { return data.Select(d, rows).(*data.Dense) }

func submatrix(k *data.Dense, rows, cols []int) *data.Dense {
	s := data.NewDense(len(rows), len(cols), nil)
	for a, i := range rows {
		from, to := k.Row(i), s.Row(a)
		for b, j := range cols {
			to[b] = from[j]
		}
	}
	return s
}

// predictor turns coefficients into predictions of the rows test.
func (p *trainProblem) predictor(train, within, test []int) func(coef *data.Dense) *data.Dense {
	var x data.Matrix
	switch {
	case p.plan.solver == "sparse":
		x = selectRows(p.crossBasis(), test)
	case p.plan.solver == "primal":
		x = data.Select(p.x, test)
	case p.k != nil:
		x = submatrix(p.k, test, within)
	default:
		x = kernel.Matrix(p.plan.kernel, data.Select(p.x, test), data.Select(p.x, train))
	}
	return func(coef *data.Dense) *data.Dense { return multiply(x, coef) }
}

// multiply is X times coefficients with a column for each output.
func multiply(x data.Matrix, coef *data.Dense) *data.Dense {
	m, _ := x.Dims()
	f := data.NewDense(m, coef.Cols, nil)
	w, scores := make([]float64, coef.Rows), make([]float64, m)
	for c := range coef.Cols {
		for j := range w {
			w[j] = coef.Row(j)[c]
		}
		x.MulVecTo(scores, w)
		for i, v := range scores {
			f.Row(i)[c] = v
		}
	}
	return f
}

// pathCG trains by conjugate gradients, from the largest λ down, each starting
// where the last one ended, and predicts the rows held.
func (p *trainProblem) pathCG(ctx context.Context, goal *pref.Goal, held data.Matrix, lambdas []float64, emit func(l int, f *data.Dense)) error {
	o := rls.CGOptions{Tolerance: p.plan.tolerance, MaxIterations: p.plan.iterations}
	results := make([]*data.Dense, len(lambdas))
	for l := len(lambdas) - 1; l >= 0; l-- {
		fit, result, err := rls.ConjugateGradients(ctx, p.x, goal, lambdas[l], o)
		if err != nil {
			return err
		}
		if !result.Converged {
			*p.unconverged++
		}
		o.Start = fit.Coef
		results[l] = addConstant(multiply(held, fit.Coef), fit.Coef, p.constant())
	}
	for l, f := range results {
		emit(l, f)
	}
	return nil
}
