package holdout_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"sync"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/internal/naive"
	"pairrank/kernel"
	"pairrank/pref"
)

// rational is a problem with many held-out scores that are equal: equal rows, rows of zeros, rows
// that mirror each other, and rows with one feature each.
type rational struct {
	gen.Problem
	kernel  kernel.Polynomial
	exact   naive.Rationals
	lambda  float64
	weight  pref.Weight
	regress bool
	left    *leftOut
}

// leftOut keeps the exact scores of rows that were left out, by the rows: the forms of a basis, and training again,
// are compared with the same ones.
type leftOut struct {
	sync.Mutex
	scores map[string][]*big.Rat
}

func newRational(r *rand.Rand, maxRows int) rational {
	p := rational{}
	for {
		p.Problem = gen.Problem{M: 4 + r.IntN(maxRows-3), N: 1 + r.IntN(4), Queries: 1}
		p.X, p.Y, p.Query = make([]float64, p.M*p.N), make([]float64, p.M), make([]int, p.M)
		p.fill(r)
		if r.IntN(3) == 0 {
			p.Queries = 2 + r.IntN(2)
			for i := range p.Query {
				p.Query[i] = i % p.Queries
			}
		}
		if untied(p.Problem) {
			break
		}
	}
	p.kernel = kernel.Polynomial{Gamma: 1, Degree: 1}
	if r.IntN(3) > 0 {
		p.kernel.Gamma = []float64{1, 0.5, 0.06638, 0.3, 2.7}[r.IntN(5)]
		p.kernel.Coef0 = []float64{0, 1, 0.7}[r.IntN(3)]
		p.kernel.Degree = 1 + r.IntN(3)
	}
	p.lambda = math.Exp2(float64(r.IntN(31) - 15))
	if r.IntN(2) == 0 {
		p.lambda = math.Exp2(30*r.Float64() - 15)
	}
	p.weight = []pref.Weight{pref.Pairs, pref.Size}[r.IntN(2)]
	p.regress = r.IntN(6) == 0
	if p.Queries > 1 {
		p.weight = pref.Size
	}
	k := naive.PolynomialKernel(p.X, p.N, p.kernel.Gamma, p.kernel.Coef0, p.kernel.Degree)
	p.left = &leftOut{scores: map[string][]*big.Rat{}}
	p.exact = naive.Rationals{K: k, Query: p.Query, BySize: p.weight == pref.Size}
	for _, v := range p.Y {
		p.exact.Y = append(p.exact.Y, naive.Rational(v))
	}
	if p.regress {
		p.exact.Query = nil
	}
	return p
}

func (p *rational) fill(r *rand.Rand) {
	row := func(i int) []float64 { return p.X[i*p.N : i*p.N+p.N] }
	values, levels, shape := []float64{0, 1, 2, 3, -1}[:2+r.IntN(4)], 2+r.IntN(3), r.IntN(4)
	for i := range p.M {
		p.Y[i] = float64(r.IntN(levels))
		switch {
		case shape == 1 && r.IntN(2) == 0: // zeros
		case shape == 2: // one feature each
			row(i)[r.IntN(p.N)] = values[1+r.IntN(len(values)-1)]
		case shape == 3 && i%2 == 1: // the mirror of the row before
			for c, v := range row(i - 1) {
				row(i)[p.N-1-c] = v
			}
			if p.Y[i] = p.Y[i-1]; r.IntN(2) == 0 {
				p.Y[i] = float64(levels-1) - p.Y[i-1]
			}
		case i > 0 && r.IntN(3) == 0:
			copy(row(i), row(r.IntN(i)))
		default:
			for c := range p.N {
				row(i)[c] = values[r.IntN(len(values))]
			}
		}
	}
}

// without are the exact scores of rows that are left out together.
func (p *rational) without(test []int) []*big.Rat {
	p.left.Lock()
	defer p.left.Unlock()
	key := fmt.Sprint(test)
	if p.left.scores[key] == nil {
		p.left.scores[key] = p.exact.Scores(naive.Without(p.M, test), test, naive.Rational(p.lambda))
	}
	return p.left.scores[key]
}

// scores are the held-out scores of each row, exactly.
func (p *rational) scores(groups *data.Partition) []*big.Rat {
	out := make([]*big.Rat, p.M)
	for g := range groups.Len() {
		var test []int
		for _, i := range groups.Part(g) {
			test = append(test, int(i))
		}
		for a, f := range p.without(test) {
			out[test[a]] = f
		}
	}
	return out
}

// tally counts how pairs of held-out scores were ordered.
type tally struct {
	sync.Mutex
	ties, apart, merged int
	worst               float64 // the largest error of a score over its bound
	closest             float64 // the largest difference that was called a tie, over the bounds
	least               float64 // the least difference that was not
}

// score compares the score of row i with the exact one, and its bound with the largest allowed.
func (n *tally) score(t *testing.T, what string, i int, got float64, want *big.Rat, bound, most float64) {
	t.Helper()
	n.Lock()
	defer n.Unlock()
	off, _ := new(big.Rat).Sub(naive.Rational(got), want).Float64()
	if off = math.Abs(off); off > bound || bound > most {
		t.Errorf("%s: row %d is off by %g, with a bound of %g, at most %g", what, i, off, bound, most)
	} else if off > 0 {
		n.worst = max(n.worst, off/bound)
	}
}

// pairs compares the scores of one query's rows that one training left out, pair by pair.
func (n *tally) pairs(t *testing.T, what string, p *rational, method cv.Method, groups *data.Partition,
	scores []float64, want []*big.Rat, bound []float64) {
	t.Helper()
	for i := range p.M {
		for j := range i {
			if p.Query[i] == p.Query[j] && (method.Kind == cv.LeaveOneOut || groups.Of()[i] == groups.Of()[j]) {
				sum := func() float64 { return bound[i] + bound[j] }
				n.pair(t, what, scores[i], scores[j], want[i], want[j], sum)
			}
		}
	}
}

// pair compares two scores with the exact ones; bound is the sum of their bounds.
func (n *tally) pair(t *testing.T, what string, a, b float64, x, y *big.Rat, bound func() float64) {
	t.Helper()
	order := x.Cmp(y)
	if order == 0 {
		n.ties++
		if a != b {
			t.Errorf("%s: scores %g and %g are equal", what, a, b)
		}
		return
	}
	n.apart++
	d, _ := new(big.Rat).Sub(x, y).Float64()
	d = math.Abs(d)
	switch {
	case a == b:
		n.merged++
		n.closest = max(n.closest, d/bound())
		if d > 2*bound() { // the difference, and what rounding adds to it
			t.Errorf("%s: scores tie that are %g apart, with bounds of %g", what, d, bound())
		}
	case a > b != (order > 0):
		t.Errorf("%s: scores %g and %g, %g apart, are in the wrong order", what, a, b, d)
	default:
		n.least = min(n.least, d)
	}
}

// TestTiesAreThoseOfRationals compares the held-out scores of every way to leave rows out with
// rational arithmetic: equal scores tie, no pair is in the wrong order, the error of each score is
// within its bound, and scores that differ by more than twice their bounds stay different.
func TestTiesAreThoseOfRationals(t *testing.T) {
	r := rand.New(rand.NewPCG(2026, 22))
	tallies := map[string]*tally{}
	for trial := range gen.Count(t, 150) {
		p := newRational(r, 10)
		x := &data.Dense{Rows: p.M, Cols: p.N, Stride: p.N, Data: p.X}
		forms := map[string]*rls.Basis{"dual": rls.Dual(kernel.Matrix(p.kernel, x, x))}
		if p.kernel == (kernel.Polynomial{Gamma: 1, Degree: 1}) {
			forms["primal"] = rls.Primal(x)
		}
		for form, basis := range forms {
			path, err := rls.Factor(ctx, basis, p.goal(t))
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"lqo", "loo", "kfold:2", "kfold:3", "lpo"} {
				what := form + " " + name
				if tallies[what] == nil {
					tallies[what] = &tally{least: math.Inf(1)}
				}
				n, what := tallies[what], fmt.Sprintf("problem %d, %s, %v, λ = %g", trial, what, p.kernel, p.lambda)
				if name == "lpo" {
					p.checkPairs(t, n, what, path)
					continue
				}
				method, _ := cv.ParseMethod(name)
				splits, err := holdout.MethodSplits(method, partition(p.Problem), uint64(trial))
				if err == nil && path.Exact(splits.Groups()) == nil {
					p.checkGroups(t, n, what, path, method, splits, uint64(trial))
				}
				if again := form + " " + name + ", trained again"; err == nil {
					if tallies[again] == nil {
						tallies[again] = &tally{least: math.Inf(1)}
					}
					p.checkTrained(t, tallies[again], what+", trained again", form == "dual", method, splits,
						uint64(trial))
				}
			}
		}
	}
	for what, n := range tallies {
		if n.ties == 0 || n.apart == 0 {
			t.Errorf("%s: %d ties and %d other pairs", what, n.ties, n.apart)
		}
		t.Logf("%s: %d ties; %d other pairs, of which %d, up to %.2g bounds apart, were called ties, "+
			"and %.2g apart were not; errors up to %.2g bounds",
			what, n.ties, n.apart, n.merged, n.closest, n.least, n.worst)
	}
}

// goal is the goal of the rows.
func (p *rational) goal(t *testing.T) *goals.Goal {
	goal, err := p.scored()
	if err != nil {
		t.Fatal(err)
	}
	return goal
}

func (p *rational) scored() (*goals.Goal, error) {
	if p.regress {
		return goals.Regression(p.Y, 1), nil
	}
	return goals.Scored(p.Y, 1, partition(p.Problem), pref.Options{Weight: p.weight})
}

// checkGroups holds out each set of rows.
func (p *rational) checkGroups(t *testing.T, n *tally, what string, path *rls.Path, method cv.Method,
	splits *holdout.Splits, seed uint64) {
	t.Helper()
	groups, queries := splits.Groups(), partition(p.Problem)
	want, bound := p.scores(groups), make([]float64, p.M)
	err := path.HoldOut(ctx, groups, []float64{p.lambda}, func(g, _ int, held rls.Held) {
		for a, i := range groups.Part(g) {
			bound[i] = held.Rounding.At(a, 0)
			n.score(t, what, int(i), held.F.Row(a)[0], want[i], bound[i], held.Rounding.Most())
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	o := holdout.Options{Method: method, Candidates: []float64{p.lambda}, Seed: seed}
	scores, err := holdout.HeldOut(ctx, holdout.OfPath(path, nil).HoldOut, holdout.Labels{Y: p.Y, Queries: queries}, o,
		p.lambda)
	if err != nil {
		t.Fatal(err)
	}
	n.pairs(t, what, p, method, groups, scores.Data, want, bound)
}

// checkTrained trains without each set of rows.
func (p *rational) checkTrained(t *testing.T, n *tally, what string, dual bool, method cv.Method,
	splits *holdout.Splits,
	seed uint64) {
	t.Helper()
	groups := splits.Groups()
	want, bound := p.scores(groups), make([]float64, p.M)
	x := &data.Dense{Rows: p.M, Cols: p.N, Stride: p.N, Data: p.X}
	train := holdout.BoundedTrainer(func(ctx context.Context, train, test []int, lambdas []float64,
		emit func(l int, held holdout.Held)) error {
		own, rows := data.Select(x, train).(*data.Dense), data.Matrix(data.Select(x, test))
		basis := rls.Primal(own)
		if dual {
			basis, rows = rls.Dual(kernel.Matrix(p.kernel, own, own)), kernel.Matrix(p.kernel, rows.(*data.Dense), own)
		}
		goal, err := p.part(train).scored()
		if errors.Is(err, goals.ErrNothingToLearn) {
			zeros := data.NewDense(len(test), 1, nil)
			emit(0, holdout.Bounded(zeros, data.NewDense(len(test), 1, nil)))
			return nil
		}
		if err != nil {
			return err
		}
		path, err := rls.Factor(ctx, basis, goal)
		if err != nil {
			return err
		}
		return path.Predict(ctx, rows, lambdas, func(l int, held holdout.Held) {
			for a, i := range test {
				bound[i] = held.Rounding.At(a, 0)
				n.score(t, what, int(i), held.F.Row(a)[0], want[i], bound[i], held.Rounding.Most())
			}
			emit(l, held)
		})
	})
	o := holdout.Options{Method: method, Candidates: []float64{p.lambda}, Seed: seed}
	scores, err := holdout.HeldOut(ctx, train.AtOnce(1), holdout.Labels{Y: p.Y, Queries: partition(p.Problem)}, o,
		p.lambda)
	if err != nil {
		t.Fatal(err)
	}
	n.pairs(t, what, p, method, groups, scores.Data, want, bound)
}

// part is the problem of some rows.
func (p *rational) part(rows []int) *rational {
	out := *p
	out.M, out.Y, out.Query = len(rows), nil, nil
	for _, i := range rows {
		out.Y, out.Query = append(out.Y, p.Y[i]), append(out.Query, p.Query[i])
	}
	return &out
}

// checkPairs holds out each pair of rows; the bounds are those of the pair as a group.
func (p *rational) checkPairs(t *testing.T, n *tally, what string, path *rls.Path) {
	t.Helper()
	err := path.LeavePairOut(ctx, p.lambda, func(_, i, _ int, fi, fj []float64) {
		for b := range fi {
			j := i + 1 + b
			want := p.without([]int{i, j})
			n.Lock()
			n.pair(t, what, fi[b], fj[b], want[0], want[1], func() float64 { return p.pairBound(t, path, i, j) })
			n.Unlock()
		}
	})
	if _, inexact := errors.AsType[*goals.NotExactError](err); err != nil && !inexact {
		t.Fatal(err)
	}
}

func (p *rational) pairBound(t *testing.T, path *rls.Path, i, j int) (bound float64) {
	of, next := make([]int32, p.M), int32(1)
	for k := range of {
		if k != i && k != j {
			of[k], next = next, next+1
		}
	}
	err := path.HoldOut(ctx, data.NewPartition(of, int(next)), []float64{p.lambda}, func(g, _ int, held rls.Held) {
		if g == 0 {
			bound = held.Rounding.At(0, 0) + held.Rounding.At(1, 0)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return bound
}
