package metric

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// value is one metric of one query; it must not be an error.
func value(t *testing.T, style Style, m Metric, q Query, f []float64) Value {
	t.Helper()
	e, err := NewEvaluator([]Metric{m}, Options{Style: style})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.SetQuery(q); err != nil {
		t.Fatal(err)
	}
	term := make([]Term, 1)
	if err := e.TermsTo(term, f); err != nil {
		t.Fatal(err)
	}
	return term[0].Value()
}

// fourDigits is how docs/metrics.md and the tools print values.
const fourDigits = 0.5e-4

func TestConventionsDiffer(t *testing.T) {
	q := Query{Labels: []float64{2, 0, 1}}
	f := []float64{.1, .9, .3}
	for _, c := range []struct {
		style Style
		m     Metric
		want  float64
	}{
		{Default, NDCG, 0.5869},
		{TREC, NDCG, 0.6199},
		{Default, NDCGAt(3), 0.5869},
		{TREC, NDCGAt(3), 0.6199},
		{LETOR3, NDCG, 0.7232},
		{LETOR4, NDCG, 0.7232},
		{MSLR, NDCG, 0.7232},
		{LETOR3, NDCGAt(3), 0.7232},
		{LETOR4, NDCGAt(3), 0.7232},
		{MSLR, NDCGAt(3), 0.7232},
		{Default, NDCGAt(2), 0.1738}, // (1/log2 3) / (3 + 1/log2 3)
		{TREC, NDCGAt(2), 0.2398},    // (1/log2 3) / (2 + 1/log2 3)
		{LETOR3, NDCGAt(2), 0.2500},  // 1/4
		{LETOR4, MeanNDCG, 0.3244},   // (0 + 0.25 + 0.7232) / 3
		{Default, MAP, 0.5833},       // (1/2 + 2/3) / 2
		{TREC, MAP, 0.5833},
		{LETOR3, MAP, 0.5833},
		{LETOR4, MAP, 0.5833},
		{MSLR, MAP, 0.3333}, // only the label 2 is relevant
		{Default, PrecisionAt(5), 0.4},
		{TREC, PrecisionAt(5), 0.4},
		{LETOR3, PrecisionAt(5), 0}, // a list of three has no place 5
		{LETOR4, PrecisionAt(5), 0.4},
		{MSLR, PrecisionAt(5), 0.2},
		{LETOR3, NDCGAt(5), 0},
		{LETOR4, NDCGAt(5), 0},
		{MSLR, NDCGAt(5), 0},
		{TREC, NDCGAt(5), 0.6199},
		{Default, MRR, 0.5},
		{TREC, MRR, 0.5},
	} {
		if got := value(t, c.style, c.m, q, f); !got.Defined || math.Abs(got.Value-c.want) > fourDigits {
			t.Errorf("%s %s: %+v, want %v", c.style, c.m, got, c.want)
		}
	}
}

func TestTieOrders(t *testing.T) {
	q := Query{Labels: []float64{0, 1, 0}, DocIDs: []string{"b", "a", "c"}}
	f := []float64{1, 1, 1}
	for _, c := range []struct {
		style Style
		want  float64 // precision at 1, 2, 3 in MAP: 1/position of the one relevant
	}{
		{TREC, 1. / 3}, // c, b, a
		{LETOR3, 1. / 2},
		{LETOR4, 1. / 2},
		{Default, (1 + 1./2 + 1./3) / 3},
	} {
		if got := value(t, c.style, MAP, q, f); !near(got.Value, c.want) {
			t.Errorf("%s: %+v, want %v", c.style, got, c.want)
		}
	}
}

func TestStyledQueriesWithoutRelevant(t *testing.T) {
	for _, y := range [][]float64{{}, {0}, {0, 0, 0}} {
		q, f := Query{Labels: y}, make([]float64, len(y))
		for i := range f {
			f[i] = float64(i)
		}
		for s := range numStyles {
			for _, m := range s.Metrics() {
				got := value(t, s, m, q, f)
				if got.Defined != (s != Default) || got.Value != 0 {
					t.Errorf("%s %s of labels %v: %+v", s, m, y, got)
				}
			}
		}
	}
}

func TestUnretrievedCount(t *testing.T) {
	q := Query{Labels: []float64{1, 0}, Unretrieved: []float64{2, 0, -1}}
	f := []float64{2, 1}
	if got := value(t, TREC, MAP, q, f); got.Value != 0.5 {
		t.Errorf("map with one of two relevant retrieved: %+v", got)
	}
	if got, want := value(t, TREC, NDCG, q, f), 1/(2+1/math.Log2(3)); !near(got.Value, want) {
		t.Errorf("ndcg %+v, want %v", got, want)
	}
	none := Query{Unretrieved: []float64{1}}
	for _, s := range []Style{Default, TREC} {
		if got := value(t, s, MAP, none, nil); !got.Defined || got.Value != 0 {
			t.Errorf("%s: nothing retrieved of one relevant: %+v", s, got)
		}
	}
	e, _ := NewEvaluator([]Metric{MAP}, Options{Style: LETOR4})
	if err := e.SetQuery(q); err == nil {
		t.Error("letor4 takes unretrieved documents")
	}
}

// naiveStyled is a metric of relevances in ranked order as the tools' tables
// define it, written apart from the convention table.
func naiveStyled(s Style, m Metric, y []float64) float64 {
	least := 1.0
	if s == MSLR {
		least = 2
	}
	dcg := func(y []float64, k int) (sum float64) {
		for i, v := range y[:min(k, len(y))] {
			switch {
			case s == TREC:
				sum += v / math.Log2(float64(i)+2)
			case i < 2:
				sum += math.Pow(2, v) - 1
			default:
				sum += (math.Pow(2, v) - 1) * math.Ln2 / math.Log(float64(i)+1)
			}
		}
		return sum
	}
	ideal := slices.Clone(y)
	slices.Sort(ideal)
	slices.Reverse(ideal)
	ndcgAt := func(k int) float64 {
		if best := dcg(ideal, k); best > 0 {
			return dcg(y, k) / best
		}
		return 0
	}
	short := m.k > len(y)
	switch m.kind {
	case ndcg:
		if m.k == 0 {
			return ndcgAt(len(y))
		}
		if short && s != TREC {
			return 0
		}
		return ndcgAt(m.k)
	case meanNDCG:
		sum := 0.0
		for k := range y {
			sum += ndcgAt(k + 1)
		}
		return sum / max(1, float64(len(y)))
	case precision:
		if short && s == LETOR3 {
			return 0
		}
	}
	v, ok := naivePosition(m, y, nil, least)
	if !ok {
		return 0
	}
	return v
}

func TestStylesAgainstTheirTables(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for s := TREC; s < numStyles; s++ {
		for range 300 {
			m := r.IntN(14)
			y, f := make([]float64, m), make([]float64, m)
			for i := range m {
				y[i], f[i] = float64(r.IntN(3)), float64(r.IntN(4))
			}
			ids := make([]string, m)
			for a, i := range r.Perm(m) {
				ids[a] = string(rune('A' + i))
			}
			order := make([]int, m)
			for i := range order {
				order[i] = i
			}
			slices.SortStableFunc(order, func(a, b int) int {
				switch {
				case f[a] != f[b]:
					return int(f[b] - f[a])
				case s == TREC:
					return strings.Compare(ids[b], ids[a])
				}
				return 0
			})
			ranked := make([]float64, m)
			for a, i := range order {
				ranked[a] = y[i]
			}
			for _, metric := range append(s.Metrics(), NDCG) {
				got := value(t, s, metric, Query{Labels: y, DocIDs: ids}, f)
				if want := naiveStyled(s, metric, ranked); !got.Defined || !near(got.Value, want) {
					t.Fatalf("%s %s of %v: %+v, want %v", s, metric, ranked, got, want)
				}
			}
		}
	}
}

func TestStylesRefuse(t *testing.T) {
	two := 2.0
	for _, c := range []struct {
		metric Metric
		opts   Options
		want   string
	}{
		{TauB, Options{Style: TREC}, "style trec does not define tau-b"},
		{AUC, Options{Style: MSLR}, "style mslr does not define auc"},
		{MRR, Options{Style: LETOR3}, "style letor3 does not define mrr"},
		{MeanNDCG, Options{}, "letor4"},
		{MeanNDCG, Options{Style: LETOR3}, "does not define mean-ndcg"},
		{MAP, Options{Style: MSLR, MinRelevant: &two}, "fixes what is relevant"},
	} {
		if _, err := NewEvaluator([]Metric{c.metric}, c.opts); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %+v: %v, want …%s…", c.metric, c.opts, err, c.want)
		}
	}
	for _, c := range []struct {
		metric Metric
		style  Style
		y, f   []float64
		want   string
	}{
		{NDCG, TREC, []float64{1, 0.5}, []float64{1, 2}, "row 2: label 0.5 is not a whole number"},
		{MAP, LETOR4, []float64{3}, []float64{1}, "row 1: label 3 is not one of 0 to 2"},
		{MAP, MSLR, []float64{0, -1}, []float64{1, 2}, "row 2: label -1 is not one of 0 to 4"},
		{NDCG, Default, []float64{0, -1}, []float64{1, 2}, "row 2: label -1 is negative"},
		{NDCG, Default, []float64{452600}, []float64{1}, "row 1: label 452600 is too large"},
		{MAP, TREC, []float64{0, 1}, []float64{1, 1}, "row 1: score is tied"},
		{AUC, Default, []float64{0, 1, 2}, []float64{1, 2, 3}, "auc needs labels of two values"},
		{TauB, Default, []float64{0, math.NaN()}, []float64{1, 2}, "row 2: label NaN is not finite"},
		{TauB, Default, []float64{0, 1}, []float64{1, math.NaN()}, "row 2: score is NaN"},
		{MAP, Default, []float64{0, 1}, []float64{math.NaN(), 0}, "row 1: score is NaN"},
	} {
		_, err := Evaluate(Input{Labels: c.y, Scores: c.f}, []Metric{c.metric}, Options{Style: c.style})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want …%s…", c.style, c.metric, err, c.want)
		}
	}
}
