package relation

import (
	"math/rand/v2"
	"testing"

	"pairrank/eval/cv"
	"pairrank/relation/edge"
)

// Of many edges some folds are held out, one of the rows with one of the columns where they meet; of few edges, or with
// a method that was asked for, all are.
func TestSomeFolds(t *testing.T) {
	var e edge.Edges
	for i := range 40 {
		for j := range 30 {
			if (i+j)%3 > 0 {
				e.Row, e.Col = append(e.Row, int32(i)), append(e.Col, int32(j))
			}
		}
	}
	y := make([]float64, e.Len())
	g := &graph{rows: normal(rand.New(rand.NewPCG(1, 2)), 40, 40), cols: normal(rand.New(rand.NewPCG(1, 2)), 30, 30),
		edges: e, y: y}
	for _, setting := range edge.Settings {
		how := scheme{setting: setting, method: cv.Method{Kind: cv.KFold, Folds: 5}, seed: 3}
		if most := g.mostFolds(how); most != 0 {
			t.Errorf("%s: %d folds of %d edges", setting, most, e.Len())
		}
		all, err := g.splits(how)
		if err != nil {
			t.Fatal(err)
		}
		how.most = 2
		some, err := g.splits(how)
		if err != nil {
			t.Fatal(err)
		}
		rows, cols, held := map[int32]int{}, map[int32]int{}, 0
		for k := range some.Len() {
			test := some.Test(k)
			if len(test) == 0 {
				continue
			}
			held++
			if len(test) != len(all.Test(k)) || len(some.Train(k)) != len(all.Train(k)) {
				t.Errorf("%s: fold %d is another", setting, k)
			}
			for _, h := range test {
				for of, node := range map[*map[int32]int]int32{&rows: e.Row[h], &cols: e.Col[h]} {
					if was, seen := (*of)[node]; setting == edge.Both && seen && was != k {
						t.Errorf("a node is held out in folds %d and %d", was, k)
					}
					(*of)[node] = k
				}
			}
		}
		if held != how.most {
			t.Errorf("%s: %d folds are held out, not %d", setting, held, how.most)
		}
	}
	large := &graph{rows: normal(rand.New(rand.NewPCG(1, 2)), 1, 1), cols: normal(rand.New(rand.NewPCG(1, 2)), 1, 1),
		y: make([]float64, 1<<19)}
	large.rows.Rows, large.cols.Rows = 1000, 1000
	for setting, want := range map[edge.Setting]int{edge.Pairs: 1, edge.Both: 1} {
		if most := large.mostFolds(scheme{setting: setting, method: cv.Method{Kind: cv.KFold, Folds: 5}}); most != want {
			t.Errorf("%s: %d folds of half of 1000 by 1000 edges", setting, most)
		}
	}
}
