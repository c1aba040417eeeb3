package data_test

import (
	"fmt"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/equal"
)

// TestCheck: what a caller may forget panics with the name of the argument.
func TestCheck(t *testing.T) {
	numbers := make([]float64, 6)
	for _, c := range []struct {
		x    data.Matrix
		want string // "" is no panic
	}{
		{data.NewDense(3, 2, nil), ""}, {data.NewDense(0, 2, nil), ""}, {data.NewDense(2, 0, nil), ""},
		{&data.Dense{}, ""},
		{&data.Dense{Rows: 1, Cols: 6, Data: numbers}, ""}, // one row needs no stride
		{&data.Dense{Rows: 2, Cols: 2, Stride: 4, Data: numbers}, ""},
		{&data.Dense{Rows: 3, Cols: 2, Data: numbers}, "x: a Dense of 3×2 with Stride 0 and 6 numbers"},
		{&data.Dense{Rows: 3, Cols: 2, Stride: 1, Data: numbers}, "with Stride 1"},
		{&data.Dense{Rows: 4, Cols: 2, Stride: 2, Data: numbers}, "4×2"},
		{nil, "x: there is no matrix"}, {(*data.Dense)(nil), "x: there is no matrix"},
		{(*data.CSR)(nil), "x: there is no matrix"},
		{&data.CSR{Rows: 1, Cols: 2, Ptr: []int{0, 1}, Col: []int32{0}, Val: []float64{1}}, ""},
		{&data.CSR{Rows: 1, Cols: 2, Ptr: []int{0}}, "a CSR of 1×2"},
		{&data.CSR{Rows: 1, Cols: 2, Ptr: []int{0, 2}, Col: []int32{0}, Val: []float64{1}}, "a CSR of 1×2"},
	} {
		func() {
			defer func() {
				text := ""
				if p := recover(); p != nil {
					text = fmt.Sprint(p)
				}
				if (text == "") != (c.want == "") || !strings.Contains(text, c.want) {
					t.Errorf("%+v: %q, want %q", c.x, text, c.want)
				}
			}()
			data.Check("x", c.x)
		}()
	}
}

// broken is what a caller makes who forgets the stride: all its rows would be the first.
func broken() *data.Dense { return &data.Dense{Rows: 3, Cols: 2, Data: make([]float64, 6)} }

// TestForgottenStride: every function that takes a matrix names the argument.
func TestForgottenStride(t *testing.T) {
	set := &data.Set{X: broken(), Y: make([]float64, 3)}
	for name, bug := range map[string]func(){
		"Dense.MulVecTo":      func() { broken().MulVecTo(make([]float64, 3), make([]float64, 2)) },
		"Dense.MulTransVecTo": func() { broken().MulTransVecTo(make([]float64, 2), make([]float64, 3)) },
		"Select":              func() { data.Select(broken(), nil) },
		"SelectColumns":       func() { data.SelectColumns(broken(), nil) },
		"Slice":               func() { data.Slice(broken(), 0, 1) },
		"Widen":               func() { data.Widen(broken(), 3) },
		"Stored":              func() { data.Stored(broken()) },
		"ToDense":             func() { data.ToDense(broken()) },
		"Density":             func() { data.Density(broken()) },
		"Scatter":             func() { data.Scatter(broken(), make([]int32, 3), 1) },
		"SquaresMulTransTo":   func() { data.SquaresMulTransTo(make([]float64, 2), broken(), make([]float64, 3)) },
		"FillMissing":         func() { data.FillMissing(broken(), data.MissingZero) },
		"FitNormalizer":       func() { _, _ = data.FitNormalizer(data.NormalizeNone, set) },
		"Normalizer.Apply":    func() { _ = (&data.Normalizer{}).Apply(set) },
		"Set.Subset":          func() { set.Subset(nil) },
	} {
		panics(t, "data: "+name, bug)
	}
	panics(t, "equal: Rows", func() { equal.Rows(broken()) })
	for _, x := range []data.Matrix{&data.CSR{Rows: 1}, (*data.CSR)(nil), (*data.Dense)(nil), nil} {
		panics(t, "data: Stored: x:", func() { data.Stored(x) })
	}
}

// panics reports an error unless f panics with a text.
func panics(t *testing.T, want string, bug func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), want) {
			t.Errorf("%v, want a panic of %q", p, want)
		}
	}()
	bug()
}
