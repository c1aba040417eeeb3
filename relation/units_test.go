package relation

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/event"
	"pairrank/relation/edge"
)

// unitProblem is random nodes with real labels.
func unitProblem(rows, cols int) Problem {
	r := rand.New(rand.NewPCG(3, uint64(rows*cols)))
	nodes := func(n int) *Nodes {
		x := data.NewDense(n, 2, nil)
		for i := range x.Data {
			x.Data[i] = r.NormFloat64()
		}
		return &Nodes{X: x}
	}
	p := Problem{Rows: nodes(rows), Cols: nodes(cols)}
	for i := range int32(rows) {
		for j := range int32(cols) {
			p.Edges.Row, p.Edges.Col, p.Y = append(p.Edges.Row, i), append(p.Edges.Col, j), append(p.Y, r.NormFloat64())
		}
	}
	return p
}

// TestStandardErrorsNameTheirNodes checks that a standard error is over the nodes that are left out: it needs three of
// them, whatever holds out, and too few nodes for an interval are noted.
func TestStandardErrorsNameTheirNodes(t *testing.T) {
	folds := &cv.Method{Kind: cv.KFold, Folds: 2}
	for _, c := range []struct {
		rows, cols int
		setting    edge.Setting
		method     *cv.Method
		defined    bool
	}{
		{2, 9, edge.Rows, nil, false}, {9, 2, edge.Rows, nil, true}, {9, 9, edge.Rows, folds, true},
		{9, 2, edge.Cols, nil, false}, {2, 9, edge.Cols, nil, true}, {2, 9, edge.Cols, folds, true},
		{9, 2, edge.Pairs, nil, false}, {2, 9, edge.Pairs, nil, false}, {9, 9, edge.Pairs, nil, true},
		{9, 9, edge.Pairs, folds, true}, {9, 9, edge.Pairs, &cv.Method{Kind: cv.LeaveOneOut}, true},
		{2, 9, edge.Both, nil, false}, {9, 9, edge.Both, nil, true},
	} {
		e, err := Estimate(t.Context(), unitProblem(c.rows, c.cols),
			EstimateOptions{Options: Options{Setting: c.setting, Method: c.method, Lambdas: []float64{1}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Choice.Point().StdErr; got.Defined != c.defined {
			t.Errorf("%+v: the standard error is %+v", c, got)
		}
		if !slices.ContainsFunc(e.Notes, func(n event.Note) bool { return n.Code == "few-units" }) {
			t.Errorf("%+v: notes %+v", c, e.Notes)
		}
	}
}

// TestRelevanceOfRealLabels checks that metrics of relevant edges are undefined for real labels, and choose by none.
func TestRelevanceOfRealLabels(t *testing.T) {
	p := unitProblem(6, 5)
	o := EstimateOptions{Options: Options{Setting: edge.Rows, Lambdas: []float64{1},
		Also: []metric.Metric{metric.TauB, metric.MAP}}}
	e, err := Estimate(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	if also := e.Choice.Point().Also; !also[0].Defined || also[1].Defined {
		t.Errorf("further metrics of real labels: %+v", also)
	}
	chosen := metric.MAP
	o.Metric = &chosen
	if _, err := Estimate(t.Context(), p, o); err == nil {
		t.Error("map chose among real labels")
	}
	for i := range p.Y {
		p.Y[i] = float64(i % 2)
	}
	if e, err := Estimate(t.Context(), p, o); err != nil || !e.Choice.Point().Also[1].Defined {
		t.Errorf("map of two labels: %v", err)
	}
}

// TestStandardErrorOfBothWays compares the standard error with leaving out each node, by loops over the pairs of
// held-out scores.
func TestStandardErrorOfBothWays(t *testing.T) {
	p := unitProblem(7, 6)
	for _, s := range []edge.Setting{edge.Rows, edge.Cols, edge.Pairs} {
		e, err := Estimate(t.Context(), p, EstimateOptions{HeldOut: true, Intervals: cv.IntervalsNone,
			Options: Options{Setting: s, Method: &cv.Method{Kind: cv.LeaveOneOut}, Lambdas: []float64{0.5}}})
		if err != nil {
			t.Fatal(err)
		}
		point := e.Choice.Point()
		// errorOf is the error over the pairs of edges that some of the nodes are not in.
		errorOf := func(without func(a, b int) bool) float64 {
			wrong, pairs := 0.0, 0.0
			for a := range p.Y {
				for b := range a {
					if p.Edges.Row[a] == p.Edges.Row[b] && !without(a, b) {
						pairs++
						if (e.HeldOut[a] > e.HeldOut[b]) != (p.Y[a] > p.Y[b]) {
							wrong++
						}
					}
				}
			}
			return wrong / pairs
		}
		leavingOut := func(nodes int, of []int32) (sum float64) {
			for g := range nodes {
				d := errorOf(func(a, b int) bool { return int(of[a]) == g || int(of[b]) == g }) - point.Error
				sum += d * d * float64(nodes-1) / float64(nodes)
			}
			return sum
		}
		rows, cols := leavingOut(7, p.Edges.Row), leavingOut(6, p.Edges.Col)
		want := map[edge.Setting]float64{edge.Rows: rows, edge.Cols: cols, edge.Pairs: rows + cols}[s]
		if got := point.StdErr.Value; math.Abs(got-math.Sqrt(want)) > 1e-12 {
			t.Errorf("%s: standard error %v, by loops %v", s, got, math.Sqrt(want))
		}
	}
}
