package relation

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/kernel"
	"pairrank/relation/edge"
	"pairrank/relation/pairmodel"
	"pairrank/relation/pairwise"
)

// someProblem has edges between all pairs of a few nodes with two features.
func someProblem(one bool) Problem {
	r := rand.New(rand.NewPCG(31, 32))
	nodes := func(n int) *Nodes {
		x := data.NewDense(n, 2, nil)
		for i := range x.Data {
			x.Data[i] = r.NormFloat64()
		}
		return &Nodes{X: x}
	}
	p := Problem{Rows: nodes(6)}
	if !one {
		p.Cols = nodes(5)
	}
	for i := range p.Rows.X.Rows {
		for j := range p.cols().X.Rows {
			p.Edges.Row, p.Edges.Col = append(p.Edges.Row, int32(i)), append(p.Edges.Col, int32(j))
			p.Y = append(p.Y, math.Round(3*r.NormFloat64()))
		}
	}
	return p
}

// The problem decides the solver. Neither it nor the options are changed: the same call gives the same bytes.
func TestTrainChoosesASolver(t *testing.T) {
	missing := someProblem(false)
	missing.Edges.Row, missing.Edges.Col, missing.Y = missing.Edges.Row[1:], missing.Edges.Col[1:], missing.Y[1:]
	for _, c := range []struct {
		what   string
		p      Problem
		o      Options
		solver string
	}{
		{"complete", someProblem(false), Options{}, "closed"},
		{"complete, one λ", someProblem(false), Options{Lambdas: []float64{2}}, "closed"},
		{"asked for", someProblem(false), Options{Lambdas: []float64{2}, Solver: CG}, "cg"},
		{"incomplete", missing, Options{Lambdas: []float64{0.5, 4}}, "cg"},
		{"on features", missing, Options{Lambdas: []float64{1}, Solver: Primal}, "primal"},
		{"two steps", someProblem(false), Options{Learner: TwoStep}, "two-step"},
		{"symmetric ranking", someProblem(true), Options{Lambdas: []float64{1}, Relation: edge.Symmetric}, "cg"},
		{"symmetric regression", someProblem(true), Options{Lambdas: []float64{1}, Relation: edge.Symmetric,
			Loss: edge.Regression}, "closed"},
		{"metric", someProblem(true), Options{Lambdas: []float64{1}, Kernel: pairwise.Metric}, "cg"},
		{"nothing learnt", someProblem(true), Options{Learner: Similarity}, "none"},
	} {
		var texts [2]bytes.Buffer
		for n := range texts {
			r, err := Train(t.Context(), c.p, c.o)
			if err != nil {
				t.Fatalf("%s: %v", c.what, err)
			}
			if r.Solver != c.solver || r.Choice.Measured() != (len(c.o.Lambdas) != 1 && c.o.Learner != Similarity) {
				t.Errorf("%s: solved by %s with choice %+v, want %s", c.what, r.Solver, r.Choice, c.solver)
			}
			if err := r.Model.Write(&texts[n]); err != nil {
				t.Fatalf("%s: %v", c.what, err)
			}
		}
		if !bytes.Equal(texts[0].Bytes(), texts[1].Bytes()) {
			t.Errorf("%s: the second training differs", c.what)
		}
		if _, err := pairmodel.Read(&texts[0], c.what); err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// Options that contradict each other are refused with the name of their field.
func TestCheck(t *testing.T) {
	two, given := someProblem(false), Problem{Rows: &Nodes{Kernel: kernel.Precomputed{}}}
	for _, c := range []struct {
		option string
		p      Problem
		o      EstimateOptions
	}{
		{"Learner", two, EstimateOptions{Options: Options{Learner: "forest"}}},
		{"Loss", two, EstimateOptions{Options: Options{Loss: "hinge"}}},
		{"Kernel", two, EstimateOptions{Options: Options{Kernel: "tensor"}}},
		{"Kernel", two, EstimateOptions{Options: Options{Kernel: pairwise.Metric}}},
		{"Relation", two, EstimateOptions{Options: Options{Relation: edge.Symmetric}}},
		{"Setting", two, EstimateOptions{Options: Options{Setting: "all"}}},
		{"Solver", two, EstimateOptions{Options: Options{Solver: "dual"}}},
		{"Solver", two, EstimateOptions{Options: Options{Solver: Primal, Normalize: true}}},
		{"PSD", two, EstimateOptions{Options: Options{PSD: edge.Clip}}},
		{"PSD", given, EstimateOptions{Options: Options{PSD: edge.Clip, Kernel: pairwise.Poly2}}},
		{"Learner", two, EstimateOptions{Options: Options{Learner: Similarity}}},
		{"", two, EstimateOptions{Options: Options{Kernel: pairwise.Cartesian, Setting: edge.Rows}}},
		{"Lambdas", two, EstimateOptions{Options: Options{Lambdas: []float64{-1}}}},
		{"Lambdas", two, EstimateOptions{Options: Options{Lambdas: []float64{2, 1}}}},
		{"LambdaCols", two, EstimateOptions{Options: Options{Learner: TwoStep, LambdaCols: -1}}},
		{"", two, EstimateOptions{Options: Options{Method: &cv.Method{Kind: cv.LeaveQueryOut}}}},
		{"Nested", two, EstimateOptions{Nested: &cv.Method{Kind: cv.LeaveQueryOut}}},
		{"PairsSample", two, EstimateOptions{Options: Options{PairsSample: 5, Setting: edge.Rows}}},
		{"PairsSample", two, EstimateOptions{Options: Options{PairsSample: 5,
			Method: &cv.Method{Kind: cv.KFold, Folds: 3}}}},
		{"Metric", two, EstimateOptions{Options: Options{Method: &cv.Method{Kind: cv.LeavePairOut},
			Metric: &metric.NDCG}}},
		{"Permutations", two, EstimateOptions{Permutations: -1}},
		{"Tolerance", two, EstimateOptions{Options: Options{Tolerance: 2}}},
		{"MaxIterations", two, EstimateOptions{Options: Options{MaxIterations: -1}}},
		{"EarlyStop", two, EstimateOptions{Options: Options{EarlyStop: &EarlyStop{}}}},
		{"EarlyStop", two, EstimateOptions{Options: Options{EarlyStop: &EarlyStop{}, Solver: Closed}}},
	} {
		var known *fault.Error
		if err := c.o.Check(c.p); !errors.As(err, &known) || known.Kind != fault.Use || known.Option != c.option ||
			strings.Contains(err.Error(), "--") {
			t.Errorf("%+v: %v, want a fault of option %q", c.o, err, c.option)
		}
		estimates := slices.Contains([]string{"Nested", "Permutations"}, c.option)
		if _, err := Train(t.Context(), c.p, c.o.Options); !estimates && !errors.As(err, &known) {
			t.Errorf("%+v: Train says %v", c.o, err)
		}
	}
	if err := (EstimateOptions{}).Check(two); err != nil {
		t.Error(err)
	}
}

// A sample of pairs is refused if folds are trained, also in training.
func TestSampleOfFolds(t *testing.T) {
	missing := someProblem(false)
	missing.Edges.Row, missing.Edges.Col, missing.Y = missing.Edges.Row[1:], missing.Edges.Col[1:], missing.Y[1:]
	var known *fault.Error
	if _, err := Train(t.Context(), missing, Options{PairsSample: 5}); !errors.As(err, &known) ||
		known.Option != "PairsSample" {
		t.Errorf("a sample of incomplete edges: %v", err)
	}
}

// The permutation test refuses what it cannot do, with the reason.
func TestPermutationsNeedTheShortcut(t *testing.T) {
	mirrored := someProblem(true)
	for e := range mirrored.Y {
		mirrored.Y[e] = float64((mirrored.Edges.Row[e] * mirrored.Edges.Col[e]) % 3)
	}
	var known *fault.Error
	_, err := Estimate(t.Context(), mirrored,
		EstimateOptions{Options: Options{Relation: edge.Symmetric, Loss: edge.Regression, Lambdas: []float64{1}},
			Permutations: 3})
	if !errors.As(err, &known) || known.Option != "Permutations" {
		t.Errorf("of a symmetric relation: %v", err)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Train(done, someProblem(false), Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a training that is cancelled: %v", err)
	}
}

// Parts of a graph with a pairwise kernel of one domain have one domain, too.
func TestNestedOfOneDomain(t *testing.T) {
	for _, k := range []pairwise.Kernel{pairwise.Symmetric, pairwise.Reciprocal, pairwise.Metric} {
		o := EstimateOptions{Options: Options{Kernel: k, Setting: edge.Cols, Lambdas: []float64{1}},
			Intervals: cv.IntervalsNone, Nested: &cv.Method{Kind: cv.KFold, Folds: 2}}
		if e, err := Estimate(t.Context(), someProblem(true), o); err != nil || e.Nested == nil {
			t.Errorf("%s: %v", k, err)
		}
	}
}

// A request for the closed form is refused before any work: for every pairwise kernel without one, and for
// outer folds of edges, which it cannot train.
func TestClosedFormAskedFor(t *testing.T) {
	closed := Options{Solver: Closed, Lambdas: []float64{1}}
	linear := closed
	linear.Kernel = pairwise.Linear
	for code, o := range map[fault.Code]EstimateOptions{
		codes.FaultEdgesNoClosedForm: {Options: linear},
		codes.FaultEdgesMirrorFolds:  {Options: closed, Nested: &cv.Method{Kind: cv.LeaveOneOut}},
	} {
		var known *fault.Error
		if _, err := Estimate(t.Context(), someProblem(false), o); !errors.As(err, &known) || known.Code != code ||
			known.Kind != fault.Use {
			t.Errorf("%v, want %s", err, code)
		}
	}
}
