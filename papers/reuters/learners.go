package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"pairrank"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/parallel"
	"pairrank/papers/experiment"
	"pairrank/papers/study"
	"pairrank/pref"
)

// trial is one draw of the training documents.
type trial struct {
	known, rest *data.Set       // documents without labels, to train on and all others
	y, truth    []float64       // their labels, m×v, 1 and 0
	v           int             // topics
	folds       *data.Partition // ten
	// The values of λ: the paper's, 2^-15 … 2^15, are of losses that are sums over pairs.
	// RankSVM's loss here is their mean, so that it has as many octaves lower down.
	sums, means []float64
	refused     int // draws before this one that had too few positive documents
}

// newTrial draws size documents to train on by a seed, which deals the folds, too. There are so many octaves from each
// λ to the next. Words that no training document has are left out: their weight is 0.
func newTrial(x *data.CSR, y []float64, v, size, octaves int, seed uint64) (*trial, error) {
	train, rest, refused := draw(y, v, size, leastPositive, seed)
	words := used(data.Select(x, train).(*data.CSR))
	set := func(rows []int) *data.Set {
		return &data.Set{X: data.SelectColumns(data.Select(x, rows), words), Y: make([]float64, len(rows)),
			Queries: data.OneList(len(rows))}
	}
	t := &trial{refused: refused, known: set(train), rest: set(rest), y: some(y, v, train), truth: some(y, v, rest),
		v: v}
	splits, err := cv.Method{Kind: cv.KFold, Folds: 10}.Splits(t.known.Queries, seed)
	if err != nil {
		return nil, err
	}
	t.folds = splits.Groups()
	t.sums, t.means = experiment.Powers(-15, 15, octaves), experiment.Powers(-23, 7, octaves)
	return t, nil
}

// used are the columns that some row has.
func used(x *data.CSR) (columns []int) {
	has := make([]bool, x.Cols)
	for i := range x.Rows {
		cols, _ := x.Row(i)
		for _, j := range cols {
			has[j] = true
		}
	}
	for j, some := range has {
		if some {
			columns = append(columns, j)
		}
	}
	return columns
}

// reached is what a learner reaches for one topic: the λ that was chosen, the held-out
// AUC there, and that of the test documents.
type reached struct {
	lambda, held float64
	tested
}

// tested is the AUC of test documents with its 95 % interval.
type tested struct {
	auc       float64
	interval  cv.Interval
	positives int // of the documents
}

// newTested measures the AUC of scores of the test documents for topic k.
func (t *trial) newTested(scores []float64, k int) (tested, error) {
	roc, err := cv.NewROC(scores, column(t.truth, t.v, k))
	if err != nil {
		return tested{}, err
	}
	return tested{roc.AUC, roc.Interval, roc.Positives}, nil
}

// learner learns the topics of a trial through the entrance: all at once, or one by one. RankSVM has a function of
// its own: see hinge.
type learner struct {
	name   string
	kind   pairrank.Learner
	change func(y []float64, v int) // of the labels
	choice choosing
	single bool // each topic is a problem of its own: it compares other pairs
	own    func(ctx context.Context, t *trial) ([]reached, error)
}

// choosing is a way to choose λ.
type choosing int

const (
	pooled    choosing = iota // ten folds, whose predictions are ranked together
	pairsOut                  // every pair of documents is left out
	hindsight                 // the λ that is best on the test documents, which no choice can know
)

// howChosen are the names of the ways.
var howChosen = [3]string{"ten folds, pooled", "leave-pair-out", "in hindsight"}

// The learners of tables 4 and 5, regression of labels in other numbers, and RankRLS without the pairs of equal labels.
// RankRLS compares all pairs, also those of equal labels, so that it is the same for all topics but for the labels.
var (
	rankRLS    = learner{name: "RankRLS", kind: pairrank.LeastSquares{}, change: asTheyAre}
	signedRLS  = learner{name: "RLS, labels ±1", kind: regression, change: signs}
	plainRLS   = learner{name: "RLS, labels 0 and 1", kind: regression, change: asTheyAre}
	centredRLS = learner{name: "RLS, labels of mean 0", kind: regression,
		change: func(y []float64, v int) { pref.Centre(data.OneList(len(y)/v), y, v) }}
	rankSVM = learner{name: "RankSVM", own: hinge}
	untied  = learner{name: "RankRLS, tied pairs left out", single: true, change: asTheyAre,
		kind: pairrank.LeastSquares{Pairs: pref.Options{Ties: pref.ExcludeTies}}}
)

// regression is RLS. It has no intercept.
var regression = pairrank.LeastSquares{Regression: true}

// by is the learner with another way to choose λ. In hindsight the test documents of each topic choose.
func (l learner) by(c choosing) learner {
	l.choice, l.single = c, l.single || c == hindsight
	if l.own != nil && c == hindsight {
		l.own = hingeInHindsight
	}
	return l
}

// learn learns every topic.
func (l learner) learn(ctx context.Context, t *trial) ([]reached, error) {
	switch {
	case l.own != nil:
		return l.own(ctx, t)
	case !l.single:
		return l.together(ctx, t)
	}
	out := make([]reached, t.v)
	return out, eachTopic(t.v, func(k int) error {
		r, err := l.together(ctx, t.topic(k))
		if err == nil {
			out[k] = r[0]
		}
		return err
	})
}

// together learns the topics of a trial at once.
func (l learner) together(ctx context.Context, t *trial) ([]reached, error) {
	trained, err := l.train(ctx, t, t.sums)
	if err != nil {
		return nil, err
	}
	out := make([]reached, t.v)
	for k, e := range trained.Choice.Chosen().Outputs {
		p := e.Points[e.Best]
		out[k] = reached{lambda: p.Candidate, held: 1 - p.Error}
		if l.choice == hindsight { // of equal ones the least λ
			first := slices.IndexFunc(e.Points, func(q cv.Point) bool { return q.Error == p.Error })
			out[k] = reached{lambda: e.Points[first].Candidate, held: math.NaN()}
		}
		if out[k].tested, err = t.newTested(column(trained.Scores, t.v, k), k); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// train trains with one of the values of λ.
func (l learner) train(ctx context.Context, t *trial, lambdas []float64) (*study.Trained, error) {
	o := pairrank.Options{Learner: l.kind, Lambdas: lambdas}
	known, split := *t.known, study.Split{Test: t.rest}
	switch l.choice {
	case pooled: // rows of a group leave together, and leave-one-out ranks all predictions in one list
		known.Groups, o.Method = t.folds, &cv.Method{Kind: cv.LeaveOneOut}
	case pairsOut:
		o.Method = &cv.Method{Kind: cv.LeavePairOut}
	case hindsight:
		split.Valid = &data.Set{X: t.rest.X, Y: t.truth, Queries: t.rest.Queries}
	}
	if len(lambdas) == 1 {
		o.Method = nil // nothing is chosen
	}
	split.Set = &known
	if y := changed(t.y, t.v, l.change); t.v == 1 {
		known.Y = y
	} else {
		split.Labels = data.NewDense(len(known.Y), t.v, y)
	}
	return study.Learner{Name: l.name, Options: []pairrank.Options{o}}.Train(ctx, split)
}

// topic is the trial of topic k alone.
func (t *trial) topic(k int) *trial {
	one := *t
	one.y, one.truth, one.v = column(t.y, t.v, k), column(t.truth, t.v, k), 1
	return &one
}

// changed is a copy of labels that was changed.
func changed(y []float64, v int, change func(y []float64, v int)) []float64 {
	y = append([]float64(nil), y...)
	change(y, v)
	return y
}

func asTheyAre([]float64, int) {}

// signs makes −1 of labels 0.
func signs(y []float64, _ int) {
	for i := range y {
		y[i] = 2*y[i] - 1
	}
}

// eachTopic does something for every topic, on all cores.
func eachTopic(v int, do func(k int) error) error {
	errs := make([]error, v)
	parallel.For(v, func(_, k int) {
		if err := do(k); err != nil {
			errs[k] = fmt.Errorf("topic %d: %w", k+1, err)
		}
	})
	return errors.Join(errs...)
}

// column is column k of labels, m×v.
func column(y []float64, v, k int) []float64 {
	out := make([]float64, 0, len(y)/v)
	for i := k; i < len(y); i += v {
		out = append(out, y[i])
	}
	return out
}

// As in the paper: 500 documents to train on. Each of its topics has two positive
// ones among them, or more.
const (
	trainingSize  = 500
	leastPositive = 2
)
