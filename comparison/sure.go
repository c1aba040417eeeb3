package comparison

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"pairrank/comparison/internal/dense"
	"pairrank/comparison/internal/deviation"
	"pairrank/eval/metric"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/parallel"
	"pairrank/internal/pick"
	"pairrank/internal/ratio"
	"pairrank/internal/spell"
)

// samples is the number of samples of a bootstrap.
const samples = 1000

// measure computes the intervals and the sets of ranks.
func (r *ranker) measure(ctx context.Context) error {
	switch {
	case r.Free == nil:
		return nil
	case r.large && slices.Contains([]string{ByJackknife, ByBootstrap, ByLine}, r.o.Variance):
		return &fault.Error{Kind: fault.Use, Code: codes.FaultLargeIntervals, Option: "Variance",
			Err: fmt.Errorf("%s fits the board of %d items too often", r.o.Variance, len(r.Problem.Items))}
	case r.large:
		return r.measureAbout(ctx)
	}
	if err := r.checkTrusted(); err != nil {
		return err
	}
	kind, sets := r.independent()
	if n := len(sets); kind != "" && n < leastUnits {
		r.withoutIntervals(fmt.Sprintf("%s, and %d are needed", spell.Plural(n, kind), leastUnits))
		return nil
	}
	if r.o.Variance == ByBootstrap {
		if err := r.bootstrap(ctx); err != nil {
			return err
		}
	}
	_, end := r.o.Monitor.Task(intervals, 0)
	defer end()
	if err := r.vary(ctx, kind); err != nil || r.NoIntervals != "" {
		return cmp.Or(err, ctx.Err())
	}
	r.doubtVariance(kind, sets)
	r.doubtSamples()
	return nil
}

// vary computes the variance, over units that are independent or else over outcomes, unless the bootstrap has, and the
// ranks by it. Votes of a judge correct both.
func (r *ranker) vary(ctx context.Context, kind string) error {
	if why := r.Free.unvaried(kind, r.Problem); why != "" {
		r.withoutIntervals(why)
		return nil
	}
	if r.Variance == nil && kind != "" {
		if kind == ofAnnotators && r.Free == r.Board && r.Free.factors == nil {
			r.held = r.Free.withoutEach(r.Problem.ByAnnotator(), true)
		}
		r.Variance = r.Free.jackknife(ctx, r.held)
	}
	if r.Variance == nil && r.Free.factors != nil {
		r.withoutIntervals(fmt.Sprintf("with factors, one %s alone connects some items", kind))
		return nil
	}
	if r.Variance == nil {
		r.Variance = r.Free.Sandwich()
	}
	if r.Free.factors != nil {
		r.doubtFactors()
	}
	if r.trusted != nil {
		if err := r.correct(ctx); err != nil {
			return err
		}
	}
	of := r.Variance
	if r.About != nil {
		of = of.of(r.About)
	}
	r.Ranks = r.Free.RanksOf(of, r.o.Seed)
	return nil
}

// withoutEach is Without of each set; all says that places are wanted.
func (b *Board) withoutEach(sets [][]int, all bool) []dense.Without {
	held := make([]dense.Without, len(sets))
	parallel.For(len(sets), func(_, h int) { held[h] = b.f.Without(sets[h], all) })
	return held
}

// checkTrusted refuses votes of people that do not correct those of a judge for all items, or have no interval.
func (r *ranker) checkTrusted() error {
	if r.trusted == nil {
		return nil
	}
	people, paired := r.Problem, r.trusted.paired
	refuse := func(code fault.Code, format string, args ...any) error {
		return fault.As(fault.Data, code, fmt.Errorf(format, args...))
	}
	if len(paired.Lines) == 0 {
		return refuse(ofClusters, "the judge voted on no comparison that people voted on: none has the same items and the "+
			"same cluster")
	}
	if parts := paired.Components(); parts.Len() > 1 {
		names := pick.Rows(people.Items, parts.Part(1))
		return refuse("", "comparisons that both people and the judge voted on do not connect all items: %s apart, of %d "+
			"sets", spell.First(names), parts.Len())
	}
	if n := len(people.byCluster()); n < leastUnits {
		return refuse(ofClusters, "people voted in %s, and %d are needed", spell.Plural(n, ofClusters), leastUnits)
	}
	return nil
}

// correct gives the board of people the scores, and the ranking the variance, that the votes of the judge correct.
// Where most items depend on one cluster, both stay those of people alone.
func (r *ranker) correct(ctx context.Context) error {
	var boards [2]*Board
	for k, p := range []*Problem{r.trusted.paired, r.trusted.alone} {
		var err error
		if boards[k], err = Fit(ctx, p, r.Options); err != nil {
			return faultOf(err)
		}
	}
	b, paired, alone := r.Board, boards[0], boards[1]
	t := &Trusted{Votes: votes(b.p.Lines), Paired: votes(paired.p.Lines), Judged: votes(alone.p.Lines), Width: math.NaN()}
	t.Effective, t.First = t.Votes, slices.Index(alone.Scores, slices.Max(alone.Scores))
	if b.Trusted = t; t.Paired < t.Votes {
		r.journal.Warn(noteTrusted, "%v of %v trusted votes have no vote of the judge on the same comparison, of the same "+
			"items and cluster: they are votes of people, and do not correct the judge", t.Votes-t.Paired, t.Votes)
	}
	kind, sets := b.p.independent(leastUnits)
	x := withoutClusters(b, paired, alone)
	if x == nil {
		return nil
	}
	t.Share = x.share()
	own := x.variance(alone, 0, 0, 1)
	own.overUnits(kind, alone.p.byCluster(), alone.p)
	for i := range b.Scores {
		b.Scores[i] += t.Share * (alone.Scores[i] - paired.Scores[i])
		if math.Abs(b.Scores[i]-alone.Scores[i]) > own.Width(i, -1) {
			t.Outside++
		}
	}
	r.Variance = x.variance(b, 1, t.Share, 0)
	r.Variance.overUnits(kind, sets, b.p)
	r.Variance.forgetAgreed(b)
	least := x.trace(1, t.Share, 0)
	t.Effective, t.Width = t.Votes*x.trace(1, 0, 0)/least, math.Sqrt(x.trace(0, 0, 1)/least)
	const little = 1.05
	if t.Effective <= little*t.Votes {
		r.journal.Warn(noteTrusted, "the judge does not help: %v trusted votes with the judge's are worth %.0f of people "+
			"alone", t.Votes, t.Effective)
	}
	added := x.variance(b, 0, 1, 0)
	added.overUnits(kind, sets, b.p)
	r.doubtPart(added, alone, paired)
	return nil
}

// doubtPart warns where the judge votes otherwise on the comparisons of people than on all, beyond chance: by the
// largest difference of two items in what the judge adds, of the variance v.
func (r *ranker) doubtPart(v *Covariance, alone, paired *Board) {
	critical := deviation.Quantile(v.cov, alone.connected(), v.Freedom, equal, r.o.Seed)
	most, items := 0.0, [2]int{}
	for i := range alone.Scores {
		for k := range i {
			d := alone.Scores[i] - paired.Scores[i] - alone.Scores[k] + paired.Scores[k]
			if se := v.Of(i, k); se > equal && math.Abs(d)/se > max(most, critical) {
				most, items = math.Abs(d)/se, [2]int{k, i}
			}
		}
	}
	if most > 0 {
		r.journal.Warn(noteTrusted, "the comparisons that people voted on are no random part of all (p < 0.05): on these "+
			"the judge votes otherwise of %s and %s, and corrected scores may be wrong", alone.p.Items[items[0]],
			alone.p.Items[items[1]])
	}
}

// withoutIntervals says why there are no intervals.
func (r *ranker) withoutIntervals(why string) {
	r.NoIntervals = why
	r.journal.Warn(codes.NoteBoardInterval, "no intervals: %s", why)
}

// unvaried says why a board with factors has no intervals, where it has none: they come from leaving out units.
func (b *Board) unvaried(kind string, p *Problem) string {
	if b.Large() {
		return spell.Plural(len(p.Items), "item") + " without features are too many for intervals of all"
	}
	if b.factors == nil {
		return ""
	}
	if kind == "" {
		return fmt.Sprintf("with factors they come from leaving out each of %d annotators or more", FewUnits)
	}
	_, sets := p.independent(leastUnits)
	if err := b.retraining(len(sets), kind); err != nil {
		return err.Error()
	}
	return ""
}

// intervals is the task of intervals and sets of ranks.
const intervals = "computing intervals"

// measureAbout computes the intervals of the items asked about, and of the anchor, and the sets of their ranks.
func (r *ranker) measureAbout(ctx context.Context) (err error) {
	if r.About == nil {
		return nil
	}
	_, end := r.o.Monitor.Task(intervals, 0)
	defer end()
	of := slices.Clone(r.About)
	if r.Anchor >= 0 && !slices.Contains(of, r.Anchor) {
		of = append(of, r.Anchor)
	}
	if r.Variance, err = r.Free.sandwichOf(ctx, of); err != nil {
		return fault.As(fault.Use, "", err)
	}
	r.Ranks = r.Free.RanksOf(r.Variance.of(r.About), r.o.Seed)
	return nil
}

// doubtFactors says what is doubtful about intervals of a board with factors. Few votes of an annotator are those with
// which the intervals of the squared loss held less often in simulations (evidence/checks/coverage.md).
func (r *ranker) doubtFactors() {
	r.tellSteps("intervals", r.Variance.Stepped, r.Variance.Units)
	const few = 30
	each := votes(r.Problem.Lines) / float64(len(r.Problem.Annotators))
	if r.Options.Loss == Squared && each < few {
		r.journal.Warn(noteFewVotes, "factors are of %.3g votes an annotator: with 10 votes intervals of the squared loss "+
			"held in 90–93 %% of simulations, not 95 %%; with %d or more in 94 %%", each, few)
	}
}

// independent is what the intervals take as independent, and the lines of each; "" is outcomes.
func (r *ranker) independent() (kind string, sets [][]int) {
	switch r.o.Variance {
	case BySandwich:
		return "", nil
	case ByJackknife:
		return r.Problem.independent(leastUnits)
	}
	kind, sets = r.Problem.independent(FewUnits)
	if n := len(r.Problem.Annotators); kind == "" && n >= 2 {
		r.journal.Note(codes.NotePooledAnnotators,
			"%d annotators are too few to leave out each, so intervals take their outcomes "+
				"as independent, and are about these annotators alone", n)
	}
	return kind, sets
}

// bootstrap computes the variances by samples.
func (r *ranker) bootstrap(ctx context.Context) (err error) {
	tell, end := r.o.Monitor.Task("fitting samples of the bootstrap", 0)
	defer end()
	if r.Variance, err = r.Free.Bootstrap(ctx, samples, r.o.Seed, tell); errors.Is(err, ErrFewSamples) {
		return &fault.Error{Kind: fault.Numerical, Option: "Variance", Err: fmt.Errorf("bootstrap: %w", err)}
	}
	return err
}

// doubtVariance says which items have no interval, and why, and what is doubtful about the others.
func (r *ranker) doubtVariance(kind string, sets [][]int) {
	v := r.Variance
	var exact, alone, means []string
	for i, item := range r.Problem.Items {
		switch {
		case slices.Contains(v.Exact, i):
			exact = append(exact, item)
		case math.IsNaN(v.cov.Row(i)[i]):
			alone = append(alone, item)
		case math.IsNaN(v.Width(i, -1)):
			means = append(means, item)
		}
	}
	lack := func(format string, args ...any) { r.journal.Warn(codes.NoteBoardInterval, format, args...) }
	if kind != "" && v.Units == 0 {
		lack("one %s alone connects some items, so intervals take outcomes as independent", kind)
	} else if len(alone) > 0 {
		lack("no interval of %s: only one %s connects %s with the others", spell.First(alone), v.Unit,
			map[bool]string{true: "it", false: "each"}[len(alone) == 1])
	}
	if len(means) > 0 {
		lack("no interval of %s: scores are relative to the mean of the features, which is there", spell.First(means))
	}
	const why = "every outcome is what the scores predict, so nothing says how far they are from the truth"
	switch {
	case len(exact) == len(r.Problem.Items):
		r.Variance, r.Ranks, r.NoIntervals = nil, nil, why
		lack("no intervals: %s", why)
		return
	case len(exact) > 0:
		lack("no interval of %s: %s", spell.First(exact), why)
	}
	if v.Units == 0 {
		return
	}
	r.Effective = r.Problem.effective(sets)
	r.doubtUnits("intervals are", metric.Over{N: v.Units, Of: v.Unit, Effective: r.Effective})
}

// doubtUnits warns of intervals or a standard error over few units.
func (r *ranker) doubtUnits(what string, over metric.Over) {
	if doubt := ratio.Doubt(over); doubt != "" {
		r.journal.Warn(codes.NoteFewUnits, "%s over %s", what, doubt)
	}
}

// doubtSamples says which samples have no fit, and where the outcomes of a line depend on one another.
func (r *ranker) doubtSamples() {
	v := r.Variance
	if v == nil {
		return
	}
	const level = 0.01
	var d *dispersion
	if v.Units == 0 && !r.Problem.Added {
		d = r.Free.dispersion()
	}
	if d != nil && d.P <= level && d.Ratio > 1 {
		r.journal.Warn(codes.NoteOverdispersed,
			"the counts of lines vary %.1f times as much as those of independent outcomes "+
				"(p = %.2g): intervals that take these as independent are too narrow", d.Ratio, d.P)
	}
	if r.o.Variance == ByBootstrap && v.Replicates < samples {
		r.journal.Warn("", "%d of %d samples of the bootstrap have no fit, and are left out", samples-v.Replicates, samples)
	}
}

// judge compares annotators with the others, two items with one another, and tests what no ranking explains.
func (r *ranker) judge(ctx context.Context) (err error) {
	if v := r.o.Versus; v != [2]string{} {
		at := r.Problem.places()
		i, left := at[v[0]]
		j, right := at[v[1]]
		switch {
		case !left || !right || i == j:
			return fault.Optionf("Versus", "takes two items of the board, NAME,NAME, not %q",
				strings.TrimSuffix(v[0]+","+v[1], ","))
		case r.Variance == nil:
			return fault.Optionf("Versus", "needs intervals, and this board has none")
		}
		r.Versus = &[2]int{i, j}
	}
	if !r.large {
		r.Raters = cmp.Or(r.plain, r.Board).raters(r.held)
	}
	if !r.o.Cycles {
		return nil
	}
	if r.large {
		return fault.Optionf("Cycles", "fits the board of %d items too often", len(r.Problem.Items))
	}
	tell, end := r.o.Monitor.Task("testing cycles", 0)
	defer end()
	if r.Cycles, err = FindCycles(ctx, r.Problem, r.o.Seed, tell); err != nil {
		return &fault.Error{Kind: fault.Data, Option: "Cycles", Err: fmt.Errorf(": %w", err)}
	}
	return nil
}

// Unsolved is the error of a ranking of many items of which something was not solved to Tolerance, else nil.
func (r *Ranking) Unsolved() error {
	residual, what := r.Board.Residual, "the scores"
	if v := r.Variance; v != nil && v.Residual > residual {
		residual, what = v.Residual, "the standard errors"
	}
	if h := r.HeldOut; h != nil && h.Residual > residual {
		residual, what = h.Residual, "the scores of the folds"
	}
	if !(residual > Tolerance) {
		return nil
	}
	return fault.As(fault.Numerical, codes.FaultUnsolved,
		fmt.Errorf("%s have a relative residual of %.1e, and were to reach "+
			"%.0e", what, residual, Tolerance))
}
