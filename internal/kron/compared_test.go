package kron

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/linalg"
	"pairrank/internal/naive"
)

// withoutBoth is f'(Row,A) − f'(Row,B) of the oracle, trained without what is new in both.
func (p problem) withoutBoth(s Setting, c Compared, loss Loss) float64 {
	edges := p.edges(func(a, b int) bool {
		row, col := a == int(c.Row), b == int(c.A) || b == int(c.B)
		switch s {
		case Pairs:
			return !row || !col
		case Rows:
			return !row
		case Cols:
			return !col
		}
		return !row && !col
	})
	if len(edges) == 0 {
		return 0
	}
	f := naive.Relational(edges, p.kernel("kronecker"), loss == Ranking, p.lambda)
	return f(int(c.Row), int(c.A)) - f(int(c.Row), int(c.B))
}

func margins(t *testing.T, path *Path, dst []float64, lambda float64, s Setting, pairs []Compared) {
	t.Helper()
	to, err := path.Margins(lambda, s)
	if err == nil {
		err = to(t.Context(), dst, pairs)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// everyCompared is all pairs of a row in rows×cols, by row or by columns.
func everyCompared(rows, cols int, byCols bool) []Compared {
	var out []Compared
	for i := range rows {
		for a := range cols {
			for b := range a {
				out = append(out, Compared{int32(i), int32(a), int32(b)})
			}
		}
	}
	if byCols {
		slices.SortStableFunc(out, func(x, y Compared) int { return int(x.A-y.A)*cols + int(x.B-y.B) })
	}
	return out
}

// TestMarginsAreTrainingsWithoutBoth compares every pair of random graphs with training without what is new in
// both edges, for λ of all sizes. If the oracle has a tie, as between equal nodes or if nothing is left to
// learn from, the margin is 0.
func TestMarginsAreTrainingsWithoutBoth(t *testing.T) {
	r := rand.New(rand.NewPCG(101, 102))
	worst, ties := tally{}, 0
	for range gen.Count(t, 150) {
		p := drawProblem(r, 5, r.IntN(3) == 0)
		if r.IntN(3) == 0 {
			p.lambda = math.Exp2(40 * r.Float64())
		}
		loss := []Loss{Regression, Ranking}[r.IntN(2)]
		path, err := Factor(t.Context(), p.rows, p.cols, p.y, Options{Loss: loss})
		if err != nil {
			t.Fatal(err)
		}
		size := max(1e-300, size(path.At(p.lambda).Scores()))
		for _, s := range settings {
			pairs := everyCompared(p.y.Rows, p.y.Cols, s == Cols)
			got := make([]float64, len(pairs))
			margins(t, path, got, p.lambda, s, pairs)
			for h, c := range pairs {
				want := p.withoutBoth(s, c, loss)
				scale := size
				if s == Both { // its scores are labels minus solutions, accurate to 2⁻³⁶ of them
					scale += widest(linalg.Mat(*p.y)) * 0x1p-35 / tolerance
				}
				worst.near(t, fmt.Sprintf("%s %s", loss, s), got[h], want, scale, tolerance)
				if want == 0 {
					if ties++; got[h] != 0 {
						t.Errorf("%s %s %v: a tie is %g", loss, s, c, got[h])
					}
				}
			}
		}
	}
	t.Logf("largest relative differences %v, %d ties", worst, ties)
	if ties == 0 {
		t.Error("there are no ties")
	}
}

// TestMarginsOfMany compares graphs of so many nodes that a row with two columns is a system of few unknowns
// with factorisations of the rest.
func TestMarginsOfMany(t *testing.T) {
	r := rand.New(rand.NewPCG(103, 104))
	worst, coupled := tally{}, 0
	for _, rows := range kinds {
		for _, cols := range kinds {
			k, g := kernelOf(r, 70, rows), kernelOf(r, 80, cols)
			y := random(r, k.Rows, g.Rows)
			for _, loss := range []Loss{Regression, Ranking} {
				path, err := Factor(t.Context(), k, g, y, Options{Loss: loss})
				if err != nil {
					t.Fatal(err)
				}
				_, greatest := path.Extent()
				for _, octaves := range []float64{-3, 2, 7, 14, 21} { // at most eight digits are left
					lambda := greatest * math.Exp2(-octaves)
					if _, ok := newSkeleton(path.rows.d, path.cols.d, lambda, k.Rows/3); ok {
						coupled++
					}
					i, a := int32(r.IntN(k.Rows)), int32(2+r.IntN(g.Rows-2))
					pairs := []Compared{{0, 0, 1}, {1, 5, 0}, {i, a, 0}}
					for _, s := range []Setting{Cols, Both} {
						got := make([]float64, len(pairs))
						margins(t, path, got, lambda, s, pairs)
						for h, c := range pairs {
							want := factoredWithout(t, k, g, y, lambda, s, loss, c)
							worst.near(t, fmt.Sprintf("%s %s × %s", s, rows, cols), got[h], want, size(y), tolerance)
						}
						if got[0] != 0 {
							t.Errorf("%s, %s × %s, λ = 2^%g of the largest: columns that are alike differ by %g", s,
								rows, cols, -octaves, got[0])
						}
					}
				}
			}
		}
	}
	if coupled < 120 {
		t.Errorf("%d of 160 problems only have few unknowns", coupled)
	}
	t.Logf("largest relative differences %v", worst)
}

// factoredWithout is a margin by factoring the remaining rows and columns.
func factoredWithout(t *testing.T, k, g, y *data.Dense, lambda float64, s Setting, loss Loss, c Compared) float64 {
	t.Helper()
	stays := func(n int, out ...int32) (left []int) {
		for i := range n {
			if !slices.Contains(out, int32(i)) {
				left = append(left, i)
			}
		}
		return left
	}
	rows, cols := stays(k.Rows), stays(g.Rows, c.A, c.B)
	if s == Both {
		rows = stays(k.Rows, c.Row)
	}
	take := func(m *data.Dense, rows, cols []int) *data.Dense {
		out := data.NewDense(len(rows), len(cols), nil)
		for i, from := range rows {
			for j, to := range cols {
				out.Row(i)[j] = m.Row(from)[to]
			}
		}
		return out
	}
	path, err := Factor(t.Context(), take(k, rows, rows), take(g, cols, cols), take(y, rows, cols), Options{Loss: loss})
	if err != nil {
		t.Fatal(err)
	}
	f := path.Unseen(take(k, []int{int(c.Row)}, rows), take(g, []int{int(c.A), int(c.B)}, cols)).Scores(lambda).Row(0)
	return f[0] - f[1]
}

// Two kinds of columns keep their digits if λ is small: columns with all and with nearly none of a feature, and
// columns that are nearly opposite.
func TestMarginsOfUnevenColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(105, 106))
	worst := tally{}
	for _, small := range []float64{1e-2, 1e-4, 1e-6} {
		x := []float64{1, -1 + small, small, 2, -2, 3}
		g := data.NewDense(len(x), len(x), nil)
		for i, a := range x {
			for j, b := range x {
				g.Row(i)[j] = a*b + 1e-3*math.Exp(-(a-b)*(a-b))
			}
		}
		p := problem{rows: drawKernel(r, 4, false), cols: g, y: random(r, 4, len(x)), lambda: 1e-5}
		for _, loss := range []Loss{Regression, Ranking} {
			path, err := Factor(t.Context(), p.rows, p.cols, p.y, Options{Loss: loss})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range []Setting{Pairs, Cols, Both} {
				pairs := everyCompared(4, len(x), s == Cols)
				got := make([]float64, len(pairs))
				margins(t, path, got, p.lambda, s, pairs)
				for h, c := range pairs {
					want := p.withoutBoth(s, c, loss)
					worst.near(t, fmt.Sprintf("%s %s", loss, s), got[h], want, max(math.Abs(want), size(p.y)),
						tolerance)
				}
			}
		}
	}
	t.Logf("largest relative differences %v", worst)
}

// TestMarginsOfTwoSteps compares two-step learning with two ridge regressions without what is new in both
// edges. Single edges are replaced by their predictions.
func TestMarginsOfTwoSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(107, 108))
	worst := tally{}
	for range gen.Count(t, 60) {
		p := drawProblem(r, 6, r.IntN(3) == 0)
		second := math.Exp2(8*r.Float64() - 5)
		step, err := FactorTwoStep(t.Context(), p.rows, p.cols, p.y)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range settings {
			pairs := everyCompared(p.y.Rows, p.y.Cols, s == Cols)
			got := make([]float64, len(pairs))
			if err := step.Margins(p.lambda, second, s)(t.Context(), got, pairs); err != nil {
				t.Fatal(err)
			}
			for h, c := range pairs {
				var want float64
				if s == Pairs {
					want = p.filledIn(t, c, second)
				} else {
					want = p.twoStepsWithout(s, c, second)
				}
				worst.near(t, string(s), got[h], want, size(p.y), tolerance)
			}
		}
	}
	t.Logf("largest relative differences %v", worst)
}

// ridge is K_tested,trained (K + λI)⁻¹ over some nodes: one step.
func ridge(k *data.Dense, nodes []int, at int, lambda float64) []float64 {
	n := len(nodes)
	system, right := linalg.NewMat(n, n), linalg.NewMat(n, 1)
	for a, i := range nodes {
		for b, j := range nodes {
			system.Row(a)[b] = k.Row(i)[j]
		}
		system.Row(a)[a] += lambda
		right.Row(a)[0] = k.Row(at)[i]
	}
	linalg.Cholesky(linalg.Lower, system)
	linalg.CholeskySolve(linalg.Lower, system, right)
	return right.Data
}

func (p problem) twoStepsWithout(s Setting, c Compared, second float64) float64 {
	rows, cols := []int{}, []int{}
	for i := range p.y.Rows {
		if s == Cols || i != int(c.Row) {
			rows = append(rows, i)
		}
	}
	for j := range p.y.Cols {
		if s == Rows || j != int(c.A) && j != int(c.B) {
			cols = append(cols, j)
		}
	}
	score := func(at int32) float64 {
		first, sum := ridge(p.rows, rows, int(c.Row), p.lambda), 0.0
		for b, w := range ridge(p.cols, cols, int(at), second) {
			for a, v := range first {
				sum += v * p.y.Row(rows[a])[cols[b]] * w
			}
		}
		return sum
	}
	return score(c.A) - score(c.B)
}

// filledIn iterates until both edges equal their predictions.
func (p problem) filledIn(t *testing.T, c Compared, second float64) float64 {
	y := data.NewDense(p.y.Rows, p.y.Cols, slices.Clone(p.y.Data))
	row := y.Row(int(c.Row))
	for range 100_000 {
		filled := p
		filled.y = y
		step, err := FactorTwoStep(t.Context(), p.rows, p.cols, y)
		if err != nil {
			t.Fatal(err)
		}
		f := step.Scores(p.lambda, second).Row(int(c.Row))
		moved := math.Abs(f[c.A]-row[c.A]) + math.Abs(f[c.B]-row[c.B])
		row[c.A], row[c.B] = f[c.A], f[c.B]
		if moved < 1e-14*size(p.y) {
			break
		}
	}
	return row[c.A] - row[c.B]
}

// Symmetric and reciprocal relations have no margins.
func TestMarginsAreOfArbitraryRelations(t *testing.T) {
	k := drawKernel(rand.New(rand.NewPCG(1, 1)), 4, false)
	path, err := Factor(t.Context(), k, k, random(rand.New(rand.NewPCG(2, 2)), 4, 4),
		Options{Loss: Regression, Relation: Symmetric})
	if err != nil {
		t.Fatal(err)
	}
	var inexact *NotExactError
	if _, err := path.Margins(1, Cols); !errors.As(err, &inexact) {
		t.Errorf("a symmetric relation: %v", err)
	}
}
