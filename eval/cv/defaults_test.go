package cv_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/learn/rls"
	"pairrank/pref"
)

// TestZeroOptions: the zero values of Options and of the queries are the defaults
// that their comments name.
func TestZeroOptions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	x, y, of := data.NewDense(24, 3, nil), make([]float64, 24), make([]int32, 24)
	for i := range y {
		for j := range x.Row(i) {
			x.Row(i)[j] = r.NormFloat64()
		}
		y[i], of[i] = float64(r.IntN(3)), int32(i/6)
	}
	for _, c := range []struct {
		queries *pref.Partition
		method  cv.Kind
	}{{nil, cv.LeavePairOut}, {pref.NewPartition(of, 4), cv.LeaveQueryOut}} {
		compared := c.queries
		if compared == nil {
			compared = pref.OneList(24)
		}
		goal, err := pref.Scored(y, 1, compared, pref.Options{})
		if err != nil {
			t.Fatal(err)
		}
		path, err := rls.Factor(ctx, rls.Primal(x), goal)
		if err != nil {
			t.Fatal(err)
		}
		got, err := cv.Estimated(ctx, path, cv.Labels{Y: y, Queries: c.queries}, cv.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := cv.Estimated(ctx, path, cv.Labels{Y: y, Outputs: 1, Queries: compared},
			cv.Options{Method: cv.Method{Kind: c.method}, Candidates: cv.Lambdas(path.Eigenvalues(), cv.Spread(path.Squares()))})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got[0].Points, want[0].Points) || got[0].Best != want[0].Best || len(got[0].Points) != 31 {
			t.Errorf("%s: %+v, want %+v", c.method, got[0], want[0])
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("training again without λ says nothing")
		}
	}()
	_, _ = cv.Retrained(ctx, nil, cv.Labels{Y: y}, cv.Options{Method: cv.Method{Kind: cv.KFold, Folds: 2}})
}
