package compare

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/eval/metric"
)

// several are evaluations of rankings with given means and noise on q queries; a query may have no
// value.
func several(rng *rand.Rand, q int, noise float64, means ...float64) []*metric.Report {
	reports := make([]*metric.Report, len(means))
	for k, mean := range means {
		reports[k] = &metric.Report{Results: []metric.Result{{Metric: metric.NDCG}, {Metric: metric.Disagreement}}}
		for g := range q {
			values := make([]metric.Value, 2)
			for j := range values {
				v := mean
				if j == 1 {
					v = 1 - mean
				}
				values[j] = metric.Value{Value: v + noise*rng.NormFloat64(), Defined: g%7 != k}
			}
			reports[k].PerQuery = append(reports[k].PerQuery, metric.QueryValues{Values: values})
		}
	}
	return reports
}

// Every pair has the results of Reports over the queries with a value under all rankings. Its
// p-values are corrected over all pairs and metrics, and exactly the pairs that do not differ share
// letters.
func TestAll(t *testing.T) {
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 2))
		reports := several(rng, 30+rng.IntN(30), 0.1, 0.5, 0.52, 0.55, 0.6, 0.5, 0.7)
		opts := Options{Resamples: 300, Seed: seed}
		c, err := All(reports, opts)
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Pairs) != 15 || len(c.Standings) != 2 {
			t.Fatalf("%d pairs, %d standings", len(c.Pairs), len(c.Standings))
		}
		var wilcoxon, flips []float64
		for _, p := range c.Pairs {
			for _, r := range p.Results {
				wilcoxon, flips = append(wilcoxon, r.Wilcoxon.P), append(flips, r.Flips.P)
			}
		}
		wilcoxon, flips = Holm(wilcoxon), Holm(flips)
		both := complete(reports)
		for k, p := range c.Pairs {
			a, b := *reports[p.A], *reports[p.B]
			a.PerQuery, b.PerQuery = both[p.A], both[p.B]
			alone, err := Reports(&a, &b, opts)
			if err != nil {
				t.Fatal(err)
			}
			for j, r := range p.Results {
				want := alone.Results[j]
				want.WilcoxonHolm, want.FlipsHolm = wilcoxon[2*k+j], flips[2*k+j]
				if r != want {
					t.Errorf("pair %d and %d: %+v, want %+v", p.A, p.B, r, want)
				}
				s := c.Standings[j]
				share := slices.ContainsFunc(s.Groups[p.A], func(g int) bool {
					return slices.Contains(s.Groups[p.B],
						g)
				})
				if share != (r.FlipsHolm > Level) {
					t.Errorf("%s, %d and %d: p %v, groups %v and %v", r.Metric, p.A, p.B, r.FlipsHolm, s.Groups[p.A],
						s.Groups[p.B])
				}
				if s.Means[p.A] != r.A || s.Queries != r.Queries || s.Undefined != r.Undefined {
					t.Errorf("%s: %+v beside %+v", r.Metric, s, r)
				}
			}
		}
		for _, s := range c.Standings { // the best has the first letter
			best := 0
			for k := range s.Means {
				if better(s.Means[k], s.Means[best], s.Metric) < 0 {
					best = k
				}
			}
			if s.Groups[best][0] != 0 {
				t.Errorf("%s: the best has groups %v", s.Metric, s.Groups[best])
			}
		}
	}
}

// Too few patterns of signs for any pair to be significant after the correction are a warning.
func TestAllWarnsOfFewDraws(t *testing.T) {
	reports := several(rand.New(rand.NewPCG(1, 1)), 160, 0.1, 0.1, 0.4, 0.7, 0.9)
	for resamples, want := range map[int]int{239: 0, 238: 1} { // 12 comparisons, 12/240 = Level
		c, err := All(reports, Options{Resamples: resamples})
		if err != nil || len(c.Warnings) != want {
			t.Errorf("%v, %d resamples: warnings %q", err, resamples, c.Warnings)
		}
		apart := !slices.Equal(c.Standings[0].Groups[0], c.Standings[0].Groups[3])
		if apart != (want == 0) {
			t.Errorf("%d resamples: groups %v", resamples, c.Standings[0].Groups)
		}
	}
}

// Exactly the pairs that do not differ share letters, for any such pairs, and no letter is
// redundant.
func TestLetters(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 4))
		k := 2 + rng.IntN(7)
		order := rng.Perm(k)
		var differ [][2]int
		for a := range k {
			for b := a + 1; b < k; b++ {
				if rng.IntN(2) == 0 {
					differ = append(differ, [2]int{a, b})
				}
			}
		}
		of := letters(order, differ)
		most := 0
		for _, groups := range of {
			most = max(most, slices.Max(append(groups, -1))+1)
		}
		shared := func(a, b, without int) bool {
			return slices.ContainsFunc(of[a], func(g int) bool { return g != without && slices.Contains(of[b], g) })
		}
		for a := range k {
			if len(of[a]) == 0 {
				t.Fatalf("%d: %d has no letter", seed, a)
			}
			for b := a + 1; b < k; b++ {
				if shared(a, b, -1) == slices.Contains(differ, [2]int{a, b}) {
					t.Errorf("%d: %d and %d have %v and %v, differing %v", seed, a, b, of[a], of[b], differ)
				}
			}
		}
		for g := range most { // maximal: no other letter has all of its rankings
			for h := range most {
				held := h != g
				for i := range k {
					held = held && (!slices.Contains(of[i], g) || slices.Contains(of[i], h))
				}
				if held {
					t.Errorf("%d: letter %d is within %d: %v", seed, g, h, of)
				}
			}
		}
	}
}

// Among equal rankings at least one pair differs in at most 5 % of the trials.
func TestAllAlike(t *testing.T) {
	const runs = 200
	wrong := 0
	for seed := range uint64(runs) {
		c, err := All(several(rand.New(rand.NewPCG(seed, 5)), 25, 0.1, 0.5, 0.5, 0.5, 0.5), Options{Resamples: 100,
			Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range c.Standings {
			if slices.ContainsFunc(s.Groups, func(g []int) bool { return len(g) != 1 || g[0] != 0 }) {
				wrong++
				break
			}
		}
	}
	if most := runs*Level + 3*math.Sqrt(runs*Level*(1-Level)); float64(wrong) > most {
		t.Errorf("some of four rankings that are alike differ in %d of %d", wrong, runs)
	}
}
