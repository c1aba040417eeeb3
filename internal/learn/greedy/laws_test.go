package greedy

import (
	"context"
	"errors"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
)

// small is 8 rows in two queries with three features: the second is constant, the third equals the first.
func small() Problem {
	rows := [][]float64{{1, 4, 1}, {2, 4, 2}, {0, 4, 0}, {3, 4, 3}, {5, 4, 5}, {1, 4, 1}, {2, 4, 2}, {7, 4, 7}}
	return Problem{X: denseOf(rows), Y: []float64{0, 1, 0, 1, 1, 0, 0, 1},
		Queries: data.NewPartition([]int32{0, 0, 0, 0, 1, 1, 1, 1}, 2)}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		change func(p *Problem, o *Options)
		want   string
	}{
		{func(_ *Problem, o *Options) { o.Features = 3 },
			"3 features cannot be selected: there are 2 to choose from; 1 more do not vary within any query, " +
				"first feature 2"},
		{func(p *Problem, o *Options) { p.Baseline, o.Features = []int{0}, 1 },
			"there are no features to choose from; 1 do not vary within any query, first feature 2; the baseline " +
				"determines 1"},
		{func(p *Problem, _ *Options) { p.Y = make([]float64, 8) }, "nothing can be learnt"},
		{func(_ *Problem, o *Options) { o.Criterion = Pairs }, "the data has 2 queries"},
		{func(_ *Problem, o *Options) { o.Criterion = Rows }, "the data has 2 queries"},
		{func(p *Problem, o *Options) { p.Queries, o.Criterion = data.OneList(8), Queries }, "at least two queries"},
		{func(_ *Problem, o *Options) { o.Criterion = "lop" }, "known are lqo, loo, lpo"},
		{func(_ *Problem, o *Options) { o.Search = "back" }, "known are forward, backward, floating"},
		{func(_ *Problem, o *Options) { o.Features = 0 }, "at least 1 feature"},
		{func(p *Problem, _ *Options) {
			p.X = denseOf([][]float64{{1}, {2e300}, {3}, {4}, {5}, {6}, {7}, {8}})
		}, "the squares of feature 1 overflow"},
	} {
		p, o := small(), Options{Lambda: 1, Features: 1}
		c.change(&p, &o)
		if _, err := Select(context.Background(), p, o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	few := Problem{X: denseOf([][]float64{{1}, {2}}), Y: []float64{0, 1}, Queries: data.OneList(2)}
	if _, err := Select(context.Background(), few, Options{Lambda: 1, Features: 1}); err == nil ||
		!strings.Contains(err.Error(), "selects from 3 rows or more") {
		t.Errorf("got %v for two rows", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Select(ctx, small(), Options{Lambda: 1, Features: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v after the context ended", err)
	}
}

// The features 1 and 3 of small are equal: the first one is selected, and the other changes no order.
func TestEqualFeatures(t *testing.T) {
	path, err := Select(context.Background(), small(), Options{Lambda: 1, Features: 2})
	if err != nil {
		t.Fatal(err)
	}
	if got := path.Sets[1].Features; !slices.Equal(got, []int{0, 2}) {
		t.Errorf("selected %v", got)
	}
	if path.Sets[0].Error != path.Sets[1].Error {
		t.Errorf("a repeated feature changes the error from %v to %v", path.Sets[0].Error, path.Sets[1].Error)
	}
}

// Rows with equal features are tied to the last bit, also after many steps with λ far below the features.
func TestEqualRowsTie(t *testing.T) {
	for _, criterion := range []Criterion{Pairs, Queries} {
		p := table(40, 30, map[Criterion]int{Pairs: 40, Queries: 10}[criterion])
		x := p.X
		rows := make([][]float64, 40)
		for i := range rows {
			rows[i] = make([]float64, 30)
			x.RowTo(rows[i], i)
			for j := range rows[i] {
				rows[i][j] *= math.Exp2(float64(j % 7))
			}
		}
		copy(rows[11], rows[17])
		p.X, p.Y[11], p.Y[17] = denseOf(rows), 1, 0
		o := Options{Lambda: 0x1p-20, Features: 25, Criterion: criterion}
		of, err := newColumns(p)
		if err != nil {
			t.Fatal(err)
		}
		s := newState(of, o, columnsOf(of.units))
		for at := range 25 {
			s.add(at, s.lambda)
			switch h := s.held.(type) {
			case *pairs:
				found := false
				for k := range h.groups {
					g := &h.groups[k]
					for b, j := range h.lower[:g.n] {
						if g.i != 11 && g.i != 17 || g.i+int(j) != 11+17 {
							continue
						}
						found = true
						if margin := h.vector(g, ofMargin)[b]; margin != 0 || h.vector(g, ofNoise)[b] != 0 {
							t.Fatalf("after %d steps the margin of equal rows is %g", at+1, margin)
						}
					}
				}
				if !found {
					t.Fatal("the pair of equal rows is in no group")
				}
			case *lists:
				if h.f[11] != h.f[17] {
					t.Fatalf("after %d steps the scores of equal rows differ by %g", at+1, h.f[11]-h.f[17])
				}
			}
		}
	}
}

// A baseline feature with another scale, or with a constant added, changes nothing, since it has no penalty.
func TestBaselineHasNoScale(t *testing.T) {
	var want *Path
	for _, scale := range []float64{1, 1e6, 1e-6} {
		p := table(30, 8, 30)
		for i := range 30 {
			p.X.(interface{ Row(i int) []float64 }).Row(i)[3] = scale * (p.Y[i] + math.Sin(float64(i)) + 2)
		}
		p.Baseline = []int{3}
		path, err := Select(context.Background(), p, Options{Lambda: 3, Features: 5})
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = path
			continue
		}
		for k, set := range path.Sets {
			if !slices.Equal(set.Features, want.Sets[k].Features) || set.Error != want.Sets[k].Error {
				t.Errorf("scale %g selects %v with error %v, not %v with %v", scale, set.Features, set.Error,
					want.Sets[k].Features, want.Sets[k].Error)
			}
		}
	}
}

func TestThreadsDoNotMatter(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	p := table(60, 700, 60)
	var want []Set
	for _, threads := range []int{1, 4} {
		runtime.GOMAXPROCS(threads)
		path, err := Select(context.Background(), p, Options{Lambda: 60, Features: 6, Search: Floating})
		if err != nil {
			t.Fatal(err)
		}
		if want != nil && !reflect.DeepEqual(path.Sets, want) {
			t.Errorf("%d threads select %+v, one %+v", threads, path.Sets, want)
		}
		want = path.Sets
	}
}

// The minimum is the objective at the weights, and no smaller one is near.
func TestWeightsMinimise(t *testing.T) {
	p := table(20, 6, 5)
	p.Baseline = []int{2}
	path, err := Select(context.Background(), p, Options{Lambda: 2, Features: 3})
	if err != nil {
		t.Fatal(err)
	}
	weights, least := path.Weights(3)
	objective := func(w []float64) float64 {
		f := make([]float64, len(p.Y))
		p.X.MulVecTo(f, w)
		sum, of := 0.0, p.Queries.Of()
		for i := range f {
			for j := range i {
				if of[i] == of[j] {
					e := p.Y[i] - p.Y[j] - (f[i] - f[j])
					sum += e * e
				}
			}
		}
		for j, v := range w {
			if j != 2 {
				sum += 2 * v * v
			}
		}
		return sum
	}
	if got := objective(weights); math.Abs(got-least) > 1e-10*least {
		t.Errorf("the objective is %g, not %g", got, least)
	}
	for _, j := range append(path.Sets[2].Features, 2) {
		for _, by := range []float64{1e-3, -1e-3} {
			other := slices.Clone(weights)
			if other[j] += by; objective(other) <= least {
				t.Errorf("another weight of feature %d has a smaller objective", j+1)
			}
		}
	}
}
