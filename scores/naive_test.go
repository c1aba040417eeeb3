package scores

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/linalg"
)

// drawn is a table of random scores, some missing; with clusters of items as units where of > 1.
func drawn(r *rand.Rand, systems, items, of int, missing float64) *Problem {
	p := &Problem{Unit: "item", Y: data.NewDense(items, systems, nil)}
	for k := range systems {
		p.Systems = append(p.Systems, string(rune('A'+k)))
	}
	for i := range items {
		p.Items = append(p.Items, string(rune('a'+i)))
		hard := r.NormFloat64()
		for k := range systems {
			p.Y.Row(i)[k] = hard + .3*float64(k) + r.NormFloat64()
			if r.Float64() < missing {
				p.Y.Row(i)[k] = math.NaN()
			}
		}
		if of > 1 {
			p.Units = append(p.Units, i/of)
		}
	}
	return p
}

// solve solves a square system by elimination with pivots.
func solve(a [][]float64, b []float64) []float64 {
	n := len(b)
	for c := range n {
		best := c
		for r := c; r < n; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[best][c]) {
				best = r
			}
		}
		a[c], a[best], b[c], b[best] = a[best], a[c], b[best], b[c]
		for r := c + 1; r < n; r++ {
			q := a[r][c] / a[c][c]
			for k := c; k < n; k++ {
				a[r][k] -= q * a[c][k]
			}
			b[r] -= q * b[c]
		}
	}
	for c := n - 1; c >= 0; c-- {
		for k := c + 1; k < n; k++ {
			b[c] -= a[c][k] * b[k]
		}
		b[c] /= a[c][c]
	}
	return b
}

// naiveWorths are a of the least squares over a and b, with a number for each system but the first and for each item,
// by the normal equations of all cells.
func naiveWorths(p *Problem, use func(i int) bool) []float64 {
	s, n := len(p.Systems), len(p.Systems)-1+p.Y.Rows
	a, b := make([][]float64, n), make([]float64, n)
	for k := range a {
		a[k] = make([]float64, n)
	}
	for i := range p.Y.Rows {
		a[s-1+i][s-1+i] += 1e-300 // of an item without scores
		for k, y := range p.Y.Row(i) {
			if math.IsNaN(y) || !use(i) {
				continue
			}
			of := []int{s - 1 + i}
			if k > 0 {
				of = append(of, k-1)
			}
			for _, u := range of {
				b[u] += y
				for _, v := range of {
					a[u][v]++
				}
			}
		}
	}
	x := append([]float64{0}, solve(a, b)[:s-1]...)
	mean := 0.0
	for _, w := range x {
		mean += w / float64(s)
	}
	for k := range x {
		x[k] -= mean
	}
	return x
}

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance*(1+math.Abs(b)) }

// The worths are those of least squares over a and b, and the covariance is that of the worths without each unit.
func TestWorthsAndErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 43))
	for try := range 60 {
		p := drawn(r, 2+try%5, 8+try%7, 1+try%3, []float64{0, .2}[try%2])
		if len(p.parts()) > 1 {
			continue
		}
		f, err := fitOf(p)
		if err != nil {
			t.Log(err)
			continue
		}
		want := naiveWorths(p, func(int) bool { return true })
		for k, w := range want {
			if !near(f.worth[k], w, 1e-10) {
				t.Fatalf("table %d: worth %g, not %g", try, f.worth[k], w)
			}
		}
		of, all := p.units()
		var without [][]float64
		mean := make([]float64, len(want))
		for g := range all {
			compared := false
			for i, u := range of {
				_, _, n := moments(p.Y.Row(i))
				compared = compared || u == g && n > 1
			}
			if !compared {
				continue
			}
			w := naiveWorths(p, func(i int) bool { return of[i] != g })
			without = append(without, w)
			for k := range w {
				mean[k] += w[k]
			}
		}
		n := float64(len(without))
		if f.units != len(without) {
			t.Fatalf("table %d: %d units, not %d", try, f.units, len(without))
		}
		for k := range want {
			for l := range want {
				c := 0.0
				for _, w := range without {
					c += (n - 1) / n * (w[k] - mean[k]/n) * (w[l] - mean[l]/n)
				}
				if !near(f.covariance.Row(k)[l], c, 1e-9) {
					t.Fatalf("table %d: covariance %g, not %g", try, f.covariance.Row(k)[l], c)
				}
			}
		}
	}
}

// R of each draw is that of the contributions added up one by one, and the systems told apart are those of steps over
// all patterns of signs.
func TestFlips(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 43))
	for try := range 30 {
		p := drawn(r, 3+try%3, 7+try%4, 1, .1*float64(try%3))
		if len(p.parts()) > 1 || p.essential() >= 0 {
			continue
		}
		f, err := fitOf(p)
		if err != nil {
			t.Fatal(err)
		}
		d := flipsOf(f, 1)
		if !d.exact || d.drawn.Rows != 1<<(f.units-1) {
			t.Fatalf("%d draws of %d units", d.drawn.Rows, f.units)
		}
		s, n := len(p.Systems), f.units
		var pairs []pair
		for a := range s {
			for b := a + 1; b < s; b++ {
				pairs = append(pairs, pair{s: a, t: b, margin: .1 * float64(try%2)})
			}
		}
		contribution := contributions(p, f)
		statistic := func(p2 pair, pattern int) float64 {
			sum, square := 0.0, 0.0
			for i := range n {
				w := contribution(i, p2)
				square += w * w
				if pattern>>i&1 == 1 {
					w = -w
				}
				sum += w
			}
			return math.Abs(sum) / math.Sqrt(square)
		}
		want := make([]bool, len(pairs))
		for changed := true; changed; {
			changed = false
			reach := make([]int, len(pairs))
			for pattern := range 1 << n {
				most := 0.0
				for k := range pairs {
					if !want[k] {
						most = max(most, statistic(pairs[k], pattern))
					}
				}
				for k := range pairs {
					if most >= statistic(pairs[k], 0)*(1-1e-10) {
						reach[k]++
					}
				}
			}
			var now []int
			for k := range pairs {
				if !want[k] && float64(reach[k]) <= level*float64(int(1)<<n) {
					now, changed = append(now, k), true
				}
			}
			for _, k := range now {
				want[k] = true
			}
		}
		got, _, _ := d.apart(pairs)
		for k := range pairs {
			if got[k] != want[k] {
				t.Errorf("table %d: pair %v told apart: %v, not %v", try, pairs[k], got[k], want[k])
			}
			if x := math.Abs(d.gap(pairs[k])) * d.scale(pairs[k]); !near(x, statistic(pairs[k], 0), 1e-9) {
				t.Errorf("table %d: R %g, not %g", try, x, statistic(pairs[k], 0))
			}
		}
	}
}

// contributions are w_g of a unit and a pair, times a number: differences of scores in a complete table, where units
// are items.
func contributions(p *Problem, f *fit) func(g int, of pair) float64 {
	if p.missing() == 0 {
		return func(g int, of pair) float64 { return p.Y.Row(g)[of.s] - p.Y.Row(g)[of.t] - of.margin }
	}
	s := len(p.Systems)
	l := linalg.NewMat(s, s)
	var units []linalg.Mat // L_g
	for i := range p.Y.Rows {
		row, of := p.Y.Row(i), linalg.NewMat(s, s)
		_, _, n := moments(row)
		for k := range s {
			for t := range s {
				if math.IsNaN(row[k]) || math.IsNaN(row[t]) {
					continue
				}
				of.Row(k)[t] = -1 / float64(n)
				if k == t {
					of.Row(k)[t]++
				}
				l.Row(k)[t] += of.Row(k)[t]
			}
		}
		if n >= 2 {
			units = append(units, of)
		}
	}
	inverse, err := pseudoInverse(l)
	if err != nil {
		panic(err)
	}
	known := func(g, k int) float64 { // (L⁺ L_g L⁺)_kk
		sum := 0.0
		for a := range s {
			for b := range s {
				sum += inverse.Row(k)[a] * units[g].Row(a)[b] * inverse.Row(b)[k]
			}
		}
		return sum
	}
	return func(g int, of pair) float64 {
		q := (known(g, of.s) + known(g, of.t)) / (inverse.Row(of.s)[of.s] + inverse.Row(of.t)[of.t])
		return q*(f.worth[of.s]-f.worth[of.t]-of.margin) + f.parts.Row(g)[of.s] - f.parts.Row(g)[of.t]
	}
}

// Groups are the maximal sets in which no two are told apart.
func TestGroups(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 43))
	for range 200 {
		n := 1 + r.IntN(8)
		tied := make([][]bool, n)
		for a := range tied {
			tied[a] = make([]bool, n)
		}
		for a := range n {
			for b := range a {
				tied[a][b] = r.IntN(3) > 0
				tied[b][a] = tied[a][b]
			}
		}
		want := map[int]bool{}
		for set := 1; set < 1<<n; set++ {
			clique := func(set int) bool {
				for a := range n {
					for b := range a {
						if set>>a&1 == 1 && set>>b&1 == 1 && !tied[a][b] {
							return false
						}
					}
				}
				return true
			}
			maximal := clique(set)
			for a := range n {
				maximal = maximal && (set>>a&1 == 1 || !clique(set|1<<a))
			}
			if maximal {
				want[set] = true
			}
		}
		groups := groupsOf(n, func(a, b int) bool { return tied[a][b] })
		for _, g := range groups {
			set := 0
			for _, k := range g {
				set |= 1 << k
			}
			if !want[set] {
				t.Fatalf("%v is not a maximal set", g)
			}
		}
		if len(groups) != len(want) {
			t.Fatalf("%d groups, not %d", len(groups), len(want))
		}
	}
}
