package rls_test

import (
	"fmt"
	"math"
	"testing"

	"pairrank/data"
	"pairrank/internal/goals"
	. "pairrank/internal/learn/rls"
	"pairrank/pref"
)

// The path without a feature is that of the matrix without its column: weights, held-out
// predictions of queries, rows and pairs.
func TestWithoutIsTheOtherColumns(t *testing.T) {
	const m, n = 40, 5
	x, y, of := data.NewDense(m, n, nil), make([]float64, m), make([]int32, m)
	for i := range m {
		for j := range n {
			x.Row(i)[j] = math.Sin(float64(7*i+13*j*j+i*j)) + float64(j)
		}
		y[i] = math.Round(3 * (x.Row(i)[0] - x.Row(i)[2]))
		of[i] = int32(i % 6)
	}
	sparse := &data.CSR{Rows: m, Cols: n, Ptr: []int{0}}
	for i := range m {
		for j, v := range x.Row(i) {
			if (i+j)%3 > 0 {
				sparse.Col, sparse.Val = append(sparse.Col, int32(j)), append(sparse.Val, v)
			}
		}
		sparse.Ptr = append(sparse.Ptr, len(sparse.Val))
	}
	queries := data.NewPartition(of, 6)
	for name, rows := range map[string]data.Matrix{"dense": x, "sparse": sparse} {
		for kind, goal := range map[string]*goals.Goal{"queries": goalOf(t, y, queries),
			"list": goalOf(t, y, data.OneList(m)), "regression": goals.Regression(y, 1)} {
			whole := pathOf(t, rows, goal)
			for j := range n {
				got, err := whole.Without(t.Context(), j)
				if err != nil {
					t.Fatal(err)
				}
				var others []int
				for i := range n {
					if i != j {
						others = append(others, i)
					}
				}
				want := pathOf(t, data.SelectColumns(rows, others), goal)
				samePath(t, fmt.Sprintf("%s %s without %d", name, kind, j+1), got, want, queries)
			}
		}
	}
}

func goalOf(t *testing.T, y []float64, queries *data.Partition) *goals.Goal {
	t.Helper()
	goal, err := goals.Scored(y, 1, queries, pref.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return goal
}

func pathOf(t *testing.T, x data.Matrix, goal *goals.Goal) *Path {
	t.Helper()
	p, err := Factor(t.Context(), Primal(x), goal)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func samePath(t *testing.T, name string, got, want *Path, queries *data.Partition) {
	t.Helper()
	const lambda = 0.7
	near := func(what string, a, b *data.Dense) {
		t.Helper()
		for k, v := range a.Data {
			if math.Abs(v-b.Data[k]) > 1e-10*(1+math.Abs(b.Data[k])) {
				t.Fatalf("%s: %s are %v, and of the other columns %v", name, what, v, b.Data[k])
			}
		}
	}
	near("weights", got.At(lambda).Coef, want.At(lambda).Coef)
	for _, groups := range []*data.Partition{queries, data.Singletons(got.Rows())} {
		if want.Exact(groups) != nil {
			continue
		}
		a, err := got.PredictHeldOut(t.Context(), groups, lambda)
		if err != nil {
			t.Fatal(name, err)
		}
		b, err := want.PredictHeldOut(t.Context(), groups, lambda)
		if err != nil {
			t.Fatal(name, err)
		}
		near("held-out predictions", a, b)
	}
}

func TestWithoutPanics(t *testing.T) {
	y := []float64{1, 2, 3}
	goal := goalOf(t, y, data.OneList(3))
	primal := pathOf(t, data.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1}), goal)
	dual, err := Factor(t.Context(), Dual(data.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1})), goal)
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]func(){
		"dual":     func() { dual.Without(t.Context(), 0) },
		"too far":  func() { primal.Without(t.Context(), 2) },
		"negative": func() { primal.Without(t.Context(), -1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// Leaving out all features at once equals leaving out one after the other: with queries, rows, and
// folds of a list, and where the last feature that varies is left out.
func TestHoldOutWithoutIsThePathWithout(t *testing.T) {
	const m, n = 40, 5
	x, y, of := data.NewDense(m, n, nil), make([]float64, m), make([]int32, m)
	for i := range m {
		row := x.Row(i)
		row[0], row[1] = math.Sin(float64(7*i)), 100+math.Cos(float64(5*i*i))
		row[2], row[3] = row[0]+row[1], 3 // dependent, and constant
		row[4] = float64(i%7) / 4
		y[i] = math.Round(3 * (row[0] - row[4]))
		of[i] = int32(i % 6)
	}
	queries := data.NewPartition(of, 6)
	one := data.NewDense(m, 2, nil)
	for i := range m {
		one.Row(i)[0], one.Row(i)[1] = x.Row(i)[0], 3
	}
	checked := 0
	for name, rows := range map[string]data.Matrix{"five": x, "one that varies": one} {
		for kind, goal := range map[string]*goals.Goal{"queries": goalOf(t, y, queries),
			"list": goalOf(t, y, data.OneList(m)), "regression": goals.Regression(y, 1)} {
			path := pathOf(t, rows, goal)
			_, columns := rows.Dims()
			features := []int{columns - 1, 0, 1}
			for by, groups := range map[string]*data.Partition{"queries": queries, "rows": data.Singletons(m),
				"all": data.OneList(m)} {
				d := path.Eigenvalues()
				lambda := max(0.5, 1e-4*d[len(d)-1])
				if !path.CanHoldOutWithout(groups, lambda) {
					if path.Exact(groups) == nil && by != "all" {
						t.Errorf("%s, %s by %s cannot be held out", name, kind, by)
					}
					continue
				}
				checked++
				sameWithout(t, fmt.Sprintf("%s, %s by %s", name, kind, by), path, groups, lambda, features)
			}
		}
	}
	if checked < 10 {
		t.Errorf("%d problems were checked", checked)
	}
}

func sameWithout(t *testing.T, name string, path *Path, groups *data.Partition, lambda float64, features []int) {
	t.Helper()
	got := make([]*data.Dense, len(features))
	for n := range got {
		got[n] = data.NewDense(path.Rows(), 1, nil)
	}
	err := path.HoldOutWithout(t.Context(), groups, lambda, features, func(g, n int, f *data.Dense) {
		for a, i := range groups.Part(g) {
			got[n].Data[i] = f.Row(a)[0]
		}
	})
	if err != nil {
		t.Fatal(name, err)
	}
	for n, j := range features {
		without, err := path.Without(t.Context(), j)
		if err != nil {
			t.Fatal(name, err)
		}
		want, err := without.PredictHeldOut(t.Context(), groups, lambda)
		if err != nil {
			t.Fatal(name, err)
		}
		for g := range groups.Len() {
			for _, i := range groups.Part(g) {
				a, b := got[n].Data[i], want.Data[i]
				if math.Abs(a-b) > 1e-8*(1+math.Abs(b)) {
					t.Fatalf("%s without feature %d: row %d is held out with %v, and by a path of its own with %v",
						name, j+1, i+1, a, b)
				}
			}
		}
	}
}
