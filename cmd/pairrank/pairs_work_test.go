package main

import (
	"runtime/debug"
	"strings"
	"testing"

	"pairrank/eval/cv"
	"pairrank/kernel"
	"pairrank/pref"
)

// How much work leaving out all pairs is, is told before it begins, whether it was
// asked for or is the default, and refused where its memory is not there.
func TestAnnouncePairs(t *testing.T) {
	lpo, folds := &cv.Method{Kind: cv.LeavePairOut}, &cv.Method{Kind: cv.KFold, Folds: 10}
	problem := func(m int, method *cv.Method, change func(p *trainProblem)) *trainProblem {
		plan := &trainPlan{trainFlags: &trainFlags{learner: rankRLS, solver: "primal"}, method: method,
			lambdas: make([]float64, 31), kernels: []kernel.Kernel{kernel.Linear{}}, goal: pref.Options{Ties: "include"}}
		p := &trainProblem{plan: plan, y: make([]float64, m), outputs: 1, queries: pref.OneList(m)}
		if change != nil {
			change(p)
		}
		return p
	}
	for _, c := range []struct {
		name string
		p    *trainProblem
		want string
	}{
		{"the default", problem(1_000_000, nil, nil), "note: leaving out all 5e+11 pairs for 31 values of λ is 1.55e+13 predictions; --method kfold:10 is exact, too, and quick\n"},
		{"asked for", problem(1_000_000, lpo, nil), "is 1.55e+13 predictions"},
		{"few rows", problem(1000, lpo, nil), ""},
		{"folds", problem(1_000_000, folds, nil), ""},
		{"another default", problem(1_000_000, nil, func(p *trainProblem) { p.plan.goal.Ties = "exclude" }), ""},
		{"a file that judges", problem(1_000_000, nil, func(p *trainProblem) { p.valid = &validation{} }), ""},
		{"another learner", problem(1_000_000, nil, func(p *trainProblem) { p.plan.learner = rankSVM }), ""},
		{"two outputs", problem(1_000_000, lpo, func(p *trainProblem) { p.outputs, p.y = 2, make([]float64, 2_000_000) }), "and 2 outputs is 3.1e+13"},
	} {
		var text strings.Builder
		a := &app{Ctx: t.Context(), Err: &text, Progress: "none"}
		if err := a.announcePairs(c.p, "--method"); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := text.String(); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 32))
	err := (&app{Ctx: t.Context()}).announcePairs(problem(1_000_000, lpo, nil), "--method")
	if err == nil || !strings.Contains(err.Error(), "would take about 8.19 GB of memory") {
		t.Errorf("with 4 GB: %v", err)
	}
}
