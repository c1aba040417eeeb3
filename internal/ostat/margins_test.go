package ostat

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pairrank/internal/gen"
)

// lists is random labelled rows in lists.
type lists struct {
	y, f, v  []float64
	censored []bool // nil for labels
	rows     []int32
	bounds   []int
	weights  []float64 // of each list
}

// drawLists makes up to most rows in several lists, labels and scores with many
// ties, and differences of scores that are 1 exactly or within rounding.
func drawLists(r *rand.Rand, most, levels int) lists {
	m := 1 + r.IntN(most)
	l := lists{y: make([]float64, m), f: make([]float64, m), v: make([]float64, m), bounds: []int{0}}
	step := []float64{0.25, 0.1, 1, 1e-9, 0}[r.IntN(5)]
	shift := []float64{0, 0, 1e6, -12345.678}[r.IntN(4)]
	for i := range m {
		l.y[i] = float64(r.IntN(levels))
		if levels > 20 {
			l.y[i] = r.NormFloat64()
		}
		if step == 0 {
			l.f[i] = 2*r.NormFloat64() + shift
		} else {
			l.f[i] = shift + step*float64(r.IntN(20)) + float64(r.IntN(3))
		}
		l.v[i] = r.NormFloat64() + shift
		l.rows = append(l.rows, int32(i))
	}
	r.Shuffle(m, func(a, b int) { l.rows[a], l.rows[b] = l.rows[b], l.rows[a] })
	for at := 0; at < m; {
		at += r.IntN(m - at + 1)
		l.bounds = append(l.bounds, at)
		l.weights = append(l.weights, 1+r.Float64())
	}
	if share := []float64{0, 0.2, 0.8, 1}[r.IntN(4)]; share > 0 {
		l.censored = make([]bool, m)
		for i := range l.censored {
			l.censored[i] = r.Float64() < share
		}
	}
	return l
}

// lower reports whether row j is the lower one of a pair with row i: of labels that with the lesser, of times that
// with the event before, or with the only event of the same time.
func (l lists) lower(j, i int32) bool {
	if l.censored == nil {
		return l.y[j] < l.y[i]
	}
	return !l.censored[j] && (l.y[j] < l.y[i] || l.y[j] == l.y[i] && l.censored[i])
}

// graph is the definition: the counts, the hinge loss, and the Laplacian times v.
func (l lists) graph() (worse, better []int32, hinge float64, product, pairs []float64) {
	m := len(l.y)
	pairs = make([]float64, len(l.bounds)-1)
	worse, better, product = make([]int32, m), make([]int32, m), make([]float64, m)
	for b := range len(l.bounds) - 1 {
		rows := l.rows[l.bounds[b]:l.bounds[b+1]]
		for _, i := range rows {
			for _, j := range rows {
				if !l.lower(j, i) {
					continue
				}
				pairs[b]++
				if l.f[i]-l.f[j] < 1 {
					worse[j]++
					better[i]++
					product[i] += l.weights[b] * (l.v[i] - l.v[j])
					product[j] += l.weights[b] * (l.v[j] - l.v[i])
					hinge += l.weights[b] * (1 - (l.f[i] - l.f[j]))
				}
			}
		}
	}
	return worse, better, hinge, product, pairs
}

func counts(g *Margins) (worse, better []int32) {
	worse, better = make([]int32, len(g.rows)), make([]int32, len(g.rows))
	for a, i := range g.row {
		worse[i], better[i] = g.worse[a], g.better[a]
	}
	return worse, better
}

// TestMarginsAgree compares every way of counting with the definition: counts
// exactly, sums within rounding.
func TestMarginsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	n := gen.Count(t, 3000)
	for range n {
		levels := []int{1, 2, 3, 8, 12, 1000}[r.IntN(6)]
		l := drawLists(r, 40, levels)
		worse, better, hinge, product, pairs := l.graph()
		for _, way := range Countings {
			if way == Levels && (levels > maxLevels || l.censored != nil && 2*levels > maxLevels) {
				continue
			}
			g, err := NewTimedMargins(l.y, l.censored, l.rows, l.bounds, way)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(g.pairs, pairs) {
				t.Fatalf("%s: %v pairs, want %v", way, g.pairs, pairs)
			}
			if !g.Sort(l.f) {
				t.Fatal("finite scores are refused")
			}
			g.Count()
			if c, d := counts(g); !slices.Equal(c, worse) || !slices.Equal(d, better) {
				t.Fatalf("%s: labels %v marks %v scores %v lists %v of %v:\n c %v want %v\n d %v want %v",
					way, l.y, l.censored, l.f, l.bounds, l.rows, c, worse, d, better)
			}
			got := make([]float64, len(l.y))
			// the largest sum has 800 pairs of size up to 20
			if v := g.HingeTo(got, l.weights); math.Abs(v-hinge) > 1e-10*(1+math.Abs(hinge)) {
				t.Fatalf("%s: hinge loss %v, want %v", way, v, hinge)
			}
			for b := range l.weights {
				for _, i := range g.ListRows(b) {
					if want := l.weights[b] * float64(worse[i]-better[i]); got[i] != want {
						t.Fatalf("%s: slope %v of row %d, want %v", way, got[i], i, want)
					}
				}
			}
			g.LaplacianMulTo(got, l.v, l.weights)
			for i, x := range got {
				// 40 rows of size |v|; the definition subtracts before it adds.
				if tol := 1e-13 * 40 * (math.Abs(l.v[i]) + 10); math.Abs(x-product[i]) > tol {
					t.Fatalf("%s: product %v at %d, want %v", way, x, i, product[i])
				}
			}
		}
	}
	t.Logf("%d random problems, %d ways", n, len(Countings))
}

// TestMarginsOfLongLists compares the ways for lists beyond every bound of a
// data structure, on one and on several threads, and counts allocations.
func TestMarginsOfLongLists(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for _, m := range []int{shortRows, shortRows + 1, 5000, largeList - 1, largeList, largeList + 77} {
		for _, levels := range []int{5, 300, 0, -3, -300, -1 << 30} { // below 0: of times that may be censored
			y, f, v := make([]float64, m), make([]float64, m), make([]float64, m)
			rows, censored := make([]int32, m), make([]bool, m)
			if levels >= 0 {
				censored = nil
			}
			for i := range y {
				rows[i] = int32(i)
				y[i], f[i], v[i] = r.NormFloat64(), 3*r.NormFloat64(), r.NormFloat64()
				if levels > 0 {
					y[i] = float64(r.IntN(levels))
				} else if levels < 0 {
					y[i], censored[i] = float64(r.IntN(-levels)), r.IntN(3) == 0
				}
			}
			var worse, better []int32
			var product []float64
			hinge := map[Counting]float64{}
			for _, way := range []Counting{Tree, Auto, Fenwick} {
				for _, threads := range []int{1, 3} {
					old := runtime.GOMAXPROCS(threads)
					g, err := NewTimedMargins(y, censored, rows, []int{0, m}, way)
					if err != nil {
						t.Fatal(err)
					}
					g.Sort(f)
					g.Count()
					got := make([]float64, m)
					value := g.HingeTo(got, []float64{1})
					g.LaplacianMulTo(got, v, []float64{1})
					runtime.GOMAXPROCS(old)
					if before, ok := hinge[way]; ok && value != before {
						t.Fatalf("m=%d levels=%d %s: the loss is %v on %d threads, else %v",
							m, levels, way, value, threads, before)
					}
					hinge[way] = value
					c, d := counts(g)
					if worse == nil {
						worse, better, product = c, d, got
						continue
					}
					if !slices.Equal(c, worse) || !slices.Equal(d, better) {
						t.Fatalf("m=%d levels=%d %s on %d threads counts other pairs than the tree",
							m, levels, way, threads)
					}
					for i, x := range got {
						if math.Abs(x-product[i]) > 1e-11*float64(m) {
							t.Fatalf("m=%d levels=%d %s: product %v at %d, the tree has %v",
								m, levels, way, x, i, product[i])
						}
					}
				}
			}
		}
	}
}

func TestMarginsAllocateNothing(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	r := rand.New(rand.NewPCG(25, 26))
	for _, levels := range []int{3, 1000} {
		l := drawLists(r, 3000, levels)
		g, err := NewMargins(l.y, l.rows, l.bounds, Auto)
		if err != nil {
			t.Fatal(err)
		}
		out := make([]float64, len(l.y))
		work := func() {
			g.Sort(l.f)
			g.Count()
			g.LaplacianMulTo(out, l.v, l.weights)
		}
		work()
		if n := testing.AllocsPerRun(10, work); n > 8 { // the closures of three loops over pieces
			t.Errorf("levels %d: %v allocations", levels, n)
		}
	}
}

func TestMarginsRefuse(t *testing.T) {
	y := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}
	rows := []int32{0, 1, 2, 3, 4, 5, 6, 7, 8}
	if _, err := NewMargins(y, rows, []int{0, 9}, Levels); err == nil {
		t.Error("nine levels are counted by levels")
	}
	if _, err := NewMargins(y, rows, []int{0, 9}, "abacus"); err == nil {
		t.Error("an unknown counter is taken")
	}
	g, err := NewMargins(y, rows, []int{0, 9}, Auto)
	if err != nil {
		t.Fatal(err)
	}
	if g.Sort([]float64{0, 0, math.NaN(), 0, 0, 0, 0, 0, 0}) {
		t.Error("NaN is sorted")
	}
	if g.Pairs(0) != 36 {
		t.Errorf("%v pairs of nine different labels", g.Pairs(0))
	}
}
