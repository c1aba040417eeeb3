package main

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank"

	"pairrank/data"
	"pairrank/kernel"
	"pairrank/papers/experiment"
	"pairrank/pref"
)

// made are users who rate jokes by one of two tastes, 2 and 3 jokes left out by turns.
func made(users int) *ratings {
	r := &ratings{}
	random := rand.New(rand.NewPCG(1, 1))
	for u := range users {
		row := []float64{0}
		for j := range 20 {
			v := float64(j) - 9.5
			if u%2 == 1 {
				v = math.Abs(v)
			}
			if (j+u)%(7+u%3) == 0 {
				v = unrated
			} else {
				row[0]++
				v += random.Float64() / 4
			}
			row = append(row, v)
		}
		r.rows = append(r.rows, row)
	}
	return r
}

// TestDraw halves what users have rated, takes no user twice, and fills what reference
// users have not rated with their medians.
func TestDraw(t *testing.T) {
	r := made(30)
	random := rand.New(rand.NewPCG(2, 2))
	taken := map[int]bool{}
	users := r.draw(random, bands[3], 10, taken)
	if len(users) != 10 || len(taken) != 10 {
		t.Fatalf("%d users, %d taken", len(users), len(taken))
	}
	for _, a := range users {
		jokes, values := r.of(a.user)
		both := slices.Concat(a.train, a.test)
		slices.Sort(both)
		if !slices.Equal(both, jokes) || len(a.train) != len(jokes)/2 || !slices.IsSorted(a.train) {
			t.Errorf("user %d has jokes %v, halves %v and %v", a.user, jokes, a.train, a.test)
		}
		for k, j := range a.test {
			if want := values[slices.Index(jokes, j)]; a.held[k] != want {
				t.Errorf("joke %d of user %d: %g, not %g", j, a.user, a.held[k], want)
			}
		}
	}
}

// TestFeatures has the ratings of all who are not taken, and where they have none their
// medians.
func TestFeatures(t *testing.T) {
	r := made(30)
	taken := map[int]bool{3: true, 8: true}
	x := r.features(rand.New(rand.NewPCG(2, 2)), bands[3], 300, taken)
	if x.Cols != 28 || x.Rows != 20 {
		t.Fatalf("features %d×%d", x.Rows, x.Cols)
	}
	for u, row := range r.rows {
		_, values := r.of(u)
		median := experiment.Median(values)
		want := make([]float64, 20)
		for j, v := range row[1:] {
			if want[j] = v; v == unrated {
				want[j] = median
			}
		}
		found := false
		for k := range x.Cols {
			got := make([]float64, 20)
			for j := range got {
				got[j] = x.Row(j)[k]
			}
			found = found || slices.Equal(got, want)
		}
		if found == taken[u] {
			t.Errorf("user %d is among the features: %v", u, found)
		}
	}
}

// TestLearners finds the order of jokes whose features have it, by every learner; at a
// width at which no joke is like another it has no order.
func TestLearners(t *testing.T) {
	r := made(40)
	random := rand.New(rand.NewPCG(3, 3))
	g := &group{r.draw(random, bands[3], 12, map[int]bool{}), r.features(random, bands[3], 40, nil)}
	for _, l := range learners {
		c, err := g.choose(t.Context(), l, experiment.Powers(-12, 0, 1), l.lambdas)
		if err != nil {
			t.Fatal(l.name, err)
		}
		if c.error > 0.1 {
			t.Errorf("%s: error %g at γ %g, λ %g", l.name, c.error, c.width, c.lambda)
		}
		found, err := g.errors(t.Context(), l, 1<<15, []float64{1})
		if err != nil || slices.Min(found.Data) != 0.5 || slices.Max(found.Data) != 0.5 {
			t.Errorf("%s without a kernel: %v, %v", l.name, found, err)
		}
	}
}

// TestSquaresIsTrain compares scores with those of the library's entrance.
func TestSquaresIsTrain(t *testing.T) {
	r := made(10)
	a := r.halve(rand.New(rand.NewPCG(4, 4)), 0)
	x := r.features(rand.New(rand.NewPCG(5, 5)), bands[3], 10, map[int]bool{0: true})
	k := kernel.Matrix(kernel.Gaussian{Gamma: 0.01}, x, x)
	known := data.SelectColumns(data.Select(k, a.train), a.train).(*data.Dense)
	cross := data.SelectColumns(data.Select(k, a.test), a.train).(*data.Dense)
	for _, o := range []pref.Options{{}, {Cost: pref.Unit}, {Cost: pref.Relative}} {
		trained, err := pairrank.Train(t.Context(),
			pairrank.Problem{Set: &data.Set{Y: a.y, Queries: data.OneList(len(a.y))}, Kernel: known},
			pairrank.Options{Lambdas: []float64{2}, Learner: pairrank.LeastSquares{Pairs: o}})
		if err != nil {
			t.Fatal(err)
		}
		want, err := trained.Model.Score(&data.Set{X: cross, Queries: data.OneList(len(a.held))})
		if err != nil {
			t.Fatal(err)
		}
		err = squares(o)(context.Background(), known, cross, a.y, []float64{2}, func(_ int, got []float64) error {
			const rounding = 1e-9
			for i := range got {
				if math.Abs(got[i]-want[i]-(got[0]-want[0])) > rounding*(1+math.Abs(want[i])) {
					t.Errorf("%+v: joke %d scores %g, not %g", o, i, got[i], want[i])
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestMeanOf has the error of one draw: over its users, or between draws.
func TestMeanOf(t *testing.T) {
	mean, stderr := meanOf([][]float64{{1, 3, 1, 3}})
	if want := math.Sqrt(4./3) / 2; mean != 2 || math.Abs(stderr-want) > 1e-12 {
		t.Errorf("%g ± %g, not 2 ± %g", mean, stderr, want)
	}
	if mean, stderr = meanOf([][]float64{{1, 1}, {5, 5}}); mean != 3 || math.Abs(stderr-math.Sqrt(8)) > 1e-12 {
		t.Errorf("%g ± %g, not 3 ± √8", mean, stderr)
	}
}
