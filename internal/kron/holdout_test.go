package kron

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
)

// twoByThree is a graph whose kernels are multiples of the identity.
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

// The zero setting is Pairs. An unknown setting panics with its name.
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

// If λ is larger than all products of eigenvalues, the learnt part is small compared with the labels. Held-out
// scores then are as exact, relative to the scores, as those of all edges. Residuals and the learnt part agree
// at the change from one to the other.
func TestHoldOutOfLargeLambda(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	worst := tally{}
	for range gen.Count(t, 40) {
		p := drawProblem(r, 5, r.IntN(3) == 0)
		for _, loss := range []Loss{Regression, Ranking} {
			path, err := Factor(t.Context(), p.rows, p.cols, p.y, Options{Loss: loss})
			if err != nil {
				t.Fatal(err)
			}
			_, greatest := path.Extent()
			if greatest == 0 {
				continue
			}
			for _, s := range []Setting{Pairs, Rows, Cols} {
				for _, times := range []float64{1, 8, 0x1p20, 0x1p40} {
					p.lambda = greatest * times
					want := data.NewDense(p.y.Rows, p.y.Cols, nil)
					for i := range want.Rows {
						for j := range want.Cols {
							want.Row(i)[j] = p.without(s, i, j, loss)
						}
					}
					for _, lambda := range []float64{p.lambda, p.lambda * (1 + 0x1p-50)} { // 1: with either
						got, err := path.HoldOut(lambda, s)
						if err != nil {
							t.Fatal(err)
						}
						for i := range want.Rows {
							for j, w := range want.Row(i) {
								worst.near(t, fmt.Sprintf("%s %s × %g", loss, s, times),
									got.Row(i)[j], w, max(size(want), size(path.At(lambda).Scores())), tolerance)
							}
						}
					}
				}
			}
		}
	}
	t.Logf("largest relative differences %v", worst)
}

// The leverages of a λ serve any labels, but no other kernels.
func TestLeverageOfOtherLabels(t *testing.T) {
	r := rand.New(rand.NewPCG(83, 84))
	p := drawProblem(r, 6, false)
	other := data.NewDense(p.y.Rows, p.y.Cols, nil)
	for i := range other.Data {
		other.Data[i] = r.NormFloat64()
	}
	for _, loss := range []Loss{Regression, Ranking} {
		path, err := Factor(t.Context(), p.rows, p.cols, p.y, Options{Loss: loss})
		if err != nil {
			t.Fatal(err)
		}
		fresh, err := Factor(t.Context(), p.rows, p.cols, other, Options{Loss: loss})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []Setting{Pairs, Rows, Cols} {
			l, err := path.Leverage(p.lambda, s)
			if err != nil {
				t.Fatal(err)
			}
			path.HoldOutBy(l) // its labels are not kept for later ones
			want, err := fresh.HoldOut(p.lambda, s)
			if err != nil {
				t.Fatal(err)
			}
			if got := path.Relabel(other).HoldOutBy(l); !slices.Equal(got.Data, want.Data) {
				t.Errorf("%s %s: relabelled %v, factored %v", loss, s, got.Data, want.Data)
			}
			func() {
				defer func() {
					if recover() == nil {
						t.Error("leverages of other kernels are taken")
					}
				}()
				fresh.HoldOutBy(l)
			}()
		}
	}
}
