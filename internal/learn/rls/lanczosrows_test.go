package rls_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/learn/rls"
	"pairrank/internal/naive"
	"pairrank/pref"
)

// TestPathInRowsAgainstFeatures: with no more rows than features the process runs over rows. It
// agrees with the process over features, which two outputs use, and with the solution. Repeated
// rows with different labels are its hardest case. Any number of threads gives the same numbers.
func TestPathInRowsAgainstFeatures(t *testing.T) {
	r := rand.New(rand.NewPCG(57, 58))
	const m = 900
	x, y := text(r, m, 1500, 60)
	x, y = data.Select(x, append(naive.Without(m, nil), naive.Without(m/3, nil)...)).(*data.CSR), append(y, y[:m/3]...)
	for i := m; i < len(y); i++ {
		y[i] = 1 - y[i]
	}
	goal, err := goals.Scored(y, 1, data.NewPartition(remainders(len(y), 3), 3), pref.Options{})
	if err != nil {
		t.Fatal(err)
	}
	top := rls.LargestEigenvalue(x, goal)
	lambdas := []float64{top / (1 << 14), top / (1 << 8), top / 8, top * 64}
	train := func(threads, outputs int) ([]*rls.Fit, []rls.CGResult) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		labels := make([]float64, len(y)*outputs)
		for i := range labels {
			labels[i] = y[i/outputs]
		}
		goal, err := goals.Scored(labels, outputs, data.NewPartition(remainders(len(y), 3), 3), pref.Options{})
		if err != nil {
			t.Fatal(err)
		}
		fits, results, err := rls.ConjugateGradientsPath(ctx, x, goal, lambdas, rls.CGOptions{Scores: 1e-6})
		if err != nil {
			t.Fatal(err)
		}
		return fits, results
	}
	one, results := train(1, 1)
	three, _ := train(3, 1)
	features, _ := train(1, 2) // outputs run over features
	for l, lambda := range lambdas {
		if !slices.Equal(one[l].Coef.Data, three[l].Coef.Data) {
			t.Errorf("λ=%g: three threads give other numbers than one", lambda)
		}
		if !results[l].Converged {
			t.Errorf("λ=%g: %+v", lambda, results[l])
		}
		want := make([]float64, x.Cols)
		for j := range want {
			want[j] = features[l].Coef.Row(j)[0]
		}
		exact, err := rls.Solve(ctx, rls.Primal(x), goal, lambda)
		if err != nil {
			t.Fatal(err)
		}
		// Both end at an error of the scores of 1e-6, at steps that may differ by one.
		got, solved := relative(one[l].Coef.Data, want, 0), relative(one[l].Coef.Data, exact.Coef.Data, 0)
		if got > 1e-4 || solved > 1e-4 {
			t.Errorf("λ=%g: relative difference %.2g from features, %.2g from the solution", lambda, got, solved)
		}
	}
}
