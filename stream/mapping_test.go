package stream

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pairrank"
	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/gen"
	"pairrank/internal/kernels"
	"pairrank/kernel"
	"pairrank/model"
)

// someMappings are mappings for rows of 4 features around 5.
func someMappings() map[string]*Mapping {
	basis := gen.Set(12, 4, 1, 77).X.(*data.Dense)
	thin := data.NewDense(9, 6, nil) // lacks features of the rows
	r := rand.New(rand.NewPCG(7, 8))
	for i := range thin.Rows {
		for j := range 6 {
			if r.Float64() < 0.5 {
				thin.Row(i)[j] = 4 + 2*r.NormFloat64()
			}
		}
	}
	return map[string]*Mapping{
		"fourier":        {Kernel: kernel.Fourier{Gamma: 0.05, Features: 30, Seed: 4}},
		"gaussian":       {Kernel: kernel.Gaussian{Gamma: 0.05}, Basis: basis},
		"polynomial":     {Kernel: kernel.Polynomial{Gamma: 0.1, Coef0: 1, Degree: 2}, Basis: basis},
		"sparse basis":   {Kernel: kernel.Gaussian{Gamma: 0.02}, Basis: sparseOf(thin)},
		"spline":         {Kernel: kernel.Spline{Knots: 3, Bends: 2}, Knots: [][]float64{{4, 5.5, 6}, {5}, nil, {4.5, 5}}},
		"fewer knots":    {Kernel: kernel.Spline{Knots: 3, Bends: 0.5}, Knots: [][]float64{{4, 5.5}, {4.5, 5, 5.5}}},
		"narrower basis": {Kernel: kernel.Gaussian{Gamma: 0.05}, Basis: data.SelectColumns(basis, []int{0, 1, 2})},
	}
}

// mappedRows maps the rows of a set by another way than Statistics.
func mappedRows(t *testing.T, m *Mapping, set *data.Set) *data.Set {
	t.Helper()
	out := *set
	if random, is := m.Kernel.(kernel.Fourier); is {
		out.X = kernel.Mapped(kernel.NewFourierMap(random), set.X)
		return &out
	}
	_, n := set.X.Dims()
	if spline, is := m.Kernel.(kernel.Spline); is {
		knots := append(slices.Clone(m.Knots), make([][]float64, max(0, n-len(m.Knots)))...)
		out.X = kernel.Mapped(kernel.SplineOf(spline, knots), set.X)
		return &out
	}
	_, basis := m.Basis.Dims()
	wide := data.Widen(m.Basis, max(n, basis))
	cross := kernel.Matrix(m.Kernel, data.Widen(set.X, max(n, basis)), wide)
	out.X = kernels.NewMap(kernel.Matrix(m.Kernel, wide, wide)).Rows(cross)
	return &out
}

// From sums of mapped rows, the model, the choice of λ and the facts are those of the linear model of rows that
// were mapped beforehand.
func TestMappingTrainsAsMappedRowsDo(t *testing.T) {
	ctx := context.Background()
	set, fresh := gen.Set(300, 4, 25, 3), gen.Set(40, 4, 1, 4)
	for name, m := range someMappings() {
		mapped := mappedRows(t, m, set)
		for _, lambdas := range [][]float64{{2}, {0.5, 8, 128}} {
			for _, sparse := range []bool{false, true} {
				got, err := summed(t, Options{Map: m}, queriesIn(set, nil, sparse)).Train(ctx, TrainOptions{Lambdas: lambdas})
				if err != nil {
					t.Fatal(name, err)
				}
				linear, err := summed(t, Options{}, queriesIn(mapped, nil, false)).Train(ctx, TrainOptions{Lambdas: lambdas})
				if err != nil {
					t.Fatal(name, err)
				}
				if got.Choice.Lambda != linear.Choice.Lambda || got.Choice.Kernel != m.Kernel ||
					got.Training.Kernel != m.Kernel ||
					!math.IsNaN(got.Choice.Error) && math.Abs(got.Choice.Error-linear.Choice.Error) > sameWeights {
					t.Errorf("%s: chose %v of %v, error %v, and of mapped rows %v, error %v", name, got.Choice.Lambda,
						got.Choice.Kernel, got.Choice.Error, linear.Choice.Lambda, linear.Choice.Error)
				}
				want, err := pairrank.Train(ctx, pairrank.Problem{Set: mapped},
					pairrank.Options{Lambdas: []float64{got.Choice.Lambda}})
				if err != nil {
					t.Fatal(name, err)
				}
				checkScores(t, name, got, fresh, want, mappedRows(t, m, fresh))
			}
		}
	}
}

// checkScores compares the scores of rows by a model with those of mapped rows by a linear model, relative to
// the score of the first row, since different mean rows shift all scores.
func checkScores(t *testing.T, name string, got *pairrank.Result, fresh *data.Set, want *pairrank.Result,
	mapped *data.Set) {
	t.Helper()
	a, err := got.Model.Score(fresh)
	if err != nil {
		t.Fatal(name, err)
	}
	b, err := want.Model.Score(mapped)
	if err != nil {
		t.Fatal(name, err)
	}
	for _, f := range [][]float64{a, b} {
		first := f[0]
		for i := range f {
			f[i] -= first
		}
	}
	if d := apartIn(b, a); !(d <= sameWeights) {
		t.Errorf("%s: scores differ by %.2g", name, d)
	}
}

// Random features give the same model in memory and from sums.
func TestMappingTrainsAsKernelsDo(t *testing.T) {
	ctx := context.Background()
	set, fresh := gen.Set(300, 4, 25, 3), gen.Set(40, 4, 1, 4)
	k := kernel.Fourier{Gamma: 0.05, Features: 30, Seed: 4}
	got, err := summed(t, Options{Map: &Mapping{Kernel: k}, Normalize: data.NormalizeQueryMinMax},
		queriesIn(set, nil, false)).Train(ctx, TrainOptions{Lambdas: []float64{3}})
	if err != nil {
		t.Fatal(err)
	}
	want, err := pairrank.Train(ctx, pairrank.Problem{Set: set}, pairrank.Options{Kernels: []kernel.Kernel{k},
		Lambdas: []float64{3}, Normalize: data.NormalizeQueryMinMax})
	if err != nil {
		t.Fatal(err)
	}
	a, b := got.Model.Scorer.(*model.Fourier), want.Model.Scorer.(*model.Fourier)
	if d := apartIn(b.Weights.Data, a.Weights.Data); !(d <= sameWeights) || a.Inputs != b.Inputs ||
		a.Kernel != b.Kernel {
		t.Errorf("weights differ by %.2g", d)
	}
	checkScores(t, "fourier", got, fresh, want, fresh)
	basis := []int{3, 50, 117, 200, 260}
	rows := data.Select(set.X, basis)
	sums, err := summed(t, Options{Map: &Mapping{Kernel: kernel.Gaussian{Gamma: 0.1}, Basis: rows}},
		queriesIn(set, nil, false)).Train(ctx, TrainOptions{Lambdas: []float64{3}})
	if err != nil {
		t.Fatal(err)
	}
	sparse, err := pairrank.Train(ctx, pairrank.Problem{Set: set},
		pairrank.Options{Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: 0.1}}, Lambdas: []float64{3},
			Learner: pairrank.LeastSquares{Basis: pairrank.Basis{Rows: basis}}})
	if err != nil {
		t.Fatal(err)
	}
	checkScores(t, "basis", sums, fresh, sparse, fresh)
}

// Bytes carry the map. Statistics that are merged, added and forgotten, or summed in lanes, train as those made
// at once.
func TestMappingGoesAlong(t *testing.T) {
	ctx := context.Background()
	set := gen.Set(200, 4, 20, 5)
	queries := queriesIn(set, nil, false)
	for k := range queries[:7] { // the first ones are narrower
		queries[k].X = data.SelectColumns(queries[k].X, []int{0, 1, 2})
	}
	for name, m := range someMappings() {
		o := Options{Map: m, Folds: 4}
		whole := summed(t, o, queries)
		want, err := whole.Train(ctx, TrainOptions{})
		if err != nil {
			t.Fatal(name, err)
		}
		var a, b Statistics
		if err := errors.Join(a.UnmarshalBinary(bytesOf(t, summed(t, o, queries[:7]))),
			b.UnmarshalBinary(bytesOf(t, summed(t, o, queries[7:])))); err != nil {
			t.Fatal(name, err)
		}
		again := bytesOf(t, summed(t, o, queries[:7]))
		if !bytes.Equal(again, bytesOf(t, &a)) {
			t.Errorf("%s: other bytes after reading", name)
		}
		if err := a.Merge(&b); err != nil {
			t.Fatal(name, err)
		}
		if a.Features() != whole.Features() || a.width() != whole.width() {
			t.Errorf("%s: %d features and %d of the map, want %d and %d", name, a.Features(),
				a.width(), whole.Features(), whole.width())
		}
		extra := queriesIn(gen.Set(30, 5, 3, 6), nil, true)
		for k := range extra {
			extra[k].ID = "extra" + extra[k].ID
			if err := a.Add(extra[k]); err != nil {
				t.Fatal(name, err)
			}
		}
		if err := a.Subtract(summed(t, o, extra)); err != nil {
			t.Fatal(name, err)
		}
		sums, err := Sum(ctx, partsOf(queries, 3, nil), o)
		if err != nil {
			t.Fatal(name, err)
		}
		for way, s := range map[string]*Statistics{"merged": &a, "lanes": sums} {
			got, err := s.Train(ctx, TrainOptions{})
			if err != nil {
				t.Fatal(name, err)
			}
			fresh := gen.Set(20, 3, 1, 8)
			if got.Choice.Lambda != want.Choice.Lambda &&
				math.Abs(got.Choice.Lambda/want.Choice.Lambda-1) > sameWeights {
				t.Errorf("%s, %s: chose %v, not %v", name, way, got.Choice.Lambda, want.Choice.Lambda)
			}
			checkScores(t, name+", "+way, got, fresh, want, fresh)
		}
	}
}

func TestMappingIsRefused(t *testing.T) {
	maps, basis := someMappings(), data.NewDense(2, 2, []float64{1, 2, 3, 4})
	gaussian, ten := kernel.Gaussian{Gamma: 1}, kernel.Fourier{Gamma: 1, Features: 10}
	spline, knots := kernel.Spline{Knots: 2, Bends: 1}, [][]float64{{1, 2}}
	for says, o := range map[string]Options{
		"has no kernel":                    {Map: &Mapping{}},
		"two ways to approximate a kernel": {Map: &Mapping{Kernel: ten, Basis: basis}},
		"has knots, which are of splines":  {Map: &Mapping{Kernel: ten, Knots: knots}},
		"a spline without knots":           {Map: &Mapping{Kernel: spline}},
		"basis rows and a spline":          {Map: &Mapping{Kernel: spline, Knots: knots, Basis: basis}},
		"bends of a spline is positive":    {Map: &Mapping{Kernel: kernel.Spline{Knots: 2}, Knots: knots}},
		"[1 NaN] of feature 2": {Map: &Mapping{Kernel: spline,
			Knots: [][]float64{{1}, {1, math.NaN()}}}},
		"[2 2] of feature 1":                           {Map: &Mapping{Kernel: spline, Knots: [][]float64{{2, 2}}}},
		"are more than 2":                              {Map: &Mapping{Kernel: spline, Knots: [][]float64{{1, 2, 3}}}},
		"even number":                                  {Map: &Mapping{Kernel: kernel.Fourier{Gamma: 1, Features: 3}}},
		"a precomputed kernel has none":                {Map: &Mapping{Kernel: kernel.Precomputed{}}},
		"of kernel gaussian:gamma=1 has no basis rows": {Map: &Mapping{Kernel: gaussian}},
		"which is not one of features": {Map: &Mapping{Kernel: kernel.Gaussian{Gamma: -1},
			Basis: basis}},
		"the value NaN in basis row 1": {Map: &Mapping{Kernel: gaussian,
			Basis: data.NewDense(1, 1, []float64{math.NaN()})}},
		"Map has no basis rows": {Map: &Mapping{Kernel: gaussian,
			Basis: data.NewDense(0, 2, nil)}},
		"the basis rows of a map are all diff": {Map: &Mapping{Kernel: gaussian,
			Basis: data.NewDense(2, 1, []float64{1, 1})}},
		"the kernel of the basis rows is 0 eve": {Map: &Mapping{Kernel: kernel.Linear{},
			Basis: data.NewDense(2, 1, nil)}},
	} {
		var known *fault.Error
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), says) || !errors.As(err, &known) {
			t.Errorf("%v, want what says %q", err, says)
		}
	}
	a := summed(t, Options{Map: maps["gaussian"]}, nil)
	for says, m := range map[string]*Mapping{
		"is gaussian:gamma=0.05 and none": nil,
		"and gaussian:gamma=0.02":         maps["sparse basis"],
		"a basis of 12×4 and one of 12×3": maps["narrower basis"],
		"has two different basis rows 12, and s": {Kernel: kernel.Gaussian{Gamma: 0.05},
			Basis: changed(maps["gaussian"].Basis)},
	} {
		if err := a.Merge(summed(t, Options{Map: m}, nil)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("merged: %v, want what says %q", err, says)
		}
	}
	bent := summed(t, Options{Map: &Mapping{Kernel: spline, Knots: knots}}, nil)
	for says, knots := range map[string][][]float64{
		"the knots [1 2] and [1 3] of feature 1": {{1, 3}}, "the knots [1 2] and [1] of feature 1": {{1}},
		"has knots of 1 and of 2 features": {{1, 2}, nil},
	} {
		if err := bent.Merge(summed(t, Options{Map: &Mapping{Kernel: spline, Knots: knots}}, nil)); err == nil ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("merged: %v, want what says %q", err, says)
		}
	}
	q := data.Query{ID: "q", X: data.NewDense(1, 2, []float64{1, math.Inf(1)}), Y: []float64{1}}
	if err := a.Add(q); err == nil || !strings.Contains(err.Error(), "row 1 has a feature of value +Inf") {
		t.Errorf("infinite: %v", err)
	}
}

// changed is a matrix with another last entry.
func changed(x data.Matrix) data.Matrix {
	c := data.Clone(x).(*data.Dense)
	c.Row(c.Rows - 1)[c.Cols-1]++
	return c
}

// A file with an impossible map is refused.
func TestMappingOfBytes(t *testing.T) {
	for _, j := range []*mappingJSON{
		{Kernel: "sigmoid"},
		{Kernel: "linear", Basis: &basisJSON{Features: -1}},
		{Kernel: "linear", Basis: &basisJSON{Features: 2, Rows: [][]float64{{1}}}},
		{Kernel: "linear", Basis: &basisJSON{Features: 2, Rows: [][]float64{{1}}, Columns: [][]int32{}}},
		{Kernel: "linear", Basis: &basisJSON{Features: 2, Rows: [][]float64{{1}}, Columns: [][]int32{{2}}}},
		{Kernel: "linear", Basis: &basisJSON{Features: 2, Rows: [][]float64{{1, 2}}, Columns: [][]int32{{1, 0}}}},
		{Kernel: "linear", Basis: &basisJSON{Features: 2, Rows: [][]float64{{1, 2}}, Columns: [][]int32{{1}}}},
	} {
		if m, err := j.mapping(); err == nil {
			t.Errorf("%+v is read as %+v", j, m)
		}
	}
	for name, m := range someMappings() {
		back, err := m.json().mapping()
		if err != nil || sameMapping(m, back) != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if b := bytesOf(t, summed(t, Options{}, queriesIn(gen.Set(20, 3, 2, 1), nil, false))); bytes.Contains(b,
		[]byte(`"map"`)) || bytes.Contains(b, []byte(`"inputs"`)) {
		t.Errorf("statistics without a map have one: %.200q", b)
	}
}
