package pairrank

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pairrank/comparison"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/fault"
	"pairrank/internal/compared"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/naive"
	"pairrank/kernel"
	"pairrank/pref"
)

// problem is one of preferences or comparisons of rows, and linesOf the lines of an estimate of it.
func problem(set *data.Set, preferences []pref.Edge, c *comparison.Problem) Problem {
	return Problem{Set: set, Preferences: preferences, Comparisons: c}
}

func linesOf(e *Estimated) *compared.Pairs { return e.compared().Pairs }

// comparedRows are random rows with comparisons of them: counts, ties, weights, magnitudes, several lines of the same
// two rows, annotators and strata; the last rows are compared among themselves, or not at all.
func comparedRows(r *rand.Rand) (*data.Set, *comparison.Problem) {
	m, n := 6+r.IntN(5), 1+r.IntN(4)
	x := data.NewDense(m, n, nil)
	for k := range x.Data {
		x.Data[k] = r.NormFloat64()
	}
	set := &data.Set{X: x, Y: make([]float64, m), Queries: data.OneList(m)}
	c := &comparison.Problem{Annotators: []string{"u", "v", "w"}, Strata: []string{"s", "t"}}
	for k := range 5 + r.IntN(15) {
		rows := m - 3
		first := 0
		if k%4 == 0 {
			first, rows = m-3, 2
		}
		i := r.IntN(rows)
		l := comparison.Line{Left: first + i, Right: first + (i+1+r.IntN(rows-1))%rows, Annotator: r.IntN(4) - 1,
			Stratum: r.IntN(2), Weight: []float64{0, 1, 0.5}[r.IntN(3)], Magnitude: []float64{0, 2, 0.3}[r.IntN(3)]}
		l.Wins, l.Losses, l.Ties = float64(r.IntN(3)), float64(r.IntN(2)), float64(r.IntN(2))
		if k < 2 {
			l.Wins++
		}
		if l.Wins+l.Losses+l.Ties > 0 {
			c.Lines = append(c.Lines, l)
		}
	}
	return set, c
}

// trainedAgain are the scores of all rows learnt from some lines, by the definition.
func trainedAgain(k *data.Dense, c *comparison.Problem, lines []int, cost pref.Cost, lambda float64) []float64 {
	pairs := []naive.Pair{}
	for _, at := range lines {
		l := c.Lines[at]
		w, z := l.OutcomeWeight(), l.WinMagnitude()
		t := z
		switch cost {
		case pref.Unit:
			t = 1
		case pref.Relative:
			w /= z * z
		}
		pairs = append(pairs, naive.Pair{I: l.Left, J: l.Right, Target: t, Weight: w * l.Wins},
			naive.Pair{I: l.Left, J: l.Right, Target: -t, Weight: w * l.Losses})
		if cost == pref.Magnitude {
			pairs = append(pairs, naive.Pair{I: l.Left, J: l.Right, Weight: w * l.Ties})
		}
	}
	_, f := naive.Dual(k.Data, pairs, nil, lambda)
	return f
}

// withoutUnit are the margins of each line without its unit, by training again.
func withoutUnit(c *comparison.Problem, u comparison.Unit, seed uint64,
	train func(lines []int) []float64) *comparison.HeldOut {
	out, err := c.PredictAgain(u, seed, true, 1, func(lines []int, emit func(int, []float64)) error {
		emit(0, train(lines))
		return nil
	})
	if err != nil {
		panic(err)
	}
	return out[0]
}

// TestUnitsAreTrainingAgain: margins and errors of every unit, form, kernel and cost are those of training without the
// unit, to 1e-8; conjugate gradients to what they are stopped at.
func TestUnitsAreTrainingAgain(t *testing.T) {
	const exact, iterated = 1e-8, 1e-5
	r := rand.New(rand.NewPCG(26, 2))
	checked := 0
	for trial := range 60 {
		set, c := comparedRows(r)
		for _, form := range []struct {
			l         LeastSquares
			k         kernel.Kernel
			tolerance float64
		}{
			{LeastSquares{Solver: Primal}, kernel.Linear{}, exact},
			{LeastSquares{Solver: Dual}, kernel.Linear{}, exact},
			{LeastSquares{}, kernel.Gaussian{Gamma: 0.4}, exact},
			{LeastSquares{Basis: Basis{Rows: indices(len(set.Y))}}, kernel.Gaussian{Gamma: 0.4}, exact},
			{LeastSquares{Solver: CG, Tolerance: 1e-12}, kernel.Linear{}, iterated},
		} {
			for _, kind := range []string{"line", "pair", "annotator", "stratum", "item", "kfold:2"} {
				form.l.Pairs.Cost = []pref.Cost{pref.Magnitude, pref.Magnitude, pref.Unit, pref.Relative}[trial%4]
				u, _ := comparison.ParseUnit(kind)
				lambda := []float64{0.05, 1, 20}[r.IntN(3)]
				name := fmt.Sprintf("trial %d, %s %q of %s, %s, λ %v", trial, form.l.Pairs.Cost, form.l.Solver, form.k,
					kind, lambda)
				o := EstimateOptions{Options: Options{Learner: form.l, Kernels: []kernel.Kernel{form.k},
					Lambdas: []float64{lambda / 3, lambda}, Method: &cv.Method{Kind: cv.Kind(u.Kind), Folds: u.Folds},
					Seed: 5}, HeldOut: true}
				e, err := Estimate(t.Context(), problem(set, nil, c), o)
				if errors.Is(err, goals.ErrNothingToLearn) || u.Folds > len(c.ByPair()) {
					continue
				}
				var f *fault.Error
				if errors.As(err, &f) && strings.Contains(err.Error(), "folds need") {
					continue // ties are left out
				}
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				k := kernel.Matrix(form.k, set.X, set.X)
				best := e.Choice.Chosen().Best()
				lines := linesOf(e).Teaching
				want := withoutUnit(lines, u, 5, func(some []int) []float64 {
					return trainedAgain(k, lines, some, pref.Magnitude, best)
				})
				got, err := e.HeldOutComparisons()
				if err != nil {
					t.Fatal(err)
				}
				for line, at := range linesOf(e).Place {
					if at < 0 {
						if form.l.Pairs.Cost == pref.Magnitude || !math.IsNaN(got.Margins[line][0]) {
							t.Errorf("%s: line %d is left out, margin %v", name, line, got.Margins[line])
						}
						continue
					}
					checked++
					if a, b := got.Margins[line][0],
						want.Margins[at][0]; math.Abs(a-b) > form.tolerance*(1+math.Abs(b)) {
						t.Errorf("%s: line %d has margin %v, and again %v", name, line, a, b)
					}
				}
				p := e.Choice.BestPoint(0, nil)
				if form.tolerance == exact && math.Abs(p.Error-want.Error.Value) > exact {
					t.Errorf("%s: error %v, and again %v", name, p.Error, want.Error.Value)
				}
				if retrained := form.l.Solver == CG; e.Choice.Retrained != retrained {
					t.Errorf("%s: retrained %v", name, e.Choice.Retrained)
				}
			}
		}
	}
	if checked < 10000 {
		t.Errorf("only %d margins were checked", checked)
	}
}

// TestCostsOfComparisons: the model of comparisons is that of the definition, of each cost.
func TestCostsOfComparisons(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 5))
	for trial := range 30 {
		set, c := comparedRows(r)
		cost := []pref.Cost{pref.Magnitude, pref.Unit, pref.Relative}[trial%3]
		result, err := learn(t.Context(), problem(set, nil, c),
			EstimateOptions{Options: Options{Lambdas: []float64{0.7},
				Learner: LeastSquares{Pairs: pref.Options{Cost: cost}}}})
		if errors.Is(err, goals.ErrNothingToLearn) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		want := trainedAgain(kernel.Matrix(kernel.Linear{}, set.X, set.X), c, indices(len(c.Lines)), cost, 0.7)
		row := make([]float64, set.X.(*data.Dense).Cols)
		for i := range set.Y {
			set.X.RowTo(row, i)
			if got := result.Model.ScoreRow(row); math.Abs(got-want[i]) > 1e-8*(1+math.Abs(want[i])) {
				t.Errorf("trial %d, cost %s: row %d has score %v, want %v", trial, cost, i, got, want[i])
			}
		}
	}
}

// TestSingleOutcomesLeave: one outcome of a line of counts leaves by the formula of least squares, as a line that
// counts one less.
func TestSingleOutcomesLeave(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 9))
	for trial := range 20 {
		set, c := comparedRows(r)
		o := EstimateOptions{Options: Options{Lambdas: []float64{0.8}, Method: &cv.Method{Kind: "comparison"},
			Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: 0.3}}}, HeldOut: true}
		e, err := Estimate(t.Context(), problem(set, nil, c), o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.HeldOutComparisons()
		if err != nil {
			t.Fatal(err)
		}
		k := kernel.Matrix(kernel.Gaussian{Gamma: 0.3}, set.X, set.X)
		for at := range c.Lines {
			for outcome := range 3 {
				rest := *c
				rest.Lines = append([]comparison.Line(nil), c.Lines...)
				l := &rest.Lines[at]
				count := []*float64{&l.Wins, &l.Losses, &l.Ties}[outcome]
				if *count--; *count < 0 {
					continue
				}
				f := trainedAgain(k, &rest, indices(len(rest.Lines)), pref.Magnitude, 0.8)
				if want := f[l.Left] - f[l.Right]; math.Abs(got.Margins[at][outcome]-want) > 1e-8*(1+math.Abs(want)) {
					t.Errorf("trial %d, line %d, outcome %d: margin %v, want %v", trial, at, outcome,
						got.Margins[at][outcome], want)
				}
			}
		}
		o.Learner = RankSVM{}
		if _, err := Estimate(t.Context(), problem(set, nil, c), o); err == nil ||
			!strings.Contains(err.Error(), "formula of least squares") {
			t.Errorf("trial %d: RankSVM leaves out single outcomes of counts: %v", trial, err)
		}
	}
}

// TestPreferencesLeave: of a graph that connects all rows one preference leaves, by default, with those of the same two
// rows; queries leave where there are several.
func TestPreferencesLeave(t *testing.T) {
	set := gen.Set(12, 3, 3, 7)
	var edges []pref.Edge
	for i := range 12 {
		edges = append(edges, pref.Edge{I: i, J: (i + 1) % 12, Magnitude: float64(i % 3), Weight: 1 + float64(i%2)})
	}
	edges = append(edges, pref.Edge{I: 3, J: 7, Magnitude: 1}) // of weight 0
	list := *set
	list.Queries, list.HasQID = data.OneList(12), false
	e, err := Estimate(t.Context(), problem(&list, edges, nil), EstimateOptions{HeldOut: true})
	if err != nil {
		t.Fatal(err)
	}
	point := e.Choice.BestPoint(0, nil)
	lines := e.Comparisons
	if e.Choice.Method.String() != "pair" || point.Pairs != 8 || e.Independent != 8 || !e.Interval(0).Defined ||
		lines != 13 {
		t.Errorf("method %s, %d wins over %d units, interval %v, %d comparisons", e.Choice.Method, point.Pairs,
			e.Independent,
			e.Interval(0), lines)
	}
	h, err := e.HeldOutComparisons()
	if err != nil || len(h.Margins) != 13 || !math.IsNaN(h.Margins[12][0]) || math.IsNaN(h.Margins[0][0]) {
		t.Errorf("margins %v, error %v", h, err)
	}
	if _, err := e.HeldOut(t.Context()); err == nil {
		t.Error("comparisons have held-out scores of rows")
	}
	within := []pref.Edge{}
	of := set.Queries.Of()
	for i := range 12 {
		for j := range i {
			if of[i] == of[j] {
				within = append(within, pref.Edge{I: i, J: j, Magnitude: 1, Weight: 1})
			}
		}
	}
	queries := *set
	queries.HasQID = true
	e, err = Estimate(t.Context(), problem(&queries, within, nil), EstimateOptions{})
	if err != nil || e.Choice.Method.Kind != cv.LeaveQueryOut || e.Choice.Retrained || e.Independent != 3 {
		t.Fatalf("queries: %v, %+v", err, e)
	}
	for _, bad := range []struct {
		p    Problem
		o    EstimateOptions
		want string
	}{
		{problem(&queries, edges, nil), EstimateOptions{Options: Options{Method: &cv.Method{Kind: cv.LeaveQueryOut}}},
			"two queries"},
		{problem(&list, edges, nil), EstimateOptions{Options: Options{Method: &cv.Method{Kind: cv.LeaveQueryOut}}},
			"at least two queries"},
		{problem(&list, edges, nil), EstimateOptions{Options: Options{Method: &cv.Method{Kind: cv.LeaveOneOut}}},
			"unknown unit"},
		{problem(&list, edges, nil), EstimateOptions{Options: Options{Method: &cv.Method{Kind: "annotator"}}},
			"annotators"},
		{Problem{Set: set}, EstimateOptions{Options: Options{Method: &cv.Method{Kind: "pair"}}}, "is not a method"},
		{problem(&list, edges, nil), EstimateOptions{Options: Options{Learner: RankBoost{}}}, "rankboost counts"},
		{problem(&list, edges, nil), EstimateOptions{Importance: true}, "preferences and comparisons replace"},
		{problem(&list, edges, &comparison.Problem{}), EstimateOptions{}, "give one"},
		{problem(&list, nil, &comparison.Problem{Items: []string{"a"}}), EstimateOptions{}, "1 item"},
		{problem(&list, nil, &comparison.Problem{}), EstimateOptions{}, "no comparisons"},
		{problem(&list, edges, nil),
			EstimateOptions{Options: Options{Learner: LeastSquares{Pairs: pref.Options{Weight: pref.Size}}}}, "Pairs"},
		{problem(&list, []pref.Edge{{I: 0, J: 20, Magnitude: 1, Weight: 1}}, nil), EstimateOptions{}, "count from 0"},
		{problem(&list, []pref.Edge{{I: 0, J: 1, Magnitude: 1}}, nil), EstimateOptions{}, "Weight is 1"},
	} {
		_, err := Estimate(t.Context(), bad.p, bad.o)
		var known *fault.Error
		if err == nil || !strings.Contains(err.Error(), bad.want) || !errors.As(err, &known) {
			t.Errorf("error %v, want an *fault.Error about %q", err, bad.want)
		}
	}
}

// TestRankSVMOfComparisons: the margins of folds are those of training on the others, of both losses and of kernels;
// the objective says that ties and magnitudes are not learnt.
func TestRankSVMOfComparisons(t *testing.T) {
	const tolerance = 1e-3 // of the scores, for a gap of 1e-8
	r := rand.New(rand.NewPCG(26, 11))
	for trial := range 12 {
		set, c := comparedRows(r)
		for _, loss := range []string{"hinge", "squared-hinge"} {
			k := []kernel.Kernel{kernel.Linear{}, kernel.Gaussian{Gamma: 0.5}}[trial%2]
			l := RankSVM{Epsilon: 1e-8, MaxIterations: 100000}
			if loss == "squared-hinge" {
				l.Loss = "squared-hinge"
			}
			o := EstimateOptions{Options: Options{Learner: l, Kernels: []kernel.Kernel{k}, Lambdas: []float64{0.3},
				Seed: 2, Method: &cv.Method{Kind: cv.KFold, Folds: 2}}, HeldOut: true}
			p := problem(set, nil, c)
			e, err := Estimate(t.Context(), p, o)
			if err != nil {
				t.Fatal(err)
			}
			if !e.Choice.Retrained {
				t.Error("RankSVM has a shortcut")
			}
			got, err := e.HeldOutComparisons()
			if err != nil {
				t.Fatal(err)
			}
			lines := linesOf(e).Teaching
			want := withoutUnit(lines, comparison.Unit{Kind: "kfold", Folds: 2}, 2, func(some []int) []float64 {
				rest := *c
				rest.Lines = nil
				for _, at := range some {
					rest.Lines = append(rest.Lines, lines.Lines[at])
				}
				one := o
				one.Method = nil
				result, err := learn(t.Context(), problem(set, nil, &rest), one)
				if errors.Is(err, goals.ErrNothingToLearn) {
					return make([]float64, len(set.Y))
				}
				if err != nil {
					t.Fatal(err)
				}
				f, row := make([]float64, len(set.Y)), make([]float64, set.X.(*data.Dense).Cols)
				for i := range f {
					set.X.RowTo(row, i)
					f[i] = result.Model.ScoreRow(row)
				}
				return f
			})
			for line, at := range linesOf(e).Place {
				if at >= 0 && math.Abs(got.Margins[line][0]-want.Margins[at][0]) > tolerance {
					t.Errorf("trial %d, %s, %s: line %d has margin %v, and again %v", trial, loss, k, line,
						got.Margins[line][0],
						want.Margins[at][0])
				}
			}
		}
	}
}
