package data

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// TestSingle compares products and selected rows of single precision with those
// of a double matrix that has the rounded values.
func TestSingle(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 74))
	for _, shape := range [][2]int{{0, 4}, {6, 0}, {9, 5}, {4000, 37}} {
		m, n := shape[0], shape[1]
		dense, sparse := NewDense(m, n, nil), &CSR{Rows: m, Cols: n, Ptr: []int{0}}
		for i := range m {
			for j := range n {
				if r.IntN(3) > 0 {
					continue
				}
				x := float64(float32(r.NormFloat64()))
				dense.Row(i)[j] = x
				sparse.Col, sparse.Val = append(sparse.Col, int32(j)), append(sparse.Val, x)
			}
			sparse.Ptr = append(sparse.Ptr, len(sparse.Val))
		}
		rows := make([]int, 0, m)
		for range m {
			rows = append(rows, r.IntN(m))
		}
		w, v := make([]float64, n), make([]float64, m)
		for j := range w {
			w[j] = r.NormFloat64()
		}
		for i := range v {
			v[i] = r.NormFloat64()
		}
		for _, x := range []Matrix{dense, sparse} {
			for _, pick := range []bool{false, true} {
				a := x
				b, ok := Single(x)
				if !ok {
					t.Fatal("values that fit are refused")
				}
				if pick {
					a, b = Select(a, rows), Select(b, rows)
				}
				f, g := make([]float64, m), make([]float64, m)
				a.MulVecTo(f, w)
				b.MulVecTo(g, w)
				nearly(t, f, g, 1e-12)
				s, u := make([]float64, n), make([]float64, n)
				a.MulTransVecTo(s, v)
				b.MulTransVecTo(u, v)
				nearly(t, s, u, 1e-10)
				old := runtime.GOMAXPROCS(1)
				again := make([]float64, n)
				b.MulTransVecTo(again, v)
				runtime.GOMAXPROCS(old)
				if !slices.Equal(again, u) {
					t.Errorf("%T: one thread gives other bytes", b)
				}
			}
		}
	}
}

func nearly(t *testing.T, a, b []float64, tolerance float64) {
	t.Helper()
	for i, v := range a {
		if d := v - b[i]; d > tolerance || -d > tolerance {
			t.Fatalf("%v and %v at %d", v, b[i], i)
		}
	}
}

func TestSingleOverflows(t *testing.T) {
	x := NewDense(1, 2, nil)
	x.Data[1] = 1e39
	if _, ok := Single(x); ok {
		t.Error("1e39 is taken for a number of single precision")
	}
}

func TestSingleLoss(t *testing.T) {
	column := func(v ...float64) *Dense { return NewDense(len(v), 1, v) }
	for name, c := range map[string]struct {
		x    Matrix
		want float64
	}{
		"about 0":              {column(-1, 0.1, 1), math.Abs(0.1-float64(float32(0.1))) / 2},
		"nothing is left":      {column(1<<24, 1<<24+1), 1},
		"half a step":          {column(1<<24, 1<<24+1, 1<<24+2), 0.5},
		"constant":             {column(0.1, 0.1), 0},
		"zeros not stored":     {&CSR{Rows: 3, Cols: 1, Ptr: []int{0, 1, 2, 2}, Col: []int32{0, 0}, Val: []float64{1 << 24, 1<<24 + 1}}, 1.0 / (1<<24 + 1)},
		"the worst column":     {NewDense(2, 2, []float64{1, 1 << 24, 2, 1<<24 + 1}), 1},
		"no columns":           {&Dense{Rows: 2}, 0},
		"sparse with all rows": {&CSR{Rows: 2, Cols: 1, Ptr: []int{0, 1, 2}, Col: []int32{0, 0}, Val: []float64{1 << 24, 1<<24 + 1}}, 1},
	} {
		if got := SingleLoss(c.x); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
