package ostat

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// timings are the ways to count pairs, until some horizons.
func timings(until ...float64) (all []Timing) {
	for _, t := range until {
		all = append(all, Timing{Alike, t}, Timing{Squared, t})
		if !math.IsInf(t, 1) {
			all = append(all, Timing{Dynamic, t})
		}
	}
	return all
}

// naiveTimed is the definition: all pairs, and G by all rows.
func naiveTimed(times []float64, censored []bool, f []float64, by Timing) []TimedPairs {
	each := make([]TimedPairs, len(times))
	for i, t := range times {
		if censored[i] || t > by.Until {
			continue
		}
		g := 1.0
		for k, u := range times {
			risk, left, first := 0.0, 0.0, true
			for l, v := range times {
				if v > u || v == u && censored[l] {
					risk++
				}
				if v == u && censored[l] {
					left++
					first = first && l >= k
				}
			}
			if u < t && censored[k] && first { // once a time
				g *= 1 - left/risk
			}
		}
		for j, v := range times {
			w, counts := 1.0, t < v || t == v && censored[j]
			switch by.Weighing {
			case Squared:
				w = 1 / (g * g)
			case Dynamic:
				w, counts = 1/g, v > by.Until
			}
			if counts {
				right := 0.0
				if f[i] == f[j] {
					right = 0.5
				} else if f[i] < f[j] {
					right = 1
				}
				for _, r := range []int{i, j} {
					each[r].Pairs, each[r].Right = each[r].Pairs+w, each[r].Right+w*right
				}
			}
		}
	}
	return each
}

func nearTimed(a, b TimedPairs) bool {
	near := func(x, y float64) bool { return math.Abs(x-y) <= 1e-12*max(1, math.Abs(y)) }
	return near(a.Pairs, b.Pairs) && near(a.Right, b.Right)
}

func TestCensored(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var c Censored
	for range 2000 {
		m := rng.IntN(30)
		times, censored, f := make([]float64, m), make([]bool, m), make([]float64, m)
		levels, scores := 1+rng.IntN(20), 1+rng.IntN(12)
		for i := range m {
			times[i], censored[i] = float64(rng.IntN(levels)), rng.IntN(3) == 0
			f[i] = float64(rng.IntN(scores)) - 3
		}
		c.SetTimes(times, censored)
		each := make([]TimedPairs, m)
		if !c.Place(f) {
			t.Fatal("NaN")
		}
		for _, by := range timings(math.Inf(1), float64(rng.IntN(levels)), float64(levels)*rng.Float64()) {
			want, sum := naiveTimed(times, censored, f, by), TimedPairs{}
			c.EachTo(each, by)
			for i := range m {
				if !nearTimed(each[i], want[i]) {
					t.Fatalf("%v, row %d of %v %v %v: %v, want %v", by, i, times, censored, f, each[i], want[i])
				}
				sum.Pairs, sum.Right = sum.Pairs+want[i].Pairs/2, sum.Right+want[i].Right/2
			}
			if all := c.Sum(by); !nearTimed(all, sum) {
				t.Fatalf("%v: %v, want %v", by, all, sum)
			}
		}
		if m > 0 {
			f[0] = math.NaN()
			if c.Place(f) {
				t.Fatal("a score of NaN counts")
			}
		}
	}
}

// The concordance, weighted or not, and the terms of rows are those of R, over strata, too.
func TestCensoredAsR(t *testing.T) {
	text, err := os.ReadFile("testdata/concordance.tsv")
	if err != nil {
		t.Fatal(err)
	}
	numbers := func(text string) (xs []float64) {
		for field := range strings.SplitSeq(text, ",") {
			x, err := strconv.ParseFloat(field, 64)
			if err != nil {
				x = math.NaN()
			}
			xs = append(xs, x)
		}
		return xs
	}
	problems, compared := 0, [4]int{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		strata, times, events, f := numbers(fields[0]), numbers(fields[1]), numbers(fields[2]), numbers(fields[3])
		horizon := numbers(fields[8])[0]
		for n, by := range []Timing{{Alike, math.Inf(1)}, {Squared, math.Inf(1)}, {Alike, horizon}, {Squared, horizon}} {
			var each []TimedPairs
			all := TimedPairs{}
			for s := 1.0; s <= 3; s++ {
				var y, g []float64
				var censored []bool
				for i := range strata {
					if strata[i] == s {
						y, g, censored = append(y, times[i]), append(g, f[i]), append(censored, events[i] == 0)
					}
				}
				var c Censored
				c.SetTimes(y, censored)
				c.Place(g)
				p, some := c.Sum(by), make([]TimedPairs, len(y))
				c.EachTo(some, by)
				each = append(each, some...)
				all.Pairs, all.Right = all.Pairs+p.Pairs, all.Right+p.Right
			}
			c, se := all.Right/all.Pairs, 0.0
			for _, p := range each {
				se += math.Pow((p.Right-c*p.Pairs)/all.Pairs, 2)
			}
			for k, got := range []float64{c, math.Sqrt(se)} {
				want := numbers(fields[[]int{4, 6, 9, 11}[n]+k])[0]
				if !math.IsNaN(want) && !(math.Abs(got-want) <= 1e-12) {
					t.Errorf("%s: %v of %v is %.16g, and %.16g by R", line, k, by, got, want)
				}
				if !math.IsNaN(want) {
					compared[n]++
				}
			}
		}
		problems++
	}
	if problems != 500 || compared != [4]int{1000, 806, 1000, 806} {
		t.Errorf("%d problems, %v numbers of R", problems, compared)
	}
}

func BenchmarkCensored(b *testing.B) {
	const m = 1e6
	rng := rand.New(rand.NewPCG(1, 2))
	times, censored, f := make([]float64, m), make([]bool, m), make([]float64, m)
	for i := range times {
		times[i], censored[i], f[i] = rng.ExpFloat64(), rng.IntN(2) == 0, rng.NormFloat64()
	}
	var c Censored
	for b.Loop() {
		c.SetTimes(times, censored)
		c.Place(f)
		c.Sum(Timing{Squared, math.Inf(1)})
	}
}
