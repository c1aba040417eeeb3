package pairrank

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/event"
	"pairrank/internal/codes"
	"pairrank/internal/ratio"
	"pairrank/kernel"
)

// path is a way to an estimate: a row of the table that the laws run over.
type lawPath struct {
	name    string
	problem Problem
	o       EstimateOptions
}

// lawLists are lists and queries of rows, with values that were missing or none.
func lawLists(seed uint64) map[string]*data.Set {
	sets := map[string]*data.Set{}
	for _, queries := range []int{1, 5} {
		for _, missing := range []bool{false, true} {
			r := rand.New(rand.NewPCG(seed, uint64(queries)))
			m := 15
			x, y, of := data.NewDense(m, 3, nil), make([]float64, m), make([]int32, m)
			for i := range m {
				for j := range 3 {
					x.Row(i)[j] = r.NormFloat64()
				}
				of[i], y[i] = int32(i%queries), float64((i/queries)%2)
				x.Row(i)[0] += y[i]
			}
			set := &data.Set{X: x, Y: y, Queries: data.OneList(m)}
			name := "list"
			if queries > 1 {
				name, set.Queries, set.HasQID = "queries", data.NewPartition(of, queries), true
			}
			if missing {
				name += ", missing mean"
				x.Row(1)[2] = math.NaN()
				by := slices.Repeat([]data.Missing{data.MissingMean}, 3)
				set.Substitutes = data.SubstitutesOf(x, by)
				if err := set.Substitutes.Fill(x, by); err != nil {
					panic(err)
				}
			}
			sets[name] = set
		}
	}
	return sets
}

// lawPaths are data × learners × ways of holding out × spellings of nested × normalisations.
func lawPaths() (paths []lawPath) {
	learners := map[string]func(o *EstimateOptions){
		"rankrls":          func(*EstimateOptions) {},
		"rankrls gaussian": func(o *EstimateOptions) { o.Kernels = []kernel.Kernel{kernel.Gaussian{Gamma: 0.3}} },
		"rankrls basis":    func(o *EstimateOptions) { o.Learner = LeastSquares{Basis: Basis{Size: 6}} },
		"rankrls cg":       func(o *EstimateOptions) { o.Learner = LeastSquares{Solver: CG} },
		"rls":              func(o *EstimateOptions) { o.Learner = LeastSquares{Regression: true} },
		"features":         func(o *EstimateOptions) { o.Learner = Greedy{Features: 2} },
		"ranksvm":          func(o *EstimateOptions) { o.Learner = RankSVM{} },
		"rankboost":        func(o *EstimateOptions) { o.Learner, o.Lambdas = RankBoost{Rounds: []int{2, 3}}, nil },
	}
	methods := []string{"", "lpo", "loo", "lqo", "kfold:3"}
	nested := []string{"", "kfold", "kfold:3", "lqo", "lpo", "loo"}
	for set, rows := range lawLists(4) {
		for learner, with := range learners {
			for _, method := range methods {
				for _, outer := range nested {
					for _, norm := range []string{"none", "zscore", "minmax", "query-minmax"} {
						o := EstimateOptions{Options: Options{Lambdas: []float64{0.5, 8}, Normalize: norm, Seed: 3,
							Method: parsed(method)}, Intervals: cv.IntervalsNone, Nested: parsed(outer)}
						with(&o)
						paths = append(paths, lawPath{strings.Join([]string{set, learner, method, "nested " + outer,
							norm}, ", "),
							Problem{Set: rows}, o})
					}
				}
			}
		}
	}
	return paths
}

func parsed(method string) *cv.Method {
	switch method {
	case "":
		return nil
	case "kfold":
		return &cv.Method{Kind: cv.KFold}
	}
	m, err := cv.ParseMethod(method)
	if err != nil {
		panic(err)
	}
	return &m
}

// textOf is the note of a code, "" without one.
func textOf(notes []event.Note, code event.Code) string {
	at := slices.IndexFunc(notes, func(n event.Note) bool { return n.Code == code })
	if at < 0 {
		return ""
	}
	return notes[at].Text
}

// Held-out rows that help are told on every path, in training as in an estimate, and no path without them tells it. A
// training chooses what an estimate finds best, with the same error, standard error and notes about it.
func TestLawsOfEstimates(t *testing.T) {
	told, quiet, refused := 0, 0, 0
	for _, p := range lawPaths() {
		e, err := Estimate(t.Context(), p.problem, p.o)
		if err != nil {
			refused++ // as loo in a nest with retrained folds
			continue
		}
		r, err := learn(t.Context(), p.problem, p.o)
		if err != nil {
			t.Fatalf("%s: estimated, but not trained: %v", p.name, err)
		}
		help := helpOf(p)
		for verb, notes := range map[string][]event.Note{"train": r.Notes, "cv": e.Notes} {
			text := textOf(notes, codes.NoteHelped)
			if (text != "") != (len(help) > 0) {
				t.Errorf("%s, %s: told %q, want %q", verb, p.name, text, help)
			}
			for _, part := range help {
				if !strings.Contains(text, part) {
					t.Errorf("%s, %s: told %q without %q", verb, p.name, text, part)
				}
			}
		}
		if len(help) > 0 {
			told++
		} else {
			quiet++
		}
		a, b := r.Choice, e.Choice
		if a.Lambda != b.Lambda || a.Rounds != b.Rounds || a.Error != b.Error || a.StdErr != b.StdErr || a.Pairs != b.Pairs {
			t.Errorf("%s: train chose %v, %v ± %v; cv %v, %v ± %v", p.name, a.Lambda, a.Error, a.StdErr, b.Lambda,
				b.Error,
				b.StdErr)
		}
		for _, code := range []event.Code{codes.NoteNoStdErr, codes.NoteFewUnits, codes.NoteGroups,
			codes.NoteEndOfPath} {
			if one, other := textOf(r.Notes, code), textOf(e.Notes, code); one != other {
				t.Errorf("%s: train notes %q, cv %q", p.name, one, other)
			}
		}
		checkErrors(t, p.name, e)
	}
	t.Logf("%d paths tell help, %d have none, %d are refused", told, quiet, refused)
	if told < 500 || quiet < 200 {
		t.Errorf("only %d paths tell help, and %d have none", told, quiet)
	}
}

// helpOf is what a path computes from all rows.
func helpOf(p lawPath) (help []string) {
	cut := p.problem.Set.Queries.Len() == 1 || p.o.Method != nil && p.o.Method.Kind == cv.LeaveOneOut
	switch n := p.o.Normalize; {
	case n == "zscore", n == "minmax", n == "query-minmax" && cut:
		help = append(help, n)
	}
	if p.problem.Set.Substitutes != nil {
		help = append(help, "1 missing value")
	}
	if l, is := p.o.Learner.(LeastSquares); is && l.Basis.Size > 0 {
		help = append(help, "basis")
	}
	return help
}

// checkErrors fails for a standard error of width zero or over fewer than three units, and for one that is missing
// without a reason.
func checkErrors(t *testing.T, name string, e *Estimated) {
	t.Helper()
	for k, kernel := range e.Choice.Kernels {
		for _, p := range kernel.Outputs[0].Points {
			if p.StdErr.Defined && (!(p.StdErr.Value > 0) || p.Over.N < 3 || ratio.RarelySeen(p.Over)) {
				t.Errorf("%s, kernel %d: ± %v over %+v", name, k, p.StdErr.Value, p.Over)
			}
		}
	}
	best := e.Choice.BestPoint(0, nil)
	if !best.StdErr.Defined && textOf(e.Notes, codes.NoteNoStdErr) == "" {
		t.Errorf("%s: no standard error, and no reason", name)
	}
	if i := e.Interval(0); i.Defined && !(i.Lo < i.Hi) {
		t.Errorf("%s: the interval %+v", name, i)
	}
	if n := e.Nested; n != nil && n.StdErr.Defined && (!(n.StdErr.Value > 0) || n.Over.N < 3) {
		t.Errorf("%s: nested ± %v over %+v", name, n.StdErr.Value, n.Over)
	}
}

// The default of a nested estimate is its explicit spelling, to the notes.
func TestNestedSpellings(t *testing.T) {
	for set, rows := range lawLists(9) {
		for _, learner := range []Learner{LeastSquares{}, LeastSquares{Regression: true}} {
			o := EstimateOptions{Options: Options{Learner: learner, Lambdas: []float64{0.5, 8}, Normalize: "zscore",
				Seed: 3}, Nested: parsed("kfold")}
			plain, err := Estimate(t.Context(), Problem{Set: rows}, o)
			if err != nil {
				t.Fatal(err)
			}
			o.Nested = &plain.Nested.Outer
			spelt, err := Estimate(t.Context(), Problem{Set: rows}, o)
			if err != nil {
				t.Fatal(err)
			}
			one, other := fmt.Sprintf("%+v %+v", plain.Nested.Point, plain.Notes), fmt.Sprintf("%+v %+v",
				spelt.Nested.Point,
				spelt.Notes)
			if one != other || plain.Nested.Interval != spelt.Nested.Interval {
				t.Errorf("%s, %s: %s is %s by default, %s where it is asked for", set, learner.Name(), o.Nested, one,
					other)
			}
		}
	}
}

// What an estimate refuses to judge, a training does not choose by; one λ trains.
func TestTrainChoosesNoMoreThanEstimated(t *testing.T) {
	lone := lawLists(2)["list"]
	for i := range lone.Y {
		lone.Y[i] = 0
	}
	lone.Y[4] = 1
	flat := lawLists(2)["list"]
	for i := range flat.Y {
		copy(flat.X.(*data.Dense).Row(i), []float64{1, 2, 3})
	}
	for name, set := range map[string]*data.Set{"one row of a label": lone, "equal rows": flat} {
		for _, l := range []Learner{LeastSquares{}, LeastSquares{Regression: true}, RankSVM{},
			RankBoost{Rounds: []int{2, 3}}} {
			p := Problem{Set: set}
			_, estimated := Estimate(t.Context(), p, EstimateOptions{Options: Options{Learner: l}})
			_, trained := learn(t.Context(), p, EstimateOptions{Options: Options{Learner: l}})
			if estimated == nil || trained == nil || trained.Error() != estimated.Error() {
				t.Errorf("%s, %s: cv %v, train %v", name, l.Name(), estimated, trained)
			}
			one := EstimateOptions{Options: Options{Learner: l, Lambdas: []float64{1}}}
			if _, is := l.(RankBoost); is {
				one = EstimateOptions{Options: Options{Learner: RankBoost{Rounds: []int{3}}}}
			}
			if _, err := learn(context.Background(), p, one); err != nil {
				t.Errorf("%s, %s: one λ: %v", name, l.Name(), err)
			}
		}
	}
}

// A constant that is added to a feature changes no held-out error of a loss over pairs, however many digits it takes.
func TestFarFeatures(t *testing.T) {
	plans := map[string]EstimateOptions{
		"linear":       {},
		"dual":         {Options: Options{Learner: LeastSquares{Solver: Dual}}},
		"cg":           {Options: Options{Learner: LeastSquares{Solver: CG}, Method: parsed("kfold:3")}},
		"ranksvm":      {Options: Options{Learner: RankSVM{}, Method: parsed("kfold:3")}},
		"rankboost":    {Options: Options{Learner: RankBoost{Rounds: []int{4}}, Method: parsed("kfold:3")}},
		"linear basis": {Options: Options{Learner: LeastSquares{Basis: Basis{Size: 15}}}},
	}
	for name, o := range plans {
		for _, set := range []string{"list", "queries"} {
			if o.Lambdas = []float64{1}; name == "rankboost" {
				o.Lambdas = nil
			}
			o.Intervals = cv.IntervalsNone
			near := lawLists(6)[set]
			for i := range near.X.(*data.Dense).Data { // few digits, so that the sum is exact
				near.X.(*data.Dense).Data[i] = math.Round(64*near.X.(*data.Dense).Data[i]) / 64
			}
			far := &data.Set{X: data.Clone(near.X), Y: near.Y, Queries: near.Queries, HasQID: near.HasQID}
			for i := range far.Y {
				far.X.(*data.Dense).Row(i)[1] += 1 << 44
			}
			a, err := Estimate(t.Context(), Problem{Set: near}, o)
			if err != nil {
				t.Fatal(name, err)
			}
			b, err := Estimate(t.Context(), Problem{Set: far}, o)
			if err != nil {
				t.Fatal(name, err)
			}
			if x, y := a.Choice.Error, b.Choice.Error; x != y && name != "linear basis" { // of sums of far rows
				t.Errorf("%s of %s: error %v near 0, %v far from it", name, set, x, y)
			}
			if told := textOf(b.Notes, codes.NoteDigits) != ""; told != (name != "rankboost") {
				t.Errorf("%s of %s: told %v", name, set, told)
			}
			if textOf(a.Notes, codes.NoteDigits) != "" {
				t.Errorf("%s of %s: lost digits are told near 0", name, set)
			}
		}
	}
}

// A quadratic kernel of rows far from 0 has the held-out errors of its explicit features.
func TestFarPolynomial(t *testing.T) {
	for trial := range 10 {
		const far = 300
		r := rand.New(rand.NewPCG(uint64(trial), 70))
		m := 14
		x, explicit, y := data.NewDense(m, 2, nil), data.NewDense(m, 3, nil), make([]float64, m)
		for i := range m {
			u, v := math.Round(64*r.NormFloat64())/64, math.Round(64*r.NormFloat64())/64
			copy(x.Row(i), []float64{far + u, v})
			// (far+u)² less far², √2 (far+u) v and v²: the features of the kernel but for a constant
			copy(explicit.Row(i), []float64{2*far*u + u*u, math.Sqrt2 * (far + u) * v, v * v})
			y[i] = float64(i % 2)
		}
		for _, method := range []string{"lpo", "kfold:4"} {
			o := EstimateOptions{Options: Options{Lambdas: []float64{1}, Method: parsed(method)},
				Intervals: cv.IntervalsNone}
			want, err := Estimate(t.Context(), Problem{Set: &data.Set{X: explicit, Y: y, Queries: data.OneList(m)}}, o)
			if err != nil {
				t.Fatal(err)
			}
			o.Kernels = []kernel.Kernel{kernel.Polynomial{Gamma: 1, Degree: 2}}
			got, err := Estimate(t.Context(), Problem{Set: &data.Set{X: x, Y: y, Queries: data.OneList(m)}}, o)
			if err != nil {
				t.Fatal(err)
			}
			if a, b := got.Choice.Error, want.Choice.Error; a != b {
				t.Errorf("trial %d, %s: error %v by the kernel, %v by its features", trial, method, a, b)
			}
		}
	}
}
