package linesearch

import (
	"context"
	"errors"
	"math"
)

// Descent is an objective at a place, as Newton sees it.
type Descent interface {
	// Direct finds the step from the place, and returns the share of it to try first.
	Direct(ctx context.Context) (share float64, err error)
	// Move moves to a share of the step from where it began, and reports whether the objective falls there.
	Move(share float64) (falls bool, err error)
	// Moved reports, after the step by a share at which the objective falls or not, whether that was the last one.
	Moved(share float64, falls bool) (last bool, err error)
}

// ErrSteps reports that the most steps were taken, and none was the last one.
var ErrSteps = errors.New("there is no optimum after the largest number of steps")

// Newton takes steps, each halved until the objective falls, until one is the last, or after most steps. It returns how
// many it took, with the first error of a method, that of ctx, or ErrSteps. A step that ends in an error does not count.
func Newton(ctx context.Context, d Descent, most int) (steps int, err error) {
	for steps < most {
		if ctx.Err() != nil {
			return steps, ctx.Err()
		}
		share, err := d.Direct(ctx)
		if err != nil {
			return steps, err
		}
		share, falls, err := halve(share, d.Move)
		if err != nil {
			return steps, err
		}
		last, err := d.Moved(share, falls)
		if err != nil {
			return steps, err
		}
		if steps++; last {
			return steps, nil
		}
	}
	return steps, ErrSteps
}

// leastShare is the share of a step below which halving ends: rounding decides whether the objective falls.
const leastShare = 1e-6

// halve moves by a share of a step, and by half of the last share as long as the objective does not fall there. It
// returns the share that was moved by last, whether the objective fell, and the first error of move.
func halve(share float64, move func(share float64) (falls bool, err error)) (last float64, falls bool, err error) {
	for {
		falls, err = move(share)
		if err != nil || falls || share < leastShare {
			return share, falls, err
		}
		share /= 2
	}
}

// NoRise is the largest objective that is no rise from another one, but for rounding.
func NoRise(objective float64) float64 { return objective + 1e-12*(1+math.Abs(objective)) }
