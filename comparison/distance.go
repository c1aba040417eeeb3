package comparison

import (
	"context"
	"math"
	"math/rand/v2"

	"pairrank/comparison/internal/incidence"
	"pairrank/comparison/internal/outcome"
	"pairrank/eval/metric"
)

// Distance is the difference between the margins of Predict and the margins of training again.
type Distance struct {
	// Sets is how many sets of lines, drawn from all, were trained without again.
	Sets int
	// Share is Σ |f' − f″| / Σ |f − f″| over their lines: the error of the step as a share of the change by leaving
	// out. f' are the margins of Predict, f″ those of training again, and f those of the board of all lines.
	Share metric.Value
}

// A distance is that of at most mostSets sets, and of as few as cost mostFits products; none are drawn where that is
// less than one.
const mostSets, mostFits = 20, 2e10

// distanceOf trains again without some sets of a unit, drawn by seed. It costs at most 20 times a Fit. For the
// squared loss the distance is rounding. It returns the errors of Predict, and that of ctx.
func (b *Board) distanceOf(ctx context.Context, u Unit, seed uint64) (d Distance, err error) {
	s := b.s
	sets, err := b.sets(u, seed)
	if err != nil {
		return d, err
	}
	units := len(sets)
	if sets == nil {
		units = b.p.count()
	}
	e := float64(s.Dims())
	most := min(mostSets, int(mostFits/(e*e*e*float64(b.Iterations+1))))
	rng := rand.New(rand.NewPCG(seed, 0x64697374))
	step, change := 0.0, 0.0
	for _, g := range rng.Perm(units) {
		if d.Sets >= most {
			break
		}
		lines, left := []int{g}, (*Problem)(nil)
		var margins []float64
		if sets == nil {
			left, margins = b.withoutSingle(g)
		} else if lines = sets[g]; len(lines) > 0 {
			left, margins = b.p.Of(incidence.Others(b.p.count(), lines)), b.f.Without(lines, false).Margins
		}
		if left == nil {
			continue
		}
		again, err := Fit(ctx, left, *b.o)
		if ctx.Err() != nil {
			return d, ctx.Err()
		}
		if err != nil {
			continue // without a finite optimum, or not determined
		}
		d.Sets++
		place := again.f.Place
		for k, c := range lines {
			if f := s.Row(c).Dot(place); !math.IsNaN(margins[k]) {
				step += math.Abs(margins[k] - f)
				change += math.Abs(b.Margins[c] - f)
			}
		}
	}
	if change > 0 {
		d.Share = metric.Value{Value: step / change, Defined: true}
	}
	return d, nil
}

// withoutSingle is the problem without one outcome of line c, the first that it has, and the margin of Single; nil
// where the outcome says nothing.
func (b *Board) withoutSingle(c int) (*Problem, []float64) {
	p := b.p
	margins := b.Single(c)
	for k, n := range p.source().At(c).Counts() {
		if n == 0 || b.s.Loss.Silent(outcome.Kind(k)) {
			continue
		}
		if n <= 1 && p.source().At(c).Count() == n {
			return p.Of(incidence.Others(p.count(), []int{c})), margins[k : k+1]
		}
		q := *p
		q.Lines = append([]Line(nil), p.Lines...)
		l := &q.Lines[c]
		*[]*float64{&l.Wins, &l.Losses, &l.Ties}[k] -= min(1, n)
		return &q, margins[k : k+1]
	}
	return nil, nil
}
