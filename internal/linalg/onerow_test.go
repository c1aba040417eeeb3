package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// sameRow compares a row with that of a product of matrices: to the last bit on amd64,
// whose assembly adds one term after another in both; elsewhere the compiler may fuse
// a multiplication and an addition in one and not in the other.
func sameRow(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	for j, v := range got {
		if apart := math.Abs(v - want[j]); apart > 0 && (runtime.GOARCH == "amd64" || apart > tolerance) {
			t.Fatalf("%s: entry %d is %v alone and %v in the matrix", what, j, v, want[j])
		}
	}
}

func TestOneRow(t *testing.T) {
	forKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 8))
		for _, s := range [][2]int{{5, 0}, {5, 1}, {9, 3}, {30, 46}, {201, 255}, {17, 256}, {50, 257}, {33, 700},
			{96, 20}, {97, 3}, {250, 50}, {500, 50}, {8, 3 * splitTerms}} {
			l, n := s[0], s[1]
			x, y := newGuarded(r, 6, n, full), newGuarded(r, l, n, full)
			turned := y.T()
			product, cross, dst := x.MulT(y.Mat), NewMat(6, l), make([]float64, l)
			const gamma = 0.02
			GaussianCross(cross, x.Mat, y.Mat, gamma)
			rows, packed, alone := NewGaussianRows(y.Mat), NewPackedRows(y.Mat), make([]float64, l)
			for i := range 6 {
				MulRowTo(dst, x.Row(i), turned)
				sameRow(t, fmt.Sprint("product ", s), dst, product.Row(i), productTolerance(n))
				packed.MulTo(alone, x.Row(i))
				if !slices.Equal(alone, dst) {
					t.Fatalf("packed %v: other bits than a product", s)
				}
				rows.RowTo(dst, x.Row(i), gamma)
				sameRow(t, fmt.Sprint("gaussian ", s), dst, cross.Row(i), gamma*distanceTolerance(n, 10*float64(n+1)))
			}
			x.unchanged(t, fmt.Sprint(s))
			y.unchanged(t, fmt.Sprint(s))
		}
	})
}

func TestOneRowOfNothing(t *testing.T) {
	rows := NewGaussianRows(NewMat(0, 3))
	rows.RowTo(nil, make([]float64, 3), 1)
	for name, bug := range map[string]func(){
		"short x":   func() { rows.RowTo(nil, make([]float64, 2), 1) },
		"packed":    func() { NewPackedRows(NewMat(2, 3)).MulTo(make([]float64, 2), make([]float64, 2)) },
		"long dst":  func() { rows.RowTo(make([]float64, 1), make([]float64, 3), 1) },
		"terms":     func() { MulRowTo(make([]float64, 2), make([]float64, 2), NewMat(3, 2)) },
		"not a mat": func() { MulRowTo(make([]float64, 2), make([]float64, 2), Mat{Rows: 2, Cols: 2}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			bug()
		})
	}
}

func BenchmarkPackedRow(b *testing.B) {
	const n = 50
	r := rand.New(rand.NewPCG(3, 9))
	for _, l := range []int{20, 60, 250, 500} {
		b.Run(fmt.Sprintf("l=%d/n=%d", l, n), func(b *testing.B) {
			p, x, dst := NewPackedRows(newGuarded(r, l, n, full).Mat), make([]float64, n), make([]float64, l)
			b.ReportAllocs()
			for b.Loop() {
				p.MulTo(dst, x)
			}
		})
	}
}
