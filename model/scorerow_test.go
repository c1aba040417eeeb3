package model

import (
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
		"linear":      {Info: info, Scorer: &Linear{random(1, n, 3)}},
		"normalised":  {Info: info, Normalizer: norm, Scorer: &Linear{random(1, n, 4)}},
		"gaussian":    {Info: info, Scorer: &Kernel{Kernel: kernel.Gaussian{Gamma: 0.1}, Support: random(9, n, 5), Coef: random(9, 1, 6)}},
		"polynomial":  {Info: info, Normalizer: norm, Scorer: &Kernel{Kernel: kernel.Polynomial{Gamma: 0.5, Coef0: 1, Degree: 2}, Support: random(9, n, 7), Coef: random(9, 1, 8)}},
		"sparse":      {Info: info, Scorer: &Kernel{Kernel: kernel.Gaussian{Gamma: 0.1}, Support: sparse, Coef: random(3, 1, 9)}},
		"precomputed": {Info: info, Scorer: &Kernel{Kernel: kernel.Precomputed{}, SupportRows: []int{1, n}, Coef: random(2, 1, 10)}},
		"stumps":      {Info: info, Normalizer: norm, Scorer: &Stumps{Features: n, Terms: []Stump{{0, 0.1, 1}, {n - 1, -0.2, -0.5}}}},
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
			(&Model{Scorer: linear.Scorer, Normalizer: &data.Normalizer{Kind: data.NormalizeQueryMinMax}}).ScoreRow(make([]float64, 7))
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

func BenchmarkScoreRowGaussian500x46(b *testing.B) {
	m := &Model{Scorer: &Kernel{Kernel: kernel.Gaussian{Gamma: 0.01}, Support: random(500, 46, 14), Coef: random(500, 1, 15)}}
	x := random(1, 46, 16).Row(0)
	b.ReportAllocs()
	for b.Loop() {
		m.ScoreRow(x)
	}
}
