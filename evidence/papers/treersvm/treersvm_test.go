package main

import (
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/evidence/papers/experiment"
	"pairrank/internal/synth"
)

// TestScratch reads ranges of rows back as they were stored.
func TestScratch(t *testing.T) {
	for name, make := range map[string]func() (*data.Set, error){
		"dense":  synth.Houses{Rows: 3000, Seed: 1}.Set,
		"sparse": synth.News{Rows: 700, Features: 1000, Seed: 1}.Set,
	} {
		set, err := make()
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), name)
		if err := store(path, set); err != nil {
			t.Fatal(err)
		}
		m := len(set.Y)
		for _, r := range [][2]int{{0, m}, {0, 0}, {0, 1}, {m - 1, m}, {m / 3, m / 2}} {
			var rows []int
			for i := r[0]; i < r[1]; i++ {
				rows = append(rows, i)
			}
			got, err := load(path, r[0], r[1])
			if err != nil {
				t.Fatal(err)
			}
			if want := set.Subset(rows); !reflect.DeepEqual(got.X, want.X) || !reflect.DeepEqual(got.Y, want.Y) {
				t.Errorf("%s: rows %d … %d are not what was stored", name, r[0], r[1])
			}
		}
		if got, err := load(path, m-5, -1); err != nil || len(got.Y) != 5 {
			t.Errorf("%s: the last 5 rows: %v", name, err)
		}
		if _, err := load(path, 0, m+1); err == nil {
			t.Errorf("%s: no error for more rows than there are", name)
		}
	}
}

// TestFirst compares the view of the first rows with a copy of them.
func TestFirst(t *testing.T) {
	s := settings{most: 1000, test: 200, search: 1000, seed: 1, dir: t.TempDir()}
	c, err := rcv1(s)
	if err != nil {
		t.Fatal(err)
	}
	houses, err := cadata(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*collection{c, houses} {
		var rows []int
		for i := range 300 {
			rows = append(rows, i)
		}
		x, y := c.first(300)
		if want := c.set.Subset(rows); !reflect.DeepEqual(x, want.X) || !reflect.DeepEqual(y, want.Y) {
			t.Errorf("%s: the first rows are others", c.name)
		}
	}
}

// TestGrowth fits powers, which it has to find exactly but for rounding, and knows what
// it cannot tell of few points.
func TestGrowth(t *testing.T) {
	const exact = 1e-12
	var sizes []int
	var linear, square, bent []float64
	for m := 1000; m <= 64000; m *= 2 {
		sizes = append(sizes, m)
		linear, square = append(linear, 3*float64(m)), append(square, 1e-9*math.Pow(float64(m), 2))
		bent = append(bent, float64(m)*math.Log(float64(m)))
	}
	linear[0], square[len(square)-1] = 1, none // not fitted
	if p := growth(sizes, linear, 8000); math.Abs(p.slope-1) > exact || p.error > exact || p.points != 4 {
		t.Errorf("linear: %+v", p)
	}
	if p := growth(sizes, square, 1000); math.Abs(p.slope-2) > exact || p.points != 6 {
		t.Errorf("square: %+v", p)
	}
	if p := growth(sizes, bent, 1000); !(p.error > 0) || p.slope != linearithmic(sizes, 1000) {
		t.Errorf("linearithmic: %+v", p)
	}
	if p := growth(sizes, linear, 32000); math.Abs(p.slope-1) > exact || !math.IsNaN(p.error) {
		t.Errorf("two points: %+v", p)
	}
	if p := growth(sizes, square, 64000); !math.IsNaN(p.slope) {
		t.Errorf("no point: %+v", p)
	}
}

// TestSimilar takes the first row away, and has the products with it as labels.
func TestSimilar(t *testing.T) {
	set := &data.Set{X: data.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}), Y: make([]float64, 3),
		Queries: data.OneList(3)}
	got := similar(set)
	if want := []float64{11, 17}; !slices.Equal(got.Y, want) ||
		!slices.Equal(got.X.(*data.Dense).Data, []float64{3, 4, 5, 6}) {
		t.Errorf("labels %v of rows %v", got.Y, got.X)
	}
}

// TestTrains has PRSVM stop where its pairs are more than the paper's computer held.
func TestTrains(t *testing.T) {
	s := settings{pairs: 32_000}
	for _, c := range []struct {
		learner, rows int
		want          bool
	}{
		{byTree, 512_000, true}, {byPairs, 32_000, true}, {byPairs, 64_000, false}, {keptPairs, 16_000, true},
		{keptPairs, 32_000, false},
	} {
		r := scaled{rows: c.rows, pairs: c.rows * (c.rows - 1) / 2}
		r.trained[byDefault] = &trained{Matrix: 900 * c.rows}
		if got := s.trains(c.learner, r); got != c.want {
			t.Errorf("%s with %d rows: %v", learners[c.learner].name, c.rows, got)
		}
	}
}

// TestTimesSaid takes from the paper's times what they say of each other.
func TestTimesSaid(t *testing.T) {
	if ratio, half := quotient(pairIteration, treeIteration, 1); math.Abs(ratio-2760.0/7) > 1e-9 ||
		math.Abs(half-ratio/14) > 1e-9 {
		t.Errorf("%v ± %v", ratio, half)
	}
	if got := quadratic(3, 1000, 4000); got != 48 {
		t.Errorf("four times the rows take %v, not 16 times 3", got)
	}
	f := iterationsSaid([]float64{140, 150})
	if f.Ours != 145 || math.Abs(f.Theirs-18*60/7.0) > 1e-9 || f.Verdict() != experiment.CannotTell {
		t.Errorf("%+v", f)
	}
}

// TestGrows finds nothing of two sizes, tells nothing of three that are no line, and gives a
// reason for what does not agree alone.
func TestGrows(t *testing.T) {
	var found experiment.Result
	tree, pairs := law{"m log m", 1.1}, law{"m²", 2}
	grows(&found, "", "", pairs, tree, power{2, none, 2}, "why")
	grows(&found, "", "", pairs, tree, power{2.01, 0.01, 5}, "why")
	grows(&found, "", "", pairs, tree, power{1.9, 0.01, 5}, "why")
	grows(&found, "", "", pairs, tree, power{1.9, 0.05, 3}, "why")
	var told []experiment.Verdict
	for _, f := range found.Findings {
		if told = append(told, f.Verdict()); (f.Reason == "why") != (f.Verdict() == experiment.No) {
			t.Errorf("%+v", f)
		}
	}
	if want := []experiment.Verdict{experiment.Yes, experiment.No, experiment.CannotTell}; !slices.Equal(told, want) {
		t.Errorf("%v, not %v", told, want)
	}
}
