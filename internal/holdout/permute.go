package holdout

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"pairrank/eval/cv"
	"pairrank/internal/parallel"
)

// Permutations tests the null hypothesis that the features carry no information about the order of
// m rows. It shuffles the labels of one output n times, within queries where there are several, and
// cross-validates each shuffle as the real labels, over all λ. The statistic is the least error
// over λ on both sides (Golland, Liang, Mukherjee and Panchenko 2005, Permutation tests for
// classification). The shuffled labels are extra outputs of the factorisation of f (Pahikkala et
// al. 2009, section 4.1). real is the estimate for the real labels with the same options; if it is nil,
// Permutations computes it. Permutations ignores o.Metric. With PairsAuto, leave-pair-out of a list of more than 362
// rows takes the same 16,384 pairs for all permutations and λ, and more only where the order of an error and that of
// the real labels could depend on it, by six standard errors; else it takes all pairs. The cost is that of
// EstimateFactored with 1 + n outputs, some at a time, without another factorisation. Permutations returns an error
// for several outputs, explicit preferences or groups, and the errors of Relabel and EstimateFactored.
func Permutations(ctx context.Context, f Factored, labels Labels, o Options, n int,
	real *cv.Estimate) (*cv.PermutationTest, error) {
	if labels.outputs() != 1 || labels.Edges != nil || labels.Groups != nil || labels.Censored != nil {
		return nil, fmt.Errorf("a permutation test needs labels of one output, without groups of rows")
	}
	labels, o = labels.resolved(), o.resolved(labels)
	if len(o.Candidates) == 0 {
		o.Candidates = LambdasBetween(f.Extent())
	}
	o.Metric, o.Also, o.Pooled = nil, nil, false
	_, pairs := f.(estimatesPairs)
	if o.Pairs > 0 || pairs {
		o.Pairs = cv.PairsAll // drawing adds noise to the order of errors
	}
	if real == nil {
		whole := o
		whole.Progress = nil
		estimates, err := EstimateFactored(ctx, f, labels, whole)
		if err != nil {
			return nil, err
		}
		real = estimates[0]
	}
	bound := Least(real)
	o.against = &bound
	size := batch(len(labels.Y), len(o.Candidates))
	if pairs && o.Splits == nil {
		size = min(size, parallel.Workers()) // those of large graphs one by one, each with its own progress
	}
	begin, end := batchProgress(o.Progress, n)
	return Permuted(labels, o.Seed, n, size, bound,
		func(y []float64, v int) ([]float64, error) {
			return leastOf(ctx, f, Labels{Y: y, Outputs: v, Queries: labels.Queries, Weights: labels.Weights}, o, begin)
		}, end)
}

// leastOf estimates the least error over λ of each output: from some pairs and, where these leave open on which side of
// o.against it is, from all. begin is that of batchProgress.
func leastOf(ctx context.Context, f Factored, of Labels, o Options,
	begin func(others, v int) func(done, total int)) ([]float64, error) {
	permuted, err := f.Relabel(of.Y, of.Outputs)
	if err != nil {
		return nil, err
	}
	least, open, err := leastOfSome(ctx, permuted, of, o, *o.against)
	if err != nil || len(open) == 0 {
		return least, err
	}
	if len(open) < of.Outputs {
		of = of.columns(open)
		if permuted, err = f.Relabel(of.Y, of.Outputs); err != nil {
			return nil, err
		}
	}
	o.Progress = begin(len(least)-len(open), len(open))
	estimates, err := EstimateFactored(ctx, permuted, of, o)
	for c, e := range estimates {
		least[open[c]] = Least(e)
	}
	return least, err
}

// batchProgress divides the progress of n permutations into batches. begin returns the progress of v permutations of
// the next batch, after others of it that are done; it returns nil if tell is nil. end receives the number of
// permutations that are done after a batch.
func batchProgress(tell func(done, total int), n int) (begin func(others, v int) func(done, total int),
	end func(done, total int)) {
	if tell == nil {
		return func(int, int) func(int, int) { return nil }, nil
	}
	const steps = 100 // of a permutation
	finished := 0
	begin = func(others, v int) func(done, total int) {
		before := finished + others
		return func(done, total int) {
			tell(before*steps+int(float64(v*steps)*float64(done)/float64(max(total, 1))), n*steps)
		}
	}
	return begin, func(done, _ int) {
		finished = done
		tell(done*steps, n*steps)
	}
}

// Signed is the times of the labels, −t of those that are censored, also −0, so that a permutation moves both;
// goals.Unsigned parts them again.
func (l Labels) Signed() Labels {
	y := slices.Clone(l.Y)
	for i, is := range l.Censored {
		if is {
			y[i] = math.Copysign(y[i], -1)
		}
	}
	l.Y, l.Censored = y, nil
	return l
}

// Permuted compares real, the least error of the labels, with those of n shuffles within queries,
// batch at a time: leastOf returns the least error of each of v shuffles, m×v. progress may be nil.
// Permuted returns the error of leastOf. Cost O(mn), and that of leastOf.
func Permuted(labels Labels, seed uint64, n, batch int, real float64,
	leastOf func(y []float64, v int) ([]float64, error), progress func(done, total int)) (*cv.PermutationTest, error) {
	labels = labels.resolved()
	test := &cv.PermutationTest{Error: real, N: n}
	r := rand.New(rand.NewPCG(seed, 0x7065726d))
	for done := 0; done < n; {
		v := min(n-done, batch)
		errors, err := leastOf(shuffled(r, labels, v), v)
		if err != nil {
			return nil, err
		}
		test.Errors = append(test.Errors, errors...)
		done += v
		if progress != nil {
			progress(done, n)
		}
	}
	for _, e := range test.Errors {
		if e <= test.Error {
			test.Below++
		}
	}
	test.P = float64(1+test.Below) / float64(1+n)
	return test, nil
}

// batch is the number of outputs in work at once: about 100 MB of predictions and their rounding.
func batch(m, lambdas int) int { return max(1, min(1000, 6_000_000/(m*lambdas))) }

// shuffled are v permutations of the labels, m×v, within queries.
func shuffled(r *rand.Rand, labels Labels, v int) []float64 {
	m := len(labels.Y)
	y := make([]float64, m*v)
	for c := range v {
		for i, label := range labels.Y {
			y[i*v+c] = label
		}
		for g := range labels.Queries.Len() {
			rows := labels.Queries.Part(g)
			r.Shuffle(len(rows), func(a, b int) {
				i, j := int(rows[a])*v+c, int(rows[b])*v+c
				y[i], y[j] = y[j], y[i]
			})
		}
	}
	return y
}
