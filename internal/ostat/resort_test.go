package ostat

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// movingScores are score vectors as they follow each other: far apart and close by,
// spread evenly, unevenly and not at all.
func movingScores(r *rand.Rand, m int) map[string][]float64 {
	made := func(f func(i int) float64) []float64 {
		v := make([]float64, m)
		for i := range v {
			v[i] = f(i)
		}
		return v
	}
	normal := made(func(int) float64 { return 2 * r.NormFloat64() })
	return map[string][]float64{
		"zeros":     made(func(int) float64 { return 0 }),
		"normal":    normal,
		"moved":     made(func(i int) float64 { return normal[i] + 0.01*r.NormFloat64() }),
		"signs":     made(func(int) float64 { return math.Copysign(float64(r.IntN(2)), -1) }),
		"ties":      made(func(int) float64 { return 0.25 * float64(r.IntN(30)) }),
		"tails":     made(func(int) float64 { return math.Exp(6 * r.NormFloat64()) }),
		"steps":     made(func(int) float64 { return math.Ldexp(1+r.Float64()*1e-9, r.IntN(600)-300) }),
		"outlier":   made(func(i int) float64 { return normal[i] + 1e12*float64(1/(i+1)) }),
		"too wide":  made(func(i int) float64 { return normal[i] * math.Ldexp(1, 1023-1023*min(i, 1)) / 2 }),
		"far":       made(func(i int) float64 { return 1e6 + normal[i] }),
		"ascending": made(func(i int) float64 { return float64(i) / 1000 }),
	}
}

// TestResortIsSort sorts a large list by one score vector after another, and compares
// order and counts with those of a list that is sorted for the first time and counted by
// the tree. The order is the same on any number of threads, ties included.
func TestResortIsSort(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for _, m := range []int{largeList, 2*largeList + 77} {
		y, rows := make([]float64, m), make([]int32, m)
		for i, k := range r.Perm(m) {
			y[i], rows[i] = float64(r.IntN(m/2)), int32(k)
		}
		scores := movingScores(r, m)
		names := slices.Repeat(slices.Sorted(func(yield func(string) bool) {
			for name := range scores {
				yield(name)
			}
		}), 2)
		r.Shuffle(len(names), func(a, b int) { names[a], names[b] = names[b], names[a] })
		var orders [][]int32
		for _, threads := range []int{1, 3} {
			old := runtime.GOMAXPROCS(threads)
			g, err := NewMargins(y, rows, []int{0, m}, Auto)
			if err != nil {
				t.Fatal(err)
			}
			for k, name := range names {
				if g.Sort(nanAt(scores[name], m/3)) {
					t.Fatalf("m=%d: NaN is sorted", m)
				}
				if !g.Sort(scores[name]) {
					t.Fatalf("m=%d %s: refused", m, name)
				}
				g.Count()
				if threads == 1 {
					checkOrder(t, name, g, y, scores[name])
					orders = append(orders, slices.Clone(g.row))
				} else if !slices.Equal(g.row, orders[k]) {
					t.Fatalf("m=%d %s: another order on %d threads", m, name, threads)
				}
			}
			runtime.GOMAXPROCS(old)
		}
	}
}

// nanAt is a copy of v with a NaN.
func nanAt(v []float64, at int) []float64 {
	v = slices.Clone(v)
	v[at] = math.NaN()
	return v
}

// checkOrder compares the positions of g, of one list, with the scores f, and its counts
// with those of the tree.
func checkOrder(t *testing.T, name string, g *Margins, y, f []float64) {
	t.Helper()
	m := len(f)
	seen, label := make([]bool, m), make([]float64, m) // label: by place
	for k, tag := range g.tags {
		label[uint32(tag)] = y[g.rows[k]]
	}
	for a, i := range g.row {
		if seen[i] || g.score[a] != f[i] || math.Signbit(g.score[a]) && f[i] == 0 || a > 0 &&
			g.score[a] < g.score[a-1] {
			t.Fatalf("m=%d %s: position %d has row %d with %v", m, name, a, i, g.score[a])
		}
		seen[i] = true
		if k := g.key[a]; y[i] != label[k] || y[i] != label[g.least[a]] || y[i] != label[g.past[a]-1] {
			t.Fatalf("m=%d %s: the places of row %d are not of its label", m, name, i)
		}
	}
	tree, err := NewMargins(y, g.rows, g.bounds, Tree)
	if err != nil {
		t.Fatal(err)
	}
	tree.Sort(f)
	tree.Count()
	c, d := counts(g)
	if worse, better := counts(tree); !slices.Equal(c, worse) || !slices.Equal(d, better) {
		t.Fatalf("m=%d %s: other counts than the tree's", m, name)
	}
}
