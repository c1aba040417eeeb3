package holdout

import (
	"cmp"
	"context"
	"math"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/learn/rls"
)

// NestedPair is two rows that were left out, with the choice that the others made; see rls.Path.NestPairs.
type NestedPair = rls.NestedPair

// NestedPairs is nested leave-pair-out of m rows with labels y. pairs has the outer pairs of every kernel, in the same
// order; kernels has the candidates. The kernel with the fewest wrong pairs among the other rows predicts an outer
// pair; the first of equal ones. NestedPairs returns the error over the outer pairs, with the standard error of
// leave-pair-out, and the choices, by kernel and candidate. It costs O(m²) for each kernel.
func NestedPairs(y []float64, pairs [][]NestedPair, kernels []cv.KernelEstimate) (cv.Point, []cv.NestedChoice) {
	n := newPairCount(Labels{Y: y, Outputs: 1, Queries: data.OneList(len(y))})
	rows := n.workers[0]
	times := make([][]int, len(pairs))
	for k := range times {
		times[k] = make([]int, len(kernels[k].Candidates))
	}
	for at := range pairs[0] {
		best := 0
		for k := range pairs {
			if pairs[k][at].Halves < pairs[best][at].Halves {
				best = k
			}
		}
		p := pairs[best][at]
		times[best][p.Lambda]++
		wrong := halves(p.Difference, 0)
		if y[p.I] < y[p.J] {
			wrong = 2 - wrong
		}
		for _, i := range []int32{p.I, p.J} {
			rows[i].halves += wrong
			rows[i].pairs++
		}
	}
	var choices []cv.NestedChoice
	for k, of := range times {
		for l, t := range of {
			if t > 0 {
				choices = append(choices, cv.NestedChoice{Kernel: kernels[k].Kernel,
					Candidate: kernels[k].Candidates[l], Times: t})
			}
		}
	}
	return n.point(math.NaN(), 0), choices
}

// NestEveryPair is the error of NestedPairs by one call of choose for every two rows with different labels, as rows
// with weights need, whose pairs have a λ of their own within every other pair. The calls come one after another. tell
// may be nil.
func NestEveryPair(ctx context.Context, choose Chooser, labels Labels, tell func(done, total int)) (cv.Point, error) {
	n, m := newPairCount(labels), labels.rows()
	var pairs [][2]int
	for i := range m {
		for j := i + 1; j < m; j++ {
			if labels.order(int32(i), int32(j), 0) != 0 {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	for k, pair := range pairs {
		i, j := pair[0], pair[1]
		rest := make([]int, 0, m)
		for r := range m {
			if r != i && r != j {
				rest = append(rest, r)
			}
		}
		f, err := choose(ctx, rest, pair[:])
		if err := cmp.Or(ctx.Err(), err); err != nil {
			return cv.Point{}, err
		}
		wrong, weight := 1-labels.order(int32(i), int32(j), 0)*sign(f.Row(0)[0], f.Row(1)[0]), n.weights.pair(i, j)
		n.workers[0][i].add(wrong, weight)
		n.workers[0][j].add(wrong, weight)
		if tell != nil {
			tell(k+1, len(pairs))
		}
	}
	return n.point(math.NaN(), 0), nil
}
