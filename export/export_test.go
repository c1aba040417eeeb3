package export

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/format/foreign"
	"pairrank/kernel"
	"pairrank/model"
	"pairrank/relation/pairmodel"
	"pairrank/relation/pairwise"
)

// double bounds differences of scores in double precision, relative to the largest.
const double = 1e-12

// there is a model written for another learner and read back by package foreign.
func there(t *testing.T, m *model.Model, target Target) (*model.Model, string) {
	t.Helper()
	text, _ := write(t, m, target, Options{})
	again, _, err := foreign.Read(strings.NewReader(text), string(target), foreign.Format(target))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return again, text
}

// A model that goes to another learner and comes back gives the same scores, but for the
// constant of a normaliser, which the text of SVMrank and LIBLINEAR has.
func TestThereAndBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, kind := range []string{"none", "zscore", "minmax"} {
		for _, target := range []Target{SVMrank, LIBLINEAR, RankLib} {
			m := normalised(kind, 6, 3)
			m.Scorer.(*model.Linear).Weights.Data[2] = 0
			again, text := there(t, m, target)
			constant := constantOf(t, target, text)
			x := normal(r, 30, 6, 3)
			var first float64
			for i := range x.Rows {
				want := m.ScoreRow(x.Row(i))
				off := again.ScoreRow(x.Row(i)) + constant - want
				if i == 0 && target == RankLib {
					first = off
				}
				if !(math.Abs(off-first) <= double*(1+math.Abs(want))) {
					t.Errorf("%s, %s: row %d has %v, want %v", target, kind, i, want+off, want)
				}
			}
		}
	}
}

// constantOf returns the constant that a text adds to every score, by its format.
func constantOf(t *testing.T, target Target, text string) float64 {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	parse := func(text string) float64 {
		v, err := strconv.ParseFloat(strings.Fields(text)[0], 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	switch {
	case target == SVMrank:
		return -parse(lines[10])
	case target == LIBLINEAR && lines[3] == "bias 1":
		return parse(lines[len(lines)-1])
	}
	return 0
}

// Stumps go to RankLib and come back as they are.
func TestStumpsThereAndBack(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	s := &model.Stumps{Features: 4}
	for range 30 {
		s.Terms = append(s.Terms, model.Stump{Feature: r.IntN(4), Threshold: r.NormFloat64(), Weight: r.NormFloat64()})
	}
	s.Terms = append(s.Terms, model.Stump{Feature: 3, Threshold: 1, Weight: 1})
	again, text := there(t, &model.Model{Info: info, Scorer: s}, RankLib)
	if !strings.HasPrefix(text, "## RankBoost\n") || !slices.Equal(again.Scorer.(*model.Stumps).Terms, s.Terms) {
		t.Errorf("%+v in %s", again.Scorer, text)
	}
}

// An SVMrank file has one vector a weight, in double precision, and none for a weight of 0.
func TestSVMrankVectors(t *testing.T) {
	m := &model.Model{Info: info, Scorer: &model.Linear{Weights: data.NewDense(1, 3, []float64{1.0 / 3, 0, -2})}}
	text, _ := write(t, m, SVMrank, Options{})
	want := "20 # number of training documents \n3 # number of support vectors plus 1 \n0 # threshold b, each " +
		"following line is a SV (starting with alpha*y)\n0.3333333333333333 1:1 #\n-2 3:1 #\n"
	if !strings.HasSuffix(text, want) || !strings.HasPrefix(text, "SVM-light Version V6.20\n0 # kernel type\n") {
		t.Errorf("%s", text)
	}
}

// able fails where a target refuses what it can express, or writes what it cannot.
func able[M *model.Model | *pairmodel.Model](t *testing.T, a *ability, what string, can bool, m M, o Options) {
	t.Helper()
	var b bytes.Buffer
	_, err := Write(&b, m, a.Target, o)
	if can {
		if err != nil || b.Len() == 0 {
			t.Errorf("%s does not write %s: %v", a.Target, what, err)
		}
		return
	}
	var refused *fault.RefusedError
	if !errors.As(err, &refused) || refused.Target != string(a.Target) || refused.Hint() == "" || b.Len() > 0 {
		t.Errorf("%s and %s: %v, %d bytes", a.Target, what, err, b.Len())
	}
}

// Every target writes what its ability says it can express, and refuses the rest.
func TestAbilitiesAreTrue(t *testing.T) {
	linear := &model.Model{Info: info, Scorer: &model.Linear{Weights: data.NewDense(1, 2, []float64{1, 2})}}
	several := &model.Model{Info: info, Scorer: &model.Linear{Weights: data.NewDense(2, 2, []float64{1, 2, 3, 4})}}
	spline := &model.Model{Info: info, Scorer: &model.Spline{Weights: data.NewDense(1, 3, []float64{1, 2, 3}),
		Map: kernel.SplineOf(kernel.Spline{Knots: 1, Bends: 1}, [][]float64{nil, {0.5}})}}
	given := &data.Set{X: data.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6})}
	stumps := &model.Model{Info: info, Scorer: &model.Stumps{Features: 2,
		Terms: []model.Stump{{Feature: 1, Weight: 2}}}}
	gaussian := &model.Model{Info: info, Scorer: &model.Kernel{Kernel: kernel.Gaussian{Gamma: 1},
		Support: data.NewDense(1, 2, nil), Coef: data.NewDense(1, 1, nil)}}
	random := &model.Model{Info: info, Scorer: &model.Fourier{Kernel: kernel.Fourier{Gamma: 1, Features: 2}, Inputs: 2,
		Weights: data.NewDense(1, 2, nil)}}
	byQuery := &model.Model{Info: info, Normalizer: &data.Normalizer{Kind: data.NormalizeQueryMinMax},
		Scorer: linear.Scorer}
	pairs := &pairmodel.Model{Info: info, Kernel: pairwise.Kronecker,
		Rows: pairmodel.Side{Kernel: kernel.Linear{}, ID: []string{"a"},
			Support: data.NewDense(1, 2, []float64{1, 2})}, Coef: data.NewDense(1, 1, nil)}
	for _, a := range abilities {
		able(t, &a, "linear", a.Linear, linear, Options{})
		able(t, &a, "several outputs", a.Outputs, several, Options{})
		able(t, &a, "stumps", a.Stumps, stumps, Options{})
		able(t, &a, "a spline", a.Splines, spline, Options{})
		able(t, &a, "a spline in steps", a.Steps, spline, Options{Data: given})
		able(t, &a, "a linear model in steps", a.Steps, linear, Options{Data: given})
		able(t, &a, "steps with normalizers", false, spline, Options{Data: given, Normalizers: true})
		able(t, &a, "stumps in steps", false, stumps, Options{Data: given})
		able(t, &a, "a kernel in steps", false, gaussian, Options{Data: given})
		able(t, &a, "a kernel", a.Kernels, gaussian, Options{})
		able(t, &a, "random features", a.Kernels, random, Options{})
		able(t, &a, "by query", false, byQuery, Options{})
		able(t, &a, "pairs", a.Pairs, pairs, Options{})
		able(t, &a, "a name", a.Name != "" && a.Linear, linear, Options{Name: "some"})
		able(t, &a, "normalizers", a.Target == ElasticLTR || a.Target == Solr, linear, Options{Normalizers: true})
		if !a.Linear {
			continue
		}
		notes := notesOf(t, a.Target)
		if lost := strings.Contains(notes, "the constant"); lost == a.Constant {
			t.Errorf("%s keeps a constant: %v, and says %q", a.Target, a.Constant, notes)
		}
		if says := strings.Contains(notes, "computes in single precision") ||
			strings.Contains(notes, "RankLib reads"); says == a.Double {
			t.Errorf("%s is of double precision: %v, and says %q", a.Target, a.Double, notes)
		}
	}
}

// The error about an unknown target suggests the one meant, or lists all.
func TestUnknownTarget(t *testing.T) {
	linear := &model.Model{Info: info, Scorer: &model.Linear{Weights: data.NewDense(1, 2, []float64{1, 2})}}
	for target, want := range map[Target]string{"solar": "did you mean solr?", "zzzzzzzz": "known are es-ltr, solr"} {
		if _, err := Write(&bytes.Buffer{}, linear, target, Options{}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", target, err)
		}
	}
}

// notesOf returns the notes on a model with a normaliser that shifts.
func notesOf(t *testing.T, target Target) string {
	t.Helper()
	_, notes := write(t, normalised("zscore", 3, 5), target, Options{})
	return strings.Join(notes, "\n")
}

// The table of docs/exports.md lists the abilities.
func TestPageHasTheAbilities(t *testing.T) {
	page, err := os.ReadFile("../docs/exports.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range abilities {
		var takes []string
		words := []string{"linear", "stumps", "splines", "steps", "kernels", "outputs", "pairs"}
		for k, can := range []bool{a.Linear, a.Stumps, a.Splines, a.Steps, a.Kernels, a.Outputs, a.Pairs} {
			if can {
				takes = append(takes, words[k])
			}
		}
		precision := map[bool]string{true: "double", false: "single"}[a.Double]
		constant := map[bool]string{true: "kept", false: "dropped"}[a.Constant]
		row := strings.Join([]string{"| `" + string(a.Target) + "`", a.What, strings.Join(takes, ", "),
			precision + ", " + constant}, " | ") + " |"
		if !strings.Contains(string(page), row+"\n") {
			t.Errorf("docs/exports.md has no row\n%s", row)
		}
	}
}
