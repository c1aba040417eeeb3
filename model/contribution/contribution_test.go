package contribution_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/kernel"
	"pairrank/model"
	. "pairrank/model/contribution"
)

// checkAddsUp checks that a sum is the score, or the difference, that Score gives.
func checkAddsUp(t *testing.T, name string, s *Sum, scores ...float64) {
	t.Helper()
	want := scores[0]
	if len(scores) == 2 {
		want -= scores[1]
	}
	added := s.Rest
	for _, p := range s.Parts {
		added += p.Contribution
	}
	if !alike(s.Total, want) || !alike(added, want) {
		t.Errorf("%s: total %v, parts and rest add up to %v, and the score is %v", name, s.Total, added, want)
	}
	if len(s.Scores) != len(scores) {
		t.Fatalf("%s: %d scores, want %d", name, len(s.Scores), len(scores))
	}
	for k, v := range s.Scores {
		if !alike(v, scores[k]) {
			t.Errorf("%s: score %v, want %v", name, v, scores[k])
		}
	}
}

func TestPartsAddUpToTheScore(t *testing.T) {
	cases(func(name string, m *model.Model, set *data.Set) {
		scores, err := m.Score(set)
		if err != nil {
			t.Fatal(name, err)
		}
		for i := range rows {
			s, err := Row(m, set, i)
			if err != nil {
				t.Fatal(name, err)
			}
			checkAddsUp(t, fmt.Sprint(name, ", row ", i+1), s, scores[i])
			for j := range rows {
				s, err := Rows(m, set, i, j)
				if err != nil {
					t.Fatal(name, err)
				}
				checkAddsUp(t, fmt.Sprint(name, ", rows ", i+1, " and ", j+1), s, scores[i], scores[j])
				checkTurned(t, fmt.Sprint(name, ", rows ", i+1, " and ", j+1), m, set, s, i, j)
				for top := range 4 {
					checkAddsUp(t, fmt.Sprint(name, ", top ", top), s.Top(top), scores[i], scores[j])
				}
			}
		}
	})
}

// checkTurned checks that A over B is B over A with the other sign, bit by bit.
func checkTurned(t *testing.T, name string, m *model.Model, set *data.Set, s *Sum, i, j int) {
	t.Helper()
	back, err := Rows(m, set, j, i)
	if err != nil {
		t.Fatal(name, err)
	}
	if back.Total != -s.Total || len(back.Parts) != len(s.Parts) || back.Scores[0] != s.Scores[1] ||
		back.Scores[1] != s.Scores[0] {
		t.Fatalf("%s: %v of %v turned is %v of %v", name, s.Total, s.Scores, back.Total, back.Scores)
	}
	for k, p := range s.Parts {
		q := back.Parts[k]
		if q.Number != p.Number || q.Contribution != -p.Contribution || q.Values[0] != p.Values[1] ||
			q.Values[1] != p.Values[0] {
			t.Fatalf("%s: part %+v turned is %+v", name, p, q)
		}
	}
}

// The same rows by themselves and in a set, dense and sparse, have the same parts.
func TestRowsByThemselves(t *testing.T) {
	cases(func(name string, m *model.Model, set *data.Set) {
		x := data.ToDense(set.X)
		got, err := Between(m, x.Row(0), x.Row(3))
		if m.Normalizer != nil && m.Normalizer.Kind == data.NormalizeQueryMinMax {
			if err == nil || !strings.Contains(err.Error(), "query") {
				t.Errorf("%s: rows without their query: %v", name, err)
			}
			return
		}
		if err != nil {
			t.Fatal(name, err)
		}
		want, err := Rows(m, set, 0, 3)
		if err != nil {
			t.Fatal(name, err)
		}
		_, sparse := set.X.(*data.CSR)
		// kernels of sparse rows differ in the last bits
		if _, expansion := m.Scorer.(*model.Kernel); !(sparse && expansion) && !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%+v\nin the set\n%+v", name, got, want)
		}
		one, err := Of(m, x.Row(0))
		if err != nil {
			t.Fatal(name, err)
		}
		checkAddsUp(t, name, one, want.Scores[0])
	})
}

// Each part equals its definition.
func TestPartsAreTheDefinition(t *testing.T) {
	norm := normalizers(false)[data.NormalizeZScore]
	names := []string{"a", "b", "c", "d", "e", "f", "g"}
	x := random(2, features, 20)
	z := data.NewDense(2, features, nil)
	for i := range 2 {
		for j := range features {
			z.Row(i)[j] = (x.Row(i)[j] - norm.Shift[j]) * norm.Scale[j]
		}
	}
	for name, s := range scorers() {
		m := &model.Model{Info: model.Info{Learner: "rankrls", Rows: features}, Scorer: s}
		taken := x
		if !m.Precomputed() {
			m.Names, m.Normalizer, taken = names, norm, z
		}
		sum, err := Between(m, x.Row(0), x.Row(1))
		if err != nil {
			t.Fatal(name, err)
		}
		last := math.Inf(1)
		for _, p := range sum.Parts {
			if size := math.Abs(p.Contribution); size > last || size == 0 {
				t.Errorf("%s: part %+v after one of %v", name, p, last)
			} else {
				last = size
			}
			j := p.Number - 1
			switch s := s.(type) {
			case *model.Linear:
				want := Part{Number: j + 1, Name: names[j], Weight: s.Weights.Row(0)[j],
					Values:     []float64{x.Row(0)[j], x.Row(1)[j]},
					Normalized: []float64{z.Row(0)[j], z.Row(1)[j]}, Contribution: s.Weights.Row(0)[j] *
						(z.Row(0)[j] - z.Row(1)[j])}
				if !reflect.DeepEqual(p, want) || sum.Kind != Feature {
					t.Errorf("%s: %s %+v, want %+v", name, sum.Kind, p, want)
				}
			case *model.Stumps:
				checkSteps(t, s, p, z, names)
			case *model.Kernel:
				checkSupport(t, name, s, sum.Kind, p, taken)
			}
		}
	}
}

// checkSteps adds up the terms of a feature.
func checkSteps(t *testing.T, s *model.Stumps, p Part, z *data.Dense, names []string) {
	j := p.Number - 1
	sum, steps := 0.0, map[float64]float64{}
	for _, term := range s.Terms {
		above, below := z.Row(0)[j] > term.Threshold, z.Row(1)[j] > term.Threshold
		if term.Feature != j || above == below {
			continue
		}
		steps[term.Threshold] += term.Weight
		if above {
			sum += term.Weight
		} else {
			sum -= term.Weight
		}
	}
	if !alike(sum, p.Contribution) || len(p.Steps) != len(steps) || p.Name != names[j] {
		t.Errorf("feature %d: %+v, want %v of %v", j+1, p, sum, steps)
	}
	for k, step := range p.Steps {
		if !alike(step.Weight, steps[step.Threshold]) || k > 0 && step.Threshold <= p.Steps[k-1].Threshold {
			t.Errorf("feature %d: steps %+v, want %v", j+1, p.Steps, steps)
		}
	}
}

func checkSupport(t *testing.T, name string, k *model.Kernel, kind Kind, p Part, taken *data.Dense) {
	at, want := p.Number-1, SupportRow
	var values [2]float64
	for i := range 2 {
		row := taken.Row(i)
		if k.Support == nil {
			values[i] = row[p.Number-1]
			continue
		}
		values[i] = kernel.Matrix(k.Kernel, data.NewDense(1, features, row), data.ToDense(k.Support)).Row(0)[at]
	}
	if k.Support == nil {
		want = TrainingRow
		for i, row := range k.SupportRows {
			if row == p.Number {
				at = i
			}
		}
	}
	c := k.Coef.Row(at)[0]
	if p.Weight != c || kind != want || !alike(p.Contribution, c*(values[0]-values[1])) ||
		!alike(p.Values[0], values[0]) || !alike(p.Values[1], values[1]) {
		t.Errorf("%s: %s %+v, want coefficient %v and values %v", name, kind, p, c, values)
	}
}

// Random features have no parts.
func TestRandomFeaturesHaveNoParts(t *testing.T) {
	m := &model.Model{Info: model.Info{Learner: "rankrls"},
		Scorer: &model.Fourier{Kernel: kernel.Fourier{Gamma: 1, Features: 4},
			Inputs: features, Weights: random(1, 4, 1)}}
	if sum, err := Of(m, make([]float64, features)); err == nil ||
		!strings.Contains(err.Error(), "random features (fourier:gamma=1,features=4,seed=0)") {
		t.Errorf("%v, %v", sum, err)
	}
}

func TestSeveralOutputs(t *testing.T) {
	x := random(2, features, 30)
	for _, s := range []model.Scorer{
		&model.Linear{Weights: random(3, features, 31)},
		&model.Kernel{Kernel: kernel.Gaussian{Gamma: 0.2}, Support: random(4, features, 32), Coef: random(4, 3, 33)},
	} {
		m := &model.Model{Info: model.Info{Learner: "rankrls"}, Scorer: s}
		if _, err := Between(m, x.Row(0), x.Row(1)); err == nil || !strings.Contains(err.Error(), "3 outputs") {
			t.Errorf("of three outputs: %v", err)
		}
		scores, err := m.Score(&data.Set{X: x})
		if err != nil {
			t.Fatal(err)
		}
		for o := range 3 {
			sum, err := Between(m.Output(o), x.Row(0), x.Row(1))
			if err != nil {
				t.Fatal(err)
			}
			checkAddsUp(t, fmt.Sprint("output ", o+1), sum, scores[o], scores[3+o])
		}
	}
}

func TestWhatCannotBeExplained(t *testing.T) {
	linear := &model.Model{Info: model.Info{Learner: "rankrls"}, Scorer: &model.Linear{Weights: random(1, 2, 40)}}
	var wide *fault.FeatureError
	if _, err := Of(linear, []float64{1, 2, 3}); !errors.As(err, &wide) {
		t.Errorf("three features of two: %v", err)
	}
	for _, x := range [][]float64{{math.Inf(1), 0}, {math.NaN(), 0}} {
		if _, err := Of(linear, x); err == nil {
			t.Errorf("%v is explained", x)
		}
	}
	huge := &model.Model{Info: model.Info{Learner: "rankrls"},
		Scorer: &model.Linear{Weights: data.NewDense(1, 2, []float64{1e300, -1e300})}}
	if _, err := Of(huge, []float64{1e300, 1e300}); err == nil {
		t.Error("a score that is not a number is explained")
	}
	if _, err := Of(&model.Model{}, nil); err == nil {
		t.Error("a model of nothing is explained")
	}
	sparse := &data.Set{X: &data.CSR{Rows: 1, Cols: 2, Ptr: []int{0, 1}, Col: []int32{0}, Val: []float64{1}}}
	moving := &model.Model{Info: model.Info{Learner: "rankrls"}, Scorer: linear.Scorer,
		Normalizer: &data.Normalizer{Kind: data.NormalizeZScore, Shift: []float64{1, 1}, Scale: []float64{1, 1}}}
	var dense *data.DensifyError
	if _, err := Row(moving, sparse, 0); !errors.As(err, &dense) {
		t.Errorf("a sparse row that is moved: %v", err)
	}
}

// A shorter row counts the features that it lacks as zero, before it is normalised.
func TestShortRow(t *testing.T) {
	m := &model.Model{Info: model.Info{Learner: "rankrls"},
		Scorer:     &model.Linear{Weights: data.NewDense(1, 2, []float64{2, 3})},
		Normalizer: &data.Normalizer{Kind: data.NormalizeMinMax, Shift: []float64{1, 1}, Scale: []float64{1, 10}}}
	s, err := Of(m, []float64{2})
	if err != nil || s.Total != 2-30 || s.Parts[0].Number != 2 || s.Parts[0].Values[0] != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

// A collector of the largest parts keeps those that Top keeps of all.
func TestCollectorKeepsTheLargest(t *testing.T) {
	r := rand.New(rand.NewPCG(50, 51))
	for trial := range 300 {
		values := make([]float64, r.IntN(30))
		for k := range values {
			values[k] = float64(r.IntN(9) - 4)
		}
		collect := func(top int) *Sum {
			c := NewCollector(Edge, top)
			for k, v := range values {
				c.Add(v, func() Part { return Part{Number: k + 1} })
			}
			s, err := c.Sum(1)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		top := r.IntN(12)
		got, want := collect(top), collect(0).Top(top)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("trial %d: the %d largest of %v are %+v, want %+v", trial, top, values, got, want)
		}
	}
}

func TestDocument(t *testing.T) {
	m := &model.Model{Info: model.Info{Learner: "rankrls"}, Names: []string{"x", "y"},
		Scorer: &model.Linear{Weights: data.NewDense(1, 2, []float64{2, -3})}}
	s, err := Between(m, []float64{1, 0}, []float64{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(s.Top(1))
	want := `{"kind":"feature","scores":[2,-3],"total":5,"parts":[{"number":2,"name":"y",` +
		`"contribution":3,"weight":-3,"values":[0,1]}],"rest":2,"left":1}`
	if err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
}

func TestLeaders(t *testing.T) {
	queries := data.NewPartition([]int32{0, 1, 0, 2, 0, 3, 3, 3}, 5)
	got := Leaders(queries, []float64{1, 5, 3, 2, 2, 4, 4, 4})
	want := [][2]int{{2, 4}, {-1, -1}, {-1, -1}, {5, 6}, {-1, -1}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := Leaders(nil, []float64{1, 2}); !reflect.DeepEqual(got, [][2]int{{1, 0}}) {
		t.Errorf("one list: %v", got)
	}
}
