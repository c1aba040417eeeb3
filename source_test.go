package pairrank_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pairrank"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/holdout"
	"pairrank/internal/journal"
	"pairrank/internal/procedure"
	"pairrank/internal/report"
	"pairrank/internal/report/page"
)

// slope is the simplest source: it learns f(x) = x Σxy / (Σx² + λ) from points x with labels y. It gets
// everything that the procedure has for rows and edges.
type slope struct {
	x, y    []float64 // y is m×v: one output, or permutations
	lambdas []float64
	folds   cv.Method
	whole   *slope // the source that contains this part, or nil
}

func (*slope) Kernels() int { return 1 }

func (s *slope) Under(int) procedure.Source { return s }

func (*slope) Ready(context.Context) error { return nil }

func (*slope) Unconverged() int { return 0 }

func (*slope) Doubt(context.Context, procedure.Fit, *procedure.Choice) {}

func (*slope) Nothing(error) bool { return false }

func (*slope) Fault(err error) error { return err }

func (*slope) Exact(*holdout.Splits) error { return nil }

func (s *slope) labels() holdout.Labels {
	return holdout.Labels{Y: s.y, Outputs: 1, Queries: data.OneList(len(s.x))}
}

func (s *slope) Relabel(y []float64, _ int) (holdout.Factored, error) {
	return &slope{x: s.x, y: y}, nil
}

// learn returns the slope of output c for one λ, from all points except without.
func (s *slope) learn(c int, lambda float64, without []int32) float64 {
	xy, xx, v := 0.0, lambda, len(s.y)/len(s.x)
	for i, x := range s.x {
		if !slices.Contains(without, int32(i)) {
			xy, xx = xy+x*s.y[i*v+c], xx+x*x
		}
	}
	return xy / xx
}

func (s *slope) HoldOut(_ context.Context, splits *holdout.Splits, lambdas []float64,
	emit func(g, l int, held holdout.Held)) error {
	v := len(s.y) / len(s.x)
	for g := range splits.Len() {
		test := splits.Test(g)
		for l, lambda := range lambdas {
			f := data.NewDense(len(test), v, nil)
			for c := range v {
				w := s.learn(c, lambda, test)
				for a, i := range test {
					f.Row(a)[c] = w * s.x[i]
				}
			}
			emit(g, l, holdout.Predictions(f))
		}
	}
	return nil
}

func (s *slope) Extent() (least, largest, spread float64) {
	squares := 0.0
	for _, x := range s.x {
		squares += x * x
	}
	return squares, squares, 1
}

func (s *slope) Estimate(ctx context.Context, progress func(done, total int)) (cv.KernelEstimate, error) {
	outputs, err := holdout.EstimateFactored(ctx, s, s.labels(), holdout.Options{Method: s.folds, Candidates: s.lambdas,
		Progress: progress})
	return cv.KernelEstimate{Method: s.folds, Parameter: cv.Lambda, Candidates: s.lambdas, Outputs: outputs}, err
}

func (s *slope) Fit(_ context.Context, c *procedure.Choice) (procedure.Fit, error) {
	return s.learn(0, c.Candidate(), nil), nil
}

func (s *slope) Part(points []int, _ float64) procedure.Divisible {
	part := &slope{lambdas: s.lambdas, folds: s.folds, whole: s}
	for _, i := range points {
		part.x, part.y = append(part.x, s.x[i]), append(part.y, s.y[i])
	}
	return part
}

func (s *slope) Predict(_ context.Context, c *procedure.Choice, others []int) (*data.Dense, error) {
	f := data.NewDense(len(others), 1, nil)
	for a, i := range others {
		f.Data[a] = s.learn(0, c.Candidate(), nil) * s.whole.x[i]
	}
	return f, nil
}

func (s *slope) Parts(*procedure.Choice) procedure.Parts {
	return procedure.Parts{
		Halving:  holdout.Halving{Units: len(s.x), Of: "point", Least: holdout.LeastUnits, Draw: holdout.SplitRows(s.y)},
		Smallest: 6,
		Halve: func(r *rand.Rand, some []int) (half []int) {
			for a, at := range r.Perm(len(some)) {
				if a%2 == 0 {
					half = append(half, some[at])
				}
			}
			return half
		}}
}

func (s *slope) Half(_ context.Context, _ *procedure.Choice, points []int) (procedure.Source, error) {
	return s.Part(points, 1), nil
}

func (s *slope) Outer(*procedure.Choice) (*procedure.Outer, error) {
	return &procedure.Outer{Labels: s.labels(), Options: holdout.Options{Method: s.folds, Seed: 7},
		All: holdout.CountPairs(s.y, nil, s.labels().Queries)}, nil
}

func (s *slope) Held(c *procedure.Choice) (*procedure.Held, error) {
	return &procedure.Held{Predict: s.HoldOut, Labels: s.labels(), Options: holdout.Options{Method: c.Method}}, nil
}

func (s *slope) Relabelled(c *procedure.Choice) (*procedure.Relabelled, error) {
	return &procedure.Relabelled{Factored: s, Labels: s.labels(), Real: c.Chosen().Outputs[0],
		Options: holdout.Options{Method: c.Method, Candidates: s.lambdas}}, nil
}

// A source gets from the procedure alone: training, an estimate with an interval, a test and the error of the
// whole procedure, held-out scores, a learning curve, and their report and page.
func TestSourceGetsEverything(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	s := &slope{lambdas: []float64{0.1, 10, 1000}, folds: cv.Method{Kind: cv.KFold, Folds: 4}}
	for range 48 {
		x := r.NormFloat64()
		s.x, s.y = append(s.x, x), append(s.y, math.Round(2*x+r.NormFloat64()))
	}
	plan := procedure.Plan{Journal: &journal.Journal{}, Seed: 3, Choosing: procedure.ChoosingLambda,
		Intervals: cv.IntervalsHalves, Nested: true, Permutations: 19}
	w, choice, err := procedure.Train(t.Context(), s, plan)
	if err != nil || w != s.learn(0, choice.Chosen().Best(), nil) || !choice.Measured() {
		t.Fatalf("%v, %+v, %v", w, choice, err)
	}
	run, err := procedure.Estimate(t.Context(), s, plan)
	if err != nil {
		t.Fatal(err)
	}
	e := pairrank.EstimatedOf(run)
	e.Rows, e.Queries, e.Outputs, e.TwoLabels = len(s.x), 1, 1, []bool{false}
	held, err := run.HeldOut(t.Context())
	if err != nil || len(held.Data) != len(s.x) {
		t.Fatal(held, err)
	}
	curve, err := run.LearningCurve(t.Context())
	if err != nil || len(curve.Points) != 4 || curve.Of != "point" {
		t.Fatal(curve, err)
	}
	i := e.Interval(0)
	if !i.Defined || i.Lo > e.Choice.Error || i.Hi < e.Choice.Error || e.Halves.Splits != holdout.HalfSplits ||
		e.Permutation.P != 0.05 || math.Abs(e.Nested.Error-e.Choice.Error) > 0.1 || len(e.Nested.Draws) != 1 {
		t.Errorf("%+v, interval %+v, nested %+v, %+v", e.Choice, i, e.Nested, e.Permutation)
	}
	d := report.NewEstimate(e, "slope", report.About{})
	d.AddLearningCurve(curve)
	var text, html bytes.Buffer
	if err := d.View().WriteText(&text); err != nil {
		t.Fatal(err)
	}
	p := page.New("slopes")
	if err := p.Add("slopes", d); err != nil {
		t.Fatal(err)
	}
	if err := p.Write(&html); err != nil {
		t.Fatal(err)
	}
	document, err := json.Marshal(d)
	for _, want := range []string{"nested", "permutation", "interval", "slope", "kfold:4"} {
		if err != nil || !strings.Contains(text.String(), want) || !strings.Contains(html.String(), want) &&
			want != "permutation" {
			t.Errorf("%q is not told: %v\n%s", want, err, text.String())
		}
	}
	if read, err := report.Read(bytes.NewReader(document)); err != nil ||
		read.(*report.Estimate).Kind != report.KindEstimate {
		t.Error(read, err)
	}
}
