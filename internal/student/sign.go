package student

import "math"

// SignTest is the probability of counts at least as unequal as these where either side wins with probability ½: twice
// the tail of the binomial distribution, at most 1. Cost O(√n).
func SignTest(wins, losses float64) float64 {
	n, k := wins+losses, max(wins, losses)
	if n == 0 || wins == losses {
		return 1
	}
	x, _ := math.Lgamma(n + 1)
	y, _ := math.Lgamma(k + 1)
	z, _ := math.Lgamma(n - k + 1)
	first := math.Exp(x - y - z - n*math.Ln2)
	sum, term := 0.0, 1.0
	for ; k <= n && term > 1e-17*sum; k++ {
		sum += term
		term *= (n - k) / (k + 1)
	}
	return min(1, 2*first*sum)
}
