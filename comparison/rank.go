package comparison

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"pairrank/comparison/internal/dense"
	"pairrank/comparison/internal/incidence"
	"pairrank/comparison/internal/outcome"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/journal"
	"pairrank/internal/spell"
)

// RankOptions says how items are ranked, and what is asked of the ranking. The zero value is the squared loss at λ = 0,
// with intervals.
type RankOptions struct {
	Options
	// Lambdas and Residuals are values of λ and τ, of which those with the least held-out loss are chosen; nil is the one
	// of Options, and of the Problem.
	Lambdas, Residuals []float64
	// HoldOut is what is left out to measure predictions, and to choose. nil measures nothing, and chooses by pairs, or
	// for a large board by ten folds.
	HoldOut *Unit
	// Variance says where intervals come from: sandwich takes outcomes as independent, jackknife leaves out each unit of
	// Problem.Independent, bootstrap weighs these or outcomes at random, and line leaves out each line. "" or
	// auto is jackknife with FewUnits units or more, else sandwich.
	Variance string
	// EqualPairs gives all pairs of items the same weight, as Problem.EqualPairs does.
	EqualPairs bool
	// ByComparisons makes scores relative to the mean over comparisons, of the component.
	ByComparisons bool
	// Scale is raw, or elo for 400/ln 10 times the raw scores with mean 1000; "" or auto is elo for the
	// logistic loss. The item
	// Anchor, "" for none, has the score At.
	Scale, Anchor string
	At            float64
	// About are items, or First of the best, to which sets of ranks and Next are limited, and intervals of a large board.
	About []string
	First int
	// Versus are two items, of which the first may be above the second; Cycles is whether to test what no ranking
	// explains; and Next is how many pairs to choose.
	Versus [2]string
	Cycles bool
	Next   int
	// AnnotatorScale fits a factor for each annotator on the margins: see Scaling.
	AnnotatorScale bool
	// Seed deals folds, and draws what the bootstrap, sets of ranks and cycles draw.
	Seed uint64
	// Monitor receives progress, and every note of the Ranking at once.
	Monitor event.Monitor
}

// The names of RankOptions.Variance, and of RankOptions.Scale.
const (
	BySandwich, ByJackknife, ByBootstrap, ByLine = "sandwich", "jackknife", "bootstrap", "line"
	RawScale, EloScale                           = "raw", "elo"

	automatic = "auto"
)

// Ranking is a board of items with everything that is known of it.
type Ranking struct {
	Problem *Problem // with the weights and the τ that were taken
	Options Options  // with the λ that was taken
	Board   *Board
	// Free is the board without a penalty, which has intervals: Board itself, another one where that is penalised, or nil.
	// FreeBy says what another one is: FreeZero or FreeReduced.
	Free   *Board
	FreeBy string
	// Variance and Ranks are of Free; nil without it, and where nothing says how far scores are from the truth, of which
	// NoIntervals is the reason. Effective is the number of units that have as many comparisons each.
	Variance    *Covariance
	Ranks       *Ranks
	NoIntervals string
	Effective   float64
	About       []int // items that sets of ranks and Next are about; nil is all
	// Tried are all pairs of λ and τ, of which Best was chosen; nil where there was no choice.
	Tried    []Candidate
	Best     int
	HeldOut  *HeldOut // nil where nothing was left out
	Distance Distance // of HeldOut from training again; zero where it is exact
	Next     []Next
	Features *FeatureTest // nil without features
	Versus   *[2]int      // two items, or nil
	Cycles   *Cycles      // nil where it was not tested
	Raters   []Rater      // beside the board without factors; nil without annotators
	// Unexplained and Cyclic are the shares of the outcomes that no scores explain, by the board of the squared loss at
	// λ = 0 without features. Unexplained is Σ w (z − f)² / Σ w z² over single outcomes, mostly chance. Cyclic is
	// Σ W (z̄ − f)² / Σ W z̄² over the pairs of items, with the mean z̄ and the weight W of each: cycles, and chance in
	// pairs of few comparisons. Both are NaN if there are only ties, or no such board, as of many items.
	Unexplained, Cyclic float64
	// EqualPairs and ByComparisons are those of RankOptions. Elo scores are 400/ln 10 times the raw ones with mean 1000.
	// Anchor, where it is not negative, is the item whose score is At.
	EqualPairs, ByComparisons, Elo bool
	Anchor                         int
	At                             float64
	// Notes are decisions, and doubts about the data and the variance.
	Notes []event.Note
}

// What the board without a penalty is, beside a penalised one.
const (
	FreeZero    = "lambda 0"
	FreeReduced = "bias-reduced"
)

// Rank ranks the items of a problem. It learns the scores with the λ and τ that predict what is left out best; beside
// penalised scores, which have no intervals, it learns those at λ = 0, or where these are not finite bias-reduced ones.
// It finds intervals and sets of ranks, how far margins by a step are from training again, whether features explain the
// scores, how annotators agree, and what else the options ask for. It costs a Fit for each λ and τ and for each of
// these, with the costs of Predict, Jackknife and RanksOf. It returns the error of ctx, and a fault.Error with the
// option or the data at fault.
func Rank(ctx context.Context, p Problem, o RankOptions) (*Ranking, error) {
	r, err := newRanker(p, o)
	if err != nil {
		return nil, err
	}
	for _, step := range []func(context.Context) error{r.learn, r.measure, r.refer, r.judge, r.choosePairs} {
		if err := step(ctx); ctx.Err() != nil {
			return nil, ctx.Err()
		} else if err != nil {
			return nil, err
		}
	}
	r.Unexplained, r.Cyclic = cmp.Or(r.plain, r.Board).unexplained(ctx)
	r.Notes = r.journal.Notes()
	return r.Ranking, ctx.Err()
}

// ranker makes a Ranking.
type ranker struct {
	*Ranking
	o       RankOptions
	large   bool   // a large board
	plain   *Board // without factors, beside one with them; else nil
	journal *journal.Journal
	trusted *judge          // nil where no line is trusted
	held    []dense.Without // Board without each annotator, where intervals needed that; else nil
}

func newRanker(q Problem, o RankOptions) (*ranker, error) {
	q.ByLine = q.ByLine || o.Variance == ByLine
	o.Loss, o.Ties = cmp.Or(o.Loss, Squared), cmp.Or(o.Ties, Half)
	r := &ranker{&Ranking{Problem: &q, Options: o.Options, EqualPairs: o.EqualPairs, ByComparisons: o.ByComparisons,
		Elo: o.Scale == EloScale || o.Scale != RawScale && o.Loss == Logistic, Anchor: -1, At: o.At}, o,
		o.large(&q), nil, &journal.Journal{Monitor: o.Monitor}, nil, nil}
	if !slices.Contains([]string{"", automatic, BySandwich, ByJackknife, ByBootstrap, ByLine}, o.Variance) {
		return nil, fault.Optionf("Variance", "is sandwich, jackknife, bootstrap or line, not %q", o.Variance)
	}
	if o.Anchor != "" {
		if r.Anchor = slices.Index(q.Items, o.Anchor); r.Anchor < 0 {
			return nil, fault.Optionf("Anchor", ": no item is called %q", o.Anchor)
		}
	}
	if !r.large || o.EqualPairs {
		q = *q.InRows()
	}
	if o.EqualPairs {
		q.Lines = slices.Clone(q.Lines)
		q.EqualPairs(o.Ties)
	}
	if kind, _ := q.independent(leastUnits); o.Variance == ByJackknife && kind == "" {
		return nil, &fault.Error{Kind: fault.Use, Code: codes.FaultFewUnits, Option: "Variance",
			Err: errors.New("jackknife needs three annotators or more, or clusters")}
	}
	people, others, paired := trusted(q.source())
	if people == nil {
		return r, nil
	}
	with := q.of
	r.trusted, r.Problem = &judge{with(others), with(paired)}, with(people)
	return r, o.correctable(q.Features == nil && q.X == nil && !r.large, others, q.Clusters)
}

// learning tells the progress of fits: how many candidates are done, and how near a large board is to the optimum.
func (r *ranker) learning() (tell func(done, total int), residual func(float64), end func()) {
	var mu sync.Mutex
	p := event.Progress{Task: "learning scores"}
	emit := func(change func()) {
		mu.Lock()
		defer mu.Unlock()
		if r.o.Monitor.Progress != nil && !p.Ended {
			change()
			r.o.Monitor.Progress(p)
		}
	}
	emit(func() {})
	return func(done, total int) { emit(func() { p.Done, p.Total = int64(done), int64(total) }) }, func(v float64) {
		emit(func() { p.State, p.Text = map[string]any{"residual": v}, fmt.Sprintf("residual %.1e", v) })
	}, func() { emit(func() { p.Ended = true }) }
}

// learn learns the scores, leaves out what is asked, and learns the scores that have intervals.
func (r *ranker) learn(ctx context.Context) error {
	tell, residual, end := r.learning()
	defer end()
	if r.Options.Progress == nil {
		r.Options.Progress = residual
	}
	unit := r.unit()
	if err := r.choose(ctx, unit, tell); err != nil {
		return faultOf(err)
	}
	if n := r.Board.Components().Len(); r.Options.loss() == outcome.Drop && n > r.Problem.Components().Len() {
		r.journal.Warn("", "without the ties that are dropped the comparisons have %d components: scores of different "+
			"ones are not comparable", n)
	}
	if h := r.HeldOut; h != nil && h.StdErr.Defined {
		r.doubtUnits("the error of what is left out is", h.Units())
	}
	if h := r.HeldOut; h != nil && h.Approximate {
		var err error
		if r.Distance, err = r.Board.distanceOf(ctx, r.leftOut(unit), r.o.Seed); err != nil {
			return err
		}
	}
	if err := r.setAbout(); err != nil || r.large && r.About == nil {
		return err
	}
	if err := r.learnFree(ctx); err != nil {
		return err
	}
	return r.testFeatures(ctx)
}

// unit is what is left out.
func (r *ranker) unit() Unit {
	switch {
	case r.o.HoldOut != nil:
		return *r.o.HoldOut
	case len(r.o.Lambdas) > 1 && r.large:
		u := Unit{Kind: "kfold", Folds: 10}
		r.journal.Note("", "lambda is chosen by HoldOut %s: a pair cannot be left out of so many items", u)
		return u
	}
	return Unit{Kind: "pair"}
}

// leftOut is a unit in the lines of the problem.
func (r *ranker) leftOut(u Unit) Unit {
	if u.Kind == ofLines && r.Problem.Added {
		u.Kind = "comparison"
	}
	return u
}

// choose learns the scores, with λ and τ chosen by the held-out loss where there are several.
func (r *ranker) choose(ctx context.Context, unit Unit, tell func(done, total int)) (err error) {
	g := grid{r.o.Lambdas, r.o.Residuals, r.leftOut(unit), r.o.Seed, tell}
	if len(g.lambdas) == 0 {
		g.lambdas = []float64{r.Options.Lambda}
	}
	if len(g.residuals) == 0 {
		g.residuals = []float64{r.Problem.Residual}
	}
	r.Options.Lambda, r.Problem.Residual = g.lambdas[0], g.residuals[0]
	err = r.fitAndPredict(ctx, &g)
	if r.HeldOut != nil {
		r.HeldOut.Unit = unit
	}
	return err
}

// setAbout finds the items that are asked about.
func (r *ranker) setAbout() error {
	free, items := r.Options.Lambda == 0, r.Problem.Items
	if r.o.First == 0 && len(r.o.About) == 0 {
		if r.large && free {
			r.journal.Note("", "%s are too many for intervals of all: About has those of some",
				spell.Plural(len(items), "item"))
		}
		return nil
	}
	if kind, _ := r.Problem.independent(1); r.large && kind != "" && free {
		r.journal.Warn("", "intervals take outcomes as independent: no %s can be left out of so many items", kind)
	}
	if r.o.First > 0 {
		order := incidence.All(len(items))
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(r.Board.Scores[j], r.Board.Scores[i]) })
		r.About = order[:min(r.o.First, len(order))]
		return nil
	}
	at := r.Problem.places()
	for _, name := range r.o.About {
		i, is := at[name]
		if !is {
			return fault.Optionf("About", ": no item is called %q", name)
		}
		if !slices.Contains(r.About, i) {
			r.About = append(r.About, i)
		}
	}
	if len(r.About) == 1 && r.o.Next > 0 {
		return fault.Optionf("Next", "compares items, and About names only one")
	}
	return nil
}

// places are the items by their names.
func (p *Problem) places() map[string]int {
	at := make(map[string]int, len(p.Items))
	for i, name := range p.Items {
		at[name] = i
	}
	return at
}

// learnFree learns scores without a penalty, because only these have intervals. Where the scores at λ = 0 are not
// finite, it learns bias-reduced ones.
func (r *ranker) learnFree(ctx context.Context) (err error) {
	if r.Options.Lambda == 0 {
		r.Free = r.Board
		return nil
	}
	p, o := r.Problem, r.Options
	o.Lambda = 0
	if p.Residual > 0 { // without a penalty, parts of items' own leave nothing to features
		p = p.WithoutFeatures()
	}
	r.FreeBy = FreeZero
	r.Free, err = Fit(ctx, p, o)
	reducible := o.Ties != Davidson && r.Board.factors == nil && !incidence.Graded(p.source())
	if separated := new(SeparatedError); errors.As(err, &separated) && reducible {
		r.FreeBy, o.BiasReduced = FreeReduced, true
		r.Free, err = Fit(ctx, p, o)
	}
	if f := r.Board.factors; f != nil && err == nil {
		r.Free, err = r.Free.withFactors(ctx, f.shrink)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		r.journal.Note("", "Lambda shrinks the scores, so they have no intervals, and scores without a penalty have none: "+
			"%v", err)
	default:
		r.journal.Note("", "Lambda shrinks the scores, so intervals and sets of ranks are of scores %s",
			map[string]string{FreeZero: "at λ = 0", FreeReduced: "with reduced bias"}[r.FreeBy])
	}
	return nil
}

// faultOf gives an error of a fit, or of leaving out units, its kind and code, unless it has them.
func faultOf(err error) error {
	var separated *SeparatedError
	var known *fault.Error
	switch {
	case errors.As(err, &known):
		return err
	case !errors.As(err, &separated):
		return fault.As(fault.Data, "", err)
	}
	if len(separated.Sets) > 0 {
		first := separated.Sets[0]
		only := " only wins"
		if len(first) > 1 {
			only = " only win against others"
		}
		err = fmt.Errorf("%w: %s%s", err, spell.First(first), only)
	}
	return fault.As(fault.Data, codes.FaultSeparated, err)
}
