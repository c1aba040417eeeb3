package model

import (
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/kernel"
)

// The Scorer gives normalized rows the scores that Score gives the rows of the set.
func TestNormalized(t *testing.T) {
	const n, rows = 7, 12
	dense := random(rows, n, 60)
	of := make([]int32, rows)
	for i := range of {
		of[i] = int32((i * i) % 3)
	}
	set := &data.Set{X: dense, Queries: data.NewPartition(of, 3)}
	before := slices.Clone(dense.Data)
	all := models(n)
	all["by query"] = &Model{Info: all["linear"].Info, Scorer: all["linear"].Scorer,
		Normalizer: &data.Normalizer{Kind: data.NormalizeQueryMinMax}}
	for name, m := range all {
		want, err := m.Score(set)
		if err != nil {
			t.Fatal(name, err)
		}
		some := []int{7, 2, 2, 11, 0}
		x, err := m.Normalized(set, some)
		if err != nil {
			t.Fatal(name, err)
		}
		got := make([]float64, len(some))
		m.Scorer.ScoreTo(got, x)
		for k, i := range some {
			if d := largestDifference(got[k:k+1], want[i:i+1]); d > roundoff {
				t.Errorf("%s, row %d: %v, and in the set %v", name, i+1, got[k], want[i])
			}
		}
	}
	if !slices.Equal(before, dense.Data) {
		t.Error("the set was changed")
	}
	wide := &data.Set{X: random(2, n+1, 61)}
	if _, err := all["linear"].Normalized(wide, []int{0}); err == nil {
		t.Error("a feature more than in training")
	}
}

func TestOutput(t *testing.T) {
	gaussian := models(7)["gaussian"].Scorer.(*Kernel).Kernel
	for _, s := range []Scorer{
		&Linear{random(3, 7, 62)},
		&Fourier{Kernel: kernel.Fourier{Gamma: 0.1, Features: 20, Seed: 1}, Inputs: 7, Weights: random(3, 20, 65)},
		&Kernel{Kernel: gaussian, Support: random(5, 7, 63), Coef: random(5, 3, 64)},
	} {
		m, x := &Model{Info: Info{Learner: "rankrls"}, Scorer: s}, random(4, 7, 65)
		want, err := m.Score(&data.Set{X: x})
		if err != nil {
			t.Fatal(err)
		}
		for o := range 3 {
			got, err := m.Output(o).Score(&data.Set{X: x})
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range got {
				if d := largestDifference([]float64{v}, want[3*i+o:3*i+o+1]); d > roundoff {
					t.Errorf("output %d of row %d is %v, want %v", o+1, i+1, v, want[3*i+o])
				}
			}
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("an output that there is not")
		}
	}()
	models(7)["linear"].Output(1)
}
