package pairrank

import (
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/event"
	"pairrank/internal/codes"
	"pairrank/internal/goals"
	"pairrank/kernel"
	"pairrank/model"
	"pairrank/pref"
)

// wide are sparse rows with more features than rows, and two labels.
func wide(m, n, stored int) (*data.CSR, []float64) {
	r := rand.New(rand.NewPCG(71, 72))
	x, y := &data.CSR{Rows: m, Cols: n, Ptr: []int{0}}, make([]float64, m)
	for i := range m {
		for s := range stored {
			j := s*(n/stored) + r.IntN(n/stored)
			x.Col, x.Val = append(x.Col, int32(j)), append(x.Val, 1/math.Sqrt(float64(stored)))
			y[i] += float64(j % 3)
		}
		if y[i] > float64(stored) {
			y[i] = 1
		} else {
			y[i] = 0
		}
		x.Ptr = append(x.Ptr, len(x.Col))
	}
	return x, y
}

// Sparse rows whose factorisation is much work are solved by iteration, unless a request needs a factorisation
// or takes longer by iteration.
func TestWeigh(t *testing.T) {
	large, y := wide(20_000, 30_000, 20)
	small, ySmall := wide(500, 800, 20)
	const much, little = 1 << 40, 1 << 30
	for _, c := range []struct {
		name   string
		change func(t *trainer, l *LeastSquares)
		free   float64
		want   bool
		why    string
	}{
		{"the default", nil, much, true, "dual would take 3.6e+13 multiplications and 22.4 GB"},
		{"one value", func(t *trainer, _ *LeastSquares) { t.lambdas = []float64{1000} },
			much, true, "dual would take 2.7e+12 multiplications"},
		{"few rows", func(t *trainer, _ *LeastSquares) { t.x, t.y, t.queries = small, ySmall, data.OneList(500) },
			much, false, ""},
		{"few rows and less memory", func(t *trainer, _ *LeastSquares) {
			t.x, t.y, t.queries = small, ySmall, data.OneList(500)
		}, 8 << 20, true, "dual would take"},
		{"a small value", func(t *trainer, _ *LeastSquares) { t.lambdas = []float64{1e-9, 1} }, much, true, "at most"},
		{"each row", func(t *trainer, _ *LeastSquares) { t.wanted = &cv.Method{Kind: cv.LeaveOneOut} },
			much, false, "cg may take"},
		{"each row in less memory", func(t *trainer, _ *LeastSquares) { t.wanted = &cv.Method{Kind: cv.LeaveOneOut} },
			little, true, "dual would take"},
		{"no memory at all", nil, 1 << 10, false, ""},
		{"pairs", func(t *trainer, _ *LeastSquares) { t.wanted = &cv.Method{Kind: cv.LeavePairOut} }, little, false,
			""},
		{"a curve", func(t *trainer, _ *LeastSquares) { t.o.ROC = true }, little, false, ""},
		{"permutations", func(t *trainer, _ *LeastSquares) { t.o.Permutations = 10 }, much, true,
			"dual would take 3.6e+13"},
		{"many permutations", func(t *trainer, _ *LeastSquares) { t.o.Permutations = 10_000 }, much, false,
			"cg may take"},
		{"asked for", func(_ *trainer, l *LeastSquares) { l.Solver = Dual }, little, false, ""},
		{"a kernel", func(t *trainer, _ *LeastSquares) { t.o.Kernels = []kernel.Kernel{kernel.Gaussian{Gamma: 1}} },
			little, false, ""},
	} {
		l := LeastSquares{Pairs: pref.Options{Ties: pref.IncludeTies, Cost: pref.Magnitude, Weight: pref.Pairs},
			MaxIterations: 10_000}
		p := newTrainer(&Problem{}, &EstimateOptions{Options: Options{Kernels: []kernel.Kernel{kernel.Linear{}}}},
			&sample{x: large, y: y, outputs: 1, queries: data.OneList(len(y))})
		if c.change != nil {
			c.change(p, &l)
		}
		p.learner, p.chooses = l, len(p.lambdas) != 1 || p.wanted != nil
		if iterate, why := l.weigh(p, l.dual(), c.free); iterate != c.want || !strings.Contains(why, c.why) ||
			c.why == "" && why != "" {
			t.Errorf("%s: %v, %q; want %v: %s", c.name, iterate, why, c.want, c.why)
		}
	}
}

// If no factorisation fits into memory, sparse rows are solved by iteration for any number of values, and folds
// choose.
func TestIteratesWithoutMemory(t *testing.T) {
	x, y := wide(1500, 2500, 10)
	runtime.GC() // memory that other tests left does not count
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(60 << 20))
	set := &data.Set{X: x, Y: y, Queries: data.OneList(len(y))}
	result, err := learn(t.Context(), Problem{Set: set}, EstimateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if result.Training.Solver != string(CG) || result.Choice.Method != (cv.Method{Kind: cv.KFold, Folds: 10}) ||
		!result.Choice.Retrained {
		t.Errorf("%+v by %v", result.Training.Solver, result.Choice.Method)
	}
}

// A drawn basis stands in for rows whose kernel matrix would take long to factor, unless a solver or rows are asked for
// or nothing is chosen. It is the basis of as many rows that the seed draws, and a note says so.
func TestDrawnBasis(t *testing.T) {
	const m, rows = 6_000, 2_000
	x, y := wide(m, 10, 2)
	set := &data.Set{X: x, Y: y, Queries: data.OneList(m)}
	gaussian := Options{Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: 1}}}
	one, asked, dual, linear, few := gaussian, gaussian, gaussian, Options{}, gaussian
	one.Lambdas = []float64{1}
	asked.Learner, dual.Learner = LeastSquares{Basis: Basis{Size: rows}}, LeastSquares{Solver: Dual}
	few.Learner = LeastSquares{Basis: Basis{Size: 7}}
	for name, c := range map[string]struct {
		o          Options
		estimating bool
		rows       int
		noted      bool
	}{
		"training":           {gaussian, false, rows, true},
		"an estimate":        {gaussian, true, rows, true},
		"the same, asked":    {asked, false, rows, false},
		"fewer, asked":       {few, false, 7, false},
		"one value":          {one, false, 0, false},
		"pairs of one value": {one, true, 0, false},
		"dual":               {dual, false, 0, false},
		"linear":             {linear, true, 0, false},
	} {
		p, err := prepared(&Problem{Set: set}, EstimateOptions{Options: c.o}, c.estimating)
		if err != nil {
			t.Fatal(name, err)
		}
		noted := slices.ContainsFunc(p.journal.Notes(), func(n event.Note) bool { return n.Code == codes.NoteDrawnBasis })
		if len(p.support) != c.rows || noted != c.noted {
			t.Errorf("%s: %d basis rows, note %v", name, len(p.support), noted)
		}
		if solved, err := p.learner.chooseSolver(p); err != nil || (solved.Solver == Sparse) != (c.rows > 0) {
			t.Errorf("%s: solver %q, %v", name, solved.Solver, err)
		}
	}
}

// TestDrawnBasisFits: a basis that is drawn by itself is small enough for the memory, and a model says what was drawn.
func TestDrawnBasisFits(t *testing.T) {
	x, y := wide(6_000, 10, 2)
	gaussian := EstimateOptions{Options: Options{Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: 1}}}}
	var now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&now)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(int64(now.Sys-now.HeapIdle) + 150<<20))
	p, err := prepared(&Problem{Set: &data.Set{X: x, Y: y, Queries: data.OneList(len(y))}}, gaussian, true)
	if err != nil {
		t.Fatal(err)
	}
	if b := len(p.support); b < 200 || b > 1_000 {
		t.Errorf("%d basis rows in 150 MiB", b)
	}
	if solved, err := p.learner.chooseSolver(p); err != nil || solved.Solver != Sparse {
		t.Errorf("solver %q, %v", solved.Solver, err)
	}
	x, y = wide(40, 10, 2)
	o := gaussian.Options
	o.Learner, o.Seed = LeastSquares{Basis: Basis{Size: 7}}, 5
	r, err := Train(t.Context(), Problem{Set: &data.Set{X: x, Y: y, Queries: data.OneList(len(y))}}, o)
	if err != nil {
		t.Fatal(err)
	}
	want := model.Fact{Name: "basis", Value: "7 of 40 rows, drawn with seed 5"}
	if !slices.Contains(r.Model.Info.Further, want) {
		t.Errorf("facts %v", r.Model.Info.Further)
	}
}

// Folds that share their passes over the rows have the error of the dual form. So do folds of features that
// differ in size, which do not share them. With the default tolerance the error is nearly the same.
func TestFoldsTogether(t *testing.T) {
	x, y := wide(400, 700, 12)
	queries := make([]int32, len(y))
	for i := range queries {
		queries[i] = int32(i % 23)
	}
	uneven := &data.CSR{Rows: x.Rows, Cols: x.Cols, Ptr: x.Ptr, Col: x.Col, Val: slices.Clone(x.Val)}
	for k, j := range x.Col {
		if j%50 == 0 {
			uneven.Val[k] *= 100
		}
	}
	sets := map[string]*data.Set{
		"uneven":  {X: uneven, Y: y, Queries: data.OneList(len(y))},
		"list":    {X: x, Y: y, Queries: data.OneList(len(y))},
		"queries": {X: x, Y: y, Queries: data.NewPartition(queries, 23), HasQID: true},
	}
	lambdas := []float64{0.5, 8, 128, 2048}
	for name, set := range sets {
		o := EstimateOptions{Options: Options{Lambdas: lambdas, Method: &cv.Method{Kind: cv.KFold, Folds: 7},
			Seed: 3}, Intervals: cv.IntervalsNone}
		if name == "queries" {
			o.Method = &cv.Method{Kind: cv.LeaveQueryOut}
		}
		estimate := func(l LeastSquares) []cv.Point {
			o.Learner = l
			e, err := Estimate(t.Context(), Problem{Set: set}, o)
			if err != nil {
				t.Fatal(err)
			}
			return e.Choice.Chosen().Outputs[0].Points
		}
		exact, tight, usual := estimate(LeastSquares{Solver: Dual}),
			estimate(LeastSquares{Solver: CG, Tolerance: 1e-13}), estimate(LeastSquares{Solver: CG})
		goal, err := goals.Scored(y, 1, set.Queries, pref.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if shares := (&trainer{sample: &sample{x: set.X}}).shares(goal); shares != (name != "uneven") {
			t.Errorf("%s: one Krylov space for all λ: %v", name, shares)
		}
		for k := range lambdas {
			if math.Abs(exact[k].Error-tight[k].Error) > 1e-9 {
				t.Errorf("%s, λ=%g: error %v, dual %v", name, lambdas[k], tight[k].Error, exact[k].Error)
			}
			if math.Abs(exact[k].Error-usual[k].Error) > 0.003 {
				t.Errorf("%s, λ=%g: error %v by the default tolerance, dual %v",
					name, lambdas[k], usual[k].Error, exact[k].Error)
			}
		}
	}
}
