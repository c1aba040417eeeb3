package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/eval/metric"
	"pairrank/evidence/papers/experiment"
	"pairrank/evidence/papers/study"
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
		c, err := g.choose(t.Context(), l, experiment.Powers(-12, 0, 1), l.Options[0].Lambdas)
		if err != nil {
			t.Fatal(l.Name, err)
		}
		if c.error > 0.1 {
			t.Errorf("%s: error %g at γ %g, λ %g", l.Name, c.error, c.width, c.lambda)
		}
		found, err := g.errors(t.Context(), l, 1<<15, []float64{1})
		if err != nil || slices.Min(found.Data) != 0.5 || slices.Max(found.Data) != 0.5 {
			t.Errorf("%s without a kernel: %v, %v", l.Name, found, err)
		}
	}
}

// TestErrors compares the errors of a user with those of the scores of models.
func TestErrors(t *testing.T) {
	r := made(10)
	a := r.halve(rand.New(rand.NewPCG(4, 4)), 0)
	g := &group{[]active{a}, r.features(rand.New(rand.NewPCG(5, 5)), bands[3], 10, map[int]bool{0: true})}
	const width, lambda = 0.01, 2
	for _, l := range learners {
		got, err := g.errors(t.Context(), l, width, []float64{lambda / 2, lambda})
		if err != nil {
			t.Fatal(err)
		}
		s := g.split(&a, width, []float64{lambda})
		trained, err := l.Train(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := study.Values(s.Test, trained.Scores, []metric.Metric{metric.Disagreement}, metric.Options{})
		if err != nil || got.Row(0)[1] != want[0] {
			t.Errorf("%s: %v, not %v, %v", l.Name, got.Row(0)[1], want, err)
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
