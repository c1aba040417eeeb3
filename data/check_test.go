package data_test

import (
	"fmt"
	"strings"
	"testing"

	"pairrank/data"
)

// TestCheck: what a caller may forget panics with the name of the argument.
func TestCheck(t *testing.T) {
	numbers := make([]float64, 6)
	for _, c := range []struct {
		x    data.Matrix
		want string // "" is no panic
	}{
		{data.NewDense(3, 2, nil), ""}, {data.NewDense(0, 2, nil), ""}, {data.NewDense(2, 0, nil), ""}, {&data.Dense{}, ""},
		{&data.Dense{Rows: 1, Cols: 6, Data: numbers}, ""}, // one row needs no stride
		{&data.Dense{Rows: 2, Cols: 2, Stride: 4, Data: numbers}, ""},
		{&data.Dense{Rows: 3, Cols: 2, Data: numbers}, "x: a Dense of 3×2 with Stride 0 and 6 numbers"},
		{&data.Dense{Rows: 3, Cols: 2, Stride: 1, Data: numbers}, "with Stride 1"},
		{&data.Dense{Rows: 4, Cols: 2, Stride: 2, Data: numbers}, "4×2"},
		{nil, "x: there is no matrix"}, {(*data.Dense)(nil), "x: there is no matrix"}, {(*data.CSR)(nil), "x: there is no matrix"},
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
