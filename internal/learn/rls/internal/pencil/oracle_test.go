package pencil

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/linalg"
	"pairrank/internal/naive"
	"pairrank/pref"
)

// tolerance is the largest relative difference between two ways to the same
// predictions, for λ of at least an eighth of the largest weight of a pair.
const tolerance = 1e-9

// objectives are all ways to compare scored rows, and regression (nil).
var objectives = []*pref.Options{
	nil,
	{}, {Weight: pref.Size}, {Weight: pref.Edges},
	{Ties: "exclude"}, {Ties: "exclude", Weight: pref.Size}, {Ties: "exclude", Weight: pref.Edges},
	{Cost: pref.Unit}, {Cost: pref.Unit, Weight: pref.Edges},
	{Cost: pref.Relative}, {Cost: pref.Relative, Weight: pref.Size},
}

// instance is a problem with the data of all its forms.
type instance struct {
	gen.Problem
	labels [][]float64 // of each output
	o      *pref.Options
	goal   *goals.Goal
	l      goals.Laplacian // that of goal, or the same as a list of edges
	r      linalg.Mat
	k      []float64 // XXᵀ
	lambda float64
}

// newInstance makes a problem of v outputs with the objective, or ok is false
// where it has none: several outputs need tied pairs, and labels have to differ. With asGraph L is a
// goals.Graph of the same pairs, whose roots are dense.
func newInstance(t *testing.T, r *rand.Rand, p gen.Problem, o *pref.Options, v int,
	asGraph bool) (in instance, ok bool) {
	t.Helper()
	in = instance{Problem: p, o: o, k: p.Linear(), labels: [][]float64{p.Y}}
	for len(in.labels) < v {
		y := append([]float64(nil), p.Y...)
		r.Shuffle(p.M, func(i, j int) { y[i], y[j] = y[j], y[i] })
		in.labels = append(in.labels, y)
	}
	y := make([]float64, p.M*v)
	for c, labels := range in.labels {
		for i, label := range labels {
			y[i*v+c] = label
		}
	}
	in.goal = goals.Regression(y, v)
	if o != nil {
		resolved, err := o.Resolved()
		if err != nil {
			t.Fatal(err)
		}
		in.o = &resolved
		if v > 1 && resolved.Ties == "exclude" {
			return in, false
		}
		in.goal, err = goals.Scored(y, v, partition(p), resolved)
		if errors.Is(err, goals.ErrNothingToLearn) {
			return in, false // labels of another shuffle are all equal
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	in.l = in.goal.L
	weight := 1.0
	if o != nil {
		weight = 0
		var edges []pref.Edge
		for _, e := range in.pairs(naive.Without(p.M, nil), 0) {
			weight = max(weight, e.Weight)
			edges = append(edges, pref.Edge{I: e.I, J: e.J, Magnitude: e.Target, Weight: e.Weight})
		}
		if asGraph {
			graph, err := goals.NewGraph(p.M, edges)
			if err != nil {
				t.Fatal(err)
			}
			in.l = graph
		}
	}
	in.r = linalg.Mat{Rows: p.M, Cols: v, Stride: v, Data: in.goal.R}
	in.lambda = gen.Lambda(r, -3, 9) * weight
	return in, true
}

func partition(p gen.Problem) *data.Partition {
	of := make([]int32, p.M)
	for i, q := range p.Query {
		of[i] = int32(q)
	}
	return data.NewPartition(of, p.Queries)
}

// pairs lists the pairs of output c among the given rows, with local numbers; nil
// for regression.
func (in instance) pairs(rows []int, c int) []naive.Pair {
	if in.o == nil {
		return nil
	}
	pairs := naive.Pairs(naive.Pick(in.labels[c], rows), naive.Pick(in.Query, rows), string(in.o.Cost), in.o.Ties,
		string(in.o.Weight))
	return append([]naive.Pair{}, pairs...)
}

// retrained trains output c by definition on the rows without out, in extended precision, and
// predicts out. floor is the size below which a prediction, a sum of terms k_ij a_j, is not exact
// to the tolerance.
func (in instance) retrained(out []int, c int) (f []float64, floor float64) {
	stay := naive.Without(in.M, out)
	if len(stay) == 0 {
		return make([]float64, len(out)), 0
	}
	a, _ := naive.Dual(naive.Submatrix(in.k, in.M, stay, stay), in.pairs(stay, c), naive.Pick(in.labels[c], stay),
		in.lambda)
	size := 0.0
	for _, v := range in.k {
		size = max(size, math.Abs(v))
	}
	for _, v := range a {
		floor += 1e-6 * size * math.Abs(v)
	}
	return naive.Product(naive.Submatrix(in.k, in.M, out, stay), a), floor
}

// scale is the size relative to which predictions of any output are compared: the largest one with
// all rows in, or the exact part of it.
func (in instance) scale() float64 {
	f := matrix(in.k, in.M).Mul(in.forms()["dual"].Coefficients(in.lambda))
	size := 0.0
	for _, v := range f.Data {
		size = max(size, math.Abs(v))
	}
	for c := range in.labels {
		_, floor := in.retrained(nil, c)
		size = max(size, floor)
	}
	return size
}

// problem is the Problem of both forms.
func (in instance) problem(constant []float64) Problem {
	k := linalg.Mat{Rows: in.M, Cols: in.N, Stride: in.N, Data: in.X}
	equal := make([]int32, in.M)
	for i := range equal {
		equal[i] = int32(i)
		for j := range i {
			if linalg.Dot(k.Row(i), k.Row(j)) == linalg.Dot(k.Row(i), k.Row(i)) && same(k.Row(i), k.Row(j)) {
				equal[i] = equal[j]
				break
			}
		}
	}
	return Problem{L: in.l, R: in.r, Centred: in.goal.Centred(), Equal: func() []int32 { return equal },
		Constant: constant, Zero: in.goal.Constants}
}

func same(x, y []float64) bool {
	for c, v := range x {
		if v != y[c] {
			return false
		}
	}
	return true
}

// forms are the factored primal and dual problem.
func (in instance) forms() map[string]*Pencil {
	s := in.source()
	return map[string]*Pencil{
		"primal": FactorPrimal(s.total(), s, in.problem(nil), nil),
		"dual":   FactorDual(matrix(in.k, in.M), in.problem(nil), nil),
	}
}

func matrix(k []float64, m int) linalg.Mat {
	return linalg.Mat{Rows: m, Cols: m, Stride: m, Data: k}
}

// rows is a Source by definition: every moment is a product with L, of rows less
// the mean of their component.
type rows struct {
	x       linalg.Mat
	l       goals.Laplacian
	r       linalg.Mat
	centred bool
	view    bool // whether it has views
}

func (in instance) source() rows {
	return rows{linalg.Mat{Rows: in.M, Cols: in.N, Stride: in.N, Data: in.X}, in.l, in.r,
		in.goal.Centred(), in.M%2 == 0}
}

func (s rows) total() Moments {
	m := Moments{linalg.NewMat(s.x.Cols, s.x.Cols), linalg.NewMat(s.x.Cols, s.r.Cols)}
	s.MomentsTo(m, all(s.x.Rows))
	return m
}

func (s rows) RowsTo(dst linalg.Mat, h []int32) {
	for a, i := range h {
		copy(dst.Row(a), s.x.Row(int(i)))
	}
}

func (s rows) RowsView(h []int32) (linalg.Mat, bool) {
	if !s.view || len(h) == 0 || int(h[len(h)-1]-h[0]) != len(h)-1 {
		return linalg.Mat{}, false
	}
	return s.x.Slice(int(h[0]), int(h[0])+len(h), 0, s.x.Cols), true
}

func (s rows) MomentsTo(m Moments, h []int32) {
	local := s.l.Restrict(h)
	x, lx, r := linalg.NewMat(len(h), s.x.Cols), linalg.NewMat(len(h), s.x.Cols), linalg.NewMat(len(h), s.r.Cols)
	s.RowsTo(x, h)
	for a, i := range h {
		copy(r.Row(a), s.r.Row(int(i)))
	}
	if s.centred {
		goals.Centre(local.Components(), x.Data, x.Cols)
	}
	local.MulTo(lx.Data, x.Data, x.Cols)
	linalg.Gemm(linalg.T, linalg.NoTrans, 1, x, lx, 0, m.A)
	linalg.Gemm(linalg.T, linalg.NoTrans, 1, x, r, 0, m.B)
}

func (s rows) ListMomentsTo(m Moments, sumX, sumR []float64, h []int32) {
	c, ok := goals.BlocksOf(s.l).ListWeight()
	if !ok {
		panic("moments of part of what is no list")
	}
	x := s.x.Clone()
	goals.Centre(data.OneList(x.Rows), x.Data, x.Cols)
	clear(m.A.Data)
	clear(m.B.Data)
	for _, i := range h {
		for a, v := range x.Row(int(i)) {
			linalg.Axpy(c*v, x.Row(int(i)), m.A.Row(a))
			linalg.Axpy(v, s.r.Row(int(i)), m.B.Row(a))
		}
		linalg.Axpy(1, x.Row(int(i)), sumX)
		linalg.Axpy(1, s.r.Row(int(i)), sumR)
	}
}

// difference is the largest over the largest value of want, or of floor.
func difference(got, want []float64, floor float64) float64 {
	size, d := floor, 0.0
	for i, v := range want {
		size = max(size, math.Abs(v))
		d = max(d, math.Abs(got[i]-v))
		if math.IsNaN(got[i]) {
			return math.Inf(1)
		}
	}
	if d == 0 {
		return 0
	}
	return d / size
}

// column is column c of a.
func column(a linalg.Mat, c int) []float64 {
	out := make([]float64, a.Rows)
	for i := range out {
		out[i] = a.Row(i)[c]
	}
	return out
}

// problems is how many random problems a test tries.
func problems(t *testing.T, usual int) int {
	if testing.Short() {
		usual /= 4
	}
	return gen.Count(t, usual)
}

func ints(rows []int32) []int {
	out := make([]int, len(rows))
	for a, i := range rows {
		out[a] = int(i)
	}
	return out
}
