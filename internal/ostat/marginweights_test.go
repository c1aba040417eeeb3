package ostat

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/internal/gen"
)

// TestMarginsWeigh compares degrees, losses and slopes of rows with weights with the definition, for every way of
// counting, few and many labels, and times.
func TestMarginsWeigh(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	for range gen.Count(t, 1500) {
		levels := []int{1, 2, 3, 5, 8, 1000}[r.IntN(6)]
		l := drawLists(r, 40, levels)
		w := make([]float64, len(l.y))
		for i := range w {
			w[i] = math.Exp(3 * r.NormFloat64())
		}
		degrees, slope, hinge := make([]float64, len(w)), make([]float64, len(w)), 0.0
		for b := range l.weights {
			list := l.rows[l.bounds[b]:l.bounds[b+1]]
			for _, i := range list {
				for _, j := range list {
					marked := func(i int32) bool { return l.censored != nil && l.censored[i] }
					above := l.y[i] > l.y[j] || l.y[i] == l.y[j] && marked(i)
					if short := 1 - (l.f[i] - l.f[j]); above && !marked(j) && short > 0 {
						pair := l.weights[b] * w[i] * w[j]
						degrees[i], degrees[j] = degrees[i]+pair, degrees[j]+pair
						slope[i], slope[j] = slope[i]-pair, slope[j]+pair
						hinge += pair * short
					}
				}
			}
		}
		for _, way := range Countings {
			if way == Levels && (levels > maxLevels || l.censored != nil && 2*levels > maxLevels) {
				continue
			}
			g, err := NewTimedMargins(l.y, l.censored, l.rows, l.bounds, way)
			if err != nil {
				t.Fatal(err)
			}
			g.SetWeights(w)
			g.Sort(l.f)
			g.Count()
			got := make([]float64, len(w))
			if v := g.HingeTo(got, l.weights); math.Abs(v-hinge) > 1e-9*(1+math.Abs(hinge)) {
				t.Fatalf("%s: hinge loss %v, want %v", way, v, hinge)
			}
			for i, v := range got {
				if math.Abs(v-slope[i]) > 1e-12*(1+degrees[i]) {
					t.Fatalf("%s: slope %v of row %d, want %v", way, v, i, slope[i])
				}
			}
			g.DegreesTo(got, l.weights)
			for i, v := range got {
				if math.Abs(v-degrees[i]) > 1e-12*degrees[i] {
					t.Fatalf("%s: degree %v of row %d, want %v", way, v, i, degrees[i])
				}
			}
		}
	}
}

// TestMarginsWeighLongLists compares ways of weighing lists that are swept from both sides at once.
func TestMarginsWeighLongLists(t *testing.T) {
	const m = largeList + 5
	r := rand.New(rand.NewPCG(27, 28))
	for _, levels := range []int{2, 5, 7, 1000} {
		y, f, w, rows := make([]float64, m), make([]float64, m), make([]float64, m), make([]int32, m)
		for i := range y {
			y[i], f[i], w[i], rows[i] = float64(r.IntN(levels)), 2*r.NormFloat64(), r.ExpFloat64()+0.01, int32(i)
		}
		var of [2][]float64
		for k, way := range []Counting{Tree, Auto} {
			g, err := NewMargins(y, rows, []int{0, m}, way)
			if err != nil {
				t.Fatal(err)
			}
			g.SetWeights(w)
			g.Sort(f)
			g.Count()
			of[k] = make([]float64, m)
			g.DegreesTo(of[k], []float64{1})
		}
		for i, want := range of[0] {
			if got := of[1][i]; math.Abs(got-want) > 1e-11*want {
				t.Fatalf("%d levels: degree %v of row %d, want %v", levels, got, i, want)
			}
		}
	}
}
