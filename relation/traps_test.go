package relation

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/holdout"
	"pairrank/internal/journal"
	"pairrank/kernel"
	"pairrank/relation/edge"
)

// Numbers that are NaN or infinite, and names that occur twice, are errors of the data that name the edge or
// the node.
func TestDataThatIsNone(t *testing.T) {
	similar := data.NewDense(6, 6, nil)
	for i := range 6 {
		similar.Row(i)[i] = 1
	}
	similar.Row(2)[1] = math.NaN()
	for want, spoil := range map[string]func(p *Problem, o *Options){
		`edge 4, from "1" to "4": the label is NaN`: func(p *Problem, _ *Options) { p.Y[3] = math.NaN() },
		"the largest label is 1e+200 in size: above 3e+144 squares of labels overflow, so divide all " +
			"labels": func(p *Problem, _ *Options) { p.Y[2] = 1e200 },
		`edge 1, from "1" to "1": the label is +Inf`: func(p *Problem, _ *Options) { p.Y[0] = math.Inf(1) },
		`the row nodes: feature 2 of node "3" is -Inf`: func(p *Problem, _ *Options) {
			p.Rows.X.Row(2)[1] = math.Inf(-1)
		},
		`targets.tsv: feature 1 of node "c" is NaN`: func(p *Problem, _ *Options) {
			p.Cols = &Nodes{Source: "targets.tsv", ID: strings.Split("abcde", ""), X: p.Cols.X}
			p.Cols.X.Row(2)[0] = math.NaN()
		},
		`the row nodes: similarity 2 of node "3" is NaN`: func(p *Problem, _ *Options) {
			p.Rows = &Nodes{Similarity: similar}
		},
		`the column nodes: nodes 2 and 4 are both named "b"`: func(p *Problem, _ *Options) {
			p.Cols.ID = strings.Split("abcbe", "")
		},
		`edge 1 for early stopping, from "2" to "1": the label is NaN`: func(_ *Problem, o *Options) {
			o.Lambdas, o.EarlyStop = []float64{1}, &EarlyStop{Edges: edge.Edges{Row: []int32{1}, Col: []int32{0}},
				Y: []float64{math.NaN()}}
		},
	} {
		p, o := someProblem(false), Options{}
		spoil(&p, &o)
		var known *fault.Error
		if _, err := Train(t.Context(), p, o); !errors.As(err, &known) || known.Kind != fault.Data || err.Error() != want {
			t.Errorf("Train says %v, want %s", err, want)
		}
		if o.EarlyStop != nil {
			continue
		}
		if _, err := Estimate(t.Context(), p, EstimateOptions{Options: o}); !errors.As(err, &known) ||
			known.Kind != fault.Data || err.Error() != want {
			t.Errorf("Estimate says %v, want %s", err, want)
		}
	}
}

// Invalid methods, values of λ and intervals are refused before the work, and so is everything else that is
// known before it.
func TestCheckRefusesBeforeTheWork(t *testing.T) {
	two := someProblem(false)
	kfold := func(folds int) *cv.Method { return &cv.Method{Kind: cv.KFold, Folds: folds} }
	for _, c := range []struct {
		option string
		o      EstimateOptions
	}{
		{"Method", EstimateOptions{Options: Options{Method: kfold(0)}}},
		{"Method", EstimateOptions{Options: Options{Method: kfold(-3)}}},
		{"Method", EstimateOptions{Options: Options{Method: kfold(1)}}},
		{"Method", EstimateOptions{Options: Options{Method: &cv.Method{Folds: 3}}}},
		{"Method", EstimateOptions{Options: Options{Method: &cv.Method{Kind: cv.LeaveOneOut, Folds: 3}}}},
		{"Nested", EstimateOptions{Nested: kfold(-1)}},
		{"Nested", EstimateOptions{Nested: kfold(1)}},
		{"Nested", EstimateOptions{Nested: &cv.Method{Folds: 3}}},
		{"Lambdas", EstimateOptions{Options: Options{Lambdas: []float64{1, 1}}}},
		{"Lambdas", EstimateOptions{Options: Options{Lambdas: []float64{1, math.NaN()}}}},
		{"Lambdas", EstimateOptions{Options: Options{Lambdas: []float64{-1, 1}}}},
		{"Intervals", EstimateOptions{Intervals: "some"}},
		{"Permutations", EstimateOptions{Options: Options{Method: kfold(3)}, Permutations: 9}},
	} {
		var known *fault.Error
		if err := c.o.Check(two); !errors.As(err, &known) || known.Kind != fault.Use || known.Option != c.option {
			t.Errorf("%+v: %v, want a fault of option %q", c.o, err, c.option)
		}
	}
	for _, i := range []cv.Intervals{cv.IntervalsAuto, cv.IntervalsHalves, cv.IntervalsNone} {
		if err := (EstimateOptions{Intervals: i}).Check(two); err != nil {
			t.Errorf("intervals %q: %v", i, err)
		}
	}
}

// Nodes without data, or with a kernel that does not match their data, are refused.
func TestCheckOfNodes(t *testing.T) {
	x, k := data.NewDense(2, 2, nil), data.NewDense(2, 2, nil)
	for want, p := range map[string]Problem{
		"the row nodes are missing": {},
		"Problem.Rows has both":     {Rows: &Nodes{X: x, Similarity: k}},
		"Rows.Kernel is fourier:gamma=1,features=2,seed=0, and random features are for models of rows": {
			Rows: &Nodes{X: x, Kernel: kernel.Fourier{Gamma: 1, Features: 2}}},
		"Problem.Cols has both":            {Rows: &Nodes{X: x}, Cols: &Nodes{X: x, Similarity: k}},
		"the kernel linear is of features": {Rows: &Nodes{Kernel: kernel.Linear{}, Similarity: k}},
	} {
		var known *fault.Error
		for name, err := range map[string]error{
			"Check":    (Options{}).Check(p),
			"Train":    second(Train(t.Context(), p, Options{})),
			"Estimate": second(Estimate(t.Context(), p, EstimateOptions{})),
		} {
			if !errors.As(err, &known) || known.Kind != fault.Use || !strings.Contains(err.Error(), want) {
				t.Errorf("%s says %v, want %s", name, err, want)
			}
		}
	}
}

func second[T any](_ T, err error) error { return err }

// Nil and empty values of λ and of intervals mean the default. The row nodes as column nodes are one domain.
func TestZeroValues(t *testing.T) {
	p := someProblem(true)
	o := EstimateOptions{Options: Options{Setting: edge.Rows, Seed: 2}}
	want, err := Estimate(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []*cv.Method{nil, {Kind: cv.KFold, Folds: 3}} {
		for _, lambdas := range [][]float64{nil, {}} {
			o.Method, o.Lambdas = method, lambdas
			e, err := Estimate(t.Context(), p, o)
			if err != nil || len(e.Choice.Points()) != 31 {
				t.Fatalf("%v by %+v: %v, %v", lambdas, method, e, err)
			}
		}
	}
	p.Cols = p.Rows
	if err := (Options{Relation: edge.Symmetric}).Check(p); err != nil {
		t.Errorf("the row nodes as columns: %v", err)
	}
	same, err := Estimate(t.Context(), p, EstimateOptions{Options: Options{Setting: edge.Rows, Seed: 2}})
	if err != nil || same.Choice.Point().Error != want.Choice.Point().Error {
		t.Errorf("the row nodes as columns: %v, %v, want %v", same, err, want)
	}
	r, err := Train(t.Context(), p, Options{Lambdas: []float64{1}})
	if err != nil || r.Model.Cols != nil {
		t.Errorf("a model of one domain has columns %v, %v", r.Model.Cols, err)
	}
}

// The zero value of Intervals makes intervals if that is quick.
func TestIntervalsUnasked(t *testing.T) {
	p := Problem{Rows: &Nodes{X: data.NewDense(20, 2, nil)},
		Cols: &Nodes{X: data.NewDense(4, 2, []float64{1, 0, 0, 1, 1, 1, -1, 0})}}
	for i := range p.Rows.X.Rows {
		p.Rows.X.Row(i)[0], p.Rows.X.Row(i)[1] = float64(i%5)-2, float64(i%7)-3
		for j := range p.Cols.X.Rows {
			p.Edges.Row, p.Edges.Col = append(p.Edges.Row, int32(i)), append(p.Edges.Col, int32(j))
			p.Y = append(p.Y, p.Rows.X.DotRow(i, p.Cols.X.Row(j))+float64((i*i+j)%3))
		}
	}
	for intervals, has := range map[cv.Intervals]bool{cv.IntervalsAuto: true, cv.IntervalsHalves: true,
		cv.IntervalsNone: false} {
		e, err := Estimate(t.Context(), p, EstimateOptions{Options: Options{Setting: edge.Rows, Lambdas: []float64{0.5, 2}},
			Intervals: intervals})
		if err != nil || (e.Halves != nil) != has {
			t.Errorf("intervals %q: %v, want %t", intervals, err, has)
		}
	}
	// a half has as many folds as nodes, and in a graph that is not complete they are retrained
	by := &cv.Method{Kind: cv.KFold, Folds: 20}
	folds := EstimateOptions{Options: Options{Setting: edge.Rows, Lambdas: []float64{0.5, 2}, Method: by}}
	for _, edges := range []int{len(p.Y), len(p.Y) - 3} {
		p.Edges.Row, p.Edges.Col, p.Y = p.Edges.Row[:edges], p.Edges.Col[:edges], p.Y[:edges]
		e, err := Estimate(t.Context(), p, folds)
		if err != nil || !e.Choice.Retrained || e.Halves == nil || !e.Interval().Defined {
			t.Errorf("%d edges by folds: %v, halves %v", edges, err, e)
		}
	}
}

// measuredAgain is the error of held-out scores within their test sets, ties one half.
func measuredAgain(p *Problem, scores []float64, splits *holdout.Splits) float64 {
	set := make([]int, len(p.Y))
	for k := range splits.Len() {
		for _, e := range splits.Test(k) {
			set[e] = k
		}
	}
	var wrong, pairs float64
	for e := range p.Y {
		for h := range p.Y {
			if p.Y[e] <= p.Y[h] || math.IsNaN(scores[e]+scores[h]) || p.Edges.Row[e] != p.Edges.Row[h] ||
				set[e] != set[h] {
				continue
			}
			bad := 0.5
			if scores[e] != scores[h] {
				bad = map[bool]float64{true: 1}[scores[e] < scores[h]]
			}
			wrong, pairs = wrong+bad, pairs+1
		}
	}
	return wrong / pairs
}

// The held-out scores of folds and rows are the scores that the error was measured on, even if folds are
// trained from the solution of a larger λ and end far from the optimum.
func TestHeldOutIsWhatWasMeasured(t *testing.T) {
	missing := someProblem(false)
	missing.Edges.Row, missing.Edges.Col, missing.Y = missing.Edges.Row[1:], missing.Edges.Col[1:], missing.Y[1:]
	twins := someProblem(false)
	copy(twins.Rows.X.Row(1), twins.Rows.X.Row(0))
	copy(twins.Cols.X.Row(1), twins.Cols.X.Row(0))
	kfold := &cv.Method{Kind: cv.KFold, Folds: 3}
	for name, c := range map[string]struct {
		p Problem
		o EstimateOptions
	}{
		"iterative": {missing, EstimateOptions{Options: Options{Method: kfold, Tolerance: 0.5}}},
		"edges left": {missing, EstimateOptions{Options: Options{Tolerance: 0.5,
			Lambdas: []float64{0.01, 0.1, 1, 10}}}},
		"folds":     {twins, EstimateOptions{Options: Options{Method: kfold, Setting: edge.Rows}}},
		"exact":     {twins, EstimateOptions{Options: Options{Setting: edge.Rows}, Permutations: 2}},
		"two steps": {twins, EstimateOptions{Options: Options{Setting: edge.Rows, Learner: TwoStep}}},
	} {
		c.o.HeldOut = true
		e, err := Estimate(t.Context(), c.p, c.o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		ready, err := prepare(&c.p, EstimateOptions{Options: c.o.Resolved(), HeldOut: true}, &journal.Journal{}, false)
		if err != nil {
			t.Fatal(err)
		}
		splits, err := ready.graph().splits(ready.o.scheme(e.Choice.Method))
		if err != nil {
			t.Fatal(err)
		}
		if got := measuredAgain(&c.p, e.HeldOut, splits); math.Abs(got-e.Choice.Point().Error) > 1e-12 {
			t.Errorf("%s: the held-out scores have error %v, and %v was measured", name, got, e.Choice.Point().Error)
		}
		if e.run.Choice.Source != nil {
			t.Errorf("%s: the factored problem is kept with the result", name)
		}
	}
}

// The held-out scores of leave-pair-out come from leaving out one edge after another.
func TestHeldOutOfPairs(t *testing.T) {
	for _, of := range []Options{{}, {Setting: edge.Cols}, {Setting: edge.Both, Loss: edge.Regression},
		{Setting: edge.Both, Learner: TwoStep}} {
		o := EstimateOptions{Options: of}
		o.HeldOut, o.Lambdas, o.Intervals = true, []float64{2}, cv.IntervalsNone
		pairs, err := Estimate(t.Context(), someProblem(false), o)
		if err != nil || pairs.Choice.Method.Kind != cv.LeavePairOut {
			t.Fatalf("%s: %v", o.Setting, err)
		}
		o.Method = &cv.Method{Kind: cv.LeaveOneOut}
		one, err := Estimate(t.Context(), someProblem(false), o)
		if err != nil || !slices.Equal(pairs.HeldOut, one.HeldOut) || !slices.ContainsFunc(one.Notes,
			func(n event.Note) bool { return n.Code == codes.NoteEdgesPooled && n.Warning }) {
			t.Errorf("%s: %v, %+v: held out %v, and one after another %v", o.Setting, err, one.Notes, pairs.HeldOut,
				one.HeldOut)
		}
	}
}

// A choice and the model of its λ use one factored problem. The model is that of training with the λ alone.
func TestTrainingOfTheFactoredProblem(t *testing.T) {
	for _, o := range []Options{{}, {Loss: edge.Regression, Setting: edge.Rows}, {Learner: TwoStep}} {
		chosen, err := Train(t.Context(), someProblem(false), o)
		if err != nil {
			t.Fatal(err)
		}
		o.Lambdas = []float64{chosen.Lambda}
		alone, err := Train(t.Context(), someProblem(false), o)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(chosen.Model.Coef.Data, alone.Model.Coef.Data) {
			t.Errorf("%+v: other coefficients by a choice", o)
		}
	}
}

// Labels that are equal or opposite in both directions get a warning if the relation is arbitrary.
func TestOneSided(t *testing.T) {
	labelled := func(y func(u, v float64) float64) Problem {
		p := someProblem(true)
		for e := range p.Y {
			p.Y[e] = y(float64(p.Edges.Row[e]), float64(p.Edges.Col[e]))
		}
		return p
	}
	symmetric := labelled(func(u, v float64) float64 { return math.Mod(u*v+u+v, 4) })
	opposite := labelled(func(u, v float64) float64 { return (u - v) * (u + v - 3) })
	missing := symmetric
	missing.Edges.Row, missing.Edges.Col, missing.Y = symmetric.Edges.Row[:30], symmetric.Edges.Col[:30],
		symmetric.Y[:30]
	two := symmetric
	two.Cols = &Nodes{X: symmetric.Rows.X}
	kfold := &cv.Method{Kind: cv.KFold, Folds: 3}
	for name, c := range map[string]struct {
		p      Problem
		o      EstimateOptions
		remedy string // "-" is no note
	}{
		"symmetric": {symmetric, EstimateOptions{Options: Options{Setting: edge.Rows}},
			"the relation symmetric leaves out both"},
		"opposite": {opposite, EstimateOptions{Options: Options{Setting: edge.Cols}},
			"the relation reciprocal leaves out both"},
		"pairs": {symmetric, EstimateOptions{}, "the relation symmetric leaves out both"},
		"folds": {opposite, EstimateOptions{Options: Options{Setting: edge.Both, Method: kfold}},
			"the relation reciprocal leaves out both"},
		"two steps":         {symmetric, EstimateOptions{Options: Options{Setting: edge.Rows, Learner: TwoStep}}, ""},
		"neither":           {someProblem(true), EstimateOptions{Options: Options{Setting: edge.Rows}}, "-"},
		"not all both ways": {missing, EstimateOptions{Options: Options{Setting: edge.Rows, Method: kfold}}, "-"},
		"two domains":       {two, EstimateOptions{Options: Options{Setting: edge.Rows}}, "-"},
		"known to be": {symmetric,
			EstimateOptions{Options: Options{Setting: edge.Rows, Relation: edge.Symmetric, Method: kfold}}, "-"},
		"known to be opposite": {opposite,
			EstimateOptions{Options: Options{Setting: edge.Rows, Relation: edge.Reciprocal, Method: kfold}}, "-"},
	} {
		c.o.Lambdas, c.o.Intervals = []float64{0.1, 1}, cv.IntervalsNone
		e, err := Estimate(t.Context(), c.p, c.o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := "-"
		for _, n := range e.Notes {
			if n.Code == codes.NoteEdgesOneSided {
				got = n.Remedy
			}
		}
		if got != c.remedy {
			t.Errorf("%s: the remedy is %q, want %q", name, got, c.remedy)
		}
	}
}

// A symmetric or reciprocal relation that lists each pair once is learnt, ranked and held out as the one that
// lists both directions, with a note.
func TestListedOnce(t *testing.T) {
	for kind, sign := range map[edge.Relation]float64{edge.Symmetric: 1, edge.Reciprocal: -1} {
		both := someProblem(true)
		both.Edges, both.Y = edge.Edges{}, nil
		add := func(p *Problem, u, v int32, y float64) {
			p.Edges.Row, p.Edges.Col, p.Y = append(p.Edges.Row, u), append(p.Edges.Col, v), append(p.Y, y)
		}
		once := both
		for u := range int32(both.Rows.Len()) {
			for v := range u {
				add(&once, u, v, float64((3*u+5*v)%4))
			}
		}
		both.Edges.Row, both.Edges.Col = slices.Clone(once.Edges.Row), slices.Clone(once.Edges.Col)
		both.Y = slices.Clone(once.Y)
		for e, y := range once.Y {
			add(&both, once.Edges.Col[e], once.Edges.Row[e], sign*y)
		}
		for _, loss := range []edge.Loss{edge.Ranking, edge.Regression} {
			o := Options{Relation: kind, Loss: loss, Lambdas: []float64{0.5}, Tolerance: 1e-12}
			got, err := Train(t.Context(), once, o)
			if err != nil {
				t.Fatal(err)
			}
			want, err := Train(t.Context(), both, o)
			if err != nil {
				t.Fatal(err)
			}
			noted := slices.ContainsFunc(got.Notes, func(n event.Note) bool {
				return n.Code == codes.NoteEdgesReversed &&
					strings.Contains(n.Text, "relation are listed in one direction only: the opposite edges are added with the")
			})
			if !noted || len(want.Notes) > 0 {
				t.Errorf("%s %s: notes %+v, and of both directions %+v", kind, loss, got.Notes, want.Notes)
			}
			if !slices.Equal(got.Model.Edges.Value, want.Model.Edges.Value) {
				t.Errorf("%s: other coefficients where pairs are listed once", kind)
			}
			o.Setting = edge.Rows
			e, err := Estimate(t.Context(), once,
				EstimateOptions{Options: o, HeldOut: true, Intervals: cv.IntervalsNone})
			if err != nil || len(e.HeldOut) != len(once.Y) {
				t.Errorf("%s %s: %d held-out scores of %d edges, %v", kind, loss, len(e.HeldOut), len(once.Y), err)
			}
		}
	}
}
