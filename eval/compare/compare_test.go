package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/eval/metric"
)

// Two-sided critical values of W at 5 %, from the tables in textbooks: the
// largest min(W₊, W₋) with P ≤ 0.05.
func TestCriticalValuesOfTextbooks(t *testing.T) {
	for n, critical := range map[int]int{6: 0, 7: 2, 8: 3, 9: 5, 10: 8, 12: 13, 15: 25, 20: 52, 25: 89, 30: 137,
		40: 264, 50: 434} {
		doubled := make([]int, n)
		for i := range doubled {
			doubled[i] = 2 * (i + 1)
		}
		if at, above := exactSignedRanks(doubled, 2*critical), exactSignedRanks(doubled, 2*critical+2); at > 0.05 ||
			above <= 0.05 {
			t.Errorf("n = %d: P(%d) = %v, P(%d) = %v", n, critical, at, critical+1, above)
		}
	}
}

// Darwin's maize, 15 pairs in eighths of an inch (Fisher 1935): W₊ = 96, and
// 1726 of 2¹⁵ patterns of signs have a sum of at least 314 in magnitude.
func TestDarwinsMaize(t *testing.T) {
	d := []float64{49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48}
	if f := SignFlip(d, 0, 1); f.P != 1726.0/(1<<15) || !f.Exact {
		t.Errorf("sign flips: %+v", f)
	}
	if w := Wilcoxon(d, DropZeros); w.Plus != 96 || w.Minus != 24 || math.Abs(w.P-0.04126) > 1e-5 {
		t.Errorf("signed ranks: %+v", w)
	}
}

// Holm's correction of four p-values, by hand: 4·0.01, max(3·0.02, …), then
// 2·0.03 and 0.04 raised to what came before.
func TestHolm(t *testing.T) {
	got := Holm([]float64{0.04, 0.01, 0.03, 0.02})
	want := []float64{0.06, 0.04, 0.06, 0.06}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-15 { // one rounding of a product
			t.Errorf("%v, want %v", got, want)
		}
	}
	if got := Holm([]float64{0.6, 0.7}); got[0] != 1 || got[1] != 1 {
		t.Errorf("above 1: %v", got)
	}
	if got := Holm([]float64{0.3}); got[0] != 0.3 {
		t.Errorf("one alone: %v", got)
	}
	if got := Holm(nil); len(got) != 0 {
		t.Errorf("none: %v", got)
	}
}

// The order of queries, the sign and the unit of differences do not matter.
func TestInvariances(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	for _, n := range []int{1, 2, 7, 30, 80} {
		d := problem(rng, n, 9)
		shuffled, negated, doubled := slices.Clone(d), slices.Clone(d), slices.Clone(d)
		rng.Shuffle(n, func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		for i := range d {
			negated[i], doubled[i] = -d[i], 2*d[i]
		}
		w, f := Wilcoxon(d, DropZeros), SignFlip(d, 500, 5)
		if got := Wilcoxon(shuffled, DropZeros); got != w {
			t.Errorf("n = %d: %+v after a shuffle, %+v before", n, got, w)
		}
		if got := Wilcoxon(doubled, DropZeros); got != w || SignFlip(doubled, 500, 5) != f {
			t.Errorf("n = %d: %+v in another unit, %+v before", n, got, w)
		}
		if got := Wilcoxon(negated, DropZeros); got.P != w.P || got.Plus != w.Minus || SignFlip(negated, 500, 5) != f {
			t.Errorf("n = %d: %+v negated, %+v before", n, got, w)
		}
		if f.Exact && SignFlip(shuffled, 500, 5) != f {
			t.Errorf("n = %d: sign flips differ after a shuffle", n)
		}
	}
}

// Dropping zeros is as if those queries were not there; ranking them gives the
// others the ranks above.
func TestZeros(t *testing.T) {
	d := []float64{0, 3, 0, -1, 2, 5, 0}
	if got, want := Wilcoxon(d, DropZeros), Wilcoxon([]float64{3, -1, 2, 5}, DropZeros); got != want {
		t.Errorf("dropped: %+v, want %+v", got, want)
	}
	// ranks 1 to 3 are the zeros', so −1 has 4 and the others 5 to 7
	if got := Wilcoxon(d, RankZeros); got.Minus != 4 || got.Plus != 18 || got.NonZero != 4 {
		t.Errorf("ranked: %+v", got)
	}
	for _, z := range []Zeros{DropZeros, RankZeros} {
		if back, err := ParseZeros(z.String()); back != z || err != nil {
			t.Errorf("%s is read back as %v, %v", z, back, err)
		}
		if got := Wilcoxon([]float64{0, 0}, z); got.P != 1 || got.NonZero != 0 {
			t.Errorf("nothing but zeros: %+v", got)
		}
	}
	if _, err := ParseZeros("split"); err == nil || !slices.Equal(ZerosNames(), zerosNames) {
		t.Errorf("error %v, names %v", err, ZerosNames())
	}
}

// reports are evaluations of two rankings of generated queries; the second knows less; query 1 has
// one label only and query 2 is ranked by A alone.
func reports(t testing.TB, queries int, metrics ...metric.Metric) (a, b *metric.Report) {
	rng := rand.New(rand.NewPCG(8, 0))
	const rows = 6
	in, bounds := metric.Input{}, []int{0}
	var other []float64
	for g := range queries {
		for i := range rows {
			y := float64(rng.IntN(3))
			switch {
			case g == 1:
				y = 1
			case i < 2:
				y = float64(2 * i) // two labels at least
			}
			in.Labels = append(in.Labels, y)
			in.Scores = append(in.Scores, y+rng.NormFloat64())
			if g == 2 {
				other = append(other, 0)
			} else {
				other = append(other, y+2*rng.NormFloat64())
			}
		}
		bounds = append(bounds, len(in.Labels))
	}
	in.Queries = data.Consecutive(bounds)
	a, err := metric.Evaluate(in, metrics, metric.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in.Scores = other
	if b, err = metric.Evaluate(in, metrics, metric.Options{}); err != nil {
		t.Fatal(err)
	}
	return a, b
}

func TestReports(t *testing.T) {
	a, b := reports(t, 60, metric.NDCGAt(3), metric.TauB, metric.Disagreement)
	r, err := Reports(a, b, Options{Resamples: 1000, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	swapped, err := Reports(b, a, Options{Resamples: 1000, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	for j, res := range r.Results {
		if undefined := []int{0, 2, 1}[j]; res.Undefined != undefined || res.Queries != 60-undefined {
			t.Errorf("%s: %d queries, %d undefined", res.Metric, res.Queries, res.Undefined)
		}
		if res.Wins+res.Ties+res.Losses != res.Queries || res.Wins <= res.Losses {
			t.Errorf("%s: %d wins, %d ties, %d losses", res.Metric, res.Wins, res.Ties, res.Losses)
		}
		if res.Difference.Value > 0 == res.Metric.Loss() ||
			math.Abs(res.A.Value-res.B.Value-res.Difference.Value) > 1e-15*60 {
			t.Errorf("%s: A %v, B %v, difference %v", res.Metric, res.A, res.B, res.Difference)
		}
		if res.Lo.Value > res.Difference.Value || res.Hi.Value < res.Difference.Value {
			t.Errorf("%s: %v is not from %v to %v", res.Metric, res.Difference, res.Lo, res.Hi)
		}
		if res.WilcoxonHolm < res.Wilcoxon.P || res.FlipsHolm < res.Flips.P {
			t.Errorf("%s: corrected p-values %v and %v", res.Metric, res.WilcoxonHolm, res.FlipsHolm)
		}
		back := swapped.Results[j]
		back.A, back.B, back.Lo, back.Hi = back.B, back.A, negative(back.Hi), negative(back.Lo)
		back.Difference, back.Wins, back.Losses = negative(back.Difference), back.Losses, back.Wins
		back.Wilcoxon.Plus, back.Wilcoxon.Minus = back.Wilcoxon.Minus, back.Wilcoxon.Plus
		if back != res {
			t.Errorf("%s: swapped %+v, not %+v", res.Metric, back, res)
		}
	}
}

func negative(v metric.Value) metric.Value { v.Value = -v.Value; return v }

// A ranking against itself, few queries, and none.
func TestReportsOfNextToNothing(t *testing.T) {
	for queries, want := range map[int]string{
		0: "no value under both on any of 0 queries",
		1: "is of a single list: no test over queries says anything",
		4: "differs on 4 of 4 queries: the least possible p-value is 0.12",
	} {
		a, b := reports(t, queries, metric.NDCG)
		if queries == 4 { // where labels are equal, so is the metric
			a.PerQuery[1].Values[0].Value = 0.5
		}
		r, err := Reports(a, b, Options{})
		if err != nil {
			t.Fatal(err)
		}
		res := r.Results[0]
		if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], want) {
			t.Errorf("%d queries: warnings %q", queries, r.Warnings)
		}
		if res.Difference.Defined != (queries > 0) || res.Lo.Defined != (queries > 1) {
			t.Errorf("%d queries: %+v", queries, res)
		}
	}
	a, _ := reports(t, 20, metric.NDCG)
	r, err := Reports(a, a, Options{})
	if err != nil {
		t.Fatal(err)
	}
	res := r.Results[0]
	if res.Ties != 20 || res.Wilcoxon.P != 1 || res.Flips.P != 1 || res.Lo.Value != 0 || res.Hi.Value != 0 ||
		len(r.Warnings) != 1 {
		t.Errorf("against itself: %+v, %q", res, r.Warnings)
	}
}

func TestPooledMetricIsAnError(t *testing.T) {
	a, b := reports(t, 5, metric.PooledDisagreement)
	if _, err := Reports(a, b, Options{}); err == nil || !strings.Contains(err.Error(), "pooled-disagreement") {
		t.Errorf("error %v", err)
	}
}

// Values in tenths have differences with rounding errors, and the same tests as
// whole numbers.
func TestRoundingErrorsDoNotBreakTies(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 0))
	for range 50 {
		a := &metric.Report{Results: []metric.Result{{Metric: metric.PrecisionAt(10)}}}
		b := &metric.Report{Results: a.Results}
		var whole []float64
		for range 12 {
			x, y := rng.IntN(11), rng.IntN(11)
			whole = append(whole, float64(x-y))
			a.PerQuery = append(a.PerQuery, metric.QueryValues{Values: []metric.Value{defined(float64(x) / 10)}})
			// the same value, added up
			sum := 0.0
			for range y {
				sum += 0.1
			}
			b.PerQuery = append(b.PerQuery, metric.QueryValues{Values: []metric.Value{defined(sum)}})
		}
		r, err := Reports(a, b, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := r.Results[0].Wilcoxon, Wilcoxon(whole, DropZeros); got != want {
			t.Errorf("%v: %+v, want %+v", whole, got, want)
		}
		if got, want := r.Results[0].Flips, SignFlip(whole, 0, 0); got != want {
			t.Errorf("%v: %+v, want %+v", whole, got, want)
		}
	}
}

// The same bytes for any number of threads.
func TestThreadsDoNotMatter(t *testing.T) {
	a, b := reports(t, 300, metric.NDCG, metric.TauB)
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	one, _ := Reports(a, b, Options{Resamples: 1500})
	if one.Results[0].Flips.Exact {
		t.Fatal("nothing was drawn")
	}
	for _, threads := range []int{2, 5} {
		runtime.GOMAXPROCS(threads)
		if many, _ := Reports(a, b, Options{Resamples: 1500}); !reflect.DeepEqual(one, many) {
			t.Errorf("%d threads: %+v, one: %+v", threads, many, one)
		}
	}
}

func TestCallersBugsPanic(t *testing.T) {
	nan := []float64{1, math.NaN()}
	a, b := reports(t, 3, metric.NDCG)
	c, _ := reports(t, 3, metric.TauB)
	d, _ := reports(t, 4, metric.NDCG)
	e, _ := reports(t, 3, metric.NDCG)
	e.PerQuery[1].ID = "other"
	for name, call := range map[string]func(){
		"NaN ranks":    func() { Wilcoxon(nan, DropZeros) },
		"NaN flips":    func() { SignFlip(nan, 0, 0) },
		"NaN interval": func() { Interval(nan, 1, 0, 0) },
		"one":          func() { Interval([]float64{1}, 1, 0, 0) },
		"range":        func() { Interval([]float64{1, 2}, math.NaN(), 0, 0) },
		"resamples":    func() { Reports(a, b, Options{Resamples: -1}) },
		"metrics":      func() { Reports(a, c, Options{}) },
		"queries":      func() { Reports(a, d, Options{}) },
		"names":        func() { Reports(a, e, Options{}) },
	} {
		func() {
			defer func() {
				if text, isText := recover().(string); !isText || !strings.HasPrefix(text, "compare: ") {
					t.Errorf("%s: panic %q", name, text)
				}
			}()
			call()
		}()
	}
}

// Five metrics, two of them without a value of one query, against one metric.
func BenchmarkReports(b *testing.B) {
	five := []metric.Metric{metric.NDCGAt(3), metric.MAP, metric.PrecisionAt(5), metric.TauB, metric.Disagreement}
	for _, queries := range []int{100, 3000, 10_000} {
		for _, metrics := range [][]metric.Metric{{metric.NDCG}, five} {
			x, y := reports(b, queries, metrics...)
			for _, threads := range []int{1, 2} {
				b.Run(fmt.Sprintf("q=%d/metrics=%d/threads=%d", queries, len(metrics), threads), func(b *testing.B) {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
					b.ReportAllocs()
					for b.Loop() {
						if _, err := Reports(x, y, Options{}); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
