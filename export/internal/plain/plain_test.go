package plain

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/kernel"
	"pairrank/model"
)

// minmax is a normaliser of given numbers.
func minmax(shift, scale []float64) *data.Normalizer {
	return &data.Normalizer{Kind: data.NormalizeMinMax, Shift: shift, Scale: scale}
}

func linear(norm *data.Normalizer, weights ...float64) *model.Model {
	return &model.Model{Info: model.Info{Learner: "rankrls"}, Normalizer: norm,
		Scorer: &model.Linear{Weights: data.NewDense(1, len(weights), weights)}}
}

// A threshold of raw values passes the same float64 values as that of normalised ones, up to the
// neighbours of the boundary.
func TestRawThresholdIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		shift, scale, threshold := r.NormFloat64()*math.Exp(10*r.NormFloat64()), math.Exp(5*r.NormFloat64()),
			r.NormFloat64()
		if r.IntN(10) == 0 {
			scale = 0
		}
		raw, ever := rawThreshold(threshold, shift, scale)
		values := []float64{0, shift, shift + threshold/scale, -math.MaxFloat64 / 2, math.MaxFloat64, raw,
			math.Nextafter(raw, math.Inf(1)), math.Nextafter(raw, math.Inf(-1)), r.NormFloat64()}
		for _, x := range values {
			if math.IsInf(x, 0) || math.IsNaN(x) || x == -math.MaxFloat64 {
				continue
			}
			want := (x-shift)*scale > threshold
			if scale == 0 {
				want = 0 > threshold
			}
			if got := ever && x > raw; got != want {
				t.Fatalf("x %v, shift %v, scale %v, threshold %v: above %v: %v, want %v", x, shift,
					scale, threshold, raw, got, want)
			}
		}
	}
}

// order is monotone in the float64 values, and unorder inverts it.
func TestOrderOfValues(t *testing.T) {
	values := []float64{-math.MaxFloat64, -1, -math.SmallestNonzeroFloat64, 0, math.SmallestNonzeroFloat64, 1,
		math.MaxFloat64}
	for k, v := range values {
		if unorder(order(v)) != v {
			t.Errorf("%v comes back as %v", v, unorder(order(v)))
		}
		if k > 0 && order(values[k-1]) >= order(v) {
			t.Errorf("%v is not before %v", values[k-1], v)
		}
	}
}

// Steps of normalised features score as the model does, to the last bit.
func TestStepsScoreAsTheModel(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	norm := minmax([]float64{1, -20, 0}, []float64{0.3, 7, 0})
	s := &model.Stumps{Features: 3}
	for range 60 {
		s.Terms = append(s.Terms, model.Stump{Feature: r.IntN(3), Threshold: r.NormFloat64(), Weight: r.NormFloat64()})
	}
	m := &model.Model{Info: model.Info{Learner: "rankboost"}, Normalizer: norm, Scorer: s}
	steps, err := NewSteps("go", m)
	if err != nil {
		t.Fatal(err)
	}
	raw := &model.Stumps{Features: 3, Terms: steps.Terms}
	for range 200 {
		x := []float64{3 * r.NormFloat64(), 20 * r.NormFloat64(), r.NormFloat64()}
		got := (&model.Model{Info: m.Info, Scorer: raw}).ScoreRow(x)
		// the order of the terms is the same, and those left out add nothing
		if want := m.ScoreRow(x); got != want {
			t.Fatalf("row %v: %v, want %v", x, got, want)
		}
	}
}

func TestFold(t *testing.T) {
	l, err := NewLinear("solr", linear(minmax([]float64{2, 0, 5}, []float64{0.5, 4, 0}), 3, -1, 9))
	if err != nil {
		t.Fatal(err)
	}
	w, constant, err := l.Fold()
	if want := []float64{1.5, -4, 0}; err != nil || !slices.Equal(w, want) || constant != -3 {
		t.Errorf("weights %v and %v, want %v and -3; %v", w, constant, want, err)
	}
	l.Scale = []float64{math.MaxFloat64, 1, 1}
	if _, _, err := l.Fold(); err == nil || !strings.Contains(err.Error(), "feature 1 overflows") {
		t.Errorf("an overflow: %v", err)
	}
	l.Scale, l.Shift = nil, nil
	if w, constant, err := l.Fold(); err != nil || constant != 0 || !slices.Equal(w, []float64{3, -1, 9}) {
		t.Errorf("without a normaliser: %v, %v, %v", w, constant, err)
	}
}

// A model that the target cannot hold is refused with what to do; an invalid model is another
// error.
func TestRefusals(t *testing.T) {
	byQuery := linear(&data.Normalizer{Kind: data.NormalizeQueryMinMax}, 1)
	gaussian := &model.Model{Info: model.Info{Learner: "rankrls"},
		Scorer: &model.Kernel{Kernel: kernel.Gaussian{Gamma: 1}, Support: data.NewDense(1, 1, nil),
			Coef: data.NewDense(1, 1, nil)}}
	several := &model.Model{Info: model.Info{Learner: "rankrls"},
		Scorer: &model.Linear{Weights: data.NewDense(2, 1, nil)}}
	for name, m := range map[string]*model.Model{"query-minmax": byQuery, "kernel model (gaussian:gamma=1)": gaussian,
		"2 outputs": several} {
		_, err := NewLinear("solr", m)
		var refused *fault.RefusedError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), name) || refused.Hint() == "" ||
			!strings.HasPrefix(err.Error(), "solr cannot hold ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := NewSteps("go", byQuery); err == nil {
		t.Error("steps that normalise by query")
	}
	if _, err := NewSteps("go", linear(nil, 1)); err == nil {
		t.Error("steps of weights")
	}
	negative := &model.Model{Info: model.Info{Learner: "rankboost"}, Normalizer: minmax([]float64{0}, []float64{-1}),
		Scorer: &model.Stumps{Features: 1, Terms: []model.Stump{{}}}}
	if _, err := NewSteps("go", negative); err == nil || !strings.Contains(err.Error(), "below 0") {
		t.Errorf("a scale below 0: %v", err)
	}
	var refused *fault.RefusedError
	if _, err := NewLinear("go", linear(nil, math.NaN())); err == nil || errors.As(err, &refused) {
		t.Errorf("a weight that is no number: %v", err)
	}
}

func TestNames(t *testing.T) {
	if all, made := Names(nil, 2); !made || !slices.Equal(all, []string{"f1", "f2"}) || len(NameNote(made, 2)) != 1 {
		t.Errorf("made names %v, %v", all, made)
	}
	if all, made := Names([]string{"a"}, 1); made || all[0] != "a" || NameNote(made, 1) != nil {
		t.Errorf("names %v, %v", all, made)
	}
	for _, names := range [][]string{{"a", "b", "a"}, {"a", ""}} {
		if CheckNames("sql", names) == nil {
			t.Errorf("names %q are taken", names)
		}
	}
	if err := CheckNames("sql", []string{"a", "b"}); err != nil {
		t.Error(err)
	}
}
