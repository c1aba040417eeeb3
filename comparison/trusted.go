package comparison

import (
	"errors"
	"math"
	"slices"

	"pairrank/comparison/internal/incidence"
	"pairrank/comparison/internal/outcome"
	"pairrank/fault"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
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
// of these deviations. It has all covariances: of the judge on a comparison with people, and with itself on all.
// Leaving out a vote divides its residual by 1 − h, the leverage, so that few votes of people are not too sure of
// themselves (HC3: MacKinnon and White 1985). The quantile is Student's of the clusters in which people voted.
type Trusted struct {
	// Votes are those of people, Paired those of them on a comparison that the judge voted on, and Judged the judge's.
	Votes, Paired, Judged float64
	// Share is ω, and Effective the number of votes of people alone that would have as small a mean variance: Votes
	// times tr V(0) / tr V(ω); NaN without intervals, when ω is 0.
	Share, Effective float64
	// First is the item that the judge alone would name the first, Width the root of the mean square of the judge's own
	// standard errors over that of the board's, and Outside how many scores lie outside of the judge's own intervals.
	First   int
	Width   float64
	Outside int
}

// judge has the votes of a judge alone, and the judge's votes as the outcomes of the lines of people.
type judge struct{ alone, paired *Problem }

// noteTrusted is the code of what votes of people and of a judge say of one another. Where they cannot be joined, the
// fault has the kind of their units.
const noteTrusted = "trusted"

// trusted are the lines of people, those of the judge, and those of people with the mean vote of the judge on the same
// comparison as outcomes, without those that have none. Annotators are no units of theirs. Cost O(C).
func trusted(lines incidence.Source) (people, judge, paired []Line) {
	some := false
	for c := range lines.Len() {
		some = some || lines.At(c).Trusted
	}
	if !some {
		return nil, nil, nil
	}
	for c := range lines.Len() {
		l := *lines.At(c)
		l.Annotator = -1
		if l.Trusted {
			people = append(people, l)
		} else {
			judge = append(judge, l)
		}
	}
	return people, judge, pair(judge, slices.Clone(people))
}

// of is a problem without features and covariates with other lines, which have no annotators.
func (p *Problem) of(lines []Line) *Problem {
	return &Problem{Items: p.Items, Strata: p.Strata, Clusters: p.Clusters, Lines: lines, Added: p.Added}
}

// correctable refuses what trusted votes do not go with; plain is whether the problem has scores of items alone.
func (o *RankOptions) correctable(plain bool, judge []Line, clusters []string) error {
	switch {
	case !plain || o.Loss == Logistic || o.Lambda > 0 || o.Lambdas != nil || o.HoldOut != nil || o.EqualPairs ||
		o.Cycles || o.Next > 0 || o.AnnotatorScale ||
		slices.Contains([]string{BySandwich, ByBootstrap, ByLine}, o.Variance):
		return fault.As(fault.Use, "", errors.New("trusted votes correct a judge in the squared loss at λ = 0: without "+
			"features, covariates, equal weights of pairs, other intervals, what is left out, cycles, factors of "+
			"annotators and pairs to compare next, and of 4,000 items at most"))
	case judge == nil:
		return fault.As(fault.Data, "", errors.New("every line is trusted: there is no judge"))
	case clusters == nil:
		return fault.As(fault.Data, ofClusters, errors.New("nothing says which votes of people and of the judge are on the "+
			"same comparison"))
	}
	return nil
}

// pair gives lines of people the mean vote of a judge on the same comparison as outcomes, and returns those that have
// one.
func pair(judge, people []Line) (paired []Line) {
	type comparison struct{ low, high, cluster int }
	type votes struct{ sum, weight float64 } // of the low item over the high one
	of := func(l *Line) (comparison, float64) {
		if l.Left < l.Right {
			return comparison{l.Left, l.Right, l.Cluster}, 1
		}
		return comparison{l.Right, l.Left, l.Cluster}, -1
	}
	by := map[comparison]votes{}
	for c := range judge {
		l := &judge[c]
		at, sign := of(l)
		v := by[at]
		for k, n := range l.Counts() {
			w := n * l.OutcomeWeight()
			v.sum, v.weight = v.sum+sign*w*outcome.Target(l.WinMagnitude(), outcome.Kind(k)), v.weight+w
		}
		by[at] = v
	}
	for c := range people {
		l := &people[c]
		at, sign := of(l)
		v, is := by[at]
		if !is {
			continue
		}
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
		paired = append(paired, *l)
	}
	return paired
}

// votes is the number of outcomes of some lines.
func votes(lines []Line) (n float64) {
	for c := range lines {
		n += lines[c].Count()
	}
	return n
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
		for c := range b.p.count() {
			h := b.p.source().At(c).Cluster
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
