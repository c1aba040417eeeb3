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

// The work of leaving out all pairs is announced before it begins, whether the method was given or is the
// default. It is refused if the memory is not there.
func TestAnnouncePairs(t *testing.T) {
	lpo, folds := &cv.Method{Kind: cv.LeavePairOut}, &cv.Method{Kind: cv.KFold, Folds: 10}
	problem := func(m int, method *cv.Method, change func(t *trainer)) *trainer {
		p := newTrainer(&Problem{}, &EstimateOptions{Options: Options{Method: method, Lambdas: make([]float64, 31),
			Kernels: []kernel.Kernel{kernel.Linear{}}}},
			&sample{y: make([]float64, m), outputs: 1, queries: data.OneList(m)})
		p.learner, p.solution = LeastSquares{Solver: Primal, Pairs: pref.Options{Ties: "include"}},
			solution{form: primal{}, exact: primal{}}
		if change != nil {
			change(p)
		}
		return p
	}
	two := func(p *trainer) { p.queries = data.Consecutive([]int{0, len(p.y) / 2, len(p.y)}) }
	for _, c := range []struct {
		name string
		p    *trainer
		want string
	}{
		{"a single list, of which pairs are drawn", problem(1_000_000, nil, nil), ""},
		{"asked for of one", problem(1_000_000, lpo, nil), ""},
		{"asked for", problem(1_000_000, lpo, two), "leaving out all 5e+11 pairs for 31 values of λ is 1.55e+13 " +
			"predictions; leaving out queries is quick"},
		{"few rows", problem(1000, lpo, two), ""},
		{"folds", problem(1_000_000, folds, nil), ""},
		{"another default", problem(1_000_000, nil,
			func(p *trainer) { p.learner = LeastSquares{Solver: Primal, Pairs: pref.Options{Ties: "exclude"}} }), ""},
		{"rows for validation", problem(1_000_000, nil, func(p *trainer) { p.valid = &data.Set{} }), ""},
		{"another learner", problem(1_000_000, nil,
			func(p *trainer) { p.learner, p.solution = RankSVM{}, solution{form: ofFeatures{}} }), ""},
		{"two outputs", problem(1_000_000, lpo,
			func(p *trainer) { two(p); p.outputs, p.y = 2, make([]float64, 2_000_000) }), "and 2 outputs is 3.1e+13"},
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

// One λ needs one kernel matrix, and with a basis one panel of rows. A choice of λ needs eigenvectors and
// held-out rows.
func TestMemoryOfMatrices(t *testing.T) {
	const m, b = 100_000, 500
	plain := LeastSquares{Pairs: pref.Options{Cost: pref.Magnitude}}
	relative := LeastSquares{Pairs: pref.Options{Cost: pref.Relative}}
	for _, c := range []struct {
		name    string
		l       LeastSquares
		lambdas int
		solver  Solver
		given   *data.Dense
		want    float64
	}{
		{"one λ, dual", plain, 1, Dual, nil, 8 * m * m},
		{"one λ, a given matrix", plain, 1, Dual, data.NewDense(0, 0, nil), 8 * 7 * m * m},
		{"one λ, dual, relative cost", relative, 1, Dual, nil, 8 * 14 * m * m},
		{"one λ, sparse", plain, 1, Sparse, nil, 8 * (1<<18 + 5*b*b)},
		{"one λ, sparse, relative cost", relative, 1, Sparse, nil, 8 * (3*m*b + 5*b*b)},
		{"a path, dual", plain, 31, Dual, nil, 8 * 7 * m * m},
		{"a path, sparse", plain, 31, Sparse, nil, 8 * (2*m*b + 7*b*b)},
	} {
		p := newTrainer(&Problem{}, &EstimateOptions{Options: Options{Lambdas: make([]float64, c.lambdas),
			Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: 1}}}},
			&sample{y: make([]float64, m), outputs: 1, queries: data.OneList(m), given: c.given, x: data.NewDense(m,
				1, nil)})
		p.learner, p.support = c.l, make([]int, b)
		if got := c.l.form(c.solver).memory(p, p.once()); got != c.want {
			t.Errorf("%s: %.4g bytes, want %.4g", c.name, got, c.want)
		}
	}
}
