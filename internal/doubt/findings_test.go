package doubt

import (
	"slices"
	"testing"

	"pairrank/data"
)

func TestFindings(t *testing.T) {
	x := data.NewDense(7, 1, []float64{1, 1, 2, 3, 1, 2, 2})
	s := &data.Set{X: x, Y: []float64{0, 0, 1, 2, 0, 1, 3}, HasQID: true,
		Queries: data.NewQueries([]int32{0, 0, 1, 2, 0, 2, 2}, []string{"a", "b", "c"})}
	want := []string{`1 query has one row, nothing to compare; first: row 3, query "b"`,
		`1 query has one label in all rows; first: row 1, query "a"`,
		`2 queries have rows of other queries in between; first: row 5, query "a"`,
		`3 rows have the same features as an earlier row of the query; first: row 2, query "a"`}
	if got := Findings(s); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	list := &data.Set{X: x, Y: make([]float64, 7), Queries: data.OneList(7)}
	want = []string{"all 7 labels are 0, nothing to compare"} // Repeats tells equal rows of a list
	if got := Findings(list); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	one := &data.Set{X: data.NewDense(1, 1, nil), Y: []float64{1}, Queries: data.OneList(1)}
	if got := Findings(one); !slices.Equal(got, []string{"there is only one row, nothing to compare"}) {
		t.Errorf("%q", got)
	}
	if got := Findings(&data.Set{X: data.NewDense(0, 1, nil), Queries: data.OneList(0)}); got != nil {
		t.Errorf("%q", got)
	}
}
