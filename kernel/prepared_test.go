package kernel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/kernel"
)

// rounding is how far a value for a row alone may be from the one in a matrix, relative
// to it: of inner products that are added up in another order where there are no more
// than four rows, and of fused multiplications on arm64.
const rounding = 1e-15

// tooth is a user's own kernel: Σ min(x_j, z_j).
type tooth struct{}

func (tooth) String() string { return "tooth" }
func (tooth) MatrixTo(dst *data.Dense, a, b data.Matrix) {
	x, z := data.ToDense(a), data.ToDense(b)
	for i := range x.Rows {
		for j := range z.Rows {
			sum := 0.0
			for c, v := range x.Row(i) {
				sum += min(v, z.Row(j)[c])
			}
			dst.Row(i)[j] = sum
		}
	}
}

func TestPreparedIsARowOfTheMatrix(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for range 60 {
		n, b := r.IntN(300), 5+r.IntN(60)
		a, support := random(r, 3, n, 0.6, 1), random(r, b, n, 0.6, 1)
		for _, k := range append([]kernel.Kernel{tooth{}, kernel.Fourier{Gamma: 0.01, Features: 40, Seed: 2}},
			every...) {
			for _, rows := range []data.Matrix{support, sparse(support)} {
				want, got := kernel.Matrix(k, a, rows), make([]float64, b)
				p := kernel.Prepare(k, rows)
				if p.Len() != b {
					t.Fatalf("%d rows, want %d", p.Len(), b)
				}
				for i := range a.Rows {
					p.RowTo(got, a.Row(i))
					for j, v := range got {
						if math.Abs(v-want.Row(i)[j]) > rounding*math.Abs(want.Row(i)[j]) {
							t.Fatalf("%s of %T, n=%d b=%d: %v alone, %v in the matrix",
								k, rows, n, b, v, want.Row(i)[j])
						}
					}
				}
			}
		}
	}
}

// TestPreparedShortRows: features that a row lacks are zero.
func TestPreparedShortRows(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 3))
	support := random(r, 7, 9, 0.6, 0)
	x := random(r, 1, 9, 1, 0).Row(0)
	clear(x[5:])
	for _, k := range every {
		for _, rows := range []data.Matrix{support, sparse(support)} {
			p, short, long := kernel.Prepare(k, rows), make([]float64, 7), make([]float64, 7)
			p.RowTo(long, x)
			p.RowTo(short, x[:5])
			for j := range long {
				if short[j] != long[j] {
					t.Errorf("%s of %T: %v with 5 features, %v with zeros behind them", k, rows, short[j], long[j])
				}
			}
		}
	}
}

// TestPowersAreMultiplications: a degree written out, or taken four entries at a time,
// gives the power that squaring gives.
func TestPowersAreMultiplications(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for degree := 1; degree <= 64; degree++ {
		k := kernel.Polynomial{Gamma: 0.5, Coef0: 1, Degree: degree}
		for _, b := range []int{1, 4, 7} {
			support, x := random(r, b, 1, 1, 0), random(r, 1, 1, 1, 0)
			x.Data[0] = math.Abs(x.Data[0]) // so that no digit of the sum is lost
			for j, v := range support.Data {
				support.Data[j] = math.Abs(v)
			}
			for j, v := range kernel.Matrix(k, x, support).Data {
				want := math.Pow(0.5*(x.Data[0]*support.Data[j])+1, float64(degree))
				if !(math.Abs(v-want) <= float64(degree)*rounding*math.Abs(want)) {
					t.Errorf("degree %d: %v, want %v", degree, v, want)
				}
			}
		}
	}
}

func BenchmarkRow(b *testing.B) {
	const support, n = 500, 46
	r := rand.New(rand.NewPCG(1, 1))
	rows, x := random(r, support, n, 1, 0), random(r, 1, n, 1, 0)
	dst := data.NewDense(1, support, nil)
	for _, k := range every {
		b.Run(fmt.Sprintf("prepared/b=%d/n=%d/%s", support, n, k), func(b *testing.B) {
			p := kernel.Prepare(k, rows)
			b.ReportAllocs()
			for b.Loop() {
				p.RowTo(dst.Data, x.Data)
			}
		})
		b.Run(fmt.Sprintf("matrix/b=%d/n=%d/%s", support, n, k), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				k.MatrixTo(dst, x, rows)
			}
		})
	}
}
