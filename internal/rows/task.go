package rows

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"pairrank/data"
	"pairrank/internal/event"
	"pairrank/internal/fault"
	"pairrank/internal/goals"
	"pairrank/pref"
)

// task is a problem with its options resolved and its rows prepared.
type task struct {
	o       *Plan
	learner learner
	problem *Problem
	journal *event.Journal

	x          data.Matrix // nil for a given kernel matrix
	given      *data.Dense // the given kernel matrix, or nil
	y          []float64   // labels, m×outputs
	outputs    int
	queries    *data.Partition
	groups     *data.Partition // rows that are left out together, or nil
	givenFolds *data.Partition // nil where none are given
	edges      []pref.Edge     // preferences, and wins and ties of comparisons, or nil
	lines      *lines          // of the edges, or nil
	norm       *data.Normalizer
	support    []int // rows of a basis, ascending
	valid      *data.Set
	origin     *task // the task with the features from which random ones were made, else nil

	solution    Solution
	offset      *offset       // subtracted from the rows, or nil
	mixes       bool          // scores of different trainings are compared
	estimating  bool          // an estimate, not a training: something is always held out
	share       float64       // of the budget of pairs, for a part of a nested estimate; 0 is all of it
	amongMany   bool          // many estimates at the same time: folds are trained one by one
	unconverged *atomic.Int64 // trainings on folds that ended before they converged
	solved      *solved       // how trainings on folds ended, under the current kernel
	grid        *grid         // the candidates of a selection of features, once they are needed
	picks       *picks        // the features that rounds of the estimate selected
	outerPicks  *picks        // those of the nested estimate
}

// rows is m.
func (t *task) rows() int { return len(t.y) / t.outputs }

// features is n, 0 for a given kernel matrix.
func (t *task) features() int {
	if t.given != nil {
		return 0
	}
	_, n := t.x.Dims()
	return n
}

// featureName is the number of a feature with its name, if it has one.
func (t *task) featureName(j int) string {
	if names := t.problem.Set.Names; j < len(names) && names[j] != "" {
		return fmt.Sprintf("feature %d (%s)", j+1, names[j])
	}
	return fmt.Sprintf("feature %d", j+1)
}

// linear reports whether all kernels are linear in features, original or random.
func (t *task) linear() bool { return linear(t.o.Kernels) }

// onBasis reports whether the coefficients belong to basis rows.
func (t *task) onBasis() bool { return t.support != nil }

// goal is the Goal of the rows, nil for learners without one.
func (t *task) goal() (*goals.Goal, error) { return t.learner.goal(t) }

// compared is the queries within which rows are compared.
func (t *task) compared() *data.Partition {
	if t.o.AllPairs {
		return data.OneList(t.rows())
	}
	return t.queries
}

// newTask checks a problem and its options, and prepares the rows.
func newTask(p *Problem, o Plan, estimating bool) (*task, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	t, err := begin(p, o)
	if err != nil {
		return nil, err
	}
	t.estimating = estimating
	if err := t.prepareLabels(); err != nil {
		return nil, err
	}
	if t.x != nil {
		t.doubtFeatures()
	}
	if err := t.judgeRepeats(); err != nil {
		return nil, err
	}
	if err := t.normalizeFeatures(); err != nil {
		return nil, err
	}
	t.warnFar()
	return t, t.prepareBasis()
}

// begin resolves the options, with the rows unchanged.
func begin(p *Problem, o Plan) (*task, error) {
	resolved, err := o.resolved(p)
	if err != nil {
		return nil, err
	}
	t := &task{o: resolved, problem: p, y: p.Set.Y, outputs: 1, queries: p.Set.Queries, valid: p.Valid,
		journal: &event.Journal{Monitor: o.Monitor}, unconverged: new(atomic.Int64), solved: &solved{}}
	if t.learner, err = resolved.Learner.learner(p, resolved); err != nil {
		return nil, err
	}
	if err := cmp.Or(t.prepareGroups(), t.prepareComparisons()); err != nil {
		return nil, err
	}
	return t, t.prepareFeatures()
}

// checkLabelSizes refuses labels that are too large or too small for least squares, if it takes their sizes.
func (t *task) checkLabelSizes() error {
	l, squares := t.learner.(LeastSquares)
	if g, selects := t.learner.(Greedy); selects {
		l, squares = g.leastSquares(), true
	}
	if !squares || t.edges != nil || !l.Regression && l.Pairs.Cost != pref.Magnitude {
		return nil
	}
	return fault.LabelSizes(t.y)
}

// prepareLabels sets the labels of several outputs, and refuses labels that order nothing. It notes how many
// queries have nothing to compare.
func (t *task) prepareLabels() error {
	if labels := t.problem.Labels; labels != nil {
		t.outputs = labels.Cols
		t.y = make([]float64, 0, labels.Rows*labels.Cols)
		for i := range labels.Rows {
			t.y = append(t.y, labels.Row(i)...)
		}
	}
	t.binarize()
	if err := cmp.Or(t.checkValidLabels(), t.checkLabelSizes()); err != nil {
		return err
	}
	if t.outputs > 1 || t.problem.Labels != nil || t.edges != nil {
		return nil
	}
	if err := sameLabels(t.y); err != nil {
		if t.o.Threshold != nil && sameLabels(t.problem.Set.Y) == nil {
			return fault.Optionf("Threshold", "%v gives every row the label %v", *t.o.Threshold, t.y[0])
		}
		return err
	}
	if single, alike := idleQueries(t.y, t.problem.Set.Queries); single+alike > 0 && t.problem.Set.HasQID {
		t.journal.Note(NoteIdleQueries, "%d of %d queries have nothing to compare: %d with one row, %d with one "+
			"label", single+alike, t.queries.Len(), single, alike)
	}
	return nil
}

// binarize makes two labels of more if the options ask for it.
func (t *task) binarize() {
	if t.o.Threshold == nil {
		return
	}
	t.y = slices.Clone(t.y)
	data.Binarize(t.y, *t.o.Threshold)
	if t.valid != nil {
		valid := *t.valid
		valid.Y = slices.Clone(valid.Y)
		data.Binarize(valid.Y, *t.o.Threshold)
		t.valid = &valid
	}
}

// checkValidLabels refuses rows for validation with which nothing can be chosen.
func (t *task) checkValidLabels() error {
	if t.valid == nil {
		return nil
	}
	if single, alike := idleQueries(t.valid.Y, t.valid.Queries); single+alike == t.valid.Queries.Len() {
		return &fault.Error{Kind: fault.Data, Code: FaultValidation,
			Err: errors.New("no two rows of a query have different labels, so there is nothing to choose by")}
	}
	return nil
}

// sameLabels refuses labels that are all equal: they order nothing.
func sameLabels(y []float64) error {
	if slices.ContainsFunc(y, func(v float64) bool { return v != y[0] }) {
		return nil
	}
	if len(y) == 1 {
		return &fault.Error{Kind: fault.Data, Code: FaultOneRow,
			Err: errors.New("there is only one row, so nothing can be learnt about an order")}
	}
	return &fault.Error{Kind: fault.Data, Code: FaultOneLabel,
		Err: fmt.Errorf("all %d labels are %v, so nothing can be learnt about their order", len(y), y[0])}
}

// idleQueries counts the queries with one row, and those with several rows and a single label: they have
// nothing to compare.
func idleQueries(y []float64, queries *data.Partition) (single, alike int) {
	for g := range queries.Len() {
		rows := queries.Part(g)
		switch {
		case len(rows) == 1:
			single++
		case !slices.ContainsFunc(rows, func(i int32) bool { return y[i] != y[rows[0]] }):
			alike++
		}
	}
	return single, alike
}

// prepareBasis sets the rows of a basis: given, or drawn by the seed. For a kernel map without a basis they are
// all rows.
func (t *task) prepareBasis() error {
	m := t.rows()
	basis, mapped := t.learner.basis()
	if err := basis.check(m); err != nil {
		return err
	}
	switch {
	case basis.Rows != nil:
		t.support = slices.Sorted(slices.Values(basis.Rows))
	case basis.Size > 0:
		r := rand.New(rand.NewPCG(t.o.Seed, 0x6261736973))
		t.support = r.Perm(m)[:basis.Size]
		slices.Sort(t.support)
	case mapped:
		t.support = indices(m) // the whole space: the optimum lies in it
	}
	return nil
}

// taskOf is the task of some rows with labels, with the features of all.
func (t *task) taskOf(rows []int) *task {
	part := *t
	part.y, part.valid = nil, nil
	of, all := make([]int32, len(rows)), t.queries.Of()
	part.y = make([]float64, 0, len(rows)*t.outputs)
	for a, i := range rows {
		of[a] = all[i]
		part.y = append(part.y, t.y[i*t.outputs:(i+1)*t.outputs]...)
	}
	part.queries = data.NewPartition(of, t.queries.Len())
	part.groups, part.givenFolds = partOf(t.groups, rows), partOf(t.givenFolds, rows)
	return &part
}

// relabelled is the same rows with other labels.
func (t *task) relabelled(y []float64, outputs int) *task {
	other := *t
	other.y, other.outputs = y, outputs
	return &other
}

// withFeatures is the same rows with other features, from which off was subtracted; nil is none.
func (t *task) withFeatures(x data.Matrix, off *offset) *task {
	other := *t
	other.x, other.offset = x, off
	return &other
}

// unrecorded is the same rows, but their held-out scores are not kept, and their trainings are counted anew.
func (t *task) unrecorded() *task {
	other, options := *t, *t.o
	options.HeldOut = false
	other.o, other.unconverged = &options, new(atomic.Int64)
	return &other
}

func indices(m int) []int {
	rows := make([]int, m)
	for i := range rows {
		rows[i] = i
	}
	return rows
}
