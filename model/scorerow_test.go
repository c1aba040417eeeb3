package model

import (
	"fmt"
	"math"
	"testing"

	"pairrank/data"
	"pairrank/kernel"
)

// models are one of each kind, of n features.
func models(n int) map[string]*Model {
	sparse := &data.CSR{Rows: 3, Cols: n, Ptr: []int{0, 1, 2, 2}, Col: []int32{0, int32(n - 1)}, Val: []float64{1, -2}}
	norm := &data.Normalizer{Kind: data.NormalizeZScore, Shift: random(1, n, 1).Data, Scale: random(1, n, 2).Data}
	info := Info{Learner: "rankrls", Rows: n}
	return map[string]*Model{
		"linear":     {Info: info, Scorer: &Linear{random(1, n, 3)}},
		"normalised": {Info: info, Normalizer: norm, Scorer: &Linear{random(1, n, 4)}},
		"gaussian": {Info: info, Scorer: &Kernel{Kernel: kernel.Gaussian{Gamma: 0.1}, Support: random(9, n, 5),
			Coef: random(9, 1, 6)}},
		"polynomial": {Info: info, Normalizer: norm,
			Scorer: &Kernel{Kernel: kernel.Polynomial{Gamma: 0.5, Coef0: 1, Degree: 2}, Support: random(9, n, 7),
				Coef: random(9, 1, 8)}},
		"sparse": {Info: info, Scorer: &Kernel{Kernel: kernel.Gaussian{Gamma: 0.1},
			Support: sparse, Coef: random(3, 1, 9)}},
		"precomputed": {Info: info, Scorer: &Kernel{Kernel: kernel.Precomputed{}, SupportRows: []int{1, n},
			Coef: random(2, 1, 10)}},
		"fourier": {Info: info, Normalizer: norm,
			Scorer: &Fourier{Kernel: kernel.Fourier{Gamma: 0.1, Features: 20, Seed: 1},
				Inputs: n, Weights: random(1, 20, 12)}},
		"stumps": {Info: info, Normalizer: norm,
			Scorer: &Stumps{Features: n, Terms: []Stump{{0, 0.1, 1}, {n - 1, -0.2, -0.5}}}},
	}
}

// A single row has the score that it has among others.
func TestScoreRow(t *testing.T) {
	for name, m := range models(7) {
		x := random(20, 7, 11)
		want, err := m.Score(&data.Set{X: x, Queries: data.OneList(20)})
		if err != nil {
			t.Fatal(name, err)
		}
		for i, w := range want {
			if got := m.ScoreRow(x.Row(i)); math.Abs(got-w) > 1e-13*(1+math.Abs(w)) {
				t.Errorf("%s, row %d: %v, and among others %v", name, i+1, got, w)
			}
		}
	}
}

func TestScoreRowPanics(t *testing.T) {
	linear := models(7)["linear"]
	for name, f := range map[string]func(){
		"too short":       func() { linear.ScoreRow(make([]float64, 6)) },
		"too long":        func() { linear.ScoreRow(make([]float64, 8)) },
		"several outputs": func() { (&Model{Scorer: &Linear{random(2, 7, 13)}}).ScoreRow(make([]float64, 7)) },
		"by query": func() {
			(&Model{Scorer: linear.Scorer,
				Normalizer: &data.Normalizer{Kind: data.NormalizeQueryMinMax}}).ScoreRow(make([]float64, 7))
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// A few rows are scored one by one and many as a matrix, which shows in no score: it has the bytes that it has in a
// larger set, whatever the kernel and the number of support rows, and with features missing.
func TestScoreOfFewRows(t *testing.T) {
	all := models(7)
	for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.Gaussian{Gamma: 0.1}, kernel.Clinical{Variables: 7},
		kernel.Polynomial{Gamma: 0.1, Coef0: 1, Degree: 2}, kernel.Polynomial{Gamma: 0.1, Coef0: 1, Degree: 5},
		kernel.NewSum(kernel.Term{Weight: 0.3, Kernel: kernel.Linear{}},
			kernel.Term{Weight: 0.7, Kernel: kernel.Gaussian{Gamma: 0.3}})} {
		for _, b := range []int{1, 2, 3, 4, 5, 9, 200, 513} {
			all[fmt.Sprint(k, " of ", b)] = &Model{Info: Info{Learner: "rankrls"},
				Scorer: &Kernel{Kernel: k, Support: random(b, 7, 14), Coef: random(b, 1, 15)}}
		}
	}
	for name, m := range all {
		x := random(fewRows+4, 7, 11)
		for _, cols := range []int{7, 5} {
			if m.Precomputed() && cols < 7 {
				continue
			}
			score := func(rows int) []float64 {
				some := &data.Dense{Rows: rows, Cols: cols, Stride: 7, Data: x.Data}
				got, err := m.Score(&data.Set{X: some, Queries: data.OneList(rows)})
				if err != nil {
					t.Fatal(name, err)
				}
				return got
			}
			want := score(x.Rows)
			for _, rows := range []int{0, 1, 2, fewRows, fewRows + 1} {
				for i, got := range score(rows) {
					if got != want[i] {
						t.Errorf("%s, row %d of %d, %d features: %v, and of %d rows %v", name, i+1,
							rows, cols, got, x.Rows, want[i])
					}
				}
			}
		}
	}
}

func BenchmarkScoreRow(b *testing.B) {
	const support, n = 500, 50
	x := random(1, n, 16)
	for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.Gaussian{Gamma: 0.01},
		kernel.Polynomial{Gamma: 0.1, Coef0: 1, Degree: 2}, kernel.Polynomial{Gamma: 0.1, Coef0: 1, Degree: 5}} {
		m := &Model{Info: Info{Learner: "rankrls"},
			Scorer: &Kernel{Kernel: k, Support: random(support, n, 14), Coef: random(support, 1, 15)}}
		b.Run(fmt.Sprintf("b=%d/n=%d/%s", support, n, k), func(b *testing.B) {
			m.ScoreRow(x.Row(0))
			b.ReportAllocs()
			for b.Loop() {
				m.ScoreRow(x.Row(0))
			}
		})
		b.Run(fmt.Sprintf("set/b=%d/n=%d/%s", support, n, k), func(b *testing.B) {
			set := &data.Set{X: x, Queries: data.OneList(1)}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.Score(set); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
