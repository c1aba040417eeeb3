package stream

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pairrank"
	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/naive"
	"pairrank/model"
	"pairrank/pref"
)

// sameWeights bounds the difference of weights from sums and from rows, relative to the largest weight. Both
// solve the same system, whose entries are rounded differently.
const sameWeights = 1e-10

// queriesIn are the queries of a set, with the given labels unless nil; sparse makes their rows sparse.
func queriesIn(set *data.Set, labels *data.Dense, sparse bool) []data.Query {
	var queries []data.Query
	for g := range set.Queries.Len() {
		var rows []int
		q := data.Query{ID: set.Queries.IDs[g], Source: "part", Line: g + 1}
		for _, i := range set.Queries.Part(g) {
			rows = append(rows, int(i))
			if labels != nil {
				q.Y = append(q.Y, labels.Row(int(i))...)
			} else {
				q.Y = append(q.Y, set.Y[i])
			}
		}
		q.X = data.Select(set.X, rows)
		if set.Censored != nil {
			q.Censored = naive.Pick(set.Censored, rows)
		}
		if set.Weights != nil {
			q.Weights = naive.Pick(set.Weights, rows)
		}
		if sparse {
			q.X = sparseOf(q.X)
		}
		queries = append(queries, q)
	}
	return queries
}

// timed is the set with times for its labels, of which some are censored, where the options sum times, and with
// weights, some of them 0, where they sum these; else it is set.
func (o Options) timed(set *data.Set) *data.Set {
	other := *set
	if o.Weights {
		other.Weights = make([]float64, len(set.Y))
		for i := range set.Y {
			other.Weights[i] = float64((i*i+3)%7) / 4
		}
	}
	if !o.Times {
		return &other
	}
	other.Y, other.Censored = make([]float64, len(set.Y)), make([]bool, len(set.Y))
	for i, y := range set.Y {
		other.Y[i], other.Censored[i] = math.Abs(y)/2, i%3 == 1
	}
	return &other
}

func sparseOf(x data.Matrix) *data.CSR { return gen.Sparse(x.(*data.Dense), gen.NotZero) }

func summed(t testing.TB, o Options, queries []data.Query) *Statistics {
	t.Helper()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range queries {
		if err := s.Add(q); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func bytesOf(t testing.TB, s *Statistics) []byte {
	t.Helper()
	b, err := s.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// apart is the largest difference of weights, relative to the largest weight.
func apart(a, b *pairrank.Result) float64 { return apartIn(weightsIn(a).Data, weightsIn(b).Data) }

func apartIn(x, y []float64) float64 {
	most, differs := 0.0, 0.0
	for k, v := range x {
		most, differs = max(most, math.Abs(v)), max(differs, math.Abs(v-y[k]))
	}
	if len(x) != len(y) || most == 0 {
		return math.NaN()
	}
	return differs / most
}

func weightsIn(r *pairrank.Result) *data.Dense { return r.Model.Scorer.(*model.Linear).Weights }

// streamed are options of Statistics for tests against Train.
func streamed() map[string]Options {
	two := 2.0
	return map[string]Options{
		"plain":        {},
		"no ties":      {Learner: pairrank.LeastSquares{Pairs: pref.Options{Ties: pref.ExcludeTies}}},
		"unit":         {Learner: pairrank.LeastSquares{Pairs: pref.Options{Cost: pref.Unit}}},
		"relative":     {Learner: pairrank.LeastSquares{Pairs: pref.Options{Cost: pref.Relative, Weight: pref.Edges}}},
		"edges":        {Learner: pairrank.LeastSquares{Pairs: pref.Options{Weight: pref.Edges}}},
		"query-minmax": {Normalize: data.NormalizeQueryMinMax},
		"two labels":   {Threshold: &two, Learner: pairrank.LeastSquares{Pairs: pref.Options{Weight: pref.Size}}},
		"regression":   {Learner: pairrank.LeastSquares{Regression: true}, Normalize: data.NormalizeQueryMinMax},
		"one fold":     {Folds: 1, Names: []string{"first", "second"}},
		"weights":      {Weights: true},
		"weights, no ties": {Weights: true, Learner: pairrank.LeastSquares{Pairs: pref.Options{Ties: pref.ExcludeTies,
			Weight: pref.Size}}},
		"weights, relative": {Weights: true, Learner: pairrank.LeastSquares{Pairs: pref.Options{Cost: pref.Relative}}},
		"weights, edges": {Weights: true, Normalize: data.NormalizeQueryMinMax, Threshold: &two,
			Learner: pairrank.LeastSquares{Pairs: pref.Options{Weight: pref.Edges}}},
		"weights, regression": {Weights: true, Learner: pairrank.LeastSquares{Regression: true}},
		"times":               {Times: true, Learner: pairrank.LeastSquares{Pairs: pref.Options{Weight: pref.Size}}},
		"with times and weights": {Times: true, Weights: true, Learner: pairrank.LeastSquares{Pairs: pref.Options{
			Cost: pref.Unit, Weight: pref.Edges, CensoringWeights: true}}},
		"times, unit, by censoring": {Times: true, Normalize: data.NormalizeQueryMinMax,
			Learner: pairrank.LeastSquares{Pairs: pref.Options{Cost: pref.Unit, Weight: pref.Edges, CensoringWeights: true}}},
	}
}

// From sums, the model and its facts are those from rows.
func TestTrainAsRowsDo(t *testing.T) {
	ctx := context.Background()
	rows := gen.Set(400, 6, 30, 1)
	for name, o := range streamed() {
		set := o.timed(rows)
		for _, lambda := range []float64{0.5, 64} {
			set.Names = nil
			if o.Names != nil {
				set.Names = append(slices.Clone(o.Names), make([]string, 4)...)
			}
			want, err := pairrank.Train(ctx, pairrank.Problem{Set: set},
				pairrank.Options{Learner: o.Learner, Lambdas: []float64{lambda}, Normalize: o.Normalize,
					Threshold: o.Threshold})
			if err != nil {
				t.Fatal(name, err)
			}
			for _, sparse := range []bool{false, true} {
				got, err := summed(t, o, queriesIn(set, nil, sparse)).Train(ctx, TrainOptions{Lambdas: []float64{lambda}})
				if err != nil {
					t.Fatal(name, err)
				}
				if d := apart(got, want); !(d <= sameWeights) {
					t.Errorf("%s, λ = %v: weights differ by %g", name, lambda, d)
				}
				a, b := got.Training, want.Training
				if math.Abs(a.Minimum-b.Minimum) > sameWeights*math.Abs(b.Minimum) {
					t.Errorf("%s: objective %v, want %v", name, a.Minimum, b.Minimum)
				}
				a.Solver, a.Why, a.Minimum, a.Residual, a.Gap = b.Solver, b.Why, b.Minimum, 0, 0
				b.Residual, b.Gap = 0, 0
				if fmt.Sprint(a) != fmt.Sprint(b) {
					t.Errorf("%s: facts\n%+v, want\n%+v", name, a, b)
				}
				if i, j := header(got), header(want); i != j {
					t.Errorf("%s: the model says\n%s, want\n%s", name, i, j)
				}
				if o.Times { // sums do not count events
					want.Notes[0].Text = "labels are times until an event: the score grows with the time"
				}
				if fmt.Sprint(got.Notes) != fmt.Sprint(want.Notes) || got.Choice.Measured() {
					t.Errorf("%s: notes %v, want %v", name, got.Notes, want.Notes)
				}
			}
		}
	}
}

// header is the part of a model file before the weights.
func header(r *pairrank.Result) string {
	var b bytes.Buffer
	if err := r.Model.Write(&b); err != nil {
		return err.Error()
	}
	text, _, _ := strings.Cut(b.String(), "\nweights\n")
	return text
}

// The relative squared error of each λ equals that of retraining without each fold.
func TestHoldOut(t *testing.T) {
	ctx := context.Background()
	rows := gen.Set(300, 5, 24, 2)
	lambdas := []float64{0.01, 1, 100, 1e4}
	for name, o := range streamed() {
		o.Folds = 4
		set := o.timed(rows)
		got, err := summed(t, o, queriesIn(set, nil, false)).Train(ctx, TrainOptions{Lambdas: lambdas})
		if err != nil {
			t.Fatal(name, err)
		}
		points := got.Choice.Chosen().Outputs[0].Points
		best := 0
		for l, lambda := range lambdas {
			want, stderr := retrained(t, set, o, lambda)
			const rounding = 1e-9 // sums cancelled in another order
			if p := points[l]; math.Abs(p.Error-want) > rounding*want ||
				math.Abs(p.StdErr.Value-stderr) > rounding*want {
				t.Errorf("%s, λ = %v: relative squared error %v ± %v, want %v ± %v",
					name, lambda, p.Error, p.StdErr.Value, want, stderr)
			}
			if points[l].Error < points[best].Error {
				best = l
			}
		}
		c := got.Choice
		if c.Lambda != lambdas[best] || c.Error != points[best].Error || c.Measure != relativeSquaredError ||
			c.Method.String() != "kfold:4" || c.Retrained {
			t.Errorf("%s: choice %+v, best is λ = %v", name, c, lambdas[best])
		}
		if s := got.Model.Info.Selection; s == nil || s.Method != "kfold:4" || s.Metric != relativeSquaredError ||
			s.Error != c.Error || s.Count != len(lambdas) {
			t.Errorf("%s: the model says %+v", name, s)
		}
		again, err := summed(t, o, queriesIn(set, nil, false)).Train(ctx, TrainOptions{Lambdas: []float64{c.Lambda}})
		if err != nil || apart(again, got) != 0 {
			t.Errorf("%s: the model is not that of λ alone: %v, %v", name, apart(again, got), err)
		}
	}
}

// Several outputs have one λ each, and their models are those of each output alone.
func TestOutputs(t *testing.T) {
	ctx := context.Background()
	set := gen.Set(240, 5, 20, 3)
	labels := data.NewDense(240, 2, nil)
	for i := range 240 {
		labels.Row(i)[0], labels.Row(i)[1] = set.Y[i], math.Round(3*math.Sin(float64(i))+set.Y[(i+1)%240])
	}
	got, err := summed(t, Options{Outputs: 2}, queriesIn(set, labels, false)).Train(ctx, TrainOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for c := range 2 {
		one := *set
		one.Y = make([]float64, 240)
		for i := range one.Y {
			one.Y[i] = labels.Row(i)[c]
		}
		alone, err := summed(t, Options{}, queriesIn(&one, nil, false)).Train(ctx,
			TrainOptions{Lambdas: got.Choice.Chosen().Candidates})
		if err != nil {
			t.Fatal(err)
		}
		p, q := got.Choice.Chosen().Outputs[c], alone.Choice.Chosen().Outputs[0]
		if p.Best != q.Best || math.Abs(p.Points[p.Best].Error-q.Points[q.Best].Error) > sameWeights {
			t.Errorf("output %d chooses %+v, alone %+v", c, p.Points[p.Best], q.Points[q.Best])
		}
		for j, w := range weightsIn(alone).Row(0) {
			if v := weightsIn(got).Row(c)[j]; math.Abs(v-w) > sameWeights*math.Abs(w) {
				t.Errorf("output %d has weight %v, alone %v", c, v, w)
			}
		}
	}
	if got.Training.Outputs != 2 || len(got.Training.Lambdas) != 2 {
		t.Errorf("facts %+v", got.Training)
	}
}

// The fold of a query is fixed for ever, since one program may merge statistics of another.
func TestQueryFold(t *testing.T) {
	for id, want := range map[string]int{"": 2, "1": 3, "2": 6, "10032": 9, "é": 1} {
		if got := queryFold(id, 10); got != want {
			t.Errorf("%q is in fold %d, want %d", id, got, want)
		}
	}
	counts := make([]int, 5)
	for k := range 10_000 {
		counts[queryFold(fmt.Sprint(k), 5)]++
	}
	const sixDeviations = 6 * 40 // of 10,000 queries in five folds, √(10000·0.2·0.8) = 40 each
	for f, n := range counts {
		if n < 2000-sixDeviations || n > 2000+sixDeviations {
			t.Errorf("fold %d has %d of 10,000 queries", f, n)
		}
	}
}
