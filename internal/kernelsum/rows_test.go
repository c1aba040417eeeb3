package kernelsum

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/linalg"
	"pairrank/internal/naive"
	"pairrank/pref"
)

// case of rows: a problem, its kernels, and what is left out.
type rowCase struct {
	gen.Problem
	kernels []*data.Dense
	weights []float64
	o       pref.Options
	goal    *goals.Goal
	held    Held
}

// rowCases are the ways in which rows are held out, over random problems.
func rowCases(t *testing.T, check func(c rowCase, seed uint64)) {
	for seed := range uint64(gen.Count(t, 60)) {
		r := rand.New(rand.NewPCG(seed, 46))
		mode := int(seed % 7) // queries, folds of a list, rows, pairs, regression, pairs of queries, pairs in regression
		c := rowCase{Problem: gen.New(r, gen.Options{MaxRows: 14, OneQuery: mode >= 1 && mode <= 3})}
		if r.IntN(2) == 0 && mode != 3 && mode != 5 {
			c.weights = make([]float64, c.M)
			for i := range c.weights {
				c.weights[i] = 0.5 + 3*r.Float64()
			}
		}
		queries := partition(c.Query, c.Queries)
		c.o = pref.Options{Weight: []pref.Weight{pref.Pairs, pref.Size, pref.Edges}[r.IntN(3)]}
		if mode == 5 {
			c.o.Weight = pref.Size
		}
		var err error
		if c.goal, err = goals.WeightedScored(c.Y, 1, queries, c.weights, c.o); err != nil {
			t.Fatal(err)
		}
		if mode == 4 || mode == 6 {
			c.goal = goals.WeightedRegression(c.Y, 1, c.weights)
		}
		dealt := make([]int, c.M)
		for i := range dealt {
			dealt[i] = i % min(c.M, 3)
		}
		switch mode {
		case 0:
			c.held.Sets = sets(queries)
		case 1, 4:
			c.held.Sets = sets(partition(dealt, min(c.M, 3)))
		case 2:
			c.held = Held{sets(data.Singletons(c.M)), true}
		}
		c.kernels = []*data.Dense{dense(c.Linear(), c.M), dense(c.Gaussian(0.3), c.M), dense(c.Gaussian(0.02), c.M)}
		check(c, seed)
	}
}

func newRows(c rowCase, kernels []*data.Dense, lambdas []float64) *Rows {
	p := NewRows(clones(kernels), c.Y, c.goal)
	p.HoldOut(c.held, lambdas)
	return p
}

func partition(of []int, n int) *data.Partition {
	small := make([]int32, len(of))
	for i, v := range of {
		small[i] = int32(v)
	}
	return data.NewPartition(small, n)
}

func sets(p *data.Partition) (out [][]int32) {
	for g := range p.Len() {
		out = append(out, p.Part(g))
	}
	return out
}

func dense(k []float64, m int) *data.Dense { return data.NewDense(m, m, k) }

func clones(k []*data.Dense) (out []*data.Dense) {
	for _, a := range k {
		out = append(out, a.Clone())
	}
	return out
}

// retrained is E by training again without each set.
func (c rowCase) retrained(k []float64, lambda float64) float64 {
	held := c.held.Sets
	all := c.pairs(naive.Without(c.M, nil))
	weight := map[[2]int]float64{}
	for _, p := range all {
		weight[[2]int{p.I, p.J}] = p.Weight
		if c.held.Sets == nil && c.goal.Kind != goals.Rows {
			held = append(held, []int32{int32(p.I), int32(p.J)})
		}
	}
	for i := range c.M {
		for j := range i {
			if c.held.Sets == nil && c.goal.Kind == goals.Rows {
				held = append(held, []int32{int32(j), int32(i)})
			}
		}
	}
	residual, loss := make([]float64, c.M), 0.0
	pairs := func(rows []int) {
		for _, i := range rows {
			for _, j := range rows {
				if w := weight[[2]int{i, j}]; c.goal.Kind == goals.Rows && i == j {
					loss += weight[[2]int{i, -1}] * residual[i] * residual[i]
				} else if i < j {
					loss += w * (residual[i] - residual[j]) * (residual[i] - residual[j])
				}
			}
		}
	}
	for _, set := range held {
		var out []int
		for _, i := range set {
			out = append(out, int(i))
		}
		in := naive.Without(c.M, out)
		a := make([]float64, len(in))
		if len(in) > 0 {
			a, _ = naive.Dual(naive.Submatrix(k, c.M, in, in), c.pairs(in), nil, lambda)
		}
		for _, i := range out {
			residual[i] = c.Y[i] - linalg.Dot(k[i*c.M:][:c.M], spread(c.M, in, a))
		}
		if !c.held.Alone {
			pairs(out)
			continue
		}
		i, mass, mean, each := out[0], 0.0, 0.0, 0.0
		for _, j := range in {
			w := goals.WeightOf(c.weights, int32(j))
			mass += w
			mean += w * (c.Y[j] - linalg.Dot(k[j*c.M:][:c.M], spread(c.M, in, a)))
			each = (weight[[2]int{i, j}] + weight[[2]int{j, i}]) / w
		}
		mass, mean = mass+goals.WeightOf(c.weights, int32(i)), mean/mass
		loss += each * mass * (residual[i] - mean) * (residual[i] - mean)
	}
	return loss
}

// spread are coefficients of some rows as those of all.
func spread(m int, in []int, a []float64) []float64 {
	all := make([]float64, m)
	for b, j := range in {
		all[j] = a[b]
	}
	return all
}

// pairs are those of some rows, by their places among them.
func (c rowCase) pairs(rows []int) []naive.Pair {
	weights := []float64(nil)
	if c.weights != nil {
		weights = naive.Pick(c.weights, rows)
	}
	y := naive.Pick(c.Y, rows)
	if c.goal.Kind == goals.Rows {
		if weights == nil {
			weights = data.NewDense(1, len(rows), nil).Data
			for i := range weights {
				weights[i] = 1
			}
		}
		return naive.WeightedRows(y, weights)
	}
	return naive.WeightedPairs(y, naive.Pick(c.Query, rows), weights, "magnitude", "include", string(c.o.Weight))
}

// The error of fixed weights is that of training again without what is held out.
func TestRowsEqualRetraining(t *testing.T) {
	rowCases(t, func(c rowCase, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 7))
		lambda := gen.Lambda(r, -6, 6)
		p := newRows(c, c.kernels, []float64{lambda})
		beta := []float64{0.2, 0.5, 0.3}
		k := make([]float64, c.M*c.M)
		for i, n := range p.Norms {
			for at, v := range c.kernels[i].Data {
				if n > 0 {
					k[at] += beta[i] / n * v
				}
			}
		}
		value, _, err := p.At(context.Background(), beta)
		if err != nil {
			t.Fatal(err)
		}
		size := linalg.Dot(p.z, p.z)
		want := c.retrained(k, lambda) + negligible*size
		if got := math.Exp(value); !(math.Abs(got-want) <= 1e-8*want+1e-15*size) {
			t.Errorf("seed %d, mode %d, m=%d: E = %v, by retraining %v", seed, seed%6, c.M, got, want)
		}
	})
}

// checkGradient compares the derivatives of ln E with central differences.
func checkGradient(t *testing.T, what string, p Problem, n int, r *rand.Rand) {
	t.Helper()
	at := make([]float64, n)
	for i := range at {
		at[i] = 0.1 + r.Float64()
	}
	_, slope, err := p.At(context.Background(), at)
	if err != nil {
		t.Fatal(err)
	}
	const h = 1e-3
	for i := range at {
		of := func(by float64) float64 {
			at[i] += by
			v, _, err := p.At(context.Background(), at)
			if at[i] -= by; err != nil {
				t.Fatal(err)
			}
			return v
		}
		// The five-point rule, whose error is of order h⁴.
		want := (8*(of(h)-of(-h)) - (of(2*h) - of(-2*h))) / (12 * h)
		if d := math.Abs(slope[i] - want); !(d <= 1e-6*max(1, math.Abs(want))) {
			t.Errorf("%s: derivative %d is %v, by differences %v", what, i, slope[i], want)
		}
	}
}

func TestGradientOfRows(t *testing.T) {
	rowCases(t, func(c rowCase, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 8))
		p := newRows(c, c.kernels, []float64{gen.Lambda(r, -4, 4)})
		if value, _, _ := p.At(context.Background(), []float64{0.3, 0.3, 0.3}); math.Exp(value) < 1e-6*linalg.Dot(p.z, p.z) {
			return // differences of rounding
		}
		checkGradient(t, "rows", p, 3, r)
	})
}

// One kernel has the weight 1; another unit of a kernel changes no weight; another order permutes the weights; and
// no start is better than the end.
func TestLearnLaws(t *testing.T) {
	lambdas := []float64{0.01, 0.1, 1, 10, 100}
	learn := func(c rowCase, kernels ...*data.Dense) ([]float64, float64, *Rows) {
		p := newRows(c, kernels, lambdas)
		w, err := Learn(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		p.at = -1
		v, _, _ := p.At(context.Background(), w)
		return w, v, p
	}
	rowCases(t, func(c rowCase, seed uint64) {
		if w, _, _ := learn(c, c.kernels[1]); w[0] != 1 {
			t.Errorf("seed %d: one kernel has the weight %v", seed, w[0])
		}
		w, v, p := learn(c, c.kernels...)
		p.at = -1
		if start, _, _ := p.At(context.Background(), p.Start()); v > start {
			t.Errorf("seed %d: ln E is %v, and was %v at first", seed, v, start)
		}
		large := c.kernels[0].Clone()
		for i := range large.Data {
			large.Data[i] *= 1024 // exact
		}
		scaled, _, _ := learn(c, large, c.kernels[1], c.kernels[2])
		turned, _, _ := learn(c, c.kernels[2], c.kernels[1], c.kernels[0])
		for i := range w {
			if scaled[i] != w[i] {
				t.Errorf("seed %d: weight %d is %v, in another unit %v", seed, i, w[i], scaled[i])
			}
			// The order of sums rounds, and a descent of few steps stops at a change of 1e-4.
			if math.Abs(turned[2-i]-w[i]) > 1e-3 {
				t.Errorf("seed %d: weight %d is %v, in another order %v", seed, i, w[i], turned[2-i])
			}
		}
	})
}
