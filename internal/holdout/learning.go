package holdout

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync/atomic"

	"pairrank/eval/cv"
	"pairrank/internal/parallel"
	"pairrank/internal/pick"
)

// learningRepeats is the default number of parts of each size. The standard deviation of the mean
// of ten is a third of that of one.
const learningRepeats = 10

// LearningPoint is the estimate from parts of the units.
type LearningPoint struct {
	// Units is the mean number of rows or queries of the parts.
	Units float64
	// Mean is the mean of each value over the parts, and Deviation the standard deviation between
	// parts, NaN for one part. Larger parts overlap more, which makes Deviation smaller.
	Mean, Deviation []float64
	// Repeats is the number of parts that had an estimate.
	Repeats int
}

// Learning defines a learning curve: the units are halved repeatedly, as long as at least Least are
// left, at most five times.
type Learning struct {
	Units, Least int
	Repeats      int // parts of each size; 0 is learningRepeats
	// Halve returns about half of the given units.
	Halve func(r *rand.Rand, some []int) []int
	// Estimate returns the values for the given units, always the same number. It is called from
	// several goroutines.
	Estimate func(ctx context.Context, some []int) ([]float64, error)
}

// mostHalvings is the number of sizes below the whole: down to a thirty-second of the units.
const mostHalvings = 5

// Curve estimates on parts of the units: a half, a quarter and so on, the smallest first. Each part
// is a half of a part of the next size. The seed draws the parts; the result does not depend on the
// number of threads. A part whose estimate is an error does not count. Curve returns an error where
// no part of any size counts, and the error of ctx. It costs Repeats estimates of each size: about
// Repeats estimates of the whole where the time is linear in the units, and less where it grows
// faster.
func (l *Learning) Curve(ctx context.Context, seed uint64, progress func(done, total int)) ([]LearningPoint, error) {
	repeats := l.Repeats
	if repeats == 0 {
		repeats = learningRepeats
	}
	sizes := 0
	for n := l.Units; n/2 >= max(l.Least, 1) && sizes < mostHalvings; n /= 2 {
		sizes++
	}
	if sizes == 0 {
		return nil, fmt.Errorf("half of %d units is fewer than %d", l.Units, l.Least)
	}
	parts := l.draw(sizes, repeats, seed)
	values, failed := make([][]float64, len(parts)), make([]error, len(parts))
	var done atomic.Int64
	parallel.For(len(parts), func(_, k int) {
		if failed[k] = ctx.Err(); failed[k] == nil {
			values[k], failed[k] = l.Estimate(ctx, parts[k])
		}
		if n := done.Add(1); progress != nil {
			progress(int(n), len(parts))
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var curve []LearningPoint
	for s := sizes - 1; s >= 0; s-- {
		if p := summarize(parts[s*repeats:(s+1)*repeats], values[s*repeats:(s+1)*repeats]); p.Repeats > 0 {
			curve = append(curve, p)
		}
	}
	if curve == nil {
		return nil, errors.Join(errors.New("no part of the data gives an estimate"), cmp.Or(failed...))
	}
	return curve, nil
}

// draw draws the parts, those of one size after another, the largest first.
func (l *Learning) draw(sizes, repeats int, seed uint64) [][]int {
	parts := make([][]int, sizes*repeats)
	for k := range repeats {
		r := rand.New(rand.NewPCG(seed, 0x6375727665000000+uint64(k)))
		some := pick.All[int](l.Units)
		for s := range sizes {
			some = l.Halve(r, some)
			parts[s*repeats+k] = some
		}
	}
	return parts
}

// summarize is the point of parts of one size; those without values do not count.
func summarize(parts [][]int, values [][]float64) LearningPoint {
	p := LearningPoint{}
	for k, v := range values {
		if v == nil {
			continue
		}
		if p.Mean == nil {
			p.Mean, p.Deviation = make([]float64, len(v)), make([]float64, len(v))
		}
		p.Repeats++
		p.Units += float64(len(parts[k]))
		for o, x := range v { // Welford's update
			d := x - p.Mean[o]
			p.Mean[o] += d / float64(p.Repeats)
			p.Deviation[o] += d * (x - p.Mean[o])
		}
	}
	for o := range p.Deviation {
		p.Deviation[o] = math.Sqrt(p.Deviation[o] / float64(p.Repeats-1)) // 0/0 is NaN
	}
	if p.Repeats > 0 {
		p.Units /= float64(p.Repeats)
	}
	return p
}

// NewLearningCurve returns the curve from the points of parts; its last point is whole, the error
// of all units.
func NewLearningCurve(of string, parts []LearningPoint, units int, whole float64) *cv.LearningCurve {
	curve := &cv.LearningCurve{Of: of}
	for _, p := range parts {
		curve.Points = append(curve.Points, cv.CurvePoint{Units: p.Units, Error: meanOf(p.Mean),
			Deviation: meanOf(p.Deviation), Repeats: p.Repeats})
	}
	curve.Points = append(curve.Points, cv.CurvePoint{Units: float64(units), Error: whole, Deviation: math.NaN(),
		Repeats: 1})
	return curve
}

// meanOf is the mean of numbers.
func meanOf(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
