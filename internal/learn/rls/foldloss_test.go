package rls_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/learn/rls"
	"pairrank/internal/naive"
	"pairrank/pref"
)

func TestHeldOutIsTrainingAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 2))
	for range problems(t, 200) {
		p := gen.New(r, gen.Options{})
		o := everyGoal[r.IntN(len(everyGoal))]
		options := statisticsOptions(o.regression, o.Options)
		options.Folds = 1 + r.IntN(4)
		m := statisticsOf(t, p, options, r)
		lambdas := []float64{1, gen.Lambda(r, -4, 4), 64}
		losses, err := m.HeldOut(ctx, lambdas)
		if err != nil {
			t.Fatal(err)
		}
		for f, loss := range losses {
			in, out := split(p, options.Folds, f)
			for l, lambda := range lambdas {
				want, zero := lossWithout(p, o.regression, o.Options, in, out, lambda)
				if d := math.Abs(loss.Loss[l][0] - want); d > bar*(want+zero) {
					t.Fatalf("%+v: fold %d of %d at λ = %g: loss %v, want %v; of 0 %v",
						o, f, options.Folds, lambda, loss.Loss[l][0], want, zero)
				}
				if d := math.Abs(loss.Zero[0] - zero); d > bar*zero {
					t.Fatalf("%+v: the loss of 0 is %v, want %v", o, loss.Zero[0], zero)
				}
			}
			if int(loss.Rows) != len(out) {
				t.Fatalf("%d rows, want %d", loss.Rows, len(out))
			}
		}
	}
}

// split are the rows of the other folds and of fold f.
func split(p gen.Problem, folds, f int) (in, out []int) {
	for i, q := range p.Query {
		if q%folds == f {
			out = append(out, i)
		} else {
			in = append(in, i)
		}
	}
	return in, out
}

// lossWithout trains by definition on the rows in, and sums the loss of the pairs of out,
// and that of f = 0.
func lossWithout(p gen.Problem, regression bool, o pref.Options, in, out []int, lambda float64) (sum, zero float64) {
	o, err := o.Resolved()
	if err != nil {
		panic(err)
	}
	x := func(rows []int) []float64 { return naive.Submatrix(p.X, p.N, rows, naive.Without(p.N, nil)) }
	pairs := func(rows []int) []naive.Pair {
		if regression {
			return nil
		}
		return append([]naive.Pair{}, naive.Pairs(naive.Pick(p.Y, rows), naive.Pick(p.Query, rows), string(o.Cost),
			o.Ties, string(o.Weight))...)
	}
	w, _ := naive.Primal(x(in), p.N, pairs(in), naive.Pick(p.Y, in), lambda)
	f := naive.Product(x(out), w)
	if regression {
		for a, i := range out {
			sum += (p.Y[i] - f[a]) * (p.Y[i] - f[a])
			zero += p.Y[i] * p.Y[i]
		}
	}
	for _, pair := range pairs(out) {
		d := pair.Target - (f[pair.I] - f[pair.J])
		sum += pair.Weight * d * d
		zero += pair.Weight * pair.Target * pair.Target
	}
	return sum, zero
}

func TestHeldOutOfSeveralOutputs(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 6))
	p := gen.New(r, gen.Options{MaxRows: 100, MaxFeatures: 5})
	const v, folds = 3, 4
	p.Y = make([]float64, p.M*v)
	for i := range p.Y {
		if i%v != 2 { // nothing can be learnt about the last output
			p.Y[i] = float64(r.IntN(4))
		}
	}
	lambdas := []float64{0.5, 8}
	all, err := statisticsOf(t, p, rls.StatisticsOptions{Outputs: v, Folds: folds}, nil).HeldOut(ctx, lambdas)
	if err != nil {
		t.Fatal(err)
	}
	for f, loss := range all {
		in, out := split(p, folds, f)
		for c := range v {
			one := p
			one.Y = make([]float64, p.M)
			for i := range one.Y {
				one.Y[i] = p.Y[i*v+c]
			}
			for l, lambda := range lambdas {
				want, zero := lossWithout(one, false, pref.Options{}, in, out, lambda)
				if math.Abs(loss.Loss[l][c]-want) > bar*(want+zero) {
					t.Fatalf("fold %d, output %d: %v, want %v", f, c, loss.Loss[l][c], want)
				}
			}
			if loss.Learnt[c] != (c < 2) {
				t.Fatalf("fold %d, output %d: learnt %v", f, c, loss.Learnt[c])
			}
		}
	}
}

// Folds without rows have no loss, and are not trained for: a million of them take no time.
func TestHeldOutOfEmptyFolds(t *testing.T) {
	const many = 100_000
	x := data.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 7})
	few, sparse := newStatistics(t, rls.StatisticsOptions{Folds: 2}),
		newStatistics(t, rls.StatisticsOptions{Folds: many})
	for k, fold := range []int{0, many - 1} {
		y := []float64{1, 2, float64(4 + k)}
		add(t, few, x, y, k)
		add(t, sparse, x, y, fold)
	}
	lambdas := []float64{0.5, 8}
	want, err := few.HeldOut(ctx, lambdas)
	if err != nil {
		t.Fatal(err)
	}
	got, err := sparse.HeldOut(ctx, lambdas)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual([]rls.FoldLoss{got[0], got[many-1]}, want) {
		t.Errorf("%+v, want %+v", []rls.FoldLoss{got[0], got[many-1]}, want)
	}
	if empty := got[1]; empty.Rows != 0 || empty.Zero[0] != 0 || !empty.Learnt[0] || empty.Loss[1][0] != 0 ||
		empty.Rounding[1][0] != 0 {
		t.Errorf("a fold without rows: %+v", empty)
	}
}

// Where the other folds carry no information a fold has the loss of f = 0; a fold without pairs has
// loss 0.
func TestHeldOutWithoutAnythingToLearn(t *testing.T) {
	m := newStatistics(t, rls.StatisticsOptions{Folds: 3})
	x := data.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 7})
	equal := data.NewDense(3, 2, []float64{0.1, 1e5, 0.1, 1e5, 0.1, 1e5})
	add(t, m, x, []float64{1, 2, 4}, 0)
	add(t, m, x, []float64{0.1, 0.1, 0.1}, 1)       // no two labels
	add(t, m, equal, []float64{3, 1, 2}, 1)         // equal rows
	add(t, m, data.Slice(x, 0, 1), []float64{9}, 2) // no pair
	losses, err := m.HeldOut(ctx, []float64{1e-6, 1})
	if err != nil {
		t.Fatal(err)
	}
	if loss := losses[0]; loss.Learnt[0] != true {
		// The rows of query 2 differ, so that a function is learnt: that it is 0 follows from labels.
		t.Errorf("learnt %v", loss.Learnt)
	}
	for l := range 2 {
		if got, want := losses[0].Loss[l][0], losses[0].Zero[0]; math.Abs(got-want) > 1e-12*want {
			t.Errorf("loss %v, want that of 0, %v", got, want)
		}
		if losses[2].Loss[l][0] != 0 {
			t.Errorf("loss %v of a fold without pairs", losses[2].Loss[l][0])
		}
	}
	if losses[2].Pairs != 0 || losses[2].Rows != 1 || losses[0].Pairs != 3 || losses[1].Queries != 2 {
		t.Errorf("%+v", losses)
	}
	alone := newStatistics(t, rls.StatisticsOptions{Folds: 2})
	add(t, alone, x, []float64{1, 2, 4}, 0)
	add(t, alone, equal, []float64{3, 1, 2}, 1)
	if losses, err = alone.HeldOut(ctx, []float64{1e-300}); err != nil {
		t.Fatal(err)
	}
	if losses[0].Learnt[0] || losses[0].Loss[0][0] != losses[0].Zero[0] || !losses[1].Learnt[0] {
		t.Errorf("equal rows teach nothing: %+v", losses)
	}
}

// The loss of dependent features at a small λ, whose weights are large and cancel, is
// within its Rounding of the loss of the same weights over explicit pairs.
func TestHeldOutRounding(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 7))
	for range problems(t, 50) {
		p := gen.New(r, gen.Options{MaxRows: 60, MaxFeatures: 8})
		for i := range p.M { // almost dependent
			p.X[i*p.N] = p.X[i*p.N+p.N-1] * (1 + 1e-5*r.Float64())
		}
		m, others := newStatistics(t, rls.StatisticsOptions{Folds: 2}), newStatistics(t, rls.StatisticsOptions{})
		for q := range p.Queries {
			x, y := queryOf(p, q, 1)
			add(t, m, x, y, q%2)
			if q%2 == 1 {
				add(t, others, x, y, 0)
			}
		}
		lambda := gen.Lambda(r, -30, 0)
		losses, err := m.HeldOut(ctx, []float64{lambda})
		if err != nil {
			t.Fatal(err)
		}
		path, err := others.Factor(ctx)
		if err != nil {
			t.Fatal(err)
		}
		w := make([]float64, p.N)
		copy(w, path.At(lambda).Coef.Data)
		_, out := split(p, 2, 0)
		f, want := naive.Product(p.X, w), 0.0
		for _, pair := range naive.Pairs(naive.Pick(p.Y, out), naive.Pick(p.Query, out), "magnitude",
			"include", "pairs") {
			d := pair.Target - (f[out[pair.I]] - f[out[pair.J]])
			want += pair.Weight * d * d
		}
		if d := math.Abs(losses[0].Loss[0][0] - want); d > losses[0].Rounding[0][0] {
			t.Fatalf("loss %v, want %v ± %v", losses[0].Loss[0][0], want, losses[0].Rounding[0][0])
		}
	}
}

// Features whose squares are lost in the eigenvalues of the others keep all their digits when held
// out.
func TestHeldOutOfGradedFeatures(t *testing.T) {
	const small = 0x1p-24
	r := rand.New(rand.NewPCG(14, 14))
	for range problems(t, 30) {
		p := gen.Problem{M: 40, N: 2, Queries: 4}
		for i := range p.M {
			large, tiny := r.NormFloat64(), r.NormFloat64()
			p.X = append(p.X, large, small*tiny)
			p.Y = append(p.Y, tiny+0.1*r.NormFloat64())
			p.Query = append(p.Query, i%4)
		}
		lambda := gen.Lambda(r, -4, 4) * small * small
		losses, err := statisticsOf(t, p, rls.StatisticsOptions{Folds: 2}, nil).HeldOut(ctx, []float64{lambda})
		if err != nil {
			t.Fatal(err)
		}
		for f, loss := range losses {
			in, out := split(p, 2, f)
			want, zero := lossWithout(p, false, pref.Options{}, in, out, lambda)
			if d := math.Abs(loss.Loss[0][0] - want); d > bar*want {
				t.Fatalf("loss %v, want %v; of 0 %v", loss.Loss[0][0], want, zero)
			}
		}
	}
}
