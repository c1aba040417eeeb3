package trec

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/eval/metric"
)

const (
	sampleQrels = `# judged
q1 0 a 2
q1 0 b 0
q1 0 c 1
q1 0 missed 1

q2	0	x	1
q3 0 x 0
q3 0 y -1
q4 0 never 1
`
	// q1: e and b tie, so e, the greater name, is first: a, e, b, c.
	sampleRun = `q1 Q0 b 1 2.5 sys
q9 Q0 z 1 1 sys
q1 Q0 a 2 3 sys
q1 Q0 c 3 -1e-3 sys
q1 Q0 e 4 2.5 sys
q3 Q0 y 1 7 sys
q2 Q0 x 1 1 sys and more
`
)

func sample(t *testing.T) (*Run, []Judgment) {
	t.Helper()
	run, err := ReadRun(strings.NewReader(sampleRun), "run")
	if err != nil {
		t.Fatal(err)
	}
	qrels, err := ReadQrels(strings.NewReader(sampleQrels), "qrels")
	if err != nil {
		t.Fatal(err)
	}
	return run, qrels
}

func TestJoinAndEvaluate(t *testing.T) {
	run, qrels := sample(t)
	if run.Tag != "sys" || len(run.Docs) != 7 || len(qrels) != 8 {
		t.Fatalf("%+v, %+v", run, qrels)
	}
	metrics := []metric.Metric{metric.MAP, metric.MRR, metric.PrecisionAt(5), metric.NDCG, metric.NDCGAt(2)}
	// q1: positions 1 and 4 relevant, 3 relevant in the qrels.
	l := math.Log2
	ideal := 2 + 1/l(3) + 1/l(4)
	q1 := []float64{(1 + 2./4) / 3, 1, 2. / 5, (2 + 1/l(5)) / ideal, 2 / (2 + 1/l(3))}
	q2 := []float64{1, 1, 1. / 5, 1, 1}
	for _, complete := range []bool{false, true} {
		joined, err := Join(run, qrels, JoinOptions{Complete: complete})
		if err != nil {
			t.Fatal(err)
		}
		report, err := metric.Evaluate(joined.Input, metrics, metric.Options{Style: metric.TREC})
		if err != nil {
			t.Fatal(err)
		}
		queries := 3. // q3 has nothing relevant and counts as 0
		if complete {
			queries = 4 // and so does q4, for which nothing was retrieved
		}
		for j, res := range report.Results {
			want := (q1[j] + q2[j]) / queries
			if math.Abs(res.Mean.Value-want) > 1e-15 || float64(res.Queries) != queries { // a few roundings
				t.Errorf("%s: %+v, want %v", res.Metric, res, want)
			}
		}
		got := strings.Join(joined.Warnings, "\n")
		for text, want := range map[string]bool{
			"1 of 4 queries of the run have no judgement":         true,
			"1 of 4 judged queries have no document":              !complete,
			"2 of 6 retrieved documents are not judged: they cou": true,
		} {
			if strings.Contains(got, text) != want {
				t.Errorf("complete=%v: warnings %q", complete, got)
			}
		}
	}
}

func TestJoinRefuses(t *testing.T) {
	run, qrels := sample(t)
	for name, c := range map[string]struct {
		run   *Run
		qrels []Judgment
		want  string
	}{
		"no judgement":     {run, nil, "no judgement"},
		"nothing common":   {run, []Judgment{{"other", "d", 1}}, "no query in common"},
		"document in run":  {&Run{Docs: append(run.Docs, run.Docs[0])}, qrels, "in the run twice"},
		"document in qrel": {run, append(qrels, qrels[0]), "in the qrels twice"},
	} {
		if _, err := Join(c.run, c.qrels, JoinOptions{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestErrorsNameThePlace(t *testing.T) {
	for text, want := range map[string]string{
		"q 0 d": "f:1:6: 3 fields, where `query iteration document relevance` has 4",
		"\nq 0 d 1 extra": `f:2:9: 5 fields, where ` + "`query iteration document relevance`" +
			` has 4: "extra"`,
		"q 0 d 1.5":                      `f:1:7: relevance is not a whole number of 32 bits: "1.5"`,
		"q 0 d 99999999999":              `f:1:7: relevance is not a whole number of 32 bits: "99999999999"`,
		"q 0 d 1\n# c\n q  0 d 0\n":      `f:3:7: document of query "q" is already in line 1: "d"`,
		strings.Repeat("x", longestLine): "f:1:1048576: line is longer than 1048576 bytes",
	} {
		_, err := ReadQrels(strings.NewReader(text), "f")
		if _, ok := errors.AsType[*data.SyntaxError](err); !ok || err.Error() != want {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"q Q0 d 1 2":                   "f:1:11: 5 fields, where `query Q0 document rank score tag` has 6",
		"q Q0 d 1 x t":                 `f:1:10: score is not a number of double precision: "x"`,
		"q Q0 d 1 nan t":               `f:1:10: score is not a number of double precision: "nan"`,
		"q Q0 d 1 1e999 t":             `f:1:10: score is not a number of double precision: "1e999"`,
		"q Q0 d 1 2 t\nq Q0 d 2 1 t\n": `f:2:6: document of query "q" is already in line 1: "d"`,
	} {
		_, err := ReadRun(strings.NewReader(text), "f")
		if _, ok := errors.AsType[*data.SyntaxError](err); !ok || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestReadErrorsPassThrough(t *testing.T) {
	bad := errors.New("disk is gone")
	for _, read := range []func() error{
		func() error { _, err := ReadRun(failing{bad}, "f"); return err },
		func() error { _, err := ReadQrels(failing{bad}, "f"); return err },
	} {
		if err := read(); !errors.Is(err, bad) {
			t.Errorf("%v", err)
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestWriteRefuses(t *testing.T) {
	var b bytes.Buffer
	for _, j := range []Judgment{{"", "d", 1}, {"q q", "d", 1}, {"#q", "d", 1}, {"q", "", 1}, {"q", "d\n", 1}} {
		if err := (&Run{"t", []Retrieved{{j.Query, j.Doc, 1}}}).Write(&b); err == nil {
			t.Errorf("%+v is written", j)
		}
	}
	for _, r := range []Run{{"", []Retrieved{{"q", "d", 1}}}, {"t", []Retrieved{{"q", "d", math.NaN()}}}} {
		if err := r.Write(&b); err == nil {
			t.Errorf("%+v is written", r)
		}
	}
	if err := (&Run{}).Write(&b); err != nil || b.Len() > 0 {
		t.Errorf("an empty run: %v, %q", err, b.String())
	}
}

func TestWrittenRunIsRanked(t *testing.T) {
	run, _ := sample(t)
	var b bytes.Buffer
	if err := run.Write(&b); err != nil {
		t.Fatal(err)
	}
	want := `q1 Q0 a 1 3 sys
q1 Q0 e 2 2.5 sys
q1 Q0 b 3 2.5 sys
q1 Q0 c 4 -0.001 sys
q9 Q0 z 1 1 sys
q3 Q0 y 1 7 sys
q2 Q0 x 1 1 sys
`
	if b.String() != want {
		t.Errorf("%s\nwant\n%s", b.String(), want)
	}
}

func FuzzReadQrels(f *testing.F) {
	for _, s := range []string{sampleQrels, "q 0 d 1", "#", "q 0 d -9\r\n", "q 0 d", "\xff 0 \xfe 3", " #q 0 d 1",
		"q 0 #d +1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ReadQrels(strings.NewReader(text), "f")
		if err != nil {
			return
		}
		var written bytes.Buffer
		for _, j := range list {
			fmt.Fprintf(&written, "%s 0 %s %d\n", j.Query, j.Doc, j.Relevance)
		}
		again, err := ReadQrels(bytes.NewReader(written.Bytes()), "f")
		if err != nil || fmt.Sprint(again) != fmt.Sprint(list) {
			t.Fatalf("%q, written and read: %v, %v", text, again, err)
		}
	})
}

func FuzzReadRun(f *testing.F) {
	for _, s := range []string{sampleRun, "q Q0 d 1 2 t", "q Q0 d 1 -Inf t u\n",
		"q Q0 d 1 0x1p-3 t", "q Q0 d 1 -0 #t"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		run, err := ReadRun(strings.NewReader(text), "f")
		if err != nil {
			return
		}
		var first, second bytes.Buffer
		if err := run.Write(&first); err != nil {
			t.Fatal(err)
		}
		again, err := ReadRun(bytes.NewReader(first.Bytes()), "f")
		if err != nil || len(again.Docs) != len(run.Docs) || again.Tag != run.Tag {
			t.Fatalf("%q, written and read: %+v, %v", text, again, err)
		}
		if err := again.Write(&second); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("%q and %q, %v", first.String(), second.String(), err)
		}
	})
}
