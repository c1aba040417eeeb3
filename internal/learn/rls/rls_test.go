package rls_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
	"pairrank/internal/naive"
	"pairrank/pref"
)

// bar is the largest relative difference to the naive definition, for λ of at
// least 1e-3 times the weight of a pair, where the condition number stays below
// about 1e8.
const bar = 1e-8

var ctx = context.Background()

// problems is how many random problems a test tries: fewer in short runs, and
// as many as PAIRRANK_PROBLEMS says.
func problems(t *testing.T, usual int) int {
	if testing.Short() {
		usual /= 5
	}
	return gen.Count(t, usual)
}

// everyGoal has all ways to compare scored rows, and plain regression.
var everyGoal = []struct {
	regression bool
	pref.Options
}{
	{regression: true},
	{Options: pref.Options{}}, {Options: pref.Options{Weight: pref.Size}}, {Options: pref.Options{Weight: pref.Edges}},
	{Options: pref.Options{Ties: "exclude"}}, {Options: pref.Options{Ties: "exclude", Weight: pref.Size}},
	{Options: pref.Options{Ties: "exclude", Weight: pref.Edges}},
	{Options: pref.Options{Cost: pref.Unit}}, {Options: pref.Options{Cost: pref.Unit, Weight: pref.Size}},
	{Options: pref.Options{Cost: pref.Unit, Weight: pref.Edges}},
	{Options: pref.Options{Cost: pref.Relative}}, {Options: pref.Options{Cost: pref.Relative, Weight: pref.Size}},
	{Options: pref.Options{Cost: pref.Relative, Weight: pref.Edges}},
}

// weighed is a goal of everyGoal, for rows with weights or without.
type weighed struct {
	regression, weighted bool
	pref.Options
}

// everyWeighed has each goal of everyGoal twice: without weights of rows, and with them.
func everyWeighed() (all []weighed) {
	for _, weighted := range []bool{false, true} {
		for _, g := range everyGoal {
			all = append(all, weighed{g.regression, weighted, g.Options})
		}
	}
	return all
}

// newWeighed is newSetting, with weights from an eighth to four where the goal has them.
func newWeighed(t testing.TB, p gen.Problem, g weighed) setting {
	t.Helper()
	s := newSetting(t, p, g.regression, g.Options)
	if !g.weighted {
		return s
	}
	r := rand.New(rand.NewPCG(uint64(p.M), math.Float64bits(p.X[0])))
	s.weights = make([]float64, p.M)
	for i := range s.weights {
		s.weights[i] = math.Exp2(5*r.Float64() - 3)
	}
	if g.regression {
		s.goal = goals.WeightedRegression(p.Y, 1, s.weights)
		return s
	}
	var err error
	if s.goal, err = goals.WeightedScored(p.Y, 1, partition(p), s.weights, s.o); err != nil {
		t.Fatal(err)
	}
	return s
}

// setting is one problem with one goal and its pairs.
type setting struct {
	gen.Problem
	goal    *goals.Goal
	o       pref.Options
	plain   bool // regression
	known   *answers
	weights []float64 // of the rows, or nil
}

func newSetting(t testing.TB, p gen.Problem, regression bool, o pref.Options) setting {
	t.Helper()
	if regression {
		return setting{p, goals.Regression(p.Y, 1), o, true, &answers{of: map[question]answer{}}, nil}
	}
	o, err := o.Resolved()
	if err != nil {
		t.Fatal(err)
	}
	goal, err := goals.Scored(p.Y, 1, partition(p), o)
	if err != nil {
		t.Fatal(err)
	}
	return setting{p, goal, o, false, &answers{of: map[question]answer{}}, nil}
}

func partition(p gen.Problem) *data.Partition {
	of := make([]int32, p.M)
	for i, q := range p.Query {
		of[i] = int32(q)
	}
	return data.NewPartition(of, p.Queries)
}

// pairs lists the pairs among the given rows, with local numbers.
func (s setting) pairs(rows []int) ([]naive.Pair, []float64) {
	y := naive.Pick(s.Y, rows)
	var weights []float64
	if s.weights != nil {
		weights = naive.Pick(s.weights, rows)
	}
	if s.plain && weights != nil {
		return naive.WeightedRows(y, weights), nil
	}
	if s.plain {
		return nil, y
	}
	pairs := naive.WeightedPairs(y, naive.Pick(s.Query, rows), weights, string(s.o.Cost), s.o.Ties, string(s.o.Weight))
	if pairs == nil {
		pairs = []naive.Pair{}
	}
	return pairs, nil
}

func (s setting) x() *data.Dense {
	return &data.Dense{Rows: s.M, Cols: s.N, Stride: s.N, Data: s.X}
}

func (s setting) csr() *data.CSR {
	c := &data.CSR{Rows: s.M, Cols: s.N, Ptr: []int{0}}
	for i := range s.M {
		for j := range s.N {
			if v := s.X[i*s.N+j]; v != 0 {
				c.Col, c.Val = append(c.Col, int32(j)), append(c.Val, v)
			}
		}
		c.Ptr = append(c.Ptr, len(c.Col))
	}
	return c
}

func square(k []float64) *data.Dense {
	m := int(math.Sqrt(float64(len(k))))
	return &data.Dense{Rows: m, Cols: m, Stride: m, Data: append([]float64(nil), k...)}
}

// space is a basis with the kernel matrix that defines the same functions, nil
// for the features themselves.
type space struct {
	name  string
	basis *rls.Basis
	k     []float64
}

// spaces are primal on dense and sparse rows, and for two kernels dual and
// sparse over all rows.
func (s setting) spaces() []space {
	out := []space{{"primal", rls.Primal(s.x()), nil}, {"primal csr", rls.Primal(s.csr()), nil}}
	for name, k := range map[string][]float64{"linear": s.Linear(), "gaussian": s.Gaussian(0.2)} {
		out = append(out, space{"dual " + name, rls.Dual(square(k)), k},
			space{"sparse " + name, rls.Sparse(square(k), square(k)), k},
			space{"sparse of " + name, sparseOf(square(k), nil), k})
	}
	return out
}

// sparseOf is the basis of some rows of a kernel matrix, nil for all, with values on demand.
func sparseOf(k *data.Dense, support []int) *rls.Basis {
	if support == nil {
		return rls.SparseOf(k.Rows, k, func(dst *data.Dense, rows []int) {
			for a, i := range rows {
				copy(dst.Row(a), k.Row(i))
			}
		})
	}
	fill := func(dst *data.Dense, rows []int) { k.SubmatrixTo(dst, rows, support) }
	return rls.SparseOf(k.Rows, k.Submatrix(support, support), fill)
}

// relative is the largest difference over the largest value of want, or of
// scale where all of want is small.
func relative(got, want []float64, scale float64) float64 {
	top, d := scale, 0.0
	for i, v := range want {
		top = max(top, math.Abs(v))
		d = max(d, math.Abs(got[i]-v))
		if math.IsNaN(got[i]) {
			return math.Inf(1)
		}
	}
	if top == 0 {
		return d
	}
	return d / top
}

// TestSolveAndPathAgainstDefinition compares every goal × kernel × basis × solver with explicit
// pairs and elimination.
func TestSolveAndPathAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	worst := map[string]*tally{}
	for range problems(t, 150) {
		p := gen.New(r, gen.Options{})
		for _, g := range everyWeighed() {
			s := newWeighed(t, p, g)
			lambda := gen.Lambda(r, -15, 15) * s.pairWeight()
			for _, sp := range s.spaces() {
				fit, err := rls.Solve(ctx, sp.basis, s.goal, lambda)
				if err != nil {
					t.Fatal(err)
				}
				path, err := rls.Factor(ctx, sp.basis, s.goal)
				if err != nil {
					t.Fatal(err)
				}
				want, floor := s.trained(sp.k, lambda)
				for way, f := range map[string]*rls.Fit{"solve": fit, "path": path.At(lambda)} {
					d := relative(f.Predictions().Data, want, floor)
					if worst[sp.name+" "+way] == nil {
						worst[sp.name+" "+way] = &tally{}
					}
					worst[sp.name+" "+way].add(d, lambda, s.pairWeight())
					if d > s.allowed(sp, nil, lambda) {
						t.Errorf("%s %s %+v λ=%g m=%d n=%d: relative difference %.2g",
							sp.name, way, g, lambda, p.M, p.N, d)
					}
				}
			}
		}
		if t.Failed() {
			break
		}
	}
	for name, w := range worst {
		t.Logf("%s: %s", name, w)
	}
}

// pairWeight is the size of the entries of L: the relative cost weighs a pair
// of near-equal labels without bound, and λ is compared with that.
func (s setting) pairWeight() float64 {
	if s.weights == nil && (s.plain || s.o.Cost != pref.Relative) {
		return 1
	}
	pairs, _ := s.pairs(naive.Without(s.M, nil))
	top := 0.0
	for _, p := range pairs {
		top = max(top, p.Weight)
	}
	return max(1, top)
}

// TestLeaveQueryOutIsRetraining compares the predictions of left-out queries with training without
// them.
func TestLeaveQueryOutIsRetraining(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	worst := map[string]*tally{}
	for range problems(t, 60) {
		p := gen.New(r, gen.Options{})
		for _, g := range everyWeighed() {
			s := newWeighed(t, p, g)
			lambda := gen.Lambda(r, -15, 15) * s.pairWeight()
			for _, sp := range s.spaces() {
				d, limit := s.leaveGroupsOut(t, sp, partition(p), lambda)
				if worst[sp.name] == nil {
					worst[sp.name] = &tally{}
				}
				worst[sp.name].add(d, lambda, s.pairWeight())
				if d > limit {
					t.Errorf("%s %+v λ=%g m=%d n=%d q=%d: relative difference %.2g",
						sp.name, g, lambda, p.M, p.N, p.Queries, d)
				}
			}
		}
		if t.Failed() {
			break
		}
	}
	for name, w := range worst {
		t.Logf("%s: %s", name, w)
	}
}

// leaveGroupsOut is the largest difference of the held-out predictions to retraining, relative to
// the largest prediction of the whole training, with the allowed difference.
func (s setting) leaveGroupsOut(t *testing.T, sp space, groups *data.Partition, lambda float64) (worst, limit float64) {
	t.Helper()
	path, err := rls.Factor(ctx, sp.basis, s.goal)
	if err != nil {
		t.Fatal(err)
	}
	scale := 0.0
	for _, v := range path.At(lambda).Predictions().Data {
		scale = max(scale, math.Abs(v))
	}
	got := make([][]float64, groups.Len())
	err = path.HoldOut(ctx, groups, []float64{2 * lambda, lambda}, func(g, l int, held rls.Held) {
		if l == 1 {
			got[g] = column(held.F)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for g := range groups.Len() {
		want, floor := s.retrained(sp.k, ints(groups.Part(g)), lambda)
		worst = max(worst, relative(got[g], want, max(scale, floor)))
	}
	return worst, s.allowed(sp, path, lambda)
}

func column(f *data.Dense) []float64 {
	c := make([]float64, f.Rows)
	for i := range c {
		c[i] = f.Row(i)[0]
	}
	return c
}

func ints(rows []int32) []int {
	out := make([]int, len(rows))
	for i, r := range rows {
		out[i] = int(r)
	}
	return out
}

// TestObjectiveIsItsDefinition evaluates the pairs and the norm at the fit, and at iterates short of it.
func TestObjectiveIsItsDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for range 100 {
		p := gen.New(r, gen.Options{})
		for _, g := range everyWeighed() {
			s := newWeighed(t, p, g)
			lambda := gen.Lambda(r, -5, 5) * s.pairWeight()
			fit, err := rls.Solve(ctx, rls.Primal(s.x()), s.goal, lambda)
			if err != nil {
				t.Fatal(err)
			}
			checkObjective(t, g, s, fit)
			for _, steps := range []int{1, 2, 3} {
				fit, _, err = rls.ConjugateGradients(ctx, s.x(), s.goal, lambda, rls.CGOptions{MaxIterations: steps})
				if err != nil {
					t.Fatal(err)
				}
				checkObjective(t, g, s, fit)
			}
		}
	}
}

// checkObjective compares the objective of a fit with the sum over the pairs and the norm.
func checkObjective(t *testing.T, g weighed, s setting, fit *rls.Fit) {
	t.Helper()
	f, want := fit.Predictions().Data, 0.0
	for _, w := range fit.Coef.Data {
		want += fit.Lambda * w * w
	}
	pairs, y := s.pairs(naive.Without(s.M, nil))
	for _, e := range pairs {
		d := e.Target - f[e.I]
		if e.J >= 0 {
			d += f[e.J]
		}
		want += e.Weight * d * d
	}
	for i, v := range y {
		want += (v - f[i]) * (v - f[i])
	}
	// The formula subtracts from the cost of f = 0, to which rounding is relative.
	if d := math.Abs(fit.Objective()-want) / s.goal.Constant(); d > 1e-10 {
		t.Errorf("%+v: objective %v, want %v", g, fit.Objective(), want)
	}
}
