package data_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
)

// sparse is a random m×n matrix with some empty rows and columns, as a view that begins after other
// rows.
func sparse(r *rand.Rand, m, n int) *data.CSR {
	x := &data.CSR{Rows: m, Cols: n, Ptr: []int{3}, Col: []int32{0, 0, 0}, Val: []float64{7, 7, 7}}
	for i := range m {
		for j := range n {
			if i%5 != 2 && j%7 != 3 && r.IntN(3) == 0 {
				x.Col, x.Val = append(x.Col, int32(j)), append(x.Val, r.NormFloat64())
			}
		}
		x.Ptr = append(x.Ptr, len(x.Col))
	}
	return x
}

func TestTranspose(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	for range 50 {
		x := sparse(r, r.IntN(30), 1+r.IntN(30))
		y := x.Transpose()
		data.Check("transpose", y)
		if y.Rows != x.Cols || y.Cols != x.Rows {
			t.Fatalf("%d×%d of %d×%d", y.Rows, y.Cols, x.Rows, x.Cols)
		}
		row, column := make([]float64, x.Cols), make([]float64, x.Rows)
		for j := range y.Rows {
			y.RowTo(column, j)
			for i, v := range column {
				if x.RowTo(row, i); row[j] != v {
					t.Fatalf("(%d,%d): %v, want %v", i, j, v, row[j])
				}
			}
		}
	}
}

// TestMulTo: every column of a product has the sums of the product with that column
// alone, to rounding, and the same bits whatever the other columns are.
func TestMulTo(t *testing.T) {
	r := rand.New(rand.NewPCG(63, 64))
	for trial := range 60 {
		m, n, k := r.IntN(40), 1+r.IntN(40), r.IntN(12)
		if trial == 0 {
			m, n, k = 600, 500, 10 // several pieces
		}
		x := sparse(r, m, n)
		w, got := data.NewDense(n, k, nil), data.NewDense(m, k, nil)
		for j := range w.Data {
			w.Data[j] = r.NormFloat64()
		}
		x.MulTo(got, w)
		from, want, alone := data.NewDense(n, 1, nil), make([]float64, m), data.NewDense(m, 1, nil)
		for c := range k {
			for j := range n {
				from.Data[j] = w.Row(j)[c]
			}
			x.MulVecTo(want, from.Data)
			x.MulTo(alone, from)
			for i, v := range want {
				if math.Abs(got.Row(i)[c]-v) > 1e-13*float64(n) || got.Row(i)[c] != alone.Data[i] {
					t.Fatalf("%d×%d, row %d of column %d of %d: %v, want %v, alone %v",
						m, n, i, c, k, got.Row(i)[c], v, alone.Data[i])
				}
			}
		}
	}
}

// TestGramVecTo against the two products that it is, in one piece and in several.
func TestGramVecTo(t *testing.T) {
	r := rand.New(rand.NewPCG(67, 68))
	for trial := range 40 {
		m, n := r.IntN(40), 1+r.IntN(40)
		if trial == 0 {
			m, n = 2000, 300 // several pieces
		}
		x := sparse(r, m, n)
		v, got, want, f := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, m)
		for j := range v {
			v[j] = r.NormFloat64()
		}
		squares := x.GramVecTo(got, v)
		x.MulVecTo(f, v)
		x.MulTransVecTo(want, f)
		sum := 0.0
		for _, s := range f {
			sum += s * s
		}
		if math.Abs(squares-sum) > 1e-12*(1+sum) {
			t.Errorf("%d×%d: squares %v, want %v", m, n, squares, sum)
		}
		for j, w := range want {
			if math.Abs(got[j]-w) > 1e-12*(1+float64(n*m)) {
				t.Errorf("%d×%d, entry %d: %v, want %v", m, n, j, got[j], w)
			}
		}
	}
}

// textRows are rows of the shape of text: word j about as often as 1/j.
func textRows(m, n, stored int) *data.CSR {
	r := rand.New(rand.NewPCG(65, 66))
	x := &data.CSR{Rows: m, Cols: n, Ptr: []int{0}}
	for range m {
		var cols []int32
		for range stored {
			cols = append(cols, int32(math.Exp(r.Float64()*math.Log(float64(n))))-1)
		}
		slices.Sort(cols)
		for _, j := range slices.Compact(cols) {
			x.Col, x.Val = append(x.Col, j), append(x.Val, r.NormFloat64())
		}
		x.Ptr = append(x.Ptr, len(x.Col))
	}
	return x
}

// BenchmarkGramVecTo compares GramVecTo with the two products that it replaces, over the columns of
// text.
func BenchmarkGramVecTo(b *testing.B) {
	const m, n = 20_000, 50_000
	x := textRows(m, n, 100)
	t := x.Transpose()
	v, dst, f := make([]float64, m), make([]float64, m), make([]float64, n)
	for i := range v {
		v[i] = 1 / float64(i+1)
	}
	b.Run("m=20000/stored=100/one pass", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			t.GramVecTo(dst, v)
		}
	})
	b.Run("m=20000/stored=100/two products", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			t.MulVecTo(f, v)
			x.MulVecTo(dst, f)
		}
	})
}

func BenchmarkMulTo(b *testing.B) {
	const m, n, k = 20_000, 50_000, 10
	r, x := rand.New(rand.NewPCG(69, 70)), textRows(m, n, 100)
	w, dst := data.NewDense(n, k, nil), data.NewDense(m, k, nil)
	for j := range w.Data {
		w.Data[j] = r.NormFloat64()
	}
	b.Run("m=20000/stored=100/k=10", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			x.MulTo(dst, w)
		}
	})
}
