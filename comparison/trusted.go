package comparison

import (
	"context"
	"fmt"
	"math"
	"slices"

	"pairrank/comparison/internal/deviation"
	"pairrank/comparison/internal/outcome"
	"pairrank/internal/fault"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
	"pairrank/internal/spell"
)

// Trusted says what the votes of a judge add to those of people, whose lines are trusted. With the least squares scores
// s(z) of votes z, the scores of the board are those of prediction-powered inference,
//
//	s(ω) = s(people) + ω (s(judge on all) − s(judge where people voted, too))
//
// in closed form. The last term corrects the judge: it is s(judge) on the lines of people, whose outcomes are then the
// mean vote of the judge on the same comparison, of the same items and cluster. The difference in brackets has mean 0
// where these comparisons are a random part of all, whatever the judge does. ω in [0, 1] gives the differences of items
// the least mean variance; 0 is the scores of people alone (Angelopoulos, Bates, Fannjiang, Jordan and Zrnic 2023,
// Prediction-powered inference; Angelopoulos, Duchi and Zrnic 2023, PPI++: efficient prediction-powered inference,
// section 4, of the tuning of the power).
//
// The variance is a jackknife. Without cluster h, people and judge, the two terms are A_h and B_h, so that
//
//	V(ω) = (H−1)/H Σ_h (A_h − Ā + ω (B_h − B̄)) (A_h − Ā + ω (B_h − B̄))ᵀ,    ω = −Σ A·B / Σ B·B
//
// of these deviations. It has all covariances: of the judge on a comparison with people, and with itself on all. Leaving
// out a vote divides its residual by 1 − h, the leverage, so that few votes of people are not too sure of themselves
// (HC3: MacKinnon and White 1985). The quantile is Student's of the clusters in which people voted.
type Trusted struct {
	// Votes are those of people, Paired those of them on a comparison that the judge voted on, and Judged the judge's.
	Votes, Paired, Judged float64
	// Share is ω, and Effective the number of votes of people alone that would have as small a mean variance: Votes times
	// tr V(0) / tr V(ω); NaN without intervals, when ω is 0.
	Share, Effective float64
	// First is the item that the judge alone would name the first, Width the root of the mean square of the judge's own
	// standard errors over that of the board's, and Outside how many scores lie outside of the judge's own intervals.
	First   int
	Width   float64
	Outside int
}

// judge has the votes of a judge alone, and the judge's votes as the outcomes of the lines of people.
type judge struct{ alone, paired *Problem }

// FaultTrusted is the code of votes of people and of a judge that cannot be joined, NoteTrusted of what they say of one
// another.
const (
	FaultTrusted fault.Code = "trusted"
	NoteTrusted             = "trusted"
)

// judged takes the trusted lines for the problem, and returns the other ones; nil where no line is trusted. Cost O(C).
func (p *Problem) judged(o *RankOptions) (*judge, error) {
	var people, others []int
	for c := range p.Lines {
		if p.Lines[c].Trusted {
			people = append(people, c)
		} else {
			others = append(others, c)
		}
	}
	refuse := func(kind fault.Kind, code fault.Code, format string, args ...any) (*judge, error) {
		return nil, &fault.Error{Kind: kind, Code: code, Err: fmt.Errorf(format, args...)}
	}
	switch {
	case people == nil:
		return nil, nil
	case o.Loss == Logistic || o.Lambda > 0 || o.Lambdas != nil || o.HoldOut != nil || p.Features != nil || p.X != nil ||
		o.EqualPairs || o.Cycles || o.Next > 0 || slices.Contains([]string{BySandwich, ByBootstrap, ByLine}, o.Variance):
		return refuse(fault.Use, "", "trusted votes correct a judge in the squared loss at λ = 0: without features, covariates, "+
			"equal weights of pairs, other intervals, what is left out, cycles and pairs to compare next")
	case o.large(p):
		return refuse(fault.Use, "", "trusted votes leave clusters out, and %d items are too many", len(p.Items))
	case others == nil:
		return refuse(fault.Data, "", "every line is trusted: there is no judge")
	case p.Clusters == nil:
		return refuse(fault.Data, FaultTrusted, "nothing says which votes of people and of the judge are on the same comparison")
	}
	j := &judge{p.Of(others), p.Of(people)}
	*p = *p.Of(people)
	for _, q := range []*Problem{p, j.alone, j.paired} { // annotators are no units here
		q.Annotators = nil
		for c := range q.Lines {
			q.Lines[c].Annotator = -1
		}
	}
	j.pair()
	if len(j.paired.Lines) == 0 {
		return refuse(fault.Data, FaultTrusted, "the judge voted on no comparison that people voted on: none has the same items "+
			"and the same cluster")
	}
	if parts := j.paired.Components(); parts.Len() > 1 {
		var names []string
		for _, i := range parts.Part(1) {
			names = append(names, p.Items[i])
		}
		return refuse(fault.Data, "", "comparisons that both people and the judge voted on do not connect all items: %s "+
			"apart, of %d sets", spell.First(names), parts.Len())
	}
	return j, nil
}

// pair gives the lines of people the mean vote of the judge on the same comparison as outcomes, and leaves out those
// without one.
func (j *judge) pair() {
	type comparison struct{ low, high, cluster int }
	type votes struct{ sum, weight float64 } // of the low item over the high one
	of := func(l *Line) (comparison, float64) {
		if l.Left < l.Right {
			return comparison{l.Left, l.Right, l.Cluster}, 1
		}
		return comparison{l.Right, l.Left, l.Cluster}, -1
	}
	by := map[comparison]votes{}
	for c := range j.alone.Lines {
		l := &j.alone.Lines[c]
		at, sign := of(l)
		v := by[at]
		for k, n := range l.Counts() {
			w := n * l.OutcomeWeight()
			v.sum, v.weight = v.sum+sign*w*outcome.Target(l.WinMagnitude(), outcome.Kind(k)), v.weight+w
		}
		by[at] = v
	}
	var some []int
	for c := range j.paired.Lines {
		l := &j.paired.Lines[c]
		at, sign := of(l)
		v, is := by[at]
		if !is {
			continue
		}
		some = append(some, c)
		n, mean := l.Count(), sign*v.sum/v.weight
		l.Wins, l.Losses, l.Ties, l.Magnitude = 0, 0, 0, math.Abs(mean)
		switch {
		case mean > 0:
			l.Wins = n
		case mean < 0:
			l.Losses = n
		default:
			l.Ties = n
		}
	}
	j.paired = j.paired.Of(some)
}

// votes is the number of outcomes of the lines.
func (p *Problem) votes() (n float64) {
	for c := range p.Lines {
		n += p.Lines[c].Count()
	}
	return n
}

// correct gives the board of people the scores, and the ranking the variance, that the votes of the judge correct. With
// few clusters, and where most items depend on one, the scores are those of people alone.
func (r *ranker) correct(ctx context.Context) error {
	var boards [2]*Board
	for k, p := range []*Problem{r.trusted.paired, r.trusted.alone} {
		var err error
		if boards[k], err = Fit(ctx, p, r.Options); err != nil {
			return faultOf(err)
		}
	}
	b, paired, alone := r.Board, boards[0], boards[1]
	t := &Trusted{Votes: b.p.votes(), Paired: paired.p.votes(), Judged: alone.p.votes(), Width: math.NaN()}
	t.Effective, t.First = t.Votes, slices.Index(alone.Scores, slices.Max(alone.Scores))
	if b.Trusted = t; t.Paired < t.Votes {
		r.journal.Warn(NoteTrusted, "%v of %v trusted votes have no vote of the judge on the same comparison, of the same items "+
			"and cluster: they are votes of people, and do not correct the judge", t.Votes-t.Paired, t.Votes)
	}
	kind, sets := b.p.Independent(LeastUnits)
	x := withoutClusters(b, paired, alone)
	if len(sets) < LeastUnits || x == nil {
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
		r.journal.Warn(NoteTrusted, "the judge does not help: %v trusted votes with the judge's are worth %.0f of people alone",
			t.Votes, t.Effective)
	}
	added := x.variance(b, 0, 1, 0)
	added.overUnits(kind, sets, b.p)
	r.doubtPart(added, alone, paired)
	return nil
}

// doubtPart warns where the judge votes otherwise on the comparisons of people than on all, beyond chance: by the
// largest difference of two items in what the judge adds, of the variance v.
func (r *ranker) doubtPart(v *Covariance, alone, paired *Board) {
	critical := deviation.Quantile(v.V, alone.connected(), v.Freedom, equal, r.o.Seed)
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
		r.journal.Warn(NoteTrusted, "the comparisons that people voted on are no random part of all (p < 0.05): on these the judge "+
			"votes otherwise of %s and %s, and corrected scores may be wrong", alone.p.Items[items[0]], alone.p.Items[items[1]])
	}
}

// withouts are the deviations of the scores without each cluster from their means, H×N: of people, of what the judge
// adds, and of the judge alone. Items that one cluster alone connects have none.
type withouts struct {
	people, added, judge linalg.Mat
	alone                []bool
}

// withoutClusters leaves each cluster out of three boards; nil where most items depend on one. Cost O(H C) beside that
// of leaving out.
func withoutClusters(boards ...*Board) *withouts {
	clusters, items := len(boards[0].p.Clusters), len(boards[0].Scores)
	var places [3][][]float64
	out := &withouts{alone: make([]bool, items)}
	for k, b := range boards {
		sets := make([][]int, clusters)
		for c := range b.p.Lines {
			h := b.p.Lines[c].Cluster
			sets[h] = append(sets[h], c)
		}
		places[k] = make([][]float64, clusters)
		parallel.For(clusters, func(_, h int) {
			if places[k][h] = slices.Clone(b.Scores); sets[h] != nil {
				places[k][h] = b.f.Without(sets[h], true).Place
			}
		})
		alone := b.alone(slices.DeleteFunc(sets, func(set []int) bool { return set == nil }))
		if alone == nil {
			return nil
		}
		for i, is := range alone {
			out.alone[i] = out.alone[i] || is
		}
	}
	for h := range clusters {
		for k, b := range boards {
			b.centreRest(places[k][h], out.alone)
		}
		for i, v := range places[2][h] {
			places[1][h][i] = v - places[1][h][i]
		}
	}
	for k, d := range []*linalg.Mat{&out.people, &out.added, &out.judge} {
		var known bool
		if *d, known = deviations(places[k], out.alone, items); !known {
			return nil
		}
	}
	return out
}

// share is ω.
func (x *withouts) share() float64 {
	both, squares := linalg.Dot(x.people.Data, x.added.Data), linalg.Dot(x.added.Data, x.added.Data)
	if squares == 0 {
		return 0
	}
	return max(0, min(1, -both/squares))
}

// sum is a sum of the deviations.
func (x *withouts) sum(people, added, judge float64) linalg.Mat {
	d := linalg.NewMat(x.people.Rows, x.people.Cols)
	linalg.Axpy(people, x.people.Data, d.Data)
	linalg.Axpy(added, x.added.Data, d.Data)
	linalg.Axpy(judge, x.judge.Data, d.Data)
	return d
}

// trace is that of the variance of a sum, but for a factor.
func (x *withouts) trace(people, added, judge float64) float64 {
	d := x.sum(people, added, judge)
	return linalg.Dot(d.Data, d.Data)
}

// variance is the covariance of a sum, for the scores of a board.
func (x *withouts) variance(b *Board, people, added, judge float64) *Covariance {
	return b.leftOut(x.sum(people, added, judge), x.alone)
}
