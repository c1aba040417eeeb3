package kron

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/naive"
)

// tolerance is for λ from 2^-10 on. The kernels have eigenvalues up to about 50, so at most eight digits are
// lost.
const tolerance = 1e-8

// TestClosedForm compares scores, predictions through the coefficients and the
// objective with the explicit solution over all edges.
func TestClosedForm(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	worst := tally{}
	n := gen.Count(t, 200)
	for range n {
		p := drawProblem(r, 6, r.IntN(2) == 0)
		for _, o := range []Options{{Regression, Arbitrary}, {Ranking, Arbitrary},
			{Regression, Symmetric}, {Regression, Reciprocal}} {
			kind := map[Relation]string{Arbitrary: "kronecker", Symmetric: "symmetric",
				Reciprocal: "reciprocal"}[o.Relation]
			if o.Relation != Arbitrary && !p.one {
				continue
			}
			path, err := Factor(t.Context(), p.rows, p.cols, p.y, o)
			if err != nil {
				t.Fatal(err)
			}
			fit := path.At(p.lambda)
			want := naive.Relational(p.edges(nil), p.kernel(kind), o.Loss == Ranking, p.lambda)
			scores, kag := fit.Scores(), p.rows.Mul(fit.Coef).Mul(p.cols)
			for i := range p.y.Rows {
				for j := range p.y.Cols {
					name := string(o.Loss) + " " + string(o.Relation)
					worst.near(t, name+" scores", scores.Row(i)[j], want(i, j), size(p.y), tolerance)
					worst.near(t, name+" coefficients", kag.Row(i)[j], want(i, j), size(p.y), tolerance)
				}
			}
			checkMinimum(t, r, p, o, fit)
		}
	}
	t.Logf("%d problems, largest relative differences %v", n, worst)
}

// TestRelabel compares other labels in a factorisation with a factorisation made for them.
func TestRelabel(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	for _, o := range []Options{{Loss: Ranking}, {Loss: Regression}, {Loss: Regression, Relation: Symmetric},
		{Loss: Regression, Relation: Reciprocal}} {
		p := drawProblem(r, 6, true)
		other := data.NewDense(p.y.Rows, p.y.Cols, nil)
		for i := range other.Data {
			other.Data[i] = r.NormFloat64()
		}
		path, err := Factor(t.Context(), p.rows, p.cols, p.y, o)
		if err != nil {
			t.Fatal(err)
		}
		want, err := Factor(t.Context(), p.rows, p.cols, other, o)
		if err != nil {
			t.Fatal(err)
		}
		before := path.At(p.lambda).Coef.Data
		if got := path.Relabel(other).At(p.lambda); !slices.Equal(got.Coef.Data, want.At(p.lambda).Coef.Data) ||
			got.Objective() != want.At(p.lambda).Objective() {
			t.Errorf("%+v: relabelled, the path learns something else", o)
		}
		if !slices.Equal(path.At(p.lambda).Coef.Data, before) {
			t.Errorf("%+v: the path is changed", o)
		}
		step, err := FactorTwoStep(t.Context(), p.rows, p.cols, p.y)
		if err != nil {
			t.Fatal(err)
		}
		again, err := FactorTwoStep(t.Context(), p.rows, p.cols, other)
		if err != nil {
			t.Fatal(err)
		}
		if got := step.Relabel(other).Coef(p.lambda, 1); !slices.Equal(got.Data, again.Coef(p.lambda, 1).Data) {
			t.Error("relabelled, two steps learn something else")
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("labels of another shape are taken")
		}
	}()
	p := drawProblem(r, 6, true)
	path, err := Factor(t.Context(), p.rows, p.cols, p.y, Options{})
	if err != nil {
		t.Fatal(err)
	}
	path.Relabel(data.NewDense(1, 1, nil))
}

// checkMinimum compares the objective with its definition at the fit, and with that of nearby coefficients.
func checkMinimum(t *testing.T, r *rand.Rand, p problem, o Options, fit *Fit) {
	t.Helper()
	objective := func(a *data.Dense) float64 {
		f := p.rows.Mul(a).Mul(p.cols)
		sum := 0.0
		for i := range p.y.Rows {
			mean := 0.0
			if o.Loss == Ranking {
				for j, y := range p.y.Row(i) {
					mean += (y - f.Row(i)[j]) / float64(p.y.Cols)
				}
			}
			for j, y := range p.y.Row(i) {
				d := y - f.Row(i)[j] - mean
				sum += d*d + p.lambda*f.Row(i)[j]*a.Row(i)[j]
			}
		}
		return sum
	}
	at := fit.Objective()
	if want := objective(fit.Coef); math.Abs(at-want) > 1e-9*(1+want) {
		t.Fatalf("objective %v, by its definition %v", at, want)
	}
	if o.Relation != Arbitrary {
		return // nearby functions do not have the relation
	}
	for range 3 {
		other := fit.Coef.Clone()
		for i := range other.Data {
			other.Data[i] += 1e-3 * r.NormFloat64()
		}
		if j := objective(other); j < at-1e-12*(1+at) {
			t.Fatalf("objective %v, and %v near by", at, j)
		}
	}
}

// TestHoldOut compares held-out scores with training on the other edges.
func TestHoldOut(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	worst := tally{}
	n := gen.Count(t, 100)
	for range n {
		p := drawProblem(r, 5, r.IntN(3) == 0)
		for _, loss := range []Loss{Regression, Ranking} {
			path, err := Factor(t.Context(), p.rows, p.cols, p.y, Options{Loss: loss})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range []Setting{Pairs, Rows, Cols} {
				got, err := path.HoldOut(p.lambda, s)
				if err != nil {
					t.Fatal(err)
				}
				i, j := r.IntN(p.y.Rows), r.IntN(p.y.Cols)
				want := p.without(s, i, j, loss)
				worst.near(t, string(loss)+" "+string(s), got.Row(i)[j], want, size(p.y), tolerance)
			}
			if loss == Ranking {
				continue
			}
			e := Edge{r.IntN(p.y.Rows), r.IntN(p.y.Cols)}
			err = path.HoldOutBoth(t.Context(), p.lambda, []Edge{e}, func(_ int, score float64) {
				worst.near(t, "regression both", score, p.without(Both, e.Row, e.Col, loss), size(p.y), tolerance)
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d problems, largest relative differences %v", n, worst)
}

// without is f(i,j) from training without the edges that the setting leaves out.
func (p problem) without(s Setting, i, j int, loss Loss) float64 {
	edges := p.edges(func(a, b int) bool {
		switch s {
		case Pairs:
			return a != i || b != j
		case Rows:
			return a != i
		case Cols:
			return b != j
		}
		return a != i && b != j
	})
	if len(edges) == 0 {
		return 0
	}
	return naive.Relational(edges, p.kernel("kronecker"), loss == Ranking, p.lambda)(i, j)
}

// TestTwoStep compares with two ridge regressions, one after the other, on all edges and with edges left out.
func TestTwoStep(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	worst := tally{}
	for range gen.Count(t, 100) {
		p := drawProblem(r, 7, r.IntN(3) == 0)
		second := math.Exp2(8*r.Float64() - 5)
		step, err := FactorTwoStep(t.Context(), p.rows, p.cols, p.y)
		if err != nil {
			t.Fatal(err)
		}
		scores := step.Scores(p.lambda, second)
		a := step.Coef(p.lambda, second)
		kag := p.rows.Mul(a).Mul(p.cols)
		for i := range p.y.Rows {
			for j := range p.y.Cols {
				want := p.twoSteps(p.y, -1, -1, i, j, second)
				worst.near(t, "scores", scores.Row(i)[j], want, size(p.y), tolerance)
				worst.near(t, "coefficients", kag.Row(i)[j], want, size(p.y), tolerance)
			}
		}
		i, j := r.IntN(p.y.Rows), r.IntN(p.y.Cols)
		worst.near(t, "rows", step.HoldOut(p.lambda, second, Rows).Row(i)[j], p.twoSteps(p.y, i, -1, i, j, second),
			size(p.y), tolerance)
		worst.near(t, "cols", step.HoldOut(p.lambda, second, Cols).Row(i)[j], p.twoSteps(p.y, -1, j, i, j, second),
			size(p.y), tolerance)
		worst.near(t, "both", step.HoldOut(p.lambda, second, Both).Row(i)[j], p.twoSteps(p.y, i, j, i, j, second),
			size(p.y), tolerance)
		// A single edge is filled in by its prediction, and then predicted to be the same.
		filled := p.y.Clone()
		filled.Row(i)[j] = step.HoldOut(p.lambda, second, Pairs).Row(i)[j]
		worst.near(t, "pairs", p.twoSteps(filled, -1, -1, i, j, second), filled.Row(i)[j], size(filled), tolerance)
	}
	t.Logf("largest relative differences %v", worst)
}

// twoSteps predicts (i,j) by ridge regression over the rows except without, then over the columns except less.
func (p problem) twoSteps(y *data.Dense, without, less, i, j int, second float64) float64 {
	ridge := func(k *data.Dense, skip, at int, y func(a int) float64, lambda float64) float64 {
		var edges []naive.Edge
		for a := range k.Rows {
			if a != skip {
				edges = append(edges, naive.Edge{Row: a, Y: y(a)})
			}
		}
		if len(edges) == 0 {
			return 0
		}
		return naive.Relational(edges, func(d, _, d2, _ int) float64 { return k.Row(d)[d2] }, false, lambda)(at, 0)
	}
	first := make([]float64, y.Cols)
	for b := range first {
		first[b] = ridge(p.rows, without, i, func(a int) float64 { return y.Row(a)[b] }, p.lambda)
	}
	return ridge(p.cols, less, j, func(b int) float64 { return first[b] }, second)
}

func TestFactorRefuses(t *testing.T) {
	k := data.NewDense(2, 2, nil)
	copy(k.Data, []float64{1, 2, 2, 1})
	y := data.NewDense(2, 2, nil)
	if _, err := Factor(t.Context(), k, k, y, Options{Loss: Regression}); !errors.Is(err, ErrNotPSD) {
		t.Errorf("an indefinite matrix: %v", err)
	}
	id := data.NewDense(2, 2, nil)
	id.Data[0], id.Data[3] = 1, 1
	var none *NoClosedFormError
	if _, err := Factor(t.Context(), id, id, y, Options{Relation: Symmetric}); !errors.As(err, &none) {
		t.Errorf("symmetric ranking: %v", err)
	}
	for _, o := range []Options{{Loss: "log"}, {Relation: "transitive"}} {
		if _, err := Factor(t.Context(), id, id, y, o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
	path, err := Factor(t.Context(), id, id, y, Options{Loss: Regression, Relation: Symmetric})
	if err != nil {
		t.Fatal(err)
	}
	var inexact *NotExactError
	if _, err := path.HoldOut(1, Pairs); !errors.As(err, &inexact) {
		t.Errorf("leaving out one direction: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Factor(ctx, id, id, y, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
