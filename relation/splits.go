package relation

import (
	"slices"

	"pairrank/eval/cv"
	"pairrank/internal/holdout"
	"pairrank/relation/edge"
)

// scheme says which edges are held out, and how.
type scheme struct {
	setting edge.Setting
	method  cv.Method
	seed    uint64
	sample  int     // pairs sampled by leave-pair-out, 0 for all
	auto    bool    // take as many as the budget allows
	races   bool    // and all of them only for λ that may have the least error
	budget  float64 // in multiplications
	most    int     // folds that are held out, 0 for all
}

// pools reports whether scores of different trainings are compared: by leaving out one edge, column, or row and
// column after another.
func (o scheme) pools() bool { return o.method.Kind == cv.LeaveOneOut && o.setting != edge.Rows }

// holding deals the edges into test sets.
type holding struct {
	sets   int
	test   func(e int) int       // the test set of an edge, −1 if it is never held out
	learns func(e, set int) bool // whether an edge is trained on when a set is held out
}

// splits are the test sets of a scheme. The edges of a test set are ranked together within their rows, since
// their scores come from one training. Those of leave-one-out, which must be requested by name, are ranked
// across test sets. Test sets that leave nothing to train on are empty.
func (g *graph) splits(o scheme) (*holdout.Splits, error) {
	h, err := g.holding(o)
	if err != nil {
		return nil, err
	}
	h.test = o.some(h.test, o.setting == edge.Both && !g.mirrored())
	sizes, of := make([]int, h.sets), make([]int, len(g.y))
	for e := range of {
		if of[e] = h.test(e); of[e] >= 0 {
			sizes[of[e]]++
		}
	}
	all := allEdges(len(g.y))
	tests, memory := make([][]int, h.sets), make([]int, len(g.y))
	for k, size := range sizes {
		tests[k], memory = memory[:0:size], memory[size:]
	}
	for e, k := range of {
		if k >= 0 {
			tests[k] = append(tests[k], e)
		}
	}
	for k := range tests {
		if len(tests[k]) > 0 && !slices.ContainsFunc(all, func(e int) bool { return h.learns(e, k) }) {
			tests[k] = nil
		}
	}
	train := func(k int) []int {
		var edges []int
		for _, e := range all {
			if h.learns(e, k) {
				edges = append(edges, e)
			}
		}
		return edges
	}
	splits := holdout.NewSplits(len(g.y), tests, train)
	if o.pools() {
		return splits.Together(), nil
	}
	return splits, nil
}

// some gives the edges of folds that are not held out the fold -1.
func (o scheme) some(fold func(e int) int, meet bool) func(e int) int {
	if o.most == 0 {
		return fold
	}
	return func(e int) int {
		if k := fold(e); o.holds(k, meet) {
			return k
		}
		return -1
	}
}

// holds reports whether fold k is one of the first that are held out. Where folds of the rows meet those of the
// columns, each of the rows is held out with one of the columns, so that none is twice.
func (o scheme) holds(k int, meet bool) bool {
	if folds := o.method.Folds + 1; meet {
		return k%folds == 0 && k/folds < o.most
	}
	return k < o.most
}

// holding deals edges by the method of a scheme: one by one, or into K folds.
func (g *graph) holding(o scheme) (h holding, err error) {
	deal := func(n int, what string, sequence uint64) []int32 {
		var of []int32
		if o.method.Kind == cv.LeaveOneOut {
			of = make([]int32, n)
			for i := range of {
				of[i] = int32(i)
			}
		} else if err == nil {
			of, err = holdout.Deal(n, o.method.Folds, o.seed, sequence, what)
		}
		return of
	}
	one := o.method.Kind == cv.LeaveOneOut
	count := func(n int) int {
		if one {
			return n
		}
		return o.method.Folds
	}
	switch {
	case o.setting == edge.Both && one:
		return g.eachPair(), nil
	case o.setting == edge.Pairs:
		units, n := g.together()
		of := deal(n, "edges", 1)
		h.sets = count(n)
		h.test = func(e int) int { return int(of[units[e]]) }
		h.learns = func(e, k int) bool { return h.test(e) != k }
	case g.mirrored():
		of := deal(g.rows.Rows, "row nodes", 2)
		h.sets = count(g.rows.Rows)
		h.test = func(e int) int { return mirroredTest(o.setting, int(of[g.edges.Row[e]]), int(of[g.edges.Col[e]])) }
		h.learns = func(e, k int) bool { return int(of[g.edges.Row[e]]) != k && int(of[g.edges.Col[e]]) != k }
	case o.setting == edge.Rows:
		of := deal(g.rows.Rows, "row nodes", 2)
		h.sets = count(g.rows.Rows)
		h.test = func(e int) int { return int(of[g.edges.Row[e]]) }
		h.learns = func(e, k int) bool { return h.test(e) != k }
	case o.setting == edge.Cols:
		of := deal(g.cols.Rows, "column nodes", 3)
		h.sets = count(g.cols.Rows)
		h.test = func(e int) int { return int(of[g.edges.Col[e]]) }
		h.learns = func(e, k int) bool { return h.test(e) != k }
	default:
		rows, cols := deal(g.rows.Rows, "row nodes", 2), deal(g.cols.Rows, "column nodes", 3)
		folds := o.method.Folds
		h.sets = folds * folds
		h.test = func(e int) int { return int(rows[g.edges.Row[e]])*folds + int(cols[g.edges.Col[e]]) }
		h.learns = func(e, k int) bool {
			return int(rows[g.edges.Row[e]]) != k/folds && int(cols[g.edges.Col[e]]) != k%folds
		}
	}
	return h, err
}

// mirroredTest is the test set of an edge between nodes of two folds of one domain: for Both, the fold of both
// ends; else the fold of the node that is left out while the other stays.
func mirroredTest(s edge.Setting, row, col int) int {
	switch {
	case (s == edge.Both) != (row == col):
		return -1
	case s == edge.Cols:
		return col
	}
	return row
}

// eachPair leaves out one pair of nodes after another, with all other edges of both.
func (g *graph) eachPair() holding {
	units, n := g.together()
	first := make([]int, n) // an edge of each pair
	for e, u := range units {
		first[u] = e
	}
	row, col := g.edges.Row, g.edges.Col
	return holding{n,
		func(e int) int { return units[e] },
		func(e, k int) bool {
			u, v := row[first[k]], col[first[k]]
			if row[e] == u || col[e] == v {
				return false
			}
			return !g.mirrored() || row[e] != v && col[e] != u
		}}
}

// together numbers the edges. Edges between the same nodes have one number; in a relation with a reverse the
// direction does not matter.
func (g *graph) together() (units []int, n int) {
	number := map[[2]int32]int{}
	units = make([]int, len(g.y))
	for e := range units {
		at := [2]int32{g.edges.Row[e], g.edges.Col[e]}
		if g.mirrored() && at[0] > at[1] {
			at[0], at[1] = at[1], at[0]
		}
		u, seen := number[at]
		if !seen {
			u = len(number)
			number[at] = u
		}
		units[e] = u
	}
	return units, len(number)
}

// allEdges are the numbers of m edges.
func allEdges(m int) []int {
	all := make([]int, m)
	for e := range all {
		all[e] = e
	}
	return all
}
