package relation

import (
	"context"
	"errors"
	"math"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/holdout"
)

// A race estimates every λ with a sixteenth of the sample, then with a quarter those that may have the least error,
// and then with all of it. A round is skipped if it takes more than a third of the work of the last round: each round
// computes again the products that all units of a λ share. The pairs of all λ are the same, so the difference of two
// errors has a standard error of its own, far below that of one error. None of 240 races over random relations dropped
// the λ that the whole sample chooses, so that at a confidence of 95 % fewer than 1.3 % do (TestRaceLosesLittle).
const (
	raceErrors = 3       // standard errors of the difference: one draw in 700 if it were normal
	raceUnseen = 5       // units that may differ although none of the sample does
	leastRace  = 256     // units of the first round
	mostRace   = 1 << 16 // units of a round before the last
)

// races are the parts of the sample in the rounds, and the steps of progress that a λ has taken after each. Most λ
// leave early, so the first rounds are more of the whole than their parts are.
var races = []struct {
	part  int64
	steps int
}{{16, 6}, {4, 10}, {1, 16}}

// race returns the point of each λ. A λ that cannot have the least error has the point of its last round. The others
// have the points of the whole sample, and the best is one of them, the largest λ among equals.
func (p *pairsOut) race(ctx context.Context, of margins, lambdas []float64, tell func(done,
	total int)) (*cv.Estimate, error) {
	points, left := make([]cv.Point, len(lambdas)), make([]int, len(lambdas))
	for l := range left {
		left[l] = l
	}
	whole, from, to := races[len(races)-1].steps, 0, 0 // steps of a λ: of all rounds, before this one, and after it
	total := whole * len(lambdas)
	for _, round := range races {
		some := *p
		last := round.part == 1
		if some.drawn = p.drawn / round.part; !last && !p.holds(round.part) {
			continue
		}
		if last && p.trims {
			looked := left
			if to == 0 { // no round was worth its work
				looked = []int{len(lambdas) / 2}
				var err error
				if points[looked[0]], err = p.look(ctx, of, lambdas[looked[0]]); err != nil {
					return nil, err
				}
			}
			some.drawn = p.enough(points, looked)
		}
		from, to = to, round.steps
		units := make([][]metric.Term, len(left))
		for k, l := range left {
			var err error
			var none *holdout.NoPairsError
			if points[l], units[k], err = some.measure(ctx, of, lambdas[l]); errors.As(err, &none) && !last {
				units[k] = nil // the columns drawn have no pair: the next round draws more
			} else if err != nil {
				return nil, err
			}
			if tell != nil {
				tell(total-(whole-to)*len(left)-(to-from)*(len(left)-k-1), total)
			}
		}
		if !last {
			left = contenders(left, units)
		}
	}
	return &cv.Estimate{Points: points, Best: bestOf(points, left)}, nil
}

// look is the point of a λ by the part of the sample of the first round.
func (p *pairsOut) look(ctx context.Context, of margins, lambda float64) (cv.Point, error) {
	some := *p
	some.drawn, some.races = max(2, p.drawn/races[0].part), false
	point, err := some.point(ctx, of, lambda)
	var none *holdout.NoPairsError
	if errors.As(err, &none) {
		err = nil
	}
	return point, err
}

// bestOf is the λ with the least error of some, the largest one among equals.
func bestOf(points []cv.Point, some []int) int {
	best := some[0]
	for _, l := range some {
		if points[l].Error <= points[best].Error {
			best = l
		}
	}
	return best
}

// drawnPart is the part of the standard error over nodes that drawing may be.
const drawnPart = 1.0 / 3

// enough is how many units make the error of drawing that part of the standard error of the best λ so far, at most
// those of the sample. The standard error contains that of drawing itself, once for the rows and twice for the columns.
func (p *pairsOut) enough(points []cv.Point, left []int) int64 {
	best := points[bestOf(points, left)]
	drawing, all := best.DrawErr.Value*best.DrawErr.Value, best.StdErr.Value*best.StdErr.Value
	nodes := max(all-3*drawing, all/16)
	if !best.StdErr.Defined || !best.DrawErr.Defined || best.Pairs == 0 {
		return p.drawn
	}
	units := float64(best.Drawn) * float64(p.units()) / float64(max(p.total, 1))
	return min(p.drawn, max(leastDrawn, int64(units*drawing/(drawnPart*drawnPart*nodes))))
}

// holds reports whether a round before the last, with this part of the sample, is worth its work and decides enough.
func (p *pairsOut) holds(part int64) bool {
	drawn := p.drawn / part
	return p.shared+1/float64(part) <= (p.shared+1)/3 && drawn >= leastRace && drawn <= mostRace
}

// contenders are those of left that may have the least error, from the same sampled units of each. Fewer than two units
// tell nothing.
func contenders(left []int, units [][]metric.Term) (still []int) {
	if len(units[0]) < 2 {
		return left
	}
	pairs, wrong, best := 0.0, make([]float64, len(left)), 0
	for _, u := range units[0] {
		pairs += u.Den
	}
	for k, of := range units {
		for _, u := range of {
			wrong[k] += u.Num
		}
		if wrong[k] < wrong[best] {
			best = k
		}
	}
	n := float64(len(units[best]))
	for k, l := range left {
		worse, squares := (wrong[k]-wrong[best])/pairs, 0.0
		for u, of := range units[k] {
			d := of.Num - units[best][u].Num - worse*of.Den
			squares += d * d
		}
		if worse <= raceErrors*math.Sqrt(squares*n/(n-1))/pairs+raceUnseen/n {
			still = append(still, l)
		}
	}
	return still
}
