package compare

import (
	"math"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/ratio"
	"pairrank/internal/student"
)

// clusters are the groups of the rows: of each positive and each negative row, in the order of placements.
type clusters struct {
	u, w              []int32
	n                 int // groups
	positive, counter int // groups with a positive row, and with a negative one
}

// newClusters are the groups of rows with labels y of which hi is positive, and which have these weights: their numbers
// shrink as those of the rows do.
func newClusters(of []int32, y []float64, hi float64, rows *placements) *clusters {
	c := &clusters{}
	seen := map[int32]*[2]bool{}
	for i, g := range of {
		has := seen[g]
		if has == nil {
			has = new([2]bool)
			seen[g] = has
		}
		if y[i] == hi {
			c.u, has[1] = append(c.u, g), true
		} else {
			c.w, has[0] = append(c.w, g), true
		}
	}
	c.n = len(seen)
	for _, has := range seen {
		if has[1] {
			c.positive++
		}
		if has[0] {
			c.counter++
		}
	}
	u, w := &rows.u, &rows.w
	n := min(u.share(c.n), w.share(c.n))
	c.positive, c.counter = u.share(c.positive), w.share(c.counter)
	c.n = max(n, c.positive, c.counter)
	return c
}

// share is the share of so many groups that the effective rows are of all rows.
func (s *side) share(groups int) int {
	return student.Whole(float64(groups) * (s.own.Rows() / float64(len(s.weights))))
}

// units is the number of groups that an interval counts on: twice those with the rarer label, and no more than all.
func (c *clusters) units() int { return min(2*min(c.positive, c.counter), c.n) }

// stdErr is the standard error of an area, or of a difference of two, from the shares that the deviations of U and W
// from their means have in it.
func (c *clusters) stdErr(u, w []float64) metric.Value {
	sums := map[int32]*[2]float64{}
	add := func(of []int32, by []float64, side int) {
		for k, g := range of {
			if sums[g] == nil {
				sums[g] = new([2]float64)
			}
			sums[g][side] += by[k]
		}
	}
	add(c.u, u, 0)
	add(c.w, w, 1)
	var s10, s01, s11 []float64
	for _, g := range c.order() {
		s := sums[g]
		s10, s01, s11 = append(s10, s[0]*s[0]), append(s01, s[1]*s[1]), append(s11, s[0]*s[1])
	}
	v := unbiased(s10, c.positive) + unbiased(s01, c.counter) + 2*unbiased(s11, c.n)
	return ratio.StandardError(v, min(c.positive, c.counter))
}

// order is every group once, in the order of the rows, so that sums do not depend on a map.
func (c *clusters) order() (out []int32) {
	seen := make(map[int32]bool, c.n)
	for _, of := range [][]int32{c.u, c.w} {
		for _, g := range of {
			if !seen[g] {
				seen[g] = true
				out = append(out, g)
			}
		}
	}
	return out
}

// unbiased is Σ terms k/(k−1), NaN for k < 2.
func unbiased(terms []float64, k int) float64 {
	if k < 2 {
		return math.NaN()
	}
	sum := 0.0
	for _, t := range terms {
		sum += t
	}
	return sum * float64(k) / float64(k-1)
}

// clustered replaces the variance of an area by that over groups.
func (p placements) clustered(c *clusters, a *Area) {
	if a.StdErr = c.stdErr(deviations(&p.u, nil), deviations(&p.w, nil)); a.StdErr.Defined {
		a.Interval = cv.ShareInterval(a.AUC, a.StdErr.Value*a.StdErr.Value, c.units())
	} else {
		a.Interval = cv.Interval{}
	}
}

// deviations are what the shares of a, less those of b, from their mean are of the area. b is nil for a share alone.
func deviations(a, b *side) []float64 {
	out, mean := make([]float64, len(a.halves)), 0.0
	for i, v := range a.halves {
		if b != nil {
			v -= b.halves[i]
		}
		out[i] = v / 2 / a.others
		mean += a.weights[i] * out[i] / a.own.Sum
	}
	for i, w := range a.weights {
		out[i] = w * (out[i] - mean) / a.own.Sum
	}
	return out
}

// freedom is the degrees of freedom of a difference of areas.
func (c *clusters) freedom() int { return min(2*min(c.positive, c.counter)-2, c.n-1) }

// quantile is the quantile of the interval of a difference of areas.
func (c *clusters) quantile() float64 { return student.Quantile975(c.freedom()) }
