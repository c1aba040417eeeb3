package metric

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
)

// roundOff is the relative error allowed where a closed form and a sum of at
// most 7! terms, each of a few roundings of 1e-16, compute the same number.
const roundOff = 1e-12

func near(a, b float64) bool { return math.Abs(a-b) <= roundOff*max(1, math.Abs(a), math.Abs(b)) }

// naivePosition is a position metric of relevances in ranked order, by its
// definition; ok false for an undefined one.
func naivePosition(m Metric, ranked, unretrieved []float64, minRelevant float64) (value float64, ok bool) {
	all := slices.Concat(ranked, unretrieved)
	slices.SortFunc(all, func(a, b float64) int { return cmp.Compare(b, a) })
	dcg := func(y []float64) (s float64) {
		for i, v := range y {
			if m.k == 0 || i < m.k {
				s += (math.Pow(2, v) - 1) / math.Log2(float64(i)+2)
			}
		}
		return s
	}
	total := 0
	for _, v := range all {
		if v >= minRelevant {
			total++
		}
	}
	if m.kind == expectedRank { // by the cascade: at each position the user may stop
		value, goesOn := 0.0, 1.0
		for i, v := range ranked {
			if m.k > 0 && i >= m.k {
				break
			}
			stop := (math.Pow(2, v) - 1) / 16
			value += goesOn * stop / float64(i+1)
			goesOn *= 1 - stop
		}
		return value, len(all) > 0 && all[0] > 0
	}
	if m.kind == ndcg {
		ideal := dcg(all)
		return dcg(ranked) / ideal, ideal > 0
	}
	found, ap, rr, atK := 0, 0.0, 0.0, 0
	for i, v := range ranked {
		if v < minRelevant {
			continue
		}
		found++
		ap += float64(found) / float64(i+1)
		if found == 1 {
			rr = 1 / float64(i+1)
		}
		if i < m.k {
			atK++
		}
	}
	switch m.kind {
	case averagePrecision:
		return ap / float64(total), total > 0
	case reciprocalRank:
		return rr, total > 0
	case recall:
		return float64(atK) / float64(total), total > 0
	}
	return float64(atK) / float64(m.k), total > 0
}

// naivePair is a pairwise metric by its definition over pairs.
func naivePair(m Metric, y, f []float64, minRelevant float64) (value float64, ok bool) {
	var right, wrong, tied, differY, differF float64
	for i := range y {
		for j := range y {
			a, b := y[i], y[j]
			if m.kind == auc || m.kind == pooledAUC {
				a, b = mark(a, minRelevant), mark(b, minRelevant)
			}
			if i < j && f[i] != f[j] {
				differF++
			}
			if i < j && a != b {
				differY++
			}
			switch {
			case a <= b:
			case f[i] > f[j]:
				right++
			case f[i] < f[j]:
				wrong++
			default:
				tied++
			}
		}
	}
	n := right + wrong + tied
	switch m.kind {
	case disagreement, pooledDisagreement:
		return (wrong + tied/2) / n, n > 0
	case disagreementError:
		return (wrong + tied) / n, n > 0
	case tauB:
		return (right - wrong) / math.Sqrt(differY*differF), differY*differF > 0
	}
	return (right + tied/2) / n, n > 0
}

func mark(y, least float64) float64 {
	if y >= least {
		return 1
	}
	return 0
}

// permute calls visit with every order of 0 … m−1.
func permute(m int, visit func([]int)) {
	p := make([]int, 0, m)
	used := make([]bool, m)
	var next func()
	next = func() {
		if len(p) == m {
			visit(p)
			return
		}
		for i := range m {
			if !used[i] {
				used[i] = true
				p = append(p, i)
				next()
				p = p[:len(p)-1]
				used[i] = false
			}
		}
	}
	next()
}

// naiveValue is a metric of one query: a position metric as the mean over all
// orders that the scores allow.
func naiveValue(m Metric, q Query, f []float64, minRelevant float64) (value float64, ok bool) {
	if m.kind < ndcg {
		return naivePair(m, q.Labels, f, minRelevant)
	}
	sum, orders := 0.0, 0
	permute(len(f), func(p []int) {
		ranked := make([]float64, len(p))
		for a, i := range p {
			if a > 0 && f[i] > f[p[a-1]] {
				return
			}
			ranked[a] = q.Labels[i]
		}
		v, defined := naivePosition(m, ranked, q.Unretrieved, minRelevant)
		sum += v
		orders++
		ok = defined
	})
	return sum / float64(orders), ok
}

var defaultMetrics = []Metric{
	Disagreement, PooledDisagreement, DisagreementError, Concordance, AUC, PooledAUC, TauB,
	NDCG, NDCGAt(1), NDCGAt(2), NDCGAt(3), NDCGAt(5), NDCGAt(50), MAP, MRR,
	PrecisionAt(1), PrecisionAt(2), PrecisionAt(3), PrecisionAt(5), PrecisionAt(50),
	RecallAt(1), RecallAt(3), RecallAt(5), RecallAt(50), ERR, ERRAt(1), ERRAt(2), ERRAt(4), ERRAt(50),
}

func TestTiesAreAveragedOverAllOrders(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for trial := range 700 {
		least := []float64{1, 2, 0.5}[trial%3]
		e, err := NewEvaluator(defaultMetrics, Options{MinRelevant: &least})
		if err != nil {
			t.Fatal(err)
		}
		m := r.IntN(7)
		if trial%50 == 0 {
			m = 7
		}
		q := Query{Labels: make([]float64, m)}
		f := make([]float64, m)
		for i := range m {
			q.Labels[i], f[i] = float64(r.IntN(4)), float64(r.IntN(1+r.IntN(4)))
			if r.IntN(4) == 0 {
				q.Labels[i] += 0.25
			}
		}
		for range r.IntN(3) * (trial % 2) {
			q.Unretrieved = append(q.Unretrieved, float64(r.IntN(3)))
		}
		if err := e.SetQuery(q); err != nil {
			t.Fatal(err)
		}
		terms := make([]Term, len(defaultMetrics))
		if err := e.TermsTo(terms, f); err != nil {
			t.Fatal(err)
		}
		for j, metric := range defaultMetrics {
			want, ok := naiveValue(metric, q, f, least)
			got := terms[j].Value()
			if got.Defined != ok || ok && !near(got.Value, want) {
				t.Fatalf("%s of labels %v scores %v unretrieved %v relevant ≥ %v: %+v, want %v, %v",
					metric, q.Labels, f, q.Unretrieved, least, got, want, ok)
			}
		}
	}
}

// inputOf is random queries whose rows are scattered over the input.
func inputOf(r *rand.Rand, queries, longest, levels int) Input {
	in, sorted := Input{}, []int32(nil)
	for g := range queries {
		for range r.IntN(longest + 1) {
			in.Labels = append(in.Labels, float64(r.IntN(levels)))
			in.Scores = append(in.Scores, float64(r.IntN(9)))
			sorted = append(sorted, int32(g))
		}
	}
	of := make([]int32, len(in.Labels))
	for a, i := range r.Perm(len(in.Labels)) {
		of[i] = sorted[a]
	}
	in.Queries = data.NewPartition(of, queries)
	return in
}

func TestEvaluateIsTheMeanOfItsQueries(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 30 {
		in := inputOf(r, 40, 6, 2)
		report, err := Evaluate(in, defaultMetrics, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for j, m := range defaultMetrics {
			var sum, weight float64
			n := 0
			for g := range in.Queries.Len() {
				var y, f []float64
				for _, i := range in.Queries.Part(g) {
					y, f = append(y, in.Labels[i]), append(f, in.Scores[i])
				}
				v, ok := naiveValue(m, Query{Labels: y}, f, 1)
				if got := report.PerQuery[g].Values[j]; got.Defined != ok || ok && !near(got.Value, v) {
					t.Fatalf("%s of query %d: %+v, want %v, %v", m, g, got, v, ok)
				}
				if !ok {
					continue
				}
				w := 1.0
				if m.Pooled() {
					w = 0
					for a := range y {
						for b := range a {
							w += math.Abs(mark(y[a], 1) - mark(y[b], 1))
						}
					}
				}
				sum, weight, n = sum+w*v, weight+w, n+1
			}
			got := report.Results[j]
			if got.Queries != n || got.Undefined != 40-n || !near(got.Mean.Value, sum/weight) {
				t.Fatalf("%+v, want %v over %d queries", got, sum/weight, n)
			}
		}
	}
}

func TestInvariances(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	values := func(in Input) string {
		t.Helper()
		report, err := Evaluate(in, defaultMetrics, Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := ""
		for _, res := range report.Results {
			s += fmt.Sprintf("%s=%.12f/%d ", res.Metric, res.Mean.Value, res.Queries)
		}
		return s
	}
	for range 50 {
		in := inputOf(r, 10, 30, 2)
		want := values(in)

		moved := Input{Labels: slices.Clone(in.Labels), Scores: slices.Clone(in.Scores)}
		of := slices.Clone(in.Queries.Of())
		r.Shuffle(len(of), func(a, b int) {
			moved.Labels[a], moved.Labels[b] = moved.Labels[b], moved.Labels[a]
			moved.Scores[a], moved.Scores[b] = moved.Scores[b], moved.Scores[a]
			of[a], of[b] = of[b], of[a]
		})
		moved.Queries = data.NewPartition(of, in.Queries.Len())
		if got := values(moved); got != want {
			t.Fatalf("rows permuted:\n%s\n%s", got, want)
		}
		for name, f := range map[string]func(float64) float64{
			"a constant added": func(x float64) float64 { return x + 17 },
			"scores cubed":     func(x float64) float64 { return x * x * x },
			"scores halved":    func(x float64) float64 { return x/2 - 8 },
		} {
			moved = in
			moved.Scores = slices.Clone(in.Scores)
			for i, x := range in.Scores {
				moved.Scores[i] = f(x)
			}
			if got := values(moved); got != want {
				t.Fatalf("%s:\n%s\n%s", name, got, want)
			}
		}
	}
}

func TestReversedScoresComplement(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	in := inputOf(r, 30, 50, 4)
	metrics := []Metric{Disagreement, Concordance, PooledDisagreement, TauB}
	ahead, err := Evaluate(in, metrics, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range in.Scores {
		in.Scores[i] = -in.Scores[i]
	}
	back, err := Evaluate(in, metrics, Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, b := ahead.Results, back.Results
	if !near(a[0].Mean.Value+a[1].Mean.Value, 1) {
		t.Errorf("disagreement %v and concordance %v do not add to 1", a[0].Mean, a[1].Mean)
	}
	for j, sum := range []float64{1, 1, 1, 0} {
		if !near(a[j].Mean.Value+b[j].Mean.Value, sum) {
			t.Errorf("%s: %v and reversed %v do not add to %v", metrics[j], a[j].Mean.Value, b[j].Mean.Value, sum)
		}
	}
}

func TestPerfectRankingIsOne(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 200 {
		m := 2 + r.IntN(40)
		y, f := make([]float64, m), make([]float64, m)
		for i := range m {
			y[i] = float64(r.IntN(5))
			f[i] = y[i] + r.Float64()/2
		}
		y[0], f[0] = 5, 6
		report, err := Evaluate(Input{Labels: y, Scores: f}, []Metric{Concordance, NDCG, NDCGAt(3), MAP, MRR},
			Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, res := range report.Results {
			if res.Mean.Value != 1 {
				t.Errorf("%s of a perfect ranking is %v", res.Metric, res.Mean)
			}
		}
	}
}
