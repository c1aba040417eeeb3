package kernel

import (
	"math"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
)

// A sum has the weighted sum of the values of its terms, by every way to get a value.
func TestSumIsTheSumOfItsTerms(t *testing.T) {
	x, z := gen.Normal(9, 4, 1), gen.Normal(5, 4, 2)
	s := NewSum(Term{0.25, Linear{}}, Term{3, Gaussian{0.5}}, Term{1e-3, Polynomial{0.5, 1, 3}}, Term{1e25, Clinical{}})
	s = NewSum(Terms(s)[:3]...)
	got, same := Matrix(s, x, z), Matrix(s, x, x)
	upper := data.NewDense(9, 9, nil)
	UpperTo(s, upper, x)
	p, row := Prepare(s, z), make([]float64, 5)
	for i := range 9 {
		p.RowTo(row, x.Row(i))
		for j := range 5 {
			want := 0.0
			for _, term := range Terms(s) {
				want += term.Weight * Matrix(term.Kernel, x, z).Row(i)[j]
			}
			if math.Abs(got.Row(i)[j]-want) > 1e-13*(1+math.Abs(want)) || math.Abs(row[j]-want) > 1e-13*(1+math.Abs(want)) {
				t.Errorf("k(x_%d,z_%d) is %v and %v, the sum %v", i, j, got.Row(i)[j], row[j], want)
			}
		}
		if self := Self(s, x, i); math.Abs(self-same.Row(i)[i]) > 1e-13*self {
			t.Errorf("k(x_%d,x_%d) is %v and %v", i, i, self, same.Row(i)[i])
		}
		for j := i; j < 9; j++ {
			if same.Row(i)[j] != same.Row(j)[i] || upper.Row(i)[j] != same.Row(i)[j] {
				t.Errorf("entry (%d,%d) is not symmetric, or not that of UpperTo", i, j)
			}
		}
	}
}

func TestSumsAreParsed(t *testing.T) {
	for spec, want := range map[string]string{
		"linear+gaussian:gamma=1":                 "linear+gaussian:gamma=1",
		"0.4*linear+0.6*gaussian:gamma=2^-1":      "0.4*linear+0.6*gaussian:gamma=0.5",
		"2^-3*linear":                             "0.125*linear",
		"1e25*linear+1e-05*gaussian:gamma=1e+21":  "1e25*linear+1e-05*gaussian:gamma=1e+21",
		"clinical:factors=2-3+6-9+linear":         "clinical:factors=2-3+6-9+linear",
		"2*clinical:factors=2-3+6-9+0.5*linear":   "2*clinical:factors=2-3+6-9+0.5*linear",
		"polynomial:degree=2+gaussian:gamma=1e+2": "polynomial:gamma=1,coef0=0,degree=2+gaussian:gamma=100",
	} {
		k, err := Parse(spec)
		if err != nil || k.String() != want {
			t.Errorf("%s is %v, not %s: %v", spec, k, want, err)
			continue
		}
		if again, err := Parse(k.String()); err != nil || again != k {
			t.Errorf("%s reads back as %v: %v", k, again, err)
		}
		if NewSum(Terms(k)...) != k {
			t.Errorf("%s has the terms %v", k, Terms(k))
		}
	}
	grid, err := ParseGrid("linear+gaussian:gamma=1:4:3+polynomial:degree=2")
	if err != nil || len(grid) != 3 || grid[1].String() != "linear+gaussian:gamma=2+polynomial:gamma=1,coef0=0,degree=2" {
		t.Errorf("the grid of a sum is %v: %v", grid, err)
	}
	for spec, want := range map[string]string{
		"linear+precomputed":                       "precomputed is no term",
		"linear+fourier:gamma=1,features=4,seed=1": "fourier is no term",
		"linear+linear":                            "linear twice",
		"linear+0.5*gaussian:gamma=1":              "give all, or none",
		"0*linear+1*gaussian:gamma=1":              "a number above 0",
		"-1*linear":                                "a number above 0",
		"linear+gauss:gamma=1":                     "did you mean gaussian",
		"linear+":                                  "unknown kernel",
		"gaussian:gamma=1:2:200+polynomial:degree=2,gamma=1:2:99": "more than",
	} {
		if k, err := ParseGrid(spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, not %q", spec, k, err, want)
		}
	}
}
