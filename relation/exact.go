package relation

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/holdout"
	"pairrank/internal/kron"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
	"pairrank/relation/edge"
)

// exact is a factored complete graph. It leaves out the edges of a setting without retraining: a holdout.Factored of
// its splits.
type exact struct {
	g *graph
	scheme
	splits *holdout.Splits // nil for leave-pair-out
	pools  bool            // all held-out edges are ranked together
	paths  []path
	whole  path                  // for the original labels; it has the leverages
	tell   func(done, total int) // or nil
	kept   *leverages            // of every λ, for other labels; nil if they are not kept
}

// newExact factors a graph. It returns a *kron.NotExactError if there is no shortcut.
func newExact(ctx context.Context, g *graph, s scheme, tell func(done, total int)) (*exact, error) {
	e := &exact{g: g, scheme: s, pools: s.pools(), tell: tell}
	y := g.complete()
	factored, err := g.factor(ctx, y)
	var open *openError
	if errors.As(err, &open) {
		err = &kron.NotExactError{Setting: s.setting, Reason: err.Error()}
	}
	if err != nil {
		return nil, err
	}
	e.paths, e.whole = []path{factored}, factored
	if s.method.Kind != cv.LeavePairOut {
		e.splits, err = g.splits(s)
	}
	return e, err
}

// EstimatePairs estimates by leave-pair-out of the setting, with the labels of the paths. It reports the progress of a
// single path.
func (e *exact) EstimatePairs(ctx context.Context, labels holdout.Labels, o holdout.Options) ([]*cv.Estimate, error) {
	if len(e.paths) > 1 {
		o.Progress = nil
	}
	estimates, errs := make([]*cv.Estimate, len(e.paths)), make([]error, len(e.paths))
	parallel.For(len(e.paths), func(_, c int) {
		y := e.labels(labels.Y, c, len(e.paths))
		out, each := newPairsOut(y, e.setting, e.seed), 0.0
		out.races, out.trims = e.races, e.races
		for _, lambda := range o.Candidates {
			each += e.whole.pairWork(lambda, e.setting, y.Rows, y.Cols)
		}
		out.draw(e.sample, e.auto, e.budget, each)
		out.shared = e.whole.sharedWork(y.Rows, y.Cols) * float64(len(o.Candidates)) / (float64(max(1, out.drawn)) * each)
		estimates[c], errs[c] = out.estimate(ctx, e.paths[c], o.Candidates, o.Progress)
	})
	return estimates, cmp.Or(errs...)
}

// Exact returns an error unless the splits are those that the setting leaves out.
func (e *exact) Exact(s *holdout.Splits) error {
	if s != e.splits {
		return &kron.NotExactError{Setting: e.setting, Reason: "the setting says what is left out"}
	}
	return nil
}

// HoldOut predicts all held-out edges at once.
func (e *exact) HoldOut(ctx context.Context, s *holdout.Splits, lambdas []float64,
	emit func(g, l int, held holdout.Held)) error {
	if err := e.Exact(s); err != nil {
		return err
	}
	for l, lambda := range lambdas {
		f := data.NewDense(len(s.Held()), len(e.paths), nil)
		shared, err := e.leverage(lambda)
		if err != nil {
			return err
		}
		errs, summands := make([]error, len(e.paths)), make([]float64, len(e.paths))
		parallel.For(len(e.paths), func(_, c int) {
			summands[c] = e.paths[c].summands(lambda, e.setting)
			var scores []float64
			if errs[c] = ctx.Err(); errs[c] == nil {
				scores, errs[c] = e.paths[c].holdOut(ctx, lambda, shared, e)
			}
			if errs[c] == nil && !linalg.Finite(scores) {
				errs[c] = kron.ErrNumerical
			}
			for a, s := range scores {
				f.Row(a)[c] = s
			}
		})
		if err := cmp.Or(errs...); err != nil {
			return err
		}
		if e.pools {
			emit(0, l, holdout.PredictionsOf(f, slices.Max(summands)))
		} else {
			emitSets(s, l, f, slices.Max(summands), emit)
		}
		if e.tell != nil && (e.setting != edge.Both || !e.paths[0].tells()) {
			e.tell(l+1, len(lambdas))
		}
	}
	return ctx.Err()
}

// emitSets emits the predictions of all test sets, which follow one another, set by set, from several goroutines.
func emitSets(s *holdout.Splits, l int, f *data.Dense, summands float64, emit func(g, l int, held holdout.Held)) {
	ends, end := make([]int, s.Len()), 0
	for g := range ends {
		end += len(s.Test(g))
		ends[g] = end
	}
	parallel.For(len(ends), func(_, g int) {
		n := len(s.Test(g))
		emit(g, l, holdout.PredictionsOf(&data.Dense{Rows: n, Cols: f.Cols, Stride: f.Stride,
			Data: f.Data[(ends[g]-n)*f.Stride : ends[g]*f.Stride]}, summands))
	})
}

// leverage is the leverage of the first path, which all paths share, or one that was kept.
func (e *exact) leverage(lambda float64) (*kron.Leverage, error) {
	if l := e.kept.at(lambda); l != nil {
		return l, nil
	}
	l, err := e.paths[0].leverage(lambda, e)
	if l != nil && err == nil {
		e.kept.keep(lambda, l)
	}
	return l, err
}

// leverages are kept for further labels, as long as there is room.
type leverages struct {
	of   map[float64]*kron.Leverage
	room int // numbers
}

// keptNumbers bounds the leverages that are kept: 256 MB, the 31 λ of a thousand by a thousand nodes.
const keptNumbers = 1 << 25

func newLeverages() *leverages { return &leverages{map[float64]*kron.Leverage{}, keptNumbers} }

func (k *leverages) at(lambda float64) *kron.Leverage {
	if k == nil {
		return nil
	}
	return k.of[lambda]
}

func (k *leverages) keep(lambda float64, l *kron.Leverage) {
	if k != nil && l.Size() <= k.room {
		k.of[lambda] = l
		k.room -= l.Size()
	}
}

// silent is e without progress.
func (e *exact) silent() *exact {
	other := *e
	other.tell = nil
	return &other
}

// Extent is the extent of the eigenvalues of the kernels, which have no features.
func (e *exact) Extent() (least, largest, spread float64) {
	least, largest = e.paths[0].extent()
	return least, largest, 1
}

// Relabel gives the edges other labels.
func (e *exact) Relabel(y []float64, outputs int) (holdout.Factored, error) {
	other := e.silent()
	other.paths = make([]path, outputs)
	for c := range outputs {
		other.paths[c] = e.paths[0].relabel(e.labels(y, c, outputs))
	}
	return other, nil
}

// labels returns output c of the labels of the edges, as a matrix.
func (e *exact) labels(y []float64, c, outputs int) *data.Dense {
	m := data.NewDense(e.g.rows.Rows, e.g.cols.Rows, nil)
	for h := range e.g.y {
		m.Row(int(e.g.edges.Row[h]))[e.g.edges.Col[h]] = y[h*outputs+c]
	}
	return m
}

// at returns the entries of a matrix at the held-out edges.
func (e *exact) at(f *data.Dense) []float64 {
	scores := make([]float64, len(e.splits.Held()))
	for a, h := range e.splits.Held() {
		scores[a] = f.Row(int(e.g.edges.Row[h]))[e.g.edges.Col[h]]
	}
	return scores
}
