package pairrank_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pairrank"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/holdout"
	"pairrank/kernel"
)

// fewPatients are m rows of n features with two labels, of which the first feature says something.
func fewPatients(r *rand.Rand, m, n int) *data.Set {
	x, y := data.NewDense(m, n, nil), make([]float64, m)
	for i := range m {
		y[i] = float64(i % 2)
		for j := range n {
			x.Row(i)[j] = math.Round(4 * r.NormFloat64()) // with ties
		}
		x.Row(i)[0] += 3 * y[i]
	}
	return &data.Set{X: x, Y: y, Queries: data.OneList(m)}
}

// TestAgainst compares procedures on the same pairs, and refuses others.
func TestAgainst(t *testing.T) {
	set := fewPatients(rand.New(rand.NewPCG(1, 270)), 16, 3)
	estimate := func(set *data.Set, change func(o *pairrank.EstimateOptions)) *pairrank.Estimated {
		o := pairrank.EstimateOptions{Nested: &cv.Method{Kind: cv.LeavePairOut}}
		o.Seed, o.Lambdas, o.Method = 1, []float64{1, 100}, &cv.Method{Kind: cv.LeavePairOut}
		change(&o)
		e, err := pairrank.Estimate(context.Background(), pairrank.Problem{Set: set}, o)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	first := estimate(set, func(*pairrank.EstimateOptions) {})
	other := estimate(set, func(o *pairrank.EstimateOptions) { o.Kernels = []kernel.Kernel{kernel.Gaussian{Gamma: 0.01}} })
	d, nested, err := first.Against(other, 0)
	if err != nil || nested == nil {
		t.Fatal(err)
	}
	if d.Error != first.Choice.Error-other.Choice.Error || nested.Error != first.Nested.Error-other.Nested.Error ||
		d.Pairs != 64 || nested.Pairs != 64 {
		t.Errorf("differences %+v and %+v", d, nested)
	}
	for _, d := range []cv.Difference{d, *nested} {
		if !d.Interval.Defined || !(d.Interval.Lo < d.Error && d.Error < d.Interval.Hi) ||
			d.Halves.Splits != holdout.HalfSplits {
			t.Errorf("interval %v around %g", d.Interval, d.Error)
		}
	}
	turned := fewPatients(rand.New(rand.NewPCG(1, 270)), 16, 3)
	slices.Reverse(turned.Y)
	for name, wrong := range map[string]*pairrank.Estimated{
		"one holds out by lpo, the other by kfold:4": estimate(set, func(o *pairrank.EstimateOptions) {
			o.Method = &cv.Method{Kind: cv.KFold, Folds: 4}
		}),
		"it draws folds and halves": estimate(set, func(o *pairrank.EstimateOptions) { o.Seed = 2 }),
		"Nested is to be the same":  estimate(set, func(o *pairrank.EstimateOptions) { o.Nested = nil }),
		"the same rows":             estimate(turned, func(*pairrank.EstimateOptions) {}),
	} {
		if _, _, err := first.Against(wrong, 0); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("want an error with %q, got %v", name, err)
		}
	}
	without := estimate(set, func(o *pairrank.EstimateOptions) { o.Intervals = cv.IntervalsNone })
	if d, _, err := first.Against(without, 0); err != nil || d.Interval.Defined {
		t.Errorf("without halves: %v, %v", d, err)
	}
}

// TestNestedDrawsOfBoth compares nested folds by the draws that both procedures made: one draws the folds again, the
// other, which trains each fold again, does not. Both have half-samples of the whole nest.
func TestNestedDrawsOfBoth(t *testing.T) {
	set := fewPatients(rand.New(rand.NewPCG(2, 270)), 24, 3)
	o := pairrank.EstimateOptions{Nested: &cv.Method{Kind: cv.KFold, Folds: 3}, Intervals: cv.IntervalsHalves}
	o.Seed, o.Method = 1, &cv.Method{Kind: cv.KFold, Folds: 3}
	exact, err := pairrank.Estimate(context.Background(), pairrank.Problem{Set: set}, o)
	if err != nil {
		t.Fatal(err)
	}
	o.Learner, o.Lambdas = pairrank.Greedy{Features: 2}, []float64{10}
	selected, err := pairrank.Estimate(context.Background(), pairrank.Problem{Set: set}, o)
	if err != nil {
		t.Fatal(err)
	}
	a, b := exact.Nested.Draws, selected.Nested.Draws
	_, nested, err := exact.Against(selected, 0)
	if err != nil || len(a) < 2 || len(b) != 1 || a[0].Pairs != b[0].Pairs || nested.Draws != 1 ||
		nested.Error != a[0].Error-b[0].Error || nested.Pairs != b[0].Pairs {
		t.Errorf("%d and %d draws, %+v, %v", len(a), len(b), nested, err)
	}
	if selected.Nested.Halves == nil || !selected.Nested.Interval.Defined || !nested.Interval.Defined {
		t.Errorf("intervals %v of the nest, %v of the difference", selected.Nested.Interval, nested.Interval)
	}
}

// TestShuffledAnew compares the permutation test of selected features, and of conjugate gradients, with estimates of
// permuted labels.
func TestShuffledAnew(t *testing.T) {
	for _, learner := range []pairrank.Learner{pairrank.Greedy{}, pairrank.LeastSquares{Solver: pairrank.CG}} {
		testShuffledAnew(t, learner)
	}
}

func testShuffledAnew(t *testing.T, learner pairrank.Learner) {
	set := fewPatients(rand.New(rand.NewPCG(3, 270)), 14, 6)
	o := pairrank.EstimateOptions{Intervals: cv.IntervalsNone, Permutations: 9}
	o.Learner, o.Lambdas, o.Seed = learner, []float64{1, 50}, 4
	o.Method = &cv.Method{Kind: cv.KFold, Folds: 3}
	e, err := pairrank.Estimate(context.Background(), pairrank.Problem{Set: set}, o)
	if err != nil {
		t.Fatal(err)
	}
	o.Permutations = 0
	labels := holdout.Labels{Y: set.Y}
	naive, err := holdout.Permuted(labels, o.Seed, 9, 9, e.Choice.Error, func(y []float64, v int) ([]float64, error) {
		var errors []float64
		for c := range v {
			mixed := &data.Set{X: set.X, Y: make([]float64, len(set.Y)), Queries: set.Queries}
			for i := range mixed.Y {
				mixed.Y[i] = y[i*v+c]
			}
			e, err := pairrank.Estimate(context.Background(), pairrank.Problem{Set: mixed}, o)
			if err != nil {
				return nil, err
			}
			errors = append(errors, e.Choice.Error)
		}
		return errors, nil
	}, nil)
	if err != nil || !slices.Equal(naive.Errors, e.Permutation.Errors) || naive.P != e.Permutation.P ||
		e.Permutation.Error != e.Choice.Error {
		t.Errorf("%T: permuted %+v, naive %+v, %v", learner, e.Permutation, naive, err)
	}
}

// TestCurveOfSelection compares the ROC curve of selected features with training anew without each pair, and its rounds
// are not counted.
func TestCurveOfSelection(t *testing.T) {
	set := fewPatients(rand.New(rand.NewPCG(4, 270)), 12, 5)
	m := len(set.Y)
	o := pairrank.EstimateOptions{ROC: true, Intervals: cv.IntervalsHalves}
	o.Learner, o.Lambdas, o.Method = pairrank.Greedy{Features: 2}, []float64{20}, &cv.Method{Kind: cv.LeavePairOut}
	e, err := pairrank.Estimate(context.Background(), pairrank.Problem{Set: set}, o)
	if err != nil {
		t.Fatal(err)
	}
	before, err := e.Selection(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	curve, err := e.ROC(context.Background())
	if has, soon := e.HasROC(); err != nil || !has || !soon {
		t.Fatal(has, soon, err)
	}
	scores := make([]float64, m)
	for i := range m {
		for j := range i {
			var rest []int
			for k := range m {
				if k != i && k != j {
					rest = append(rest, k)
				}
			}
			x := data.Select(set.X, rest)
			y := make([]float64, len(rest))
			for a, k := range rest {
				y[a] = set.Y[k]
			}
			r, err := pairrank.Train(context.Background(), pairrank.Problem{Set: &data.Set{X: x, Y: y,
				Queries: data.OneList(len(rest))}}, pairrank.Options{Learner: o.Learner, Lambdas: o.Lambdas})
			if err != nil {
				t.Fatal(err)
			}
			fi, fj := r.Model.ScoreRow(set.X.(*data.Dense).Row(i)), r.Model.ScoreRow(set.X.(*data.Dense).Row(j))
			switch {
			case math.Abs(fi-fj) < 1e-12:
				scores[i], scores[j] = scores[i]+0.5, scores[j]+0.5
			case fi > fj:
				scores[i]++
			default:
				scores[j]++
			}
		}
	}
	naive, err := cv.NewROC(scores, set.Y)
	if err != nil || !slices.Equal(naive.Points, curve.Points) {
		t.Errorf("curve %v, naive %v, %v", curve.Points, naive.Points, err)
	}
	after, err := e.Selection(context.Background())
	if err != nil || after.Rounds != before.Rounds {
		t.Errorf("%d rounds before the curve, %d after, %v", before.Rounds, after.Rounds, err)
	}
	answers, err := e.AnswerROC(context.Background(), curve, cv.ROCQuestions{Specificities: []float64{0.5}})
	if err != nil || answers.Halves == nil || !answers.Sensitivities[0].Interval.Defined {
		t.Errorf("no band from halves: %v, %v", answers, err)
	}
}

// TestSelectionIsFair takes the mean over all arrangements of the labels: selected inside the rounds it is exactly ½,
// whatever the features, since all arrangements of what a round holds out are as likely.
func TestSelectionIsFair(t *testing.T) {
	const m, positive = 7, 2
	set := fewPatients(rand.New(rand.NewPCG(5, 270)), m, 6)
	for _, method := range []cv.Method{{Kind: cv.LeavePairOut}, {Kind: cv.KFold, Folds: 2}} {
		sum, n := 0.0, 0
		for bits := range 1 << m {
			y, ones := make([]float64, m), 0
			for i := range y {
				y[i] = float64(bits >> i & 1)
				ones += bits >> i & 1
			}
			if ones != positive {
				continue
			}
			o := pairrank.EstimateOptions{Intervals: cv.IntervalsNone}
			o.Learner, o.Lambdas, o.Method = pairrank.Greedy{Features: 2}, []float64{1}, &method
			e, err := pairrank.Estimate(context.Background(), pairrank.Problem{Set: &data.Set{X: set.X, Y: y,
				Queries: set.Queries}}, o)
			if err != nil {
				t.Fatal(err)
			}
			sum, n = sum+e.Choice.Error, n+1
		}
		if mean := sum / float64(n); math.Abs(mean-0.5) > 1e-12 { // rounding of the sum
			t.Errorf("%s: the mean error over all %d arrangements is %.15g, not ½", method, n, mean)
		}
	}
}
