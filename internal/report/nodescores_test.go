package report

import (
	"fmt"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/kernel"
	"pairrank/relation"
	"pairrank/relation/pairmodel"
)

// The scores of some training nodes equal their scores among all.
func TestNodeScores(t *testing.T) {
	const rows, cols, most = 9, 7, 4
	p := relation.Problem{Rows: &relation.Nodes{X: data.NewDense(rows, 1, nil), Kernel: kernel.Gaussian{Gamma: 1}},
		Cols: &relation.Nodes{X: data.NewDense(cols, 1, nil), Kernel: kernel.Gaussian{Gamma: 1}}}
	for i := range rows {
		p.Rows.ID, p.Rows.X.Row(i)[0] = append(p.Rows.ID, fmt.Sprint("r", i)), float64(i*i%5)
		for j := range cols {
			p.Edges.Row, p.Edges.Col, p.Y = append(p.Edges.Row, int32(i)), append(p.Edges.Col, int32(j)),
				append(p.Y, float64((i*j)%4))
		}
	}
	for j := range cols {
		p.Cols.ID, p.Cols.X.Row(j)[0] = append(p.Cols.ID, fmt.Sprint("c", j)), float64(j)
	}
	result, err := relation.Train(t.Context(), p, relation.Options{Lambdas: []float64{1}})
	if err != nil {
		t.Fatal(err)
	}
	m := result.Model
	r, err := TrainingNodes(m, false, most)
	if err != nil {
		t.Fatal(err)
	}
	c, err := TrainingNodes(m, true, most)
	if err != nil {
		t.Fatal(err)
	}
	d := NewNodeScores(m, "x", r, c, most)
	if !slices.Equal(d.Rows, []string{"r0", "r3", "r5", "r8"}) ||
		!slices.Equal(d.Cols, []string{"c0", "c2", "c4", "c6"}) || d.OfRows != rows || d.OfCols != cols {
		t.Fatalf("nodes %v and %v of %d and %d", d.Rows, d.Cols, d.OfRows, d.OfCols)
	}
	allRows, err := m.RowValues(&pairmodel.Nodes{X: p.Rows.X, ID: p.Rows.ID})
	if err != nil {
		t.Fatal(err)
	}
	allCols, err := m.ColValues(&pairmodel.Nodes{X: p.Cols.X, ID: p.Cols.ID})
	if err != nil {
		t.Fatal(err)
	}
	for a, i := range spaced(rows, most) {
		for b, j := range spaced(cols, most) {
			want := make([]float64, 1)
			m.ScorePairsTo(want, allRows, allCols, []int32{int32(i)}, []int32{int32(j)})
			if d.Scores[a][b] != want[0] {
				t.Errorf("row %d with column %d scores %v, want %v", i, j, d.Scores[a][b], want[0])
			}
		}
	}
}

// spaced indices ascend, without repetition, and include both ends.
func TestSpaced(t *testing.T) {
	for n := range 30 {
		for most := range 12 {
			s := spaced(n, most)
			if len(s) != min(n, most) || len(slices.Compact(slices.Clone(s))) != len(s) ||
				!slices.IsSorted(s) || len(s) > 1 && (s[0] != 0 || s[len(s)-1] != n-1) {
				t.Errorf("%d of %d: %v", most, n, s)
			}
		}
	}
}
