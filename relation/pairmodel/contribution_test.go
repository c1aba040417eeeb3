package pairmodel

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"pairrank/data"
	"pairrank/kernel"
	"pairrank/model/contribution"
	"pairrank/relation/pairwise"
)

// checkParts checks that a sum is the score, or the difference of two, and that the parts with the rest add up
// to it.
func checkParts(t *testing.T, name string, s *contribution.Sum, scores ...float64) {
	t.Helper()
	added := s.Rest
	size := 0.0
	for _, p := range s.Parts {
		added += p.Contribution
		size += math.Abs(p.Contribution)
	}
	for k, v := range scores {
		size += math.Abs(v)
		if len(s.Scores) != len(scores) || !(math.Abs(s.Scores[k]-v) <= pairRoundoff*(1+size)) {
			t.Fatalf("%s: scores %v, want %v", name, s.Scores, scores)
		}
	}
	want := less(scores)
	if !(math.Abs(s.Total-want) <= pairRoundoff*(1+size)) || !(math.Abs(added-want) <= pairRoundoff*(1+size)) {
		t.Fatalf("%s: total %v, parts and rest %v, want %v", name, s.Total, added, want)
	}
}

// partings are the partings of a model.
func partings(p *Model) []Parting {
	kinds := []contribution.Kind{"", contribution.Edge, contribution.RowNode, contribution.ColumnNode}
	if p.Weights != nil {
		kinds = []contribution.Kind{"", contribution.FeaturePair, contribution.Feature}
	}
	var out []Parting
	for _, k := range kinds {
		out = append(out, Parting{By: k}, Parting{By: k, Top: 2})
	}
	return out
}

// checkContributions checks all pairs of a few nodes against their scores.
func checkContributions(t *testing.T, name string, p *Model, scores *data.Dense, rows, cols *Values) {
	t.Helper()
	for i := range min(3, rows.Len()) {
		for a := range min(3, cols.Len()) {
			for _, parting := range partings(p) {
				at := fmt.Sprintf("%s, by %s, top %d, pair (%d,%d)", name, parting.By, parting.Top, i, a)
				s, err := p.Contribution(parting, rows, cols, i, a)
				if err != nil {
					t.Fatal(at, err)
				}
				checkParts(t, at, s, scores.Row(i)[a])
				for b := range cols.Len() {
					s, err := p.ContributionBetween(parting, rows, cols, i, a, b)
					if err != nil {
						t.Fatal(at, err)
					}
					checkParts(t, at, s, scores.Row(i)[a], scores.Row(i)[b])
					back, err := p.ContributionBetween(parting, rows, cols, i, b, a)
					if err != nil || back.Total != -s.Total || back.Rest != -s.Rest || len(back.Parts) != len(s.Parts) {
						t.Fatalf("%s over %d: %+v turned is %+v, %v", at, b, s, back, err)
					}
				}
			}
		}
	}
}

func TestContributionsAddUpToTheScore(t *testing.T) {
	eachProblem(t, 20, func(q *pairProblem) {
		scores, rows, cols, err := q.scores(q.p)
		if err != nil {
			t.Fatal(q.name, err)
		}
		checkContributions(t, q.name, q.p, scores, rows, cols)
	})
}

// Each edge adds its coefficient times the pairwise kernel by its formula.
func TestEdgesAreTheDefinition(t *testing.T) {
	eachProblem(t, 20, func(q *pairProblem) {
		_, rows, cols, err := q.scores(q.p)
		if err != nil {
			t.Fatal(q.name, err)
		}
		if rows.Len() == 0 || cols.Len() == 0 {
			return
		}
		s, err := q.p.Contribution(Parting{}, rows, cols, 0, 0)
		if err != nil || s.Kind != contribution.Edge {
			t.Fatal(q.name, s.Kind, err)
		}
		for _, part := range s.Parts {
			d, e := part.Number-1, part.ColumnNumber-1
			want := naivePairKernel(q.p, q.given[0].Row(0), q.given[1].Row(0), q.train[0].Row(d), q.train[1].Row(e),
				q.rows.ID[0], q.cols.ID[0], q.p.Rows.ID[d], q.p.ColSide().ID[e])
			if !(math.Abs(part.Values[0]-want) <= pairRoundoff*(1+math.Abs(want))) ||
				part.Contribution != part.Weight*part.Values[0] {
				t.Fatalf("%s: %+v, and the kernel is %v", q.name, part, want)
			}
			if part.Name != q.p.Rows.ID[d] || part.ColumnName != q.p.ColSide().ID[e] {
				t.Fatalf("%s: %+v is of %q and %q", q.name, part, q.p.Rows.ID[d], q.p.ColSide().ID[e])
			}
		}
	})
}

func TestContributionsOfWeights(t *testing.T) {
	for _, normalize := range []bool{false, true} {
		p := &Model{
			Kernel: pairwise.Kronecker, Weights: random(3, 4, 1),
			Rows: Side{Kernel: kernel.Linear{}, Names: []string{"a", "b", "c"}, Normalize: normalize},
			Cols: &Side{Kernel: kernel.Linear{}, Normalize: normalize},
		}
		rows, err := p.RowValues(&Nodes{X: allStored(random(3, 3, 2))})
		if err != nil {
			t.Fatal(err)
		}
		cols, err := p.ColValues(&Nodes{X: random(4, 4, 3)})
		if err != nil {
			t.Fatal(err)
		}
		scores := data.NewDense(3, 4, nil)
		p.ScoreBlockTo(scores, rows, cols)
		checkContributions(t, fmt.Sprint("weights, normalised ", normalize), p, scores, rows, cols)
		s, err := p.ContributionBetween(Parting{}, rows, cols, 1, 2, 0)
		if err != nil || len(s.Parts) != 12 {
			t.Fatal(s, err)
		}
		part := s.Parts[0]
		i, j := part.Number-1, part.ColumnNumber-1
		want := contribution.Part{Number: i + 1, Name: p.Rows.Names[i], ColumnNumber: j + 1,
			Weight: p.Weights.Row(i)[j],
			Values: []float64{rowOf(rows, 1)[i], rowOf(cols, 2)[j], rowOf(cols, 0)[j]}}
		want.Contribution = want.Values[0] * want.Weight * (want.Values[1] - want.Values[2])
		if !reflect.DeepEqual(part, want) {
			t.Errorf("%+v, want %+v", part, want)
		}
	}
}

func TestPairsThatCannotBeExplained(t *testing.T) {
	p, n := wide(pairwise.Kronecker, 5, 8)
	v, err := p.RowValues(n)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Contribution(Parting{By: contribution.Feature}, v, v, 0, 1); err == nil {
		t.Error("edges by feature")
	}
	similar := &Model{Kernel: Similarity, Rows: Side{Kernel: kernel.Linear{}}}
	if _, err := similar.Contribution(Parting{}, v, v, 0, 1); err == nil {
		t.Error("a similarity model has parts")
	}
	p.Edges.Value[0] = math.MaxFloat64
	p.Edges.Value[1] = math.MaxFloat64
	p.Edges.Row[1], p.Edges.Col[1] = p.Edges.Row[0], p.Edges.Col[0]
	if _, err := p.Contribution(Parting{}, v, v, int(p.Edges.Row[0]), int(p.Edges.Col[0])); err == nil {
		t.Error("a score that is infinite has parts")
	}
	for _, at := range [][2]int{{5, 0}, {0, 5}, {-1, 0}, {0, -1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("no panic for pair %v of 5 nodes", at)
				}
			}()
			p.Contribution(Parting{}, v, v, at[0], at[1])
		}()
	}
}
