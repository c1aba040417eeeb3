package kernel_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/linalg"
	"pairrank/kernel"
)

// tables are rows of mixed columns: numbers in [0,1], a factor of two levels, another number, a factor of six levels
// that some rows lack.
func tables(r *rand.Rand, m int) *data.Dense {
	x := data.NewDense(m, 11, nil)
	for i := range m {
		row := x.Row(i)
		row[0], row[3], row[4] = r.Float64(), float64(r.IntN(4))/3, r.Float64()
		row[1+r.IntN(2)] = 1
		if r.IntN(5) > 0 {
			row[5+r.IntN(6)] = 1
		}
	}
	return x
}

var mixed = kernel.Clinical{Factors: "2-3+6-11"}

// clinically is the kernel by its definition: the mean over five variables.
func clinically(x, z []float64) float64 {
	sum := 0.0
	for _, j := range []int{0, 3, 4} {
		sum += (1 - math.Abs(x[j]-z[j])) / 1
	}
	for _, levels := range [][2]int{{1, 3}, {5, 11}} {
		same := 1.0
		for j := levels[0]; j < levels[1]; j++ {
			if x[j] != z[j] {
				same = 0
			}
		}
		sum += same
	}
	return sum / 5
}

func TestClinicalIsItsDefinition(t *testing.T) {
	const rounding = 1e-15
	r := rand.New(rand.NewPCG(44, 1))
	for range 30 {
		a, b := tables(r, 1+r.IntN(40)), tables(r, 1+r.IntN(40))
		for _, x := range []data.Matrix{a, gen.Sparse(a, gen.NotZero)} {
			for _, z := range []data.Matrix{b, gen.Sparse(b, gen.NotZero), x} {
				got, others := kernel.Matrix(mixed, x, z), data.ToDense(z)
				for i := range a.Rows {
					for j := range others.Rows {
						want := clinically(a.Row(i), others.Row(j))
						if v := got.Row(i)[j]; !(math.Abs(v-want) <= rounding) || x == z && v != got.Row(j)[i] {
							t.Fatalf("%T, %T: (%d,%d) is %v, want %v", x, z, i, j, v, want)
						}
					}
				}
			}
			p, alone := kernel.Prepare(mixed, x), make([]float64, a.Rows)
			for i := range b.Rows {
				p.RowTo(alone, b.Row(i))
				for j, v := range alone {
					if v != kernel.Matrix(mixed, b, x).Row(i)[j] {
						t.Fatalf("row %d alone has %v", i, v)
					}
				}
			}
		}
	}
}

// Values beyond the range of training are taken at its nearer end, and the matrix of any rows is positive semidefinite,
// whatever levels they lack.
func TestClinicalIsPositiveSemidefinite(t *testing.T) {
	r := rand.New(rand.NewPCG(44, 2))
	for range 20 {
		x := tables(r, 30)
		for i := range x.Rows {
			x.Row(i)[r.IntN(2)*4] = 3 * r.NormFloat64()
		}
		inside := x.Clone()
		for i, v := range inside.Data {
			inside.Data[i] = min(max(v, 0), 1)
		}
		k, want := kernel.Matrix(mixed, x, x), kernel.Matrix(mixed, inside, inside)
		for i, v := range k.Data {
			if v != want.Data[i] || v < 0 || v > 1 {
				t.Fatalf("%v, and %v at the ends of the range", v, want.Data[i])
			}
		}
		w, u := make([]float64, x.Rows), linalg.NewMat(x.Rows, x.Rows)
		linalg.SymEigen(linalg.Mat(*k), w, u)
		if w[0] < -1e-13*w[len(w)-1] {
			t.Fatalf("eigenvalue %g", w[0])
		}
	}
}

// V divides what differs: variables that are left out differ nowhere.
func TestClinicalVariables(t *testing.T) {
	x := data.NewDense(2, 3, []float64{0, 0.5, 0, 1, 0.25, 0})
	for v, want := range map[int]float64{0: 1 - 1.25/3, 2: 1 - 1.25/2} {
		if got := kernel.Matrix(kernel.Clinical{Variables: v}, x, x).Data[1]; got != want {
			t.Errorf("%d variables: %v, want %v", v, got, want)
		}
	}
}

func TestClinicalNames(t *testing.T) {
	for spec, want := range map[string]kernel.Clinical{
		"clinical": {}, "clinical:variables=7": {Variables: 7}, "clinical:factors=2-3+4-4": {Factors: "2-3+4-4"},
		"clinical:variables=1,factors=1-9": {Variables: 1, Factors: "1-9"},
	} {
		if got, err := kernel.Parse(spec); err != nil || got != want || got.String() != spec {
			t.Errorf("%s is read as %v, %v", spec, got, err)
		}
	}
	for _, spec := range []string{"clinical:", "clinical:variables=0", "clinical:variables=01", "clinical:variables",
		"clinical:factors=", "clinical:factors=3", "clinical:factors=3-2", "clinical:factors=0-2",
		"clinical:factors=2-4+4-5", "clinical:factors=5-6+2-3", "clinical:factors=2-3,factors=4-5", "clinical:gamma=1",
		"clinical:factors=1-99999999999", "clinical:factors=+1-2"} {
		if k, err := kernel.Parse(spec); err == nil {
			t.Errorf("%q is read as %v", spec, k)
		}
	}
	more, _, err := (kernel.Clinical{Factors: "6-8"}).WithFactors(8, [2]int{1, 3}, [2]int{5, 7})
	if err != nil || more.Factors != "2-4+6-8" {
		t.Errorf("%v, %v", more, err)
	}
	if _, _, err := more.WithFactors(8, [2]int{3, 4}); err == nil {
		t.Error("factors overlap")
	}
	_, spans, err := mixed.WithFactors(11)
	_, _, beyond := mixed.WithFactors(10)
	_, _, negative := (kernel.Clinical{Variables: -1}).WithFactors(3)
	if err != nil || len(spans) != 2 || beyond == nil || negative == nil {
		t.Errorf("%v, %v, %v, %v", spans, err, beyond, negative)
	}
}

func BenchmarkClinical(b *testing.B) {
	r := rand.New(rand.NewPCG(44, 3))
	x := data.NewDense(2000, 20, nil)
	for i := range x.Data {
		x.Data[i] = r.Float64()
	}
	dst := data.NewDense(2000, 2000, nil)
	for _, k := range []kernel.Kernel{kernel.Clinical{}, kernel.Gaussian{Gamma: 0.05}} {
		b.Run(k.String(), func(b *testing.B) {
			for b.Loop() {
				k.MatrixTo(dst, x, x)
			}
		})
	}
}
