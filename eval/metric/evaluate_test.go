package metric

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
)

func TestErrorsNameQueryAndRow(t *testing.T) {
	in := Input{
		Labels: []float64{0, 1, 0, 1, 0, 1}, Scores: []float64{1, 2, 3, 4, 5, 6},
		Queries: data.NewQueries([]int32{0, 1, 0, 1, 0, 1}, []string{"even", "odd"}),
	}
	in.Scores[3] = math.NaN()
	_, err := Evaluate(in, []Metric{TauB}, Options{})
	row, ok := errors.AsType[*RowError](err)
	if !ok || row.Row != 3 || err.Error() != "query odd: row 4: score is NaN" {
		t.Errorf("%v", err)
	}
	in.Scores[3], in.Scores[5], in.Scores[4] = 0, math.NaN(), math.NaN()
	if _, err = Evaluate(in, []Metric{MAP}, Options{}); err == nil ||
		!strings.HasPrefix(err.Error(), "query even: row 5:") {
		t.Errorf("not the first query's error: %v", err)
	}
	contiguous := Input{Labels: []float64{0, 1, 2, 0}, Scores: []float64{1, 2, 3, math.NaN()},
		Queries: data.Consecutive([]int{0, 2, 4})}
	if _, err = Evaluate(contiguous, []Metric{MAP}, Options{}); err == nil ||
		err.Error() != "query 2: row 4: score is NaN" {
		t.Errorf("%v", err)
	}
	contiguous.Scores[3] = 4
	if _, err = Evaluate(contiguous, []Metric{AUC}, Options{}); err == nil ||
		!strings.Contains(err.Error(), "there are 0, 1, 2") {
		t.Errorf("auc of three labels, two a query: %v", err)
	}
	if _, err = Evaluate(contiguous, nil, Options{}); err == nil {
		t.Error("no metric is no error")
	}
	if _, err = Evaluate(contiguous, []Metric{MAP, MAP}, Options{}); err == nil {
		t.Error("the same metric twice is no error")
	}
}

func TestBadShapesPanic(t *testing.T) {
	for name, in := range map[string]Input{
		"scores": {Labels: []float64{1}},
		"rows":   {Labels: []float64{1}, Scores: []float64{1}, Queries: data.OneList(2)},
		"made": {Labels: []float64{1}, Scores: []float64{1},
			Queries: &data.Partition{Rows: []int32{0}, Bounds: []int{0, 1}}},
		"zero": {Queries: &data.Partition{}},
		"ids":  {Labels: []float64{1}, Scores: []float64{1}, Queries: named(data.OneList(1), "a", "b")},
		"docs": {Labels: []float64{1}, Scores: []float64{1}, DocIDs: []string{}},
		"more": {Labels: []float64{1}, Scores: []float64{1}, Unretrieved: [][]float64{}},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			_, _ = Evaluate(in, []Metric{TauB}, Options{})
		})
	}
}

// named gives the parts of p names.
func named(p *data.Partition, ids ...string) *data.Partition {
	p.IDs = ids
	return p
}

func TestEmptyInputs(t *testing.T) {
	for name, in := range map[string]Input{
		"no rows":     {},
		"no queries":  {Queries: data.Consecutive([]int{0})},
		"empty query": {Queries: data.Consecutive([]int{0, 0})},
		"one row":     {Labels: []float64{0}, Scores: []float64{3}},
		"all equal":   {Labels: []float64{0, 0, 0}, Scores: []float64{3, 2, 1}},
		"nothing ever": {Labels: []float64{0, 0, 0}, Scores: []float64{3, 3, 3},
			Queries: data.Consecutive([]int{0, 1, 1, 3})},
		"all rows once": {Labels: []float64{0, 0}, Scores: []float64{3, 2}, Queries: data.OneList(2)},
	} {
		report, err := Evaluate(in, defaultMetrics, Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, res := range report.Results {
			if res.Mean.Defined || res.Mean.Value != 0 || res.Queries != 0 || res.Undefined != in.queries() {
				t.Errorf("%s: %+v", name, res)
			}
		}
		if in.queries() == 0 {
			continue
		}
		var named []string // each metric once, and each reason once
		for _, text := range report.Warnings {
			subjects, _, _ := strings.Cut(strings.Replace(text, " are ", " is ", 1), " is ")
			named = append(named, strings.FieldsFunc(strings.Replace(subjects, " and ", ", ", 1),
				func(r rune) bool { return r == ',' || r == ' ' })...)
		}
		if len(named) != len(defaultMetrics) || len(report.Warnings) != 5 {
			t.Errorf("%s: %d warnings of %d metrics: %q", name, len(report.Warnings), len(named), report.Warnings)
		}
	}
}

func TestReportAsJSON(t *testing.T) {
	in := Input{
		Labels: []float64{1, 0, 0, 0, 0}, Scores: []float64{1, 2, 3, 3, 3},
		Queries: named(data.Consecutive([]int{0, 3, 5}), `a"b`, "c"),
	}
	report, err := Evaluate(in, []Metric{Disagreement, NDCGAt(10)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"style":"default","metrics":{"disagreement":{"mean":1,"queries":1,"undefined":1},` +
		`"ndcg@10":{"mean":0.5,"queries":1,"undefined":1}},` +
		`"per_query":[{"query":"a\"b","values":{"disagreement":1,"ndcg@10":0.5}},` +
		`{"query":"c","values":{"disagreement":null,"ndcg@10":null}}],` +
		`"warnings":["disagreement is undefined on 1 of 2 queries, without two different labels: ` +
		`they are left out of the mean",` +
		`"ndcg@10 is undefined on 1 of 2 queries, without a label above 0: they are left out of the mean"]}`
	if string(text) != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
	var v Value
	if err := json.Unmarshal([]byte("null"), &v); err != nil || v.Defined {
		t.Errorf("null: %+v, %v", v, err)
	}
	if err := json.Unmarshal([]byte("0.5"), &v); err != nil || v != (Value{0.5, true}) {
		t.Errorf("0.5: %+v, %v", v, err)
	}
}

func TestAUCWithoutThresholdIsConcordance(t *testing.T) {
	in := inputOf(rand.New(rand.NewPCG(7, 7)), 20, 20, 2)
	for i, y := range in.Labels { // −1 and 1: the greater label is relevant
		in.Labels[i] = 2*y - 1
	}
	report, err := Evaluate(in, []Metric{AUC, Concordance, PooledAUC, PooledDisagreement}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := report.Results
	if r[0].Mean != r[1].Mean || !near(r[2].Mean.Value, 1-r[3].Mean.Value) {
		t.Errorf("%+v", r)
	}
}

func TestSameBytesForAnyNumberOfThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	in := inputOf(r, 500, 40, 2)
	for i := range in.Scores {
		in.Scores[i] = math.Floor(100*r.NormFloat64()) / 7
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var want []byte
	for _, threads := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(threads)
		report, err := Evaluate(in, defaultMetrics, Options{})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(report)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = text
		}
		if !bytes.Equal(text, want) {
			t.Errorf("%d threads: other bytes", threads)
		}
	}
}

func TestLargeLists(t *testing.T) {
	const m = 300_000
	y, f := make([]float64, m), make([]float64, m)
	for i := range m {
		y[i] = float64(i % 2)
	}
	// All scores equal: half the documents are relevant at every position.
	report, err := Evaluate(Input{Labels: y, Scores: f}, []Metric{Disagreement, PrecisionAt(10), PrecisionAt(2 * m),
		MAP, MRR}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	// MRR of infinitely many coin flips is Σ 2^−j/j = ln 2. MAP exceeds ½ by the effect of the
	// early positions, less than 1e-4 here.
	for j, want := range []float64{0.5, 0.5, 0.25, 0.5, math.Ln2} {
		if got := report.Results[j].Mean.Value; math.Abs(got-want) > 1e-4 {
			t.Errorf("%s %v, want about %v", report.Results[j].Metric, got, want)
		}
	}
}

func TestInfiniteScoresAreOrdered(t *testing.T) {
	in := Input{Labels: []float64{0, 1, 2}, Scores: []float64{math.Inf(-1), 0, math.Inf(1)}}
	report, err := Evaluate(in, []Metric{TauB, NDCG}, Options{})
	if err != nil || report.Results[0].Mean.Value != 1 || report.Results[1].Mean.Value != 1 {
		t.Errorf("%+v, %v", report, err)
	}
}

// benchQuery is a query of m rows with labels of 0 to 4.
func benchQuery(r *rand.Rand, m int) (y, f []float64) {
	y, f = make([]float64, m), make([]float64, m)
	for i := range m {
		y[i], f[i] = float64(r.IntN(5)), r.NormFloat64()
	}
	return y, f
}

func TestTermsAllocateNothing(t *testing.T) {
	y, f := benchQuery(rand.New(rand.NewPCG(9, 9)), 250)
	for _, s := range []Style{Default, MSLR} {
		e, err := NewEvaluator(s.Metrics(), Options{Style: s})
		if err != nil {
			t.Fatal(err)
		}
		dst := make([]Term, len(s.Metrics()))
		run := func() {
			if err := errors.Join(e.SetQuery(Query{Labels: y}), e.TermsTo(dst, f)); err != nil {
				t.Fatal(err)
			}
		}
		run()
		if n := testing.AllocsPerRun(20, run); n != 0 {
			t.Errorf("style %s: %v allocations a query", s, n)
		}
	}
}

func BenchmarkTerms(b *testing.B) {
	for _, m := range []int{250, 100_000} {
		for _, metric := range []Metric{Disagreement, TauB, NDCGAt(10), MAP} {
			b.Run(fmt.Sprintf("m=%d/%s", m, metric), func(b *testing.B) {
				r := rand.New(rand.NewPCG(10, 10))
				y, f := benchQuery(r, m)
				fs := [31][]float64{f}
				for i := range fs {
					if fs[i] = f; m < 1000 {
						_, fs[i] = benchQuery(r, m)
					}
				}
				e, err := NewEvaluator([]Metric{metric}, Options{})
				if err != nil {
					b.Fatal(err)
				}
				if err := e.SetQuery(Query{Labels: y}); err != nil {
					b.Fatal(err)
				}
				dst := make([]Term, 1)
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					if err := e.TermsTo(dst, fs[i%31]); err != nil {
						b.Fatal(err)
					}
					i++
				}
			})
		}
	}
}

func BenchmarkEvaluate(b *testing.B) {
	const queries, m = 4000, 250
	y, f := benchQuery(rand.New(rand.NewPCG(11, 11)), queries*m)
	bounds := make([]int, queries+1)
	for g := range bounds {
		bounds[g] = g * m
	}
	in := Input{Labels: y, Scores: f, Queries: data.Consecutive(bounds)}
	b.Run(fmt.Sprintf("q=%d/m=%d", queries, m), func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Evaluate(in, Default.Metrics(), Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// A report reads back as it was written.
func TestReadReport(t *testing.T) {
	in := inputOf(rand.New(rand.NewPCG(1, 9)), 5, 8, 4)
	metrics, _ := ParseList("map,ndcg@10,disagreement,tau-b")
	r, err := Evaluate(in, metrics, Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	back := &Report{}
	if err := json.Unmarshal(text, back); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(back)
	if err != nil || string(again) != string(text) {
		t.Errorf("%v\n%s\n%s", err, text, again)
	}
	if !slices.EqualFunc(back.Results, r.Results, func(a, b Result) bool { return a.Metric == b.Metric }) {
		t.Error("the metrics are in another order")
	}
	for _, bad := range []string{`{"metrics":[]}`, `{"metrics":{"xyz":{}}}`, `{"metrics":{"map":{},"map":{}}}`,
		`{"metrics":{"map":{}},"per_query":[{"query":"a","values":{}}]}`, `{"metrics":{"map":3}}`, `{"style":"x"}`} {
		if err := json.Unmarshal([]byte(bad), &Report{}); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}
