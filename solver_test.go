package pairrank

import (
	"runtime/debug"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/kernel"
	"pairrank/pref"
)

// How much work leaving out all pairs is, is told before it begins, whether it was
// asked for or is the default, and refused where its memory is not there.
func TestAnnouncePairs(t *testing.T) {
	lpo, folds := &cv.Method{Kind: cv.LeavePairOut}, &cv.Method{Kind: cv.KFold, Folds: 10}
	problem := func(m int, method *cv.Method, change func(t *task)) *task {
		p := &task{
			o:         &Options{Method: method, Lambdas: make([]float64, 31), Kernels: []kernel.Kernel{kernel.Linear{}}},
			procedure: LeastSquares{Solver: Primal, Pairs: pref.Options{Ties: "include"}},
			y:         make([]float64, m), outputs: 1, queries: pref.OneList(m), journal: &journal{},
		}
		if change != nil {
			change(p)
		}
		return p
	}
	two := func(p *task) { p.queries = data.Consecutive([]int{0, len(p.y) / 2, len(p.y)}) }
	for _, c := range []struct {
		name string
		p    *task
		want string
	}{
		{"a single list, of which pairs are drawn", problem(1_000_000, nil, nil), ""},
		{"asked for of one", problem(1_000_000, lpo, nil), ""},
		{"asked for", problem(1_000_000, lpo, two), "leaving out all 5e+11 pairs for 31 values of λ is 1.55e+13 predictions; leaving out queries is quick"},
		{"few rows", problem(1000, lpo, two), ""},
		{"folds", problem(1_000_000, folds, nil), ""},
		{"another default", problem(1_000_000, nil, func(p *task) { p.procedure = LeastSquares{Solver: Primal, Pairs: pref.Options{Ties: "exclude"}} }), ""},
		{"rows for validation", problem(1_000_000, nil, func(p *task) { p.valid = &data.Set{} }), ""},
		{"another learner", problem(1_000_000, nil, func(p *task) { p.procedure = RankSVM{} }), ""},
		{"two outputs", problem(1_000_000, lpo, func(p *task) { two(p); p.outputs, p.y = 2, make([]float64, 2_000_000) }), "and 2 outputs is 3.1e+13"},
	} {
		if err := c.p.announcePairs(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		got := ""
		for _, n := range c.p.journal.Notes() {
			got += n.String()
		}
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 32))
	err := problem(1_000_000, lpo, two).announcePairs()
	if err == nil || !strings.Contains(err.Error(), "would take about 8.19 GB of memory") {
		t.Errorf("with 4 GB: %v", err)
	}
}
