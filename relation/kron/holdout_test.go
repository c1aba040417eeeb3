package kron

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
)

// twoByThree is a graph with kernels that are the identity, or 0.
func twoByThree(diagonal float64) (rows, cols, y *data.Dense) {
	rows, cols = data.NewDense(2, 2, nil), data.NewDense(3, 3, nil)
	for i := range 2 {
		rows.Row(i)[i] = diagonal
	}
	for j := range 3 {
		cols.Row(j)[j] = diagonal
	}
	return rows, cols, &data.Dense{Rows: 2, Cols: 3, Stride: 3, Data: []float64{1, 2, 0, 3, 5, 1}}
}

// No setting is that of pairs, and an unknown one a panic with its name.
func TestSettingsOfHoldOut(t *testing.T) {
	rows, cols, y := twoByThree(1)
	path, err := Factor(t.Context(), rows, cols, y, Options{Loss: Regression})
	if err != nil {
		t.Fatal(err)
	}
	step, err := FactorTwoStep(t.Context(), rows, cols, y)
	if err != nil {
		t.Fatal(err)
	}
	for name, holdOut := range map[string]func(s Setting) []float64{
		"path": func(s Setting) []float64 {
			f, err := path.HoldOut(1, s)
			if err != nil {
				t.Fatal(err)
			}
			return f.Data
		},
		"two steps": func(s Setting) []float64 { return step.HoldOut(1, 1, s).Data },
	} {
		if !slices.Equal(holdOut(""), holdOut(Pairs)) {
			t.Errorf("%s: no setting leaves out %v, and pairs %v", name, holdOut(""), holdOut(Pairs))
		}
		func() {
			defer func() {
				if text, _ := recover().(string); !strings.Contains(text, `"nodes"`) {
					t.Errorf("%s: an unknown setting panics with %q", name, text)
				}
			}()
			holdOut("nodes")
		}()
	}
}

// Without a positive eigenvalue there is no least one.
func TestExtentOfNothing(t *testing.T) {
	rows, cols, y := twoByThree(0)
	path, err := Factor(t.Context(), rows, cols, y, Options{})
	if err != nil {
		t.Fatal(err)
	}
	step, err := FactorTwoStep(t.Context(), rows, cols, y)
	if err != nil {
		t.Fatal(err)
	}
	for name, extent := range map[string]func() (float64, float64){"path": path.Extent, "two steps": step.Extent} {
		if least, greatest := extent(); !math.IsInf(least, 1) || greatest != 0 {
			t.Errorf("%s: from %g to %g", name, least, greatest)
		}
	}
}
