package model

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/kernel"
)

// roundoff bounds the difference of two ways to add up the few terms of order
// one that a score has here: some dozen units in the last place.
const roundoff = 1e-13

// naiveScores adds the definition up, entry by entry, over dense copies.
func naiveScores(m *Model, x *data.Dense) []float64 {
	var scores []float64
	for i := range x.Rows {
		row := slices.Clone(x.Row(i))
		row = append(row, make([]float64, m.Features()-len(row))...)
		if scales(m.Normalizer) {
			for j := range row {
				row[j] = (row[j] - m.Normalizer.Shift[j]) * m.Normalizer.Scale[j]
			}
		}
		for o := range m.Outputs() {
			scores = append(scores, naiveScore(m, row, o))
		}
	}
	return scores
}

func naiveScore(m *Model, row []float64, o int) float64 {
	sum := 0.0
	switch f := m.Scorer.(type) {
	case *Linear:
		for j, v := range row {
			sum += f.Weights.Row(o)[j] * v
		}
	case *Fourier:
		w := f.Map().Frequencies(f.Inputs)
		for p := range w.Cols {
			angle := 0.0
			for j, v := range row {
				angle += w.Row(j)[p] * v
			}
			scale := math.Sqrt(1 / float64(w.Cols))
			sum += f.Weights.Row(o)[p]*scale*math.Cos(angle) + f.Weights.Row(o)[w.Cols+p]*scale*math.Sin(angle)
		}
	case *Stumps:
		for _, t := range f.Terms {
			if row[t.Feature] > t.Threshold {
				sum += t.Weight
			}
		}
	case *Kernel:
		for i := range f.Coef.Rows {
			value := 0.0
			if m.Precomputed() {
				value = row[f.SupportRows[i]-1]
			} else {
				value = naiveKernel(f.Kernel, row, data.ToDense(f.Support).Row(i))
			}
			sum += f.Coef.Row(i)[o] * value
		}
	}
	return sum
}

func naiveKernel(k kernel.Kernel, x, z []float64) float64 {
	inner, distance := 0.0, 0.0
	for j := range x {
		inner += x[j] * z[j]
		distance += (x[j] - z[j]) * (x[j] - z[j])
	}
	switch k := k.(type) {
	case kernel.Gaussian:
		return math.Exp(-k.Gamma * distance)
	case kernel.Polynomial:
		return math.Pow(k.Gamma*inner+k.Coef0, float64(k.Degree))
	case kernel.Sum:
		sum := 0.0
		for _, t := range kernel.Terms(k) {
			sum += t.Weight * naiveKernel(t.Kernel, x, z)
		}
		return sum
	case kernel.Clinical: // of the examples: a number, and a factor of two features
		level := func(row []float64) int { return slices.IndexFunc(row[1:], func(v float64) bool { return v != 0 }) }
		differ := math.Abs(min(max(x[0], 0), 1) - min(max(z[0], 0), 1))
		if level(x) != level(z) {
			differ++
		}
		return 1 - differ/2
	}
	return inner
}

func largestDifference(a, b []float64) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	worst := 0.0
	for i := range a {
		worst = max(worst, math.Abs(a[i]-b[i])/(1+math.Abs(b[i])))
	}
	return worst
}

func TestScoreIsItsDefinition(t *testing.T) {
	for name, m := range examples() {
		if m.Normalizer != nil && m.Normalizer.Kind == data.NormalizeQueryMinMax {
			continue // see TestScoreQueryMinMax
		}
		for _, rows := range []int{0, 1, 2, 200} {
			for _, missing := range []int{0, 1} { // features that the rows lack
				n := m.Features() - missing
				if n < 0 || m.Precomputed() && missing > 0 {
					continue
				}
				x := random(rows, n, uint64(rows+1))
				before := slices.Clone(x.Data)
				for storage, matrix := range map[string]data.Matrix{"dense": x, "csr": sparse(x)} {
					if storage == "csr" && m.NeedsDense() {
						continue
					}
					got, err := m.Score(&data.Set{X: matrix})
					if err != nil {
						t.Fatalf("%s, %d rows, %s: %v", name, rows, storage, err)
					}
					if d := largestDifference(got, naiveScores(m, data.ToDense(matrix))); !(d <= roundoff) {
						t.Errorf("%s, %d rows, %d features missing, %s: differs by %g", name, rows, missing, storage, d)
					}
				}
				if !slices.Equal(x.Data, before) {
					t.Errorf("%s: the rows were changed", name)
				}
			}
		}
	}
}

func TestScoreQueryMinMax(t *testing.T) {
	m := examples()["query-minmax"]
	x := random(6, 3, 1)
	set := &data.Set{X: x, Queries: data.NewQueries([]int32{0, 1, 0, 1, 0, 2}, []string{"a", "b", "c"})}
	got, err := m.Score(set)
	if err != nil {
		t.Fatal(err)
	}
	scaled := &data.Set{X: copyRows(x, 0, 6, 3), Queries: set.Queries}
	if err := m.Normalizer.Apply(scaled); err != nil {
		t.Fatal(err)
	}
	if d := largestDifference(got, naiveScores(m, scaled.X.(*data.Dense))); !(d <= roundoff) {
		t.Errorf("differs by %g", d)
	}
	if !slices.Equal(x.Data, random(6, 3, 1).Data) {
		t.Error("the rows were changed")
	}
}

// Several panels give the scores of one, up to rounding: more rows than fit into a panel, and more
// values than scoreScaled normalises at a time.
func TestScoreInPanels(t *testing.T) {
	zscore := &data.Normalizer{Kind: data.NormalizeZScore, Shift: []float64{1, 2}, Scale: []float64{2, 3}}
	b := panelSize / panelRows
	wide := &Model{Info: someInfo(), Scorer: &Kernel{kernel.Gaussian{Gamma: 1}, random(b, 2, 1), nil, random(b, 1, 2)}}
	tall := &Model{Info: someInfo(), Normalizer: zscore, Scorer: &Linear{random(1, 2, 3)}}
	for name, c := range map[string]struct {
		m    *Model
		rows int
	}{"kernel": {wide, 2*panelRows + 5}, "normalizer": {tall, 1<<20 + 3}} {
		x := random(c.rows, 2, 4)
		got, err := c.m.Score(&data.Set{X: x})
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range []int{0, panelRows - 1, panelRows, 1 << 19, c.rows - 1} {
			if i >= c.rows {
				continue
			}
			want := naiveScores(c.m, &data.Dense{Rows: 1, Cols: 2, Stride: 2, Data: x.Row(i)})[0]
			// b terms of order one: the rounding of a sum grows with √b
			if d := math.Abs(got[i] - want); !(d <= roundoff*math.Sqrt(float64(b))) {
				t.Errorf("%s: row %d is %g, want %g", name, i, got[i], want)
			}
		}
	}
}

func TestScoreSameBytesForAnyThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for name, m := range examples() {
		x := &data.Set{X: random(3000, m.Features(), 1), Queries: data.OneList(3000)}
		var want []float64
		for _, threads := range []int{1, 2, 5} {
			runtime.GOMAXPROCS(threads)
			got, err := m.Score(x)
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: other scores with %d threads", name, threads)
			}
		}
	}
}

func TestScoreRefuses(t *testing.T) {
	m := examples()["linear"]
	var feature *fault.FeatureError
	if _, err := m.Score(&data.Set{X: random(1, 4, 1)}); !errors.As(err, &feature) ||
		feature.Rows != 4 || feature.Model != 3 {
		t.Errorf("4 features for 3: %v", err)
	}
	m.Names = []string{"a", "b", "c"}
	if _, err := m.Score(&data.Set{X: random(1, 3, 1), Names: []string{"a", "c", "b"}}); !errors.As(err, &feature) ||
		feature.Feature != 2 {
		t.Errorf("columns in another order: %v", err)
	}
	if _, err := m.Score(&data.Set{X: random(1, 2, 1), Names: []string{"a", "b"}}); !errors.As(err, &feature) ||
		feature.Feature != 3 || feature.Name != "" {
		t.Errorf("a named column is missing: %v", err)
	}
	for _, e := range []*fault.FeatureError{{Rows: 4, Model: 3}, {Feature: 2, Name: "c", Want: "b"},
		{Feature: 3, Want: "c"}} {
		if e.Error() == "" || e.Hint() == "" {
			t.Errorf("%+v says %q, hint %q", e, e.Error(), e.Hint())
		}
	}
	if _, err := m.Score(&data.Set{X: random(1, 2, 1)}); err != nil {
		t.Errorf("a column without a name is missing: %v", err)
	}
	if _, err := examples()["precomputed"].Score(&data.Set{X: random(1, 6, 1)}); err == nil {
		t.Error("a kernel matrix of 6 columns for 7 training rows is scored")
	}
	var densify *data.DensifyError
	if _, err := examples()["zscore"].Score(&data.Set{X: sparse(random(2, 3, 1))}); !errors.As(err, &densify) {
		t.Errorf("z-scores of sparse rows: %v, want a *data.DensifyError", err)
	}
}

func TestScoreToPanics(t *testing.T) {
	for name, wrong := range map[string]func(){
		"short dst":     func() { examples()["linear"].Scorer.ScoreTo(make([]float64, 1), random(2, 3, 1)) },
		"wide rows":     func() { examples()["linear kernel"].Scorer.ScoreTo(make([]float64, 2), random(2, 4, 1)) },
		"narrow matrix": func() { examples()["precomputed"].Scorer.ScoreTo(make([]float64, 4), random(2, 6, 1)) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			wrong()
		})
	}
}

func BenchmarkScoreLinear(b *testing.B) {
	for _, m := range []int{1000, 100000} {
		const n = 46
		b.Run(fmt.Sprintf("m=%d/n=%d", m, n), func(b *testing.B) {
			l := &Linear{random(1, n, 1)}
			x := random(m, n, 2)
			dst := make([]float64, m)
			b.ReportAllocs()
			for b.Loop() {
				l.ScoreTo(dst, x)
			}
			b.ReportMetric(float64(m*n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mvalues/s")
		})
	}
}

// BenchmarkScoreSpline scores what BenchmarkScoreLinear does, by four knots a feature, in a batch and row by row.
func BenchmarkScoreSpline(b *testing.B) {
	const m, n, knots = 1000, 46, 4
	x, linear := random(m, n, 2), &Linear{random(1, n, 1)}
	of := kernel.NewSplineMap(kernel.Spline{Knots: knots, Bends: 1}, nil, x, nil)
	spline := &Spline{Map: of, Weights: random(1, of.Features(), 3)}
	dst := make([]float64, m)
	for name, s := range map[string]Scorer{"linear": linear, "spline": spline} {
		b.Run(fmt.Sprintf("%s/m=%d/n=%d", name, m, n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.ScoreTo(dst, x)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(m*b.N), "ns/row")
		})
		one := &Model{Info: Info{Learner: "rankrls"}, Scorer: s}
		b.Run(fmt.Sprintf("%s/row/n=%d", name, n), func(b *testing.B) {
			one.ScoreRow(x.Row(0))
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				one.ScoreRow(x.Row(i % m))
				i++
			}
		})
	}
}

func BenchmarkScoreKernel(b *testing.B) {
	const m, support, n = 2000, 2000, 50
	b.Run(fmt.Sprintf("m=%d/b=%d/n=%d/gaussian", m, support, n), func(b *testing.B) {
		k := &Kernel{kernel.Gaussian{Gamma: 0.02}, random(support, n, 1), nil, random(support, 1, 2)}
		x := random(m, n, 3)
		dst := make([]float64, m)
		b.ReportAllocs()
		for b.Loop() {
			k.ScoreTo(dst, x)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	const support, n = 2000, 50
	m := &Model{Info: someInfo(), Scorer: &Kernel{kernel.Gaussian{Gamma: 0.02}, random(support, n, 1), nil,
		random(support, 1, 2)}}
	text := written(m)
	b.Run(fmt.Sprintf("numbers=%d", support*n), func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := read(text); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	const support, n = 2000, 50
	m := &Model{Info: someInfo(), Scorer: &Kernel{kernel.Gaussian{Gamma: 0.02}, random(support, n, 1), nil,
		random(support, 1, 2)}}
	b.Run(fmt.Sprintf("numbers=%d", support*n), func(b *testing.B) {
		b.SetBytes(int64(len(written(m))))
		b.ReportAllocs()
		for b.Loop() {
			written(m)
		}
	})
}
