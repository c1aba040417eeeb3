package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"pairrank/comparison"
	"pairrank/data"
)

// anyBoard is a random leaderboard: ties, weights, magnitudes, counts, pairs on several lines; some have components,
// features, parts of their own, or covariates.
func anyBoard(rng *rand.Rand) *comparison.Problem {
	n := 4 + rng.IntN(8)
	p := &comparison.Problem{Annotators: []string{"u", "v", "w", "x"}, Strata: []string{"s", "t"}}
	for i := range n {
		p.Items = append(p.Items, strconv.Itoa(i))
	}
	kind, cut := rng.IntN(4), n
	if kind == 1 && n >= 6 {
		cut = n / 2 // two components
	}
	for c := range 6 * n {
		a, b := c%n, rng.IntN(n)
		if a == b || (a < cut) != (b < cut) {
			continue
		}
		l := comparison.Line{Left: a, Right: b, Annotator: rng.IntN(5) - 1, Stratum: rng.IntN(3) - 1,
			Weight: 0.5 + rng.Float64(), Magnitude: 0.5 + rng.Float64()}
		switch rng.IntN(3) {
		case 0:
			l.Wins, l.Losses, l.Ties = float64(rng.IntN(4)), float64(rng.IntN(4)), float64(1+rng.IntN(2))
		case 1:
			l.Wins = 1
		default:
			l.Losses = 1
		}
		p.Lines = append(p.Lines, l)
	}
	normal := func(rows, cols int) *data.Dense {
		x := data.NewDense(rows, cols, nil)
		for i := range x.Data {
			x.Data[i] = rng.NormFloat64()
		}
		return x
	}
	if kind >= 2 {
		p.Features = normal(n, 2)
		if kind == 3 {
			p.Residual = 0.7
		}
	}
	if rng.IntN(2) == 0 {
		p.Covariates, p.X = []string{"length"}, normal(len(p.Lines), 1)
		p.AddSide()
	}
	return p
}

// retraining is what leaving out sets of one kind came to, beside training again.
type retraining struct {
	margins, open int
	worst         float64   // the largest difference beside 1 + |margin|
	shares        []float64 // of each difference, beside what leaving out changes
	differences   []float64
}

func (r *retraining) add(got, again, whole float64) {
	r.margins++
	d := math.Abs(got - again)
	r.worst = max(r.worst, d/(1+math.Abs(again)))
	r.differences = append(r.differences, d)
	if effect := math.Abs(whole - again); effect > 1e-6 {
		r.shares = append(r.shares, d/effect)
	}
}

func (r *retraining) join(o retraining) {
	r.margins, r.open, r.worst = r.margins+o.margins, r.open+o.open, max(r.worst, o.worst)
	r.shares, r.differences = append(r.shares, o.shares...), append(r.differences, o.differences...)
}

// boardLosses are the losses.
var boardLosses = []comparison.Options{{Loss: comparison.Squared}, {Loss: comparison.Logistic},
	{Loss: comparison.Logistic, Ties: comparison.Drop}, {Loss: comparison.Logistic, Ties: comparison.Davidson}}

// units are what is left out in the table.
var units = []string{"comparison", "line", "pair", "annotator", "stratum", "item", "five folds"}

// setsOf are the lines of each unit; comparison has single outcomes instead.
func setsOf(p *comparison.Problem, unit string) (sets [][]int) {
	switch unit {
	case "line":
		for c := range p.Lines {
			sets = append(sets, []int{c})
		}
	case "pair":
		return p.ByPair()
	case "annotator":
		return p.ByAnnotator()
	case "stratum":
		return p.ByStratum()
	case "item":
		if p.Features != nil {
			return p.ByItem()
		}
	case "five folds":
		sets = make([][]int, 5)
		for k, pair := range p.ByPair() {
			sets[k%5] = append(sets[k%5], pair...)
		}
	}
	return sets
}

// retrain leaves out every unit, and trains again without it.
func retrain(ctx context.Context, p *comparison.Problem, b *comparison.Board, o comparison.Options, unit string) (
	out retraining, err error) {
	again := func(q *comparison.Problem, lines []int, got []float64) error {
		fitted, err := comparison.Fit(ctx, q, o)
		if ctx.Err() != nil {
			return err
		}
		for k, c := range lines {
			if math.IsNaN(got[k]) || err != nil {
				out.open++
				continue
			}
			l := &p.Lines[c]
			margin := fitted.Scores[l.Left] - fitted.Scores[l.Right]
			for j, g := range fitted.Gamma {
				margin += g * p.X.Row(c)[j]
			}
			out.add(got[k], margin, b.Margins[c])
		}
		return nil
	}
	if unit == "comparison" {
		for c := range p.Lines {
			margins := b.Single(c)
			for k := range margins {
				q := *p
				q.Lines = slices.Clone(p.Lines)
				l := &q.Lines[c]
				count := []*float64{&l.Wins, &l.Losses, &l.Ties}[k]
				if *count == 0 {
					continue
				}
				if *count--; l.Wins+l.Losses+l.Ties == 0 {
					q = *without(p, []int{c})
				}
				if err := again(&q, []int{c}, margins[k:k+1]); err != nil {
					return out, err
				}
			}
		}
		return out, nil
	}
	sets := setsOf(p, unit)
	got := make([][]float64, len(sets))
	err = b.HoldOut(sets, func(g int, margins, _ []float64) { got[g] = slices.Clone(margins) })
	for g, set := range sets {
		if len(set) > 0 && err == nil {
			err = again(without(p, set), set, got[g])
		}
	}
	return out, err
}

// without is a problem without some lines.
func without(p *comparison.Problem, lines []int) *comparison.Problem {
	q := *p
	q.Lines = nil
	var rows []int
	for c, l := range p.Lines {
		if !slices.Contains(lines, c) {
			q.Lines, rows = append(q.Lines, l), append(rows, c)
		}
	}
	if p.X != nil {
		q.X = data.Select(p.X, rows).(*data.Dense)
	}
	return &q
}

// retrainings is the section on what leaderboards predict without training again.
func retrainings(ctx context.Context, s settings) (string, error) {
	var text strings.Builder
	fmt.Fprintf(&text, "%d random boards, seed %d, λ of 0, 0.3 and 5. *Share* is the distance of a margin from that of "+
		"training again, beside what leaving out changes: its median, and that of 95 %%.\n\n", s.simulations, s.seed)
	text.WriteString("| loss | left out | margins | not determined | largest relative difference | median difference | " +
		"share | share of 95 % |\n" + strings.Repeat("|---", 8) + "|\n")
	for w, way := range boardLosses {
		found, err := results(ctx, s, uint64(9_500_000+w), func(k int, rng *rand.Rand) (all []retraining, err error) {
			p, o := anyBoard(rng), way
			o.Lambda = []float64{0, 0.3, 5}[k%3]
			b, err := comparison.Fit(ctx, p, o)
			if err != nil {
				return nil, nil // no finite optimum, or one that is not determined
			}
			for _, unit := range units {
				r, wrong := retrain(ctx, p, b, o, unit)
				all, err = append(all, r), errors.Join(err, wrong)
			}
			return all, err
		})
		if err != nil {
			return "", err
		}
		for u, unit := range units {
			var sum retraining
			for _, f := range found {
				if f != nil {
					sum.join(f[u])
				}
			}
			slices.Sort(sum.shares)
			slices.Sort(sum.differences)
			name := string(way.Loss)
			if way.Ties != "" {
				name += ", " + string(way.Ties)
			}
			fmt.Fprintf(&text, "| %s | %s | %d | %d | %.1g | %.2g | %.2g | %.2g |\n", name, unit, sum.margins, sum.open,
				sum.worst, quantile(sum.differences, 0.5), quantile(sum.shares, 0.5), quantile(sum.shares, 0.95))
		}
	}
	return text.String(), nil
}

// quantile is that of values in order, NaN where there are none.
func quantile(sorted []float64, level float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	return sorted[min(int(level*float64(len(sorted))), len(sorted)-1)]
}
