package comparison

import (
	"cmp"
	"math"
	"slices"

	"pairrank/comparison/internal/dense"
	"pairrank/comparison/internal/outcome"
)

// Rater is how an annotator agrees with the board of the others.
type Rater struct {
	Annotator int // a number of Problem.Annotators
	// Comparisons is how many outcomes it has, and Known how many of them the board of the others predicts.
	Comparisons, Known float64
	// Right is the share of its wins that the others' margins order rightly, equal margins ½; NaN without any.
	Right float64
	// Loss is the mean loss of its outcomes by the others' margins. Expected is the mean loss of an annotator whose
	// outcomes are drawn from the others' board: the entropy for the logistic loss, the mean over all annotators for
	// the squared loss.
	Loss, Expected float64
	// Reliability is β, and SE its standard error.
	Reliability, SE float64
}

// raters returns the annotators, the most reliable first. The reliability of an annotator is the slope β of its
// outcomes on the margins f of the board of the others, the best of
//
//	Σ w loss(βf) + (β − 1)² σ²/2
//
// where loss is the logistic loss and σ² is 1, or loss is half the squared loss and σ² the mean of all squared errors
// of held-out margins. β is 1 for annotators who judge as the others do, 0 for those who toss a coin and negative for
// those who judge the other way; above 1 they are surer of the same order. The last term is a prior with mean 1 and
// standard deviation 1, so annotators with few comparisons are near 1. SE is 1/√(curvature at β); it takes the margins
// as known and the outcomes as independent. (The slope of a calibration: Cox 1958, Two further applications of a model
// for binary regression.) The margins are those of HoldOut, with its cost. It is nil with fewer than two annotators.
// held is withoutEach of ByAnnotator where that is known already.
func (b *Board) raters(held []dense.Without) []Rater {
	p := b.p
	if len(p.Annotators) < 2 {
		return nil
	}
	sets := p.ByAnnotator()
	if held == nil {
		held = b.withoutEach(sets, false)
	}
	spread := 1.0
	if b.o.Loss == Squared {
		loss, n := 0.0, 0.0
		for h, set := range sets {
			b.eachKnown(set, &held[h], func(l *Line, f, w, n1 float64, k outcome.Kind) {
				loss, n = loss+n1*w*b.s.Loss.Of(l, f, 0, k).Loss, n+n1*w
			})
		}
		if spread = loss / n; !(spread > 0) {
			spread = 1
		}
	}
	var out []Rater
	for h, set := range sets {
		if who := p.source().At(set[0]).Annotator; who >= 0 {
			r := b.rater(set, &held[h], spread)
			r.Annotator = who
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(x, y Rater) int { return cmp.Compare(y.Reliability, x.Reliability) })
	return out
}

// eachKnown calls f for the outcomes of a set whose margins the others determine.
func (b *Board) eachKnown(set []int, held *dense.Without,
	f func(l *Line, margin, weight, count float64, k outcome.Kind)) {
	for a, c := range set {
		l := b.p.source().At(c)
		for k, n := range l.Counts() {
			if n > 0 && !b.s.Loss.Silent(outcome.Kind(k)) && !math.IsNaN(held.Margins[a]) {
				f(l, held.Margins[a], l.OutcomeWeight(), n, outcome.Kind(k))
			}
		}
	}
}

// rater measures one annotator.
func (b *Board) rater(set []int, held *dense.Without, spread float64) (r Rater) {
	o := b.o
	for _, c := range set {
		r.Comparisons += b.p.source().At(c).Count()
	}
	least := b.least()
	var right, wins, loss, expected, weight float64
	b.eachKnown(set, held, func(l *Line, f, w, n float64, k outcome.Kind) {
		r.Known += n
		if k != outcome.Tied {
			right, wins = right+n*w*(1-wrongly(f, k, least)), wins+n*w
		}
		loss, weight = loss+n*w*o.loss().Of(l, f, held.Eta, k).Loss, weight+n*w
		if o.Loss == Squared {
			expected += n * w * spread
		} else {
			expected += n * w * o.loss().Entropy(f, held.Eta)
		}
	})
	r.Right, r.Loss, r.Expected = right/wins, loss/weight, expected/weight // NaN without any
	beta := 1.0
	const steps = 50
	for range steps {
		g, v := spread*(1-beta), spread
		b.eachKnown(set, held, func(l *Line, f, w, n float64, k outcome.Kind) {
			t := o.loss().Of(l, beta*f, held.Eta, k)
			g, v = g+n*w*f*t.G[0], v+n*w*f*f*t.V[0]
		})
		r.SE = math.Sqrt(spread / v)
		step := g / v
		beta += max(-1, min(1, step))
		if math.Abs(step) < 1e-12*(1+math.Abs(beta)) {
			break
		}
	}
	r.Reliability = beta
	return r
}
