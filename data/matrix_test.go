package data

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// random returns a dense matrix with the given share of entries that are not
// zero, and the same as CSR.
func random(rows, cols int, share float64, seed uint64) (*Dense, *CSR) {
	r := rand.New(rand.NewPCG(seed, 1))
	d := &Dense{Rows: rows, Cols: cols, Stride: cols + 1, Data: make([]float64, rows*(cols+1))}
	s := &CSR{Rows: rows, Cols: cols, Ptr: []int{0}}
	for i := range rows {
		for j := range cols {
			if r.Float64() < share {
				x := r.NormFloat64()
				d.Row(i)[j] = x
				s.Col, s.Val = append(s.Col, int32(j)), append(s.Val, x)
			}
		}
		s.Ptr = append(s.Ptr, len(s.Val))
	}
	return d, s
}

func vector(n int, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 2))
	v := make([]float64, n)
	for i := range v {
		if r.IntN(4) > 0 {
			v[i] = r.NormFloat64()
		}
	}
	return v
}

var shapes = []struct {
	rows, cols int
	share      float64
}{{0, 0, 1}, {0, 3, 1}, {3, 0, 1}, {1, 1, 1}, {2, 5, 0.5}, {7, 3, 1}, {1001, 46, 0.3}, {20_000, 9, 1}, {50, 3000, 0.02},
	{3000, 200, 0.1}}

func TestProductsAgainstTheDefinition(t *testing.T) {
	for _, c := range shapes {
		d, s := random(c.rows, c.cols, c.share, 1)
		w, v := vector(c.cols, 3), vector(c.rows, 4)
		wantXw, wantXv := make([]float64, c.rows), make([]float64, c.cols)
		sizeXw, sizeXv := make([]float64, c.rows), make([]float64, c.cols) // sums of magnitudes
		for i := range c.rows {
			for j, x := range d.Row(i) {
				wantXw[i] += x * w[j]
				sizeXw[i] += math.Abs(x * w[j])
				wantXv[j] += x * v[i]
				sizeXv[j] += math.Abs(x * v[i])
			}
		}
		for name, x := range map[string]Matrix{"dense": d, "csr": s} {
			gotXw, gotXv := slices.Repeat([]float64{math.NaN()}, c.rows), slices.Repeat([]float64{math.NaN()}, c.cols)
			x.MulVecTo(gotXw, w)
			x.MulTransVecTo(gotXv, v)
			compare(t, fmt.Sprintf("%s %d×%d Xw", name, c.rows, c.cols), gotXw, wantXw, sizeXw, c.cols)
			compare(t, fmt.Sprintf("%s %d×%d Xᵀv", name, c.rows, c.cols), gotXv, wantXv, sizeXv, c.rows)
		}
	}
}

// compare allows the rounding of a sum of terms in any order: terms·ε times the
// sum of their magnitudes.
func compare(t *testing.T, what string, got, want, size []float64, terms int) {
	t.Helper()
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= float64(terms)*0x1p-52*size[i]) {
			t.Fatalf("%s: entry %d is %g, want %g", what, i, got[i], want[i])
		}
	}
}

func TestProductsDoNotDependOnThreads(t *testing.T) {
	d, s := random(30_000, 40, 0.5, 5)
	w, v := vector(40, 6), vector(30_000, 7)
	for _, x := range []Matrix{d, s} {
		var firstXw, firstXv []float64
		for _, threads := range []int{1, 2, 7} {
			old := runtime.GOMAXPROCS(threads)
			gotXw, gotXv := make([]float64, 30_000), make([]float64, 40)
			x.MulVecTo(gotXw, w)
			x.MulTransVecTo(gotXv, v)
			runtime.GOMAXPROCS(old)
			if firstXw == nil {
				firstXw, firstXv = gotXw, gotXv
			}
			if !slices.Equal(gotXw, firstXw) || !slices.Equal(gotXv, firstXv) {
				t.Errorf("%T: other bytes with %d threads", x, threads)
			}
		}
	}
}

func TestSplitCoversTheRows(t *testing.T) {
	for _, share := range []float64{0, 0.01, 1} {
		_, s := random(100, 20, share, 1)
		for _, parts := range []int{1, 2, 3, 50, 100} {
			if s.split(0, parts) != 0 || s.split(parts, parts) != 100 {
				t.Errorf("%d parts do not cover the rows", parts)
			}
			for p := range parts {
				if s.split(p, parts) > s.split(p+1, parts) {
					t.Errorf("part %d of %d is negative", p, parts)
				}
			}
		}
	}
}

func TestSelectRowToToDenseDensity(t *testing.T) {
	d, s := random(40, 13, 0.3, 8)
	rows := []int{39, 0, 0, 17}
	pickedDense, pickedSparse := Select(d, rows).(*Dense), ToDense(Select(s, rows))
	for k, i := range rows {
		if !slices.Equal(pickedDense.Row(k), d.Row(i)) || !slices.Equal(pickedSparse.Row(k), d.Row(i)) {
			t.Errorf("row %d is not a copy of row %d", k, i)
		}
	}
	got := vector(13, 1)
	for i := range 40 {
		for _, x := range []Matrix{d, s} {
			if x.RowTo(got, i); !slices.Equal(got, d.Row(i)) {
				t.Errorf("row %d of a %T is %v, want %v", i, x, got, d.Row(i))
			}
		}
	}
	if ToDense(d) != d {
		t.Error("a dense matrix is copied")
	}
	if a, b := Density(d), Density(s); a != b || a != float64(len(s.Val))/(40*13) {
		t.Errorf("densities %g and %g of %d values", a, b, len(s.Val))
	}
	if x := Density(NewDense(0, 0, nil)); x != 0 {
		t.Errorf("density %g of nothing", x)
	}
}

// TestDenseOfGaps: what is made of a matrix with gaps between its rows has none.
func TestDenseOfGaps(t *testing.T) {
	x := &Dense{Rows: 2, Cols: 3, Stride: 4, Data: []float64{1, 2, 3, -1, 4, 5, 6, -1}}
	for name, c := range map[string]struct {
		got, want *Dense
	}{
		"Clone":      {x.Clone(), NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})},
		"T":          {x.T(), NewDense(3, 2, []float64{1, 4, 2, 5, 3, 6})},
		"Mul":        {x.Mul(x.T()), NewDense(2, 2, []float64{14, 32, 32, 77})},
		"MulT":       {x.MulT(x), NewDense(2, 2, []float64{14, 32, 32, 77})},
		"SelectRows": {x.SelectRows([]int{1, 1}), NewDense(2, 3, []float64{4, 5, 6, 4, 5, 6})},
		"Submatrix":  {x.Submatrix([]int{1, 0}, []int{2, 2, 0}), NewDense(2, 3, []float64{6, 6, 4, 3, 3, 1})},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
	_, s := random(7, 5, 0.4, 9)
	if c := Clone(s).(*CSR); !reflect.DeepEqual(ToDense(c), ToDense(s)) || &c.Val[0] == &s.Val[0] {
		t.Errorf("a copy of %v is %v", s, c)
	}
}

func TestCallersBugsPanic(t *testing.T) {
	d, s := random(3, 2, 1, 1)
	for name, bug := range map[string]func(){
		"dense Xw":      func() { d.MulVecTo(make([]float64, 2), make([]float64, 2)) },
		"dense Xᵀv":     func() { d.MulTransVecTo(make([]float64, 3), make([]float64, 3)) },
		"csr Xw":        func() { s.MulVecTo(make([]float64, 3), make([]float64, 3)) },
		"csr Xᵀv":       func() { s.MulTransVecTo(make([]float64, 2), make([]float64, 2)) },
		"select dense":  func() { Select(d, []int{3}) },
		"select csr":    func() { Select(s, []int{-1}) },
		"negative size": func() { NewDense(-1, 2, nil) },
		"unknown query": func() { NewQueries([]int32{1}, []string{"a"}) },
		"no policy":     func() { FillMissing(d, MissingError) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s does not panic", name)
				}
			}()
			bug()
		}()
	}
}

func BenchmarkProducts(b *testing.B) {
	for _, c := range []struct {
		rows, cols int
		share      float64
	}{{100_000, 46, 1}, {20_000, 20_000, 0.0025}} {
		var x Matrix
		name := fmt.Sprintf("csr/m=%d/n=%d", c.rows, c.cols)
		if c.share == 1 {
			x, _ = random(c.rows, c.cols, 1, 1)
			name = fmt.Sprintf("dense/m=%d/n=%d", c.rows, c.cols)
		} else {
			x = scattered(c.rows, c.cols, int(c.share*float64(c.cols)))
		}
		w, v := vector(c.cols, 1), slices.Repeat([]float64{0.5}, c.rows)
		b.Run("Xw/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				x.MulVecTo(v, w)
			}
		})
		b.Run("XTv/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				x.MulTransVecTo(w, v)
			}
		})
	}
}

// scattered returns a matrix with a fixed number of values in each row.
func scattered(rows, cols, each int) *CSR {
	r := rand.New(rand.NewPCG(1, 1))
	s := &CSR{Rows: rows, Cols: cols, Ptr: []int{0}}
	for range rows {
		for k := range each {
			s.Col = append(s.Col, int32(k*(cols/each)+r.IntN(cols/each)))
			s.Val = append(s.Val, r.NormFloat64())
		}
		s.Ptr = append(s.Ptr, len(s.Val))
	}
	return s
}

func BenchmarkFitNormalizer(b *testing.B) {
	const rows, cols = 100_000, 46
	x, _ := random(rows, cols, 1, 1)
	set := &Set{X: x, Y: make([]float64, rows), Queries: OneList(rows)}
	b.Run(fmt.Sprintf("m=%d/n=%d", rows, cols), func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := FitNormalizer(NormalizeZScore, set); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestPlacesAreChecked panics at columns and groups that do not fit, by name, where they
// were left out without a word.
func TestPlacesAreChecked(t *testing.T) {
	x, sparse := random(3, 4, 0.5, 1)
	for name, call := range map[string]func(){
		"SelectColumns: column 4":            func() { SelectColumns(sparse, []int{1, 4}) },
		"SelectColumns: column 1 at place 1": func() { SelectColumns(x, []int{2, 1}) },
		"Scatter: 3 rows and 2 numbers":      func() { Scatter(x, make([]int32, 2), 1) },
	} {
		func() {
			defer func() {
				if told, _ := recover().(string); !strings.Contains(told, name) {
					t.Errorf("the panic is %q, not one of %s", told, name)
				}
			}()
			call()
		}()
	}
}
