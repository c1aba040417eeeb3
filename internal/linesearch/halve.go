package linesearch

// leastShare is the share of a step below which halving ends: rounding decides whether the objective falls.
const leastShare = 1e-6

// Halve moves by a share of a step, and by half of the last share as long as the objective does not fall there. It
// returns the share that was moved by last, whether the objective fell, and the first error of move.
func Halve(share float64, move func(share float64) (falls bool, err error)) (last float64, falls bool, err error) {
	for {
		falls, err = move(share)
		if err != nil || falls || share < leastShare {
			return share, falls, err
		}
		share /= 2
	}
}
