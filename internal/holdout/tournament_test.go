package holdout_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/internal/naive"
	"pairrank/pref"
)

// listPath factors a single list with a Gaussian kernel of distinct rows.
func listPath(t testing.TB, p gen.Problem) (path *rls.Path, k []float64) {
	t.Helper()
	k = p.Gaussian(0.3)
	goal, err := goals.Scored(p.Y, 1, partition(p), pref.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path, err = rls.Factor(ctx, rls.Dual(&data.Dense{Rows: p.M, Cols: p.M, Stride: p.M, Data: k}), goal)
	if err != nil {
		t.Fatal(err)
	}
	return path, k
}

// bruteWins are the tournament scores by training without each pair, and
// whether the comparisons are transitive, ties included.
func bruteWins(t testing.TB, p gen.Problem, k []float64, lambda float64) (wins []float64, transitive bool) {
	t.Helper()
	above := make([][]float64, p.M)
	for i := range above {
		above[i] = make([]float64, p.M)
	}
	wins = make([]float64, p.M)
	for i := range p.M {
		for j := range i {
			err := trainer(p, k)(ctx, naive.Without(p.M, []int{j, i}), []int{j, i}, []float64{lambda},
				func(_ int, f *data.Dense) {
					above[i][j] = 0.5
					if f.Data[1] > f.Data[0] {
						above[i][j] = 1
					} else if f.Data[1] < f.Data[0] {
						above[i][j] = 0
					}
				})
			if err != nil {
				t.Fatal(err)
			}
			above[j][i] = 1 - above[i][j]
			wins[i] += above[i][j]
			wins[j] += above[j][i]
		}
	}
	// A ranking by wins agrees with every comparison only if there is no cycle.
	for i := range p.M {
		for j := range i {
			want := 0.5
			if wins[i] > wins[j] {
				want = 1
			} else if wins[i] < wins[j] {
				want = 0
			}
			if above[i][j] != want {
				return wins, false
			}
		}
	}
	return wins, true
}

// TestTournamentIsThatOfRetraining compares the scores with wins counted by training without each
// pair. Features are Gaussian and rows distinct, so that no difference of predictions is as small as rounding.
func TestTournamentIsThatOfRetraining(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	transitive, cyclic := 0, 0
	for trial := range 60 {
		p := gen.New(r, gen.Options{OneQuery: true, MaxRows: []int{3, 9}[trial%2], MaxFeatures: 6})
		for i := range p.X {
			p.X[i] = r.NormFloat64()
		}
		path, k := listPath(t, p)
		const lambda = 0.5
		want, isOrder := bruteWins(t, p, k, lambda)
		got, err := holdout.Tournament(ctx, path, lambda, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != 1 || !slices.Equal(got[0], want) {
			t.Errorf("m=%d: scores %v, want %v", p.M, got, want)
		}
		if isOrder {
			transitive++
		} else {
			cyclic++
		}
	}
	t.Logf("%d problems with an order, %d with cycles", transitive, cyclic)
	if transitive < 10 || cyclic == 0 {
		t.Error("the problems do not have both")
	}
}

// listOf is m×n standard normal features, with labels that a linear function separates except for
// noise.
func listOf(m, n int, noise float64) (*data.Dense, []float64) {
	r := rand.New(rand.NewPCG(63, uint64(m)))
	x, y := data.NewDense(m, n, nil), make([]float64, m)
	for i := range y {
		row := x.Row(i)
		for j := range row {
			row[j] = r.NormFloat64()
		}
		if row[0]+row[1]+noise*r.NormFloat64() > 0 {
			y[i] = 1
		}
	}
	return x, y
}

func primalPath(t testing.TB, x *data.Dense, y []float64, v int) *rls.Path {
	t.Helper()
	goal, err := goals.Scored(y, v, data.OneList(x.Rows), pref.Options{})
	if err != nil {
		t.Fatal(err)
	}
	path, err := rls.Factor(ctx, rls.Primal(x), goal)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTournamentLaws: a feature that separates the labels with a wide gap gives
// AUC 1; labels the other way round give scores the other way round, so that
// the AUC is the same, and of the same scores 1 − AUC; outputs do not mix; the
// scores of m rows add up to m(m−1)/2; other threads change nothing.
func TestTournamentLaws(t *testing.T) {
	const m, n, lambda = 60, 5, 2.0
	x, y := listOf(m, n, 1)
	for i := range m {
		x.Row(i)[0] += 100 * y[i]
	}
	both := make([]float64, 2*m)
	for i, v := range y {
		both[2*i], both[2*i+1] = v, 1-v
	}
	path := primalPath(t, x, both, 2)
	scores, err := holdout.Tournament(ctx, path, lambda, nil)
	if err != nil {
		t.Fatal(err)
	}
	for c, labels := range [][]float64{y, column(both, 2, 1)} {
		roc, err := cv.NewROC(scores[c], labels)
		if err != nil || roc.AUC != 1 || roc.Interval.Hi != 1 {
			t.Errorf("output %d: AUC %v in %+v, %v", c, roc.AUC, roc.Interval, err)
		}
	}
	if roc, err := cv.NewROC(scores[0], column(both, 2, 1)); err != nil || roc.AUC != 0 {
		t.Errorf("other labels give %v, %v", roc.AUC, err)
	}
	sum := 0.0
	for _, v := range scores[0] {
		sum += v
	}
	if sum != m*(m-1)/2 {
		t.Errorf("scores add up to %v", sum)
	}
	for i, v := range scores[0] {
		if scores[1][i] != m-1-v {
			t.Errorf("row %d: score %v, and %v of the labels the other way round", i, v, scores[1][i])
		}
	}
	single := primalPath(t, x, y, 1)
	for _, threads := range []int{1, 3} {
		func() {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
			if again, err := holdout.Tournament(ctx, single, lambda, nil); err != nil || !slices.Equal(again[0], scores[0]) {
				t.Errorf("%d threads, one output: other scores, %v", threads, err)
			}
		}()
	}
}

func column(y []float64, v, c int) []float64 {
	var out []float64
	for i := c; i < len(y); i += v {
		out = append(out, y[i])
	}
	return out
}

// TestTournamentAgreesWithLeavePairOut on a list of noisy labels: its AUC is near that of
// leave-pair-out, which the papers report within a few thousandths; 0.01 is allowed for this one list.
func TestTournamentAgreesWithLeavePairOut(t *testing.T) {
	const m, lambda = 400, 10.0
	x, y := listOf(m, 8, 2)
	path := primalPath(t, x, y, 1)
	e, err := holdout.EstimatePath(ctx, path, holdout.Labels{Y: y, Queries: data.OneList(m)},
		holdout.Options{Method: cv.Method{Kind: cv.LeavePairOut}, Candidates: []float64{lambda}})
	if err != nil {
		t.Fatal(err)
	}
	want := 1 - e[0].Points[0].Error
	scores, err := holdout.Tournament(ctx, path, lambda, nil)
	if err != nil {
		t.Fatal(err)
	}
	roc, err := cv.NewROC(scores[0], y)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("AUC %.5f, leave-pair-out %.5f", roc.AUC, want)
	if math.Abs(roc.AUC-want) > 0.01 {
		t.Errorf("AUC %v, leave-pair-out %v", roc.AUC, want)
	}
}

// TestTournamentRefuses checks the errors where pairs cannot be held out.
func TestTournamentRefuses(t *testing.T) {
	x, y := listOf(12, 3, 1)
	goal, err := goals.Scored(y, 1, data.OneList(12), pref.Options{Ties: "exclude"})
	if err != nil {
		t.Fatal(err)
	}
	path, err := rls.Factor(ctx, rls.Primal(x), goal)
	if err != nil {
		t.Fatal(err)
	}
	var reason *rls.NotExactError
	if _, err := holdout.Tournament(ctx, path, 1, nil); !errors.As(err, &reason) {
		t.Errorf("tied pairs out: %v", err)
	}
}

// benchmarkPaths are lists by size: primal of 20 features, and dual.
func benchmarkPaths(b *testing.B, primal, dual []int, run func(b *testing.B, path *rls.Path, m int)) {
	for _, m := range primal {
		x, y := listOf(m, 20, 2)
		path := primalPath(b, x, y, 1)
		b.Run(fmt.Sprintf("primal/m=%d/n=20", m), func(b *testing.B) { run(b, path, m) })
	}
	for _, m := range dual {
		x, y := listOf(m, 20, 2)
		path, _ := listPath(b, gen.Problem{M: m, N: 20, X: x.Data, Y: y, Query: make([]int, m), Queries: 1})
		b.Run(fmt.Sprintf("dual/m=%d/n=20", m), func(b *testing.B) { run(b, path, m) })
	}
}

// BenchmarkTournament compares all pairs at one λ, given the factorisation.
func BenchmarkTournament(b *testing.B) {
	benchmarkPaths(b, []int{10_000}, []int{2000}, func(b *testing.B, path *rls.Path, m int) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := holdout.Tournament(ctx, path, 1, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}
