package ostat

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// naiveTimed is the definition: all pairs, and G by all rows.
func naiveTimed(times []float64, censored []bool, f []float64) []TimedPairs {
	each := make([]TimedPairs, len(times))
	for i, t := range times {
		if censored[i] {
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
			if t < v || t == v && censored[j] {
				right := 0.0
				if f[i] == f[j] {
					right = 0.5
				} else if f[i] < f[j] {
					right = 1
				}
				for _, r := range []int{i, j} {
					p := &each[r]
					p.Pairs, p.Right = p.Pairs+1, p.Right+right
					p.WeightedPairs, p.WeightedRight = p.WeightedPairs+1/(g*g), p.WeightedRight+right/(g*g)
				}
			}
		}
	}
	return each
}

func nearTimed(a, b TimedPairs) bool {
	near := func(x, y float64) bool { return math.Abs(x-y) <= 1e-12*max(1, math.Abs(y)) }
	return a.Pairs == b.Pairs && a.Right == b.Right && near(a.WeightedPairs, b.WeightedPairs) &&
		near(a.WeightedRight, b.WeightedRight)
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
		want, each := naiveTimed(times, censored, f), make([]TimedPairs, m)
		all, ok := c.Count(f)
		if !ok || !c.EachTo(each, f) {
			t.Fatal("NaN")
		}
		sum := TimedPairs{}
		for i := range m {
			if !nearTimed(each[i], want[i]) {
				t.Fatalf("row %d of %v %v %v: %v, want %v", i, times, censored, f, each[i], want[i])
			}
			sum.Pairs, sum.Right = sum.Pairs+want[i].Pairs/2, sum.Right+want[i].Right/2
			sum.WeightedPairs += want[i].WeightedPairs / 2
			sum.WeightedRight += want[i].WeightedRight / 2
		}
		if !nearTimed(all, sum) {
			t.Fatalf("%v, want %v", all, sum)
		}
		if m > 0 {
			f[0] = math.NaN()
			if _, ok := c.Count(f); ok || c.EachTo(each, f) {
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
	problems := 0
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		strata, times, events, f := numbers(fields[0]), numbers(fields[1]), numbers(fields[2]), numbers(fields[3])
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
			p, _ := c.Count(g)
			some := make([]TimedPairs, len(y))
			c.EachTo(some, g)
			each = append(each, some...)
			all.Pairs, all.Right = all.Pairs+p.Pairs, all.Right+p.Right
			all.WeightedPairs, all.WeightedRight = all.WeightedPairs+p.WeightedPairs, all.WeightedRight+p.WeightedRight
		}
		c, uno, seC, seUno := all.Right/all.Pairs, all.WeightedRight/all.WeightedPairs, 0.0, 0.0
		for _, p := range each {
			seC += math.Pow((p.Right-c*p.Pairs)/all.Pairs, 2)
			seUno += math.Pow((p.WeightedRight-uno*p.WeightedPairs)/all.WeightedPairs, 2)
		}
		for k, got := range []float64{c, math.Sqrt(seC), uno, math.Sqrt(seUno)} {
			want := numbers(fields[4+k])[0]
			if !math.IsNaN(want) && !(math.Abs(got-want) <= 1e-12) {
				t.Errorf("%s: number %d is %.16g, and %.16g by R", line, k, got, want)
			}
		}
		problems++
	}
	if problems != 500 {
		t.Errorf("%d problems", problems)
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
		c.Count(f)
	}
}
