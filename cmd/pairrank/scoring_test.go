package main

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/kernel"
	"pairrank/model"
)

// Rows that are scored block by block have the bits that they have together, whatever the blocks.
func TestScoringByBlocks(t *testing.T) {
	r, info := rand.New(rand.NewPCG(3, 4)), model.Info{Learner: "rankrls"}
	fill := func(rows, cols int) *data.Dense {
		x := data.NewDense(rows, cols, nil)
		for i := range x.Data {
			x.Data[i] = r.NormFloat64()
		}
		return x
	}
	for range 20 {
		m, n, b, v := 17+r.IntN(400), 1+r.IntN(30), 1+r.IntN(20), 1+r.IntN(3)
		norm := &data.Normalizer{Kind: data.NormalizeZScore, Shift: fill(1, n).Data, Scale: fill(1, n).Data}
		knots := make([][]float64, n)
		for j := range knots {
			knots[j] = []float64{-0.5, float64(j) / 10}
		}
		spline := kernel.SplineOf(kernel.Spline{Knots: 2, Bends: 1}, knots)
		x := fill(m, n)
		for _, scorer := range []model.Scorer{
			&model.Linear{Weights: fill(v, n)},
			&model.Spline{Map: spline, Weights: fill(v, spline.Features())},
			&model.Kernel{Kernel: kernel.Gaussian{Gamma: 0.1}, Support: fill(b, n), Coef: fill(b, v)},
			&model.Kernel{Kernel: kernel.Polynomial{Gamma: 0.1, Coef0: 1, Degree: 2}, Support: fill(b, n), Coef: fill(b, 1)},
			&model.Fourier{Kernel: kernel.Fourier{Gamma: 0.1, Features: 20, Seed: 1}, Inputs: n, Weights: fill(v, 20)},
			&model.Stumps{Features: n, Terms: []model.Stump{{Feature: 0, Threshold: 0.1, Weight: 1}}},
		} {
			for _, m := range []*model.Model{{Info: info, Scorer: scorer}, {Info: info, Scorer: scorer, Normalizer: norm}} {
				want, err := m.Score(&data.Set{X: x})
				if err != nil {
					t.Fatal(err)
				}
				s := &scoring{m: m}
				for lo := 0; lo < x.Rows; {
					hi := min(x.Rows, lo+map[bool]int{true: 17, false: 1}[lo == 0]+r.IntN(80))
					if err := s.add(lo, &data.Set{X: data.Slice(x, lo, hi)}); err != nil || s.err != nil || s.large != nil {
						t.Fatal(err, s.err, s.large)
					}
					lo = hi
				}
				for i := range want {
					if math.Float64bits(s.scores[i]) != math.Float64bits(want[i]) {
						t.Fatalf("%T: score %d is %v, and %v among all", scorer, i, s.scores[i], want[i])
					}
				}
			}
		}
	}
}

// After an error no rows are scored, and a file that is read again is scored anew.
func TestScoringKeepsTheFirstError(t *testing.T) {
	s := &scoring{m: &model.Model{Info: model.Info{Learner: "rankrls"},
		Scorer: &model.Linear{Weights: data.NewDense(1, 2, []float64{1, 2})}}}
	wide, fits := &data.Set{X: data.NewDense(2, 3, nil)}, &data.Set{X: data.NewDense(2, 2, nil)}
	_ = s.add(0, wide)
	_ = s.add(2, fits)
	var of *fault.FeatureError
	if len(s.scores) > 0 || !errors.As(s.err, &of) {
		t.Errorf("%d scores, %v", len(s.scores), s.err)
	}
	if _ = s.add(0, fits); len(s.scores) != 2 || s.err != nil {
		t.Errorf("%d scores, %v", len(s.scores), s.err)
	}
}
