package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/relation"
	"pairrank/relation/edge"
	"pairrank/relation/pairwise"
)

// someNetwork is proteins in three families, of which like ones interact, with noise.
func someNetwork(nodes int) *network {
	random := rand.New(rand.NewPCG(1, 2))
	k, known := data.NewDense(nodes, nodes, nil), data.NewDense(nodes, nodes, nil)
	x, names := data.NewDense(nodes, 4, nil), make([]string, nodes)
	for i := range x.Data {
		x.Data[i] = random.NormFloat64()
	}
	for u := range nodes {
		names[u] = fmt.Sprint("P", u)
		for v := range nodes {
			k.Row(u)[v] = x.DotRow(u, x.Row(v))
			if u < v && (u%3 == v%3) == (random.Float64() < 0.8) {
				known.Row(u)[v], known.Row(v)[u] = 1, 1
			}
		}
	}
	return newNetwork(names, k, known)
}

// TestFolds leaves no edge in a training that its setting leaves out, in neither
// direction, and scores each edge once.
func TestFolds(t *testing.T) {
	n := someNetwork(13)
	for _, at := range yeastSettings {
		folds, err := n.folds(at.setting, 4, 1)
		if err != nil {
			t.Fatal(err)
		}
		scored := map[int]int{}
		for _, f := range folds {
			pairs, nodes := map[[2]int32]bool{}, map[int32]bool{}
			for _, e := range f.train {
				pairs[[2]int32{n.edges.Row[e], n.edges.Col[e]}] = true
				nodes[n.edges.Row[e]] = true
			}
			for _, e := range f.test {
				scored[e]++
				u, v := n.edges.Row[e], n.edges.Col[e]
				if pairs[[2]int32{u, v}] || pairs[[2]int32{v, u}] {
					t.Errorf("%s: %d-%d is trained on and tested", at.name, u, v)
				}
				if at.setting == edge.Rows && (nodes[u] || !nodes[v]) {
					t.Errorf("%d is not new, or %d is", u, v)
				}
			}
		}
		for e, times := range scored {
			if times != 1 {
				t.Errorf("%s: edge %d is tested %d times", at.name, e, times)
			}
		}
		if at.setting == edge.Pairs && len(scored) != len(n.y) {
			t.Errorf("%d of %d edges are tested", len(scored), len(n.y))
		}
	}
}

// TestAgainstEstimate compares the errors with those of relation.Estimate, which leaves
// out both directions where it is told that the relation is symmetric. The standard errors have other units: that of
// the experiment is over row nodes, by the linear formula, and so at most that of the estimate.
func TestAgainstEstimate(t *testing.T) {
	n := someNetwork(20)
	const lambda, close = 0.5, 1e-9
	for _, at := range yeastSettings {
		o := relation.EstimateOptions{Options: relation.Options{Relation: edge.Symmetric, Loss: edge.Regression,
			Setting: at.setting, Method: &cv.Method{Kind: cv.KFold, Folds: 4}, Lambdas: []float64{lambda}, Seed: 3},
			Intervals: cv.IntervalsNone}
		want, err := relation.Estimate(t.Context(), relation.Problem{Rows: n.nodes, Edges: n.edges, Y: n.y}, o)
		if err != nil {
			t.Fatal(err)
		}
		folds, err := n.folds(at.setting, 4, 3)
		if err != nil {
			t.Fatal(err)
		}
		scores, err := n.heldOut(t.Context(), folds, relation.Options{Kernel: pairwise.Symmetric,
			Loss: edge.Regression, Lambdas: []float64{lambda}})
		if err != nil {
			t.Fatal(err)
		}
		share, stderr := n.count(scores, n.testedBy(folds)).error()
		if p := want.Choice.Points()[0]; math.Abs(share-p.Error) > close || !(stderr > 0 && stderr <= p.StdErr.Value) {
			t.Errorf("%s: %g ± %g, not %g ± %g", at.name, share, stderr, p.Error, p.StdErr.Value)
		}
	}
}

// TestSymmetricIsOrdinary has the same scores of both kernels for the regression loss
// where both directions are there, and not where one is missing.
func TestSymmetricIsOrdinary(t *testing.T) {
	n := someNetwork(16)
	const close = 1e-6
	for _, keep := range [][]bool{nil, n.oneDirection(1)} {
		var of [2][]float64
		for k, over := range []pairwise.Kernel{pairwise.Kronecker, pairwise.Symmetric} {
			folds, err := n.folds(edge.Rows, 4, 1)
			if err != nil {
				t.Fatal(err)
			}
			for f := range folds {
				var train []int
				for _, e := range folds[f].train {
					if keep == nil || keep[e] {
						train = append(train, e)
					}
				}
				folds[f].train = train
			}
			if of[k], err = n.heldOut(t.Context(), folds, relation.Options{Kernel: over, Loss: edge.Regression,
				Lambdas: []float64{1}}); err != nil {
				t.Fatal(err)
			}
		}
		worst := 0.0
		for e, v := range of[0] {
			if !math.IsNaN(v) {
				worst = max(worst, math.Abs(v-of[1][e]))
			}
		}
		if same := worst < close; same != (keep == nil) {
			t.Errorf("scores differ by %g", worst)
		}
	}
}

// TestFirst is the same network where all nodes are kept, and has the edges among the
// first ones.
func TestFirst(t *testing.T) {
	n := someNetwork(12)
	if same := n.first(20); !slices.Equal(same.y, n.y) ||
		!slices.Equal(same.nodes.Similarity.Data, n.nodes.Similarity.Data) {
		t.Error("12 of 12 nodes are not all")
	}
	few := n.first(5)
	if len(few.y) != 5*4 || few.nodes.Len() != 5 || few.y[0] != n.y[0] || few.y[4] != n.y[11] {
		t.Errorf("5 of 12 nodes: %v", few.y)
	}
}

// TestCount compares the edges of one training alone, where it is asked to.
func TestCount(t *testing.T) {
	n := newNetwork([]string{"a", "b", "c", "d"}, data.NewDense(4, 4, nil),
		data.NewDense(4, 4, []float64{0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}))
	nan := math.NaN()
	// a's edges to b, which is an interaction, c and d
	scores := []float64{1, 2, 0, nan, nan, nan, nan, nan, nan, nan, nan, nan}
	folds := []fold{{test: []int{0, 2}}, {test: []int{1}}}
	for _, c := range []struct {
		by           []int
		wrong, pairs float64
	}{{n.testedBy(folds), 0, 1}, {nil, 1, 2}} {
		if got := n.count(scores, c.by); got.wrong[0] != c.wrong || got.pairs[0] != c.pairs {
			t.Errorf("%v: %g of %g, not %g of %g", c.by, got.wrong[0], got.pairs[0], c.wrong, c.pairs)
		}
	}
}

// TestAbove compares a difference and its standard error with those of a list by hand.
func TestAbove(t *testing.T) {
	a, b := counted{[]float64{3, 1, 0}, []float64{4, 4, 0}}, counted{[]float64{1, 1, 0}, []float64{4, 4, 0}}
	difference, stderr := a.above(b)
	if want := math.Sqrt(2*(1+1)) / 8; difference != 0.25 || math.Abs(stderr-want) > 1e-15 {
		t.Errorf("%g ± %g, not 0.25 ± %g", difference, stderr, want)
	}
}
