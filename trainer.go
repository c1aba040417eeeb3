package pairrank

import (
	"cmp"
	"math"
	"sync"
	"sync/atomic"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/codes"
	"pairrank/internal/compared"
	"pairrank/internal/goals"
	"pairrank/internal/journal"
	"pairrank/internal/kernels"
	"pairrank/internal/learn/rls"
	"pairrank/kernel"
)

// plan is a problem with its options resolved once, and what they decide for all rows.
type plan struct {
	o        *EstimateOptions
	learner  learner
	problem  *Problem
	journal  *journal.Journal
	pairs    *compared.Pairs // in place of labels, or nil
	norm     *data.Normalizer
	support  []int                               // rows of a basis, ascending
	splines  map[kernel.Spline]*kernel.SplineMap // with the knots of all rows
	solution solution
	mixes    bool                            // scores of different trainings are compared
	weighed  map[kernel.Kernel]kernel.Kernel // sums of all rows whose weights were learnt
	chooses  bool                            // whether anything is held out: to choose, or to estimate
}

// onBasis reports whether the coefficients belong to basis rows.
func (p *plan) onBasis() bool { return p.support != nil }

// linear reports whether all kernels are linear in features, original ones or those of a map.
func (p *plan) linear() bool { return linear(p.o.Kernels) }

// selects reports whether features are selected.
func (p *plan) selects() bool { return p.learner.parameter() == cv.Features }

// round is an estimate or a training of all rows, of a half, or of the training set of an outer fold: what its options
// are there, and what its trainings keep.
type round struct {
	lambdas   []float64  // given, or nil
	wanted    *cv.Method // given, or nil
	share     float64    // of the budget of pairs, for a part of a nested estimate; 0 is all of it
	amongMany bool       // many estimates at the same time: folds are trained one by one
	quiet     bool       // held-out scores are not kept

	unconverged *atomic.Int64 // trainings on folds that ended before they converged
	solved      *solved       // how trainings on folds ended, under the current kernel
	grid        *grid         // the candidates of a selection of features, once they are needed
	picks       *picks        // the features that rounds of the estimate selected
	outerPicks  *picks        // those of the nested estimate
}

// part is the round of a part of the rows with a share of the budget of pairs.
func (r *round) part(share float64) *round {
	other := *r
	other.share = share
	return &other
}

// half is the round of a half: one of many, whose trainings do not count.
func (r *round) half() *round {
	other := *r
	other.amongMany, other.unconverged, other.outerPicks = true, new(atomic.Int64), nil
	return &other
}

// shuffled is the round of permuted labels, whose selections do not count.
func (r *round) shuffled() *round {
	other := *r
	other.picks, other.outerPicks = nil, nil
	return &other
}

// unrecorded is a round whose held-out scores are not kept, and whose trainings are counted anew.
func (r *round) unrecorded() *round {
	other := *r
	other.quiet, other.unconverged = true, new(atomic.Int64)
	return &other
}

// trainer is a learner bound to rows under a kernel, with matrices that are made on first use. Before a kernel is
// chosen it prepares the rows.
type trainer struct {
	*plan
	*sample
	*round

	spec    kernel.Kernel // the given one
	kernel  kernel.Kernel // of the features x: spec, or linear for those of a map
	lowered lowering      // subtracted from the kernel values, in the dual form

	making sync.Mutex  // held while cross, image and lift are made for parts
	k      *data.Dense // kernel matrix of the rows, lowered
	cross  *data.Dense // kernel matrix rows × basis, for parts of the rows
	image  *data.Dense // the rows under the kernel map of the basis
	lift   *data.Dense // coefficients of the basis rows from weights of the map
	doubt  string      // about the map, or ""

	z      kernel.FeatureMap // that made the features x, or nil
	origin *sample           // with the features from which those of a map were made, else nil
	whole  *trainer          // the rows that contain this part, or nil
	within []int             // its rows in whole
	anew   bool              // a part whose splines have knots of its own rows
}

// newTrainer is some rows with resolved options.
func newTrainer(p *Problem, o *EstimateOptions, r *sample) *trainer {
	return &trainer{plan: &plan{o: o, problem: p, weighed: map[kernel.Kernel]kernel.Kernel{},
		journal: &journal.Journal{Monitor: o.Monitor}}, sample: r,
		round: &round{lambdas: o.Lambdas, wanted: o.Method, unconverged: new(atomic.Int64), solved: &solved{}}}
}

// of is the trainer of other rows, or features, in a round, under the same kernel.
func (t *trainer) of(r *sample, in *round) *trainer {
	return &trainer{plan: t.plan, sample: r, round: in, spec: t.spec, kernel: t.kernel}
}

// goal is the Goal of the rows, nil for learners without one.
func (t *trainer) goal() (*goals.Goal, error) { return t.learner.goal(t) }

// under is the rows of s under a kernel: s itself if it has that kernel, else a trainer without matrices.
func (t *trainer) under(k kernel.Kernel) *trainer {
	if k == t.spec {
		return t
	}
	other := t.of(cmp.Or(t.origin, t.sample), t.round)
	other.spec, other.kernel, other.k, other.within = k, k, t.given, t.within
	switch {
	case t.anew:
		other.whole, other.anew = t.whole, true
	case t.whole != nil:
		other.whole = t.whole.under(k)
	default:
		other.lowerGiven()
		if k, is := t.weighed[k]; is {
			other.kernel = k
		}
	}
	return other.explicit()
}

// lowerGiven subtracts a constant from a given matrix whose values are nearly equal, and warns if the values
// have already lost too many digits.
func (t *trainer) lowerGiven() {
	if t.given == nil || !t.solution.form.lowers() || !nearlyEqual(t.given) {
		return
	}
	t.k, t.lowered.by = t.given.Clone(), t.given.Row(0)[0]
	t.lowered.subtractFrom(t.k)
	apart := 0.0
	for _, v := range t.k.Data {
		apart = max(apart, math.Abs(v))
	}
	if lost := 0x1p-53 * t.lowered.by / apart; lost > fewDigits && apart > 0 {
		t.journal.Warn(codes.NoteDigits,
			"the values of the kernel matrix differ by %.2g of their size only: double precision "+
				"rounds their differences by %.2g",
			apart/t.lowered.by, lost)
	}
}

// featureMap is the map of the kernel, nil for the linear one beside splines. The knots of a spline are those of all
// rows, or of the rows that were asked for anew.
func (t *trainer) featureMap() kernel.FeatureMap {
	switch k := t.spec.(type) {
	case kernel.Fourier:
		return kernel.NewFourierMap(k)
	case kernel.Spline:
		if t.anew {
			return kernel.NewSplineMap(k, t.problem.Set.Names, t.x, t.weights, t.levels()...)
		}
		return t.splines[k]
	}
	return nil
}

// mapRows are other rows as features of the map.
func (t *trainer) mapRows(x data.Matrix) data.Matrix {
	if t.z == nil {
		return x
	}
	return kernel.Mapped(t.z, x)
}

// explicit returns t as a trainer of the linear kernel on the features that its kernel makes, where a kernel to choose
// from makes some. Those of a part are those of the whole, unless it makes them anew.
func (t *trainer) explicit() *trainer {
	if !mapped(t.o.Kernels) {
		return t
	}
	t.kernel = kernel.Linear{}
	if t.whole != nil && !t.anew {
		t.sample = t.withFeatures(data.Select(t.whole.x, t.within), t.whole.offset, nil)
		return t
	}
	t.z = t.featureMap()
	valid := t.valid
	if valid != nil {
		other := *valid
		other.X = t.mapRows(valid.X)
		valid = &other
	}
	var x data.Matrix
	if makesRows(t.solution.form) && t.z != nil {
		x = data.Made(t.x, t.z.Features(), t.z.RowsTo)
	} else {
		x = t.mapRows(t.x)
	}
	t.origin, t.sample = t.sample, t.withFeatures(x, nil, valid)
	t.centre()
	return t
}

// checkRank refuses a basis on which no function can distinguish rows.
func checkRank(basis *rls.Basis) error {
	if basis.Rank() == 0 {
		return errZeroKernel
	}
	return nil
}

// beside gives predictions back the constant that an offset has subtracted.
func (t *trainer) beside(b *rls.Basis) *rls.Basis {
	if c := t.constant(); c != nil {
		return b.WithConstant(c)
	}
	return b
}

// crossBasis is crossKernel, made once, for parts of the rows: folds and halves need it repeatedly.
func (t *trainer) crossBasis() *data.Dense {
	t.making.Lock()
	defer t.making.Unlock()
	switch {
	case t.cross != nil:
	case t.whole != nil:
		t.cross = t.whole.crossBasis().SelectRows(t.within)
	default:
		t.cross = t.crossKernel()
	}
	return t.cross
}

// crossKernel is the kernel matrix of all rows with the basis rows.
func (t *trainer) crossKernel() *data.Dense {
	if t.given != nil {
		return t.given.Submatrix(indices(t.given.Rows), t.support)
	}
	return kernel.Matrix(t.kernel, t.x, t.basisRows())
}

// amongBasis is the kernel matrix of the basis rows.
func (t *trainer) amongBasis() *data.Dense {
	if t.given != nil {
		return t.given.Submatrix(t.support, t.support)
	}
	rows := t.basisRows()
	return kernel.Matrix(t.kernel, rows, rows)
}

// mappedRows are the rows under the kernel map of the basis, made once.
func (t *trainer) mappedRows() (*data.Dense, error) {
	t.making.Lock()
	defer t.making.Unlock()
	if t.image != nil {
		return t.image, nil
	}
	if t.whole != nil {
		all, err := t.whole.mappedRows()
		if err != nil {
			return nil, err
		}
		t.image, t.lift = all.SelectRows(t.within), t.whole.lift
		return t.image, nil
	}
	m := kernels.NewMap(t.amongBasis())
	if m.Lift.Cols == 0 {
		return nil, errZeroKernel
	}
	t.image, t.lift, t.doubt = m.Rows(t.crossKernel()), m.Lift, m.Warning
	return t.image, nil
}

// column is values as a matrix of one column.
func column(values []float64) *data.Dense { return data.NewDense(len(values), 1, values) }
