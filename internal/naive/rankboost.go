package naive

import (
	"math"
	"slices"
)

// Stump is one round of RankBoost: the ranker [x_Feature > Threshold], its weight, and the factor Z
// of the loss.
type Stump struct {
	Feature              int
	Threshold, Weight, Z float64
}

// RankBoost boosts stumps for at most rounds rounds over explicit pairs of unit cost, with the
// distribution as one number a pair. x is row-major with n columns. Among the stumps with the
// largest |r| it takes the first by feature and threshold; |r| that differ by 2^-40 or less count
// as equal. It ends early when every r is 0. loss is Σ D₀ e^(H_worse − H_better) after each round,
// by definition.
func RankBoost(x []float64, n int, pairs []Pair, rounds int) (stumps []Stump, loss []float64) {
	b := newBoosting(x, n, pairs)
	candidates := allStumps(x, n, slices.Concat(b.better, b.worse))
	h := make([]float64, len(x)/n)
	start := slices.Clone(b.d)
	for range rounds {
		k := b.best(candidates)
		if k < 0 {
			break
		}
		s := candidates[k]
		b.step(&s)
		total := 0.0
		for i := range h {
			h[i] += s.Weight * b.value(s, i)
		}
		for k, share := range start {
			total += share * math.Exp(h[b.worse[k]]-h[b.better[k]])
		}
		stumps, loss = append(stumps, s), append(loss, total)
	}
	return stumps, loss
}

// boosting is the rows and, for each pair, its better row, its worse row and its
// part of the distribution.
type boosting struct {
	x             []float64
	n             int
	better, worse []int
	d             []float64
}

func newBoosting(x []float64, n int, pairs []Pair) *boosting {
	b := &boosting{x: x, n: n}
	for _, p := range pairs {
		if p.Target < 0 {
			p.I, p.J = p.J, p.I
		}
		b.better, b.worse, b.d = append(b.better, p.I), append(b.worse, p.J), append(b.d, p.Weight)
	}
	b.normalise()
	return b
}

// normalise divides the distribution by its sum, and returns the sum.
func (b *boosting) normalise() float64 {
	total := 0.0
	for _, d := range b.d {
		total += d
	}
	for k := range b.d {
		b.d[k] /= total
	}
	return total
}

func (b *boosting) value(s Stump, row int) float64 {
	if b.x[row*b.n+s.Feature] > s.Threshold {
		return 1
	}
	return 0
}

// difference is h(better) − h(worse) of pair k: 1 where the stump orders it
// correctly, −1 where wrongly.
func (b *boosting) difference(s Stump, k int) float64 {
	return b.value(s, b.better[k]) - b.value(s, b.worse[k])
}

// best is the number of the best candidate, −1 when every r is 0.
func (b *boosting) best(candidates []Stump) int {
	const same = 0x1p-40
	top := 0.0
	sizes := make([]float64, len(candidates))
	for c, s := range candidates {
		r := 0.0
		for k, d := range b.d {
			r += d * b.difference(s, k)
		}
		sizes[c] = math.Abs(r)
		top = max(top, sizes[c])
	}
	if top <= same {
		return -1
	}
	return slices.IndexFunc(sizes, func(r float64) bool { return r >= top-same })
}

// step sets weight and Z of a stump and updates the distribution. Correctly and wrongly ordered
// pairs each count one pair more.
func (b *boosting) step(s *Stump) {
	right, wrong := 1/float64(len(b.d)), 1/float64(len(b.d))
	for k, d := range b.d {
		switch b.difference(*s, k) {
		case 1:
			right += d
		case -1:
			wrong += d
		}
	}
	s.Weight = math.Log(right/wrong) / 2
	for k := range b.d {
		b.d[k] *= math.Exp(-s.Weight * b.difference(*s, k))
	}
	s.Z = b.normalise()
}

// allStumps is every stump that parts two of the rows, by feature and then by
// threshold, halfway between neighbouring values.
func allStumps(x []float64, n int, rows []int) (stumps []Stump) {
	for j := range n {
		var values []float64
		for _, i := range rows {
			values = append(values, x[i*n+j])
		}
		slices.Sort(values)
		values = slices.Compact(values)
		for k := 1; k < len(values); k++ {
			stumps = append(stumps, Stump{Feature: j, Threshold: (values[k-1] + values[k]) / 2})
		}
	}
	return stumps
}
