package pairrank_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pairrank"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/event"
	"pairrank/internal/codes"
	"pairrank/kernel"
)

// patients are rows with an age, a sex that some lack, a stage from 1 to 4, and a column that is constant.
type patients struct {
	age, stage []float64
	sex        []string
	y          []float64
}

func somePatients(r *rand.Rand, m int) (p patients) {
	for range m {
		p.age, p.stage = append(p.age, float64(20+r.IntN(60))), append(p.stage, float64(1+r.IntN(4)))
		p.sex, p.y = append(p.sex, []string{"", "f", "m", "x"}[r.IntN(4)]), append(p.y, float64(r.IntN(5)))
	}
	return p
}

// naive is the clinical kernel by its definition.
func (p patients) naive() *data.Dense {
	spread := func(v []float64) float64 { return slices.Max(v) - slices.Min(v) }
	return kernel.Gram(slices.Collect(countTo(len(p.y))), func(i, j int) float64 {
		same := 0.0
		if p.sex[i] == p.sex[j] {
			same = 1
		}
		return ((spread(p.age)-math.Abs(p.age[i]-p.age[j]))/spread(p.age) + same +
			(spread(p.stage)-math.Abs(p.stage[i]-p.stage[j]))/spread(p.stage)) / 3
	})
}

func countTo(m int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < m && yield(i); i++ {
		}
	}
}

// set are the rows with the columns in an order, 0 for the age, 1 for the texts, 2 for the stage, 3 for the constant
// one; called gives texts other names.
func (p patients) set(order []int, called func(text string) string) *data.Set {
	f := data.Factor{Column: "sex", Levels: []string{called("f"), called("m"), called("x")}}
	slices.Sort(f.Levels)
	s := &data.Set{Y: p.y, Schema: &data.Schema{Label: "y", Factors: []data.Factor{f}}, Queries: data.OneList(len(p.y))}
	for _, c := range order {
		if c != 1 {
			s.Names = append(s.Names, []string{"age", "", "stage", "same"}[c])
			continue
		}
		for _, level := range f.Levels {
			s.Names = append(s.Names, f.FeatureName(level))
		}
	}
	x := data.NewDense(len(p.y), len(s.Names), nil)
	for i := range p.y {
		for j, name := range s.Names {
			switch name {
			case "age":
				x.Row(i)[j] = p.age[i]
			case "stage":
				x.Row(i)[j] = p.stage[i]
			case "same":
				x.Row(i)[j] = 7
			case f.FeatureName(called(p.sex[i])):
				x.Row(i)[j] = 1
			}
		}
	}
	s.X = x
	return s
}

func asCalled(text string) string { return text }

var clinical = []kernel.Kernel{kernel.Clinical{}}

// errorsOf are the errors of all λ by a method.
func errorsOf(t *testing.T, p pairrank.Problem, l pairrank.Learner, m cv.Method,
	kernels []kernel.Kernel) (all []float64) {
	t.Helper()
	o := pairrank.EstimateOptions{Options: pairrank.Options{Learner: l, Method: &m, Kernels: kernels,
		Lambdas: []float64{0.01, 0.3, 10}}, Intervals: cv.IntervalsNone}
	e, err := pairrank.Estimate(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, point := range e.Choice.Chosen().Outputs[0].Points {
		all = append(all, point.Error)
	}
	return all
}

// The clinical kernel of a table is the matrix of its definition, under every learner and way of holding out, and new
// rows are scored by it.
func TestClinicalOfATable(t *testing.T) {
	r := rand.New(rand.NewPCG(44, 9))
	for trial := range 20 {
		p := somePatients(r, 25)
		set := p.set([]int{3, 0, 1, 2}, asCalled)
		given := &data.Set{Y: p.y, Queries: set.Queries, X: data.NewDense(len(p.y), 0, nil)}
		for _, l := range []pairrank.Learner{pairrank.LeastSquares{}, pairrank.LeastSquares{Regression: true},
			pairrank.RankSVM{Epsilon: 1e-7}} {
			methods := []cv.Method{{Kind: cv.LeavePairOut}, {Kind: cv.LeaveOneOut}, {Kind: cv.KFold, Folds: 4}}
			if _, svm := l.(pairrank.RankSVM); svm {
				methods = methods[2:]
			}
			for _, m := range methods {
				got := errorsOf(t, pairrank.Problem{Set: set}, l, m, clinical)
				want := errorsOf(t, pairrank.Problem{Set: given, Kernel: p.naive()}, l, m, nil)
				if !near(got, want, 1e-8) {
					t.Fatalf("trial %d, %v, %v: errors %v, want %v", trial, l, m, got, want)
				}
			}
		}
		result, err := pairrank.Train(context.Background(), pairrank.Problem{Set: set},
			pairrank.Options{Kernels: clinical, Lambdas: []float64{0.3}})
		if err != nil {
			t.Fatal(err)
		}
		other, err := pairrank.Train(context.Background(), pairrank.Problem{Set: given, Kernel: p.naive()},
			pairrank.Options{Lambdas: []float64{0.3}})
		if err != nil {
			t.Fatal(err)
		}
		if spec := result.Model.KernelSpec(); spec != "clinical:variables=3,factors=3-5" {
			t.Fatalf("the model has kernel %s", spec)
		}
		got, err := result.Model.Score(set)
		want, err2 := other.Model.Score(&data.Set{X: p.naive()})
		if err != nil || err2 != nil || !near(got, want, 1e-8) {
			t.Fatalf("scores %v, want %v: %v, %v", got, want, err, err2)
		}
		if !slices.ContainsFunc(result.Notes, func(n event.Note) bool {
			return n.Code == codes.NoteConstant && strings.Contains(n.Text, "same")
		}) {
			t.Fatalf("the constant feature is not named: %v", result.Notes)
		}
	}
}

func near(a, b []float64, within float64) bool {
	return slices.EqualFunc(a, b, func(v, w float64) bool { return math.Abs(v-w) <= within*max(1, math.Abs(w)) })
}

// Units, origins, the order of the columns, other names of the texts and a further constant column change no score.
func TestClinicalLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(44, 10))
	for range 20 {
		p := somePatients(r, 30)
		scores := func(p patients, order []int, called func(string) string) []float64 {
			set := p.set(order, called)
			result, err := pairrank.Train(context.Background(), pairrank.Problem{Set: set},
				pairrank.Options{Kernels: clinical, Lambdas: []float64{0.1}})
			if err != nil {
				t.Fatal(err)
			}
			got, err := result.Model.Score(set)
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		want := scores(p, []int{0, 1, 2}, asCalled)
		moved := p
		moved.age, moved.stage = slices.Clone(p.age), slices.Clone(p.stage)
		for i := range moved.age {
			moved.age[i], moved.stage[i] = 365.25*p.age[i]-4000, 1e-6*p.stage[i]+0.5
		}
		turned := func(text string) string { return map[string]string{"f": "z", "m": "b", "x": "c"}[text] }
		for what, got := range map[string][]float64{
			"units and origins": scores(moved, []int{0, 1, 2}, asCalled), "columns": scores(p, []int{2, 1, 0}, asCalled),
			"names of texts": scores(p, []int{0, 1, 2}, turned), "a constant": scores(p, []int{0, 3, 1, 2}, asCalled),
		} {
			if !near(got, want, 1e-9) {
				t.Errorf("%s change scores: %v, want %v", what, got, want)
			}
		}
	}
}

// The importance of a number is that of a table without it.
func TestClinicalImportance(t *testing.T) {
	p := somePatients(rand.New(rand.NewPCG(44, 11)), 30)
	o := pairrank.EstimateOptions{Options: pairrank.Options{Kernels: clinical, Lambdas: []float64{0.1}}, Importance: true}
	e, err := pairrank.Estimate(context.Background(), pairrank.Problem{Set: p.set([]int{0, 1, 2}, asCalled)}, o)
	if err != nil {
		t.Fatal(err)
	}
	importance, err := e.Importance(context.Background(), cv.ImportanceAll)
	if err != nil {
		t.Fatal(err)
	}
	without := map[string][]int{"age": {1, 2}, "stage": {0, 1}}
	for _, f := range importance.Features {
		if order, is := without[f.Name]; is {
			other, err := pairrank.Estimate(context.Background(), pairrank.Problem{Set: p.set(order, asCalled)}, o)
			if err != nil {
				t.Fatal(err)
			}
			if want := other.Choice.Error; math.Abs(f.Value-want) > 1e-10 {
				t.Errorf("without %s the error is %v, want %v", f.Name, f.Value, want)
			}
		}
	}
}

func TestClinicalRefusals(t *testing.T) {
	p := somePatients(rand.New(rand.NewPCG(44, 12)), 12)
	set := p.set([]int{0, 1, 2}, asCalled)
	apart := p.set([]int{0, 1, 2}, asCalled)
	apart.Names[2], apart.Names[4] = apart.Names[4], apart.Names[2]
	twice := p.set([]int{0, 1, 2}, asCalled)
	twice.X.(*data.Dense).Row(3)[1], twice.X.(*data.Dense).Row(3)[2] = 1, 1
	for want, run := range map[string]func() (*data.Set, pairrank.Options){
		"and gaussian:gamma=1 is not": func() (*data.Set, pairrank.Options) {
			return set, pairrank.Options{Kernels: append([]kernel.Kernel{kernel.Gaussian{Gamma: 1}}, clinical...)}
		},
		"zscore is not for the clinical kernel": func() (*data.Set, pairrank.Options) {
			return set, pairrank.Options{Kernels: clinical, Normalize: data.NormalizeZScore}
		},
		"the factor 9-12, and there are 5 features": func() (*data.Set, pairrank.Options) {
			return set, pairrank.Options{Kernels: []kernel.Kernel{kernel.Clinical{Factors: "9-12"}}}
		},
		"3-5 does not follow 2-4": func() (*data.Set, pairrank.Options) {
			return set, pairrank.Options{Kernels: []kernel.Kernel{kernel.Clinical{Factors: "3-5"}}}
		},
		`the 3 texts of factor "sex", side by side`: func() (*data.Set, pairrank.Options) {
			return apart, pairrank.Options{Kernels: clinical}
		},
		"row 4 has not one feature of a factor that is 1": func() (*data.Set, pairrank.Options) {
			return twice, pairrank.Options{Kernels: clinical}
		},
	} {
		s, o := run()
		if _, err := pairrank.Train(context.Background(), pairrank.Problem{Set: s}, o); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", fmt.Sprint(err), want)
		}
	}
}
