package stability

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// within is the tolerance of sums of a few dozen terms.
const within = 1e-12

// The index by its definition over the whole matrix of zeros and ones, and its variance from the derivative of the
// index by the weight of each round, taken numerically.
func TestIndexIsTheDefinition(t *testing.T) {
	for k := range 100 {
		r := rand.New(rand.NewPCG(uint64(k), 18))
		n, m := 2+r.IntN(8), 2+r.IntN(10)
		var rounds [][]int
		z := make([][]float64, m)
		for i := range z {
			z[i] = make([]float64, n)
			var set []int
			for j := range n {
				if r.IntN(3) == 0 {
					z[i][j] = 1
					set = append(set, j)
				}
			}
			rounds = append(rounds, set)
		}
		// correction is M/(M−1); weights of rounds sum to 1.
		index := func(weight []float64, correction float64) float64 {
			spread, mean := 0.0, 0.0
			for j := range n {
				p := 0.0
				for i := range z {
					p += weight[i] * z[i][j]
				}
				spread += correction * p * (1 - p) / float64(n)
				mean += p / float64(n)
			}
			return 1 - spread/(mean*(1-mean))
		}
		even := func() []float64 {
			w := make([]float64, m)
			for i := range w {
				w[i] = 1 / float64(m)
			}
			return w
		}
		got := indexOf(rounds, n)
		if want := index(even(), float64(m)/float64(m-1)); !got.Defined {
			if !math.IsNaN(want) {
				t.Fatalf("problem %d has no index, want %g", k, want)
			}
			continue
		} else if math.Abs(got.Value-want) > within*(1+math.Abs(want)) {
			t.Fatalf("problem %d: the index is %g, want %g", k, got.Value, want)
		}
		// For many rounds the correction is 1: repeat the rounds until it nearly is.
		const times = 4000
		var many [][]int
		for range times {
			many = append(many, rounds...)
		}
		const step = 1e-6
		variance := 0.0
		for i := range z {
			up, down := even(), even()
			for o := range up {
				up[o] *= 1 - step
				down[o] *= 1 + step
			}
			up[i] += step
			down[i] -= step
			slope := (index(up, 1) - index(down, 1)) / (2 * step)
			variance += slope * slope / float64(m) / float64(m*times)
		}
		long := indexOf(many, n)
		const quantile = 1.959963984540054
		const correction, rounding = 1e-3, 1e-6 // the root of a variance that rounding makes
		if se := (long.Value - long.Lo) / quantile; math.Abs(se-math.Sqrt(variance)) > correction*se+rounding {
			t.Errorf("problem %d: the standard error is %g, want %g", k, se, math.Sqrt(variance))
		}
	}
}

func TestIndexAtItsEnds(t *testing.T) {
	same := [][]int{{1, 3}, {3, 1}, {1, 3}}
	if got := indexOf(same, 5); got != (Index{1, 1, 1, true}) {
		t.Errorf("equal rounds have %+v", got)
	}
	for _, none := range [][][]int{nil, {{1}}, {{}, {}}, {{0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}}} {
		if got := indexOf(none, 5); got.Defined {
			t.Errorf("%v has the index %v", none, got.Value)
		}
	}
	if got := indexOf([][]int{{0}, {1}}, 2); math.Abs(got.Value+1) > within {
		t.Errorf("two opposite rounds have %v, want −1/(M−1)", got.Value)
	}
}

// Of five rounds, feature 2 comes in exactly when feature 0 does not, and feature 3 always.
func TestStandIns(t *testing.T) {
	got := New([]int{0, 1}, [][]int{{0, 1, 3}, {0, 1, 3}, {2, 1, 3}, {0, 4, 3}, {2, 1, 3}}, 6)
	want := []Feature{
		{Count{0, 3}, []StandIn{{Count{2, 2}}}},
		{Count{1, 4}, []StandIn{{Count{4, 1}}}},
	}
	if !reflect.DeepEqual(got.Features, want) {
		t.Errorf("got %+v, want %+v", got.Features, want)
	}
	if others := []Count{{3, 5}, {2, 2}, {4, 1}}; !reflect.DeepEqual(got.Others, others) || got.Rounds != 5 {
		t.Errorf("got %+v of %d rounds, want %+v", got.Others, got.Rounds, others)
	}
}
