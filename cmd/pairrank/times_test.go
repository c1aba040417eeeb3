package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// studyOf is a table of times with whether the event was seen, as a number and as a text, and a marker; and the scores.
func studyOf(m int) (table, scores string) {
	var rows, s strings.Builder
	rows.WriteString("site,months,died,state,marker\n")
	for i := range m {
		t, died := (i*i)%23, (i*7+i/3)%3 > 0
		fmt.Fprintf(&rows, "s%d,%d,%d,%s,%d\n", i%4, t, map[bool]int{true: 1}[died], map[bool]string{true: "dead",
			false: "alive"}[died], (i*i)%13)
		fmt.Fprintf(&s, "%d\n", (t+i%11)/2)
	}
	return rows.String(), s.String()
}

// Times and events of every format, as numbers, truth values and texts, give the same numbers; and so do those that a
// conversion wrote.
func TestTimesOfEveryFormat(t *testing.T) {
	t.Chdir(t.TempDir())
	table, scores := studyOf(48)
	put(t, "a.csv", table)
	put(t, "s", scores)
	put(t, "truth.tsv", strings.NewReplacer(",", "\t", "dead", "True", "alive", "False").Replace(table))
	const without = " --ignore-columns state,site"
	for _, to := range []string{"a.npz", "a.jsonl", "a.json", "a.parquet", "b.csv", "a.txt"} {
		must(t, strings.Fields("convert a.csv "+to+" --time months --event died"+without)...)
	}
	must(t, strings.Fields("convert a.txt again.txt")...)
	want := ""
	for _, line := range []string{"a.csv --time months --event died", "a.csv --time months --event state --positive dead",
		"truth.tsv --format tsv --time months --event state", "a.npz --time time --event event",
		"a.jsonl --time time --event event", "a.json --time time --event event", "a.parquet --time time --event event",
		"b.csv --time time --event event", "a.txt --censored negative", "again.txt --censored negative"} {
		out := must(t, strings.Fields("evaluate "+line+" --scores s")...)
		if want == "" {
			want = out
		}
		if out != want || !strings.Contains(out, "c-index  0.") {
			t.Errorf("%s: %s, want %s", line, out, want)
		}
	}
}

// What is wrong with times is an error with its place, or a warning, and never NaN.
func TestBadTimes(t *testing.T) {
	t.Chdir(t.TempDir())
	table, scores := studyOf(12)
	put(t, "s", scores)
	put(t, "a.csv", table)
	lines := strings.Split(strings.TrimSpace(table), "\n")
	changed := func(name string, column int, value string, rows ...int) {
		all := append([]string(nil), lines...)
		for i := range all[1:] {
			if len(rows) == 0 || i == rows[0] {
				f := strings.Split(all[i+1], ",")
				f[column] = value
				all[i+1] = strings.Join(f, ",")
			}
		}
		put(t, name, strings.Join(all, "\n")+"\n")
	}
	changed("below.csv", 1, "-1", 3)
	changed("missing.csv", 1, "NA", 3)
	changed("lacks.csv", 2, "", 3)
	changed("two.csv", 2, "2", 3)
	changed("third.csv", 3, "gone", 3)
	changed("none.csv", 2, "0")
	put(t, "tied.csv", "months,died\n"+strings.Repeat("5,1\n", 12))
	put(t, "y.csv", strings.Replace(table, "marker", "outcome", 1))
	put(t, "none.txt", "-1 1:2\n-2 1:3\n")
	put(t, "two", "1\n2\n")
	const times, texts = " --time months --event died", " --time months --event state --positive dead"
	for _, c := range []struct {
		line string
		code int
		says string
	}{
		{"below.csv" + times, 3, `below.csv:5:4: a time is at least 0`},
		{"missing.csv" + times, 3, `missing.csv:5:4: the value is missing`},
		{"lacks.csv" + times, 3, `lacks.csv:5:\d+: the value is missing`},
		{"two.csv" + times, 3, `two.csv:5:\d+: the event is neither 0 nor 1.*(?s:.*)--positive TEXT`},
		{"a.csv --time months --event state", 3, `a.csv:2:\d+: the event is neither 0 nor 1`},
		{"third.csv" + texts, 3, `third.csv:5:\d+: the event is a third text, beside "dead" and "alive"`},
		{"none.csv" + times, 3, `no row had the event: column "died" is never "1"`},
		{"y.csv" + times + " --ignore-columns state", 3, `"outcome" is named as labels are`},
		{"tied.csv" + times, 0, `undefined: no query has a comparable pair of times`},
		{"a.csv --qid-column marker" + times, 0, `undefined on \d+ of \d+ queries`},
		{"a.csv --time months", 2, `--time needs --event`},
		{"a.csv --time months --event died --label-column marker", 2, `--time and --label-column cannot`},
		{"a.csv -m auc" + times, 2, `auc does not know of censored times: c-index and uno-c do`},
		{"a.csv -m c-index --label-column died", 2, `c-index is of censored times(?s:.*)--time COLUMN`},
		{"a.csv --censored negative", 2, `--censored negative is for SVMlight text`},
	} {
		scored := c.line + " --scores s"
		code, stdout, stderr := program(t, strings.Fields("evaluate "+scored)...)
		if code != c.code || !regexp.MustCompile(c.says).MatchString(stderr) || strings.Contains(stdout, "NaN") {
			t.Errorf("%s: %d %s%s", scored, code, stdout, stderr)
		}
	}
	if code, _, stderr := program(t, "evaluate", "none.txt", "--censored", "negative", "--scores", "two"); code != 3 ||
		!strings.Contains(stderr, "no row had the event") {
		t.Errorf("%d %s", code, stderr)
	}
	for _, verb := range []string{"predict", "explain"} {
		code, _, stderr := program(t, verb, "a.csv", "--time", "months", "--event", "died")
		if code != 2 || !strings.Contains(stderr, "--time is of check, cv, train, evaluate, compare, convert") {
			t.Errorf("%s: %d %s", verb, code, stderr)
		}
	}
	for _, file := range []string{"below.csv", "missing.csv", "two.csv", "none.csv"} {
		args := strings.Fields("check " + file + times + " --ignore-columns state,site --json")
		if code, stdout, _ := program(t, args...); code != 3 || !strings.Contains(stdout, `"errors": 1`) {
			t.Errorf("check %s: %d %s", file, code, stdout)
		}
	}
}

// The curves of thirds are in the text of one ranking, and on the page and in the figure of each, which documents make
// again.
func TestSurvival(t *testing.T) {
	t.Chdir(t.TempDir())
	table, scores := studyOf(60)
	put(t, "a.csv", table)
	put(t, "s", scores)
	put(t, "r", strings.Join(strings.Fields(scores)[1:], "\n")+"\n1\n")
	const line = "evaluate a.csv --time months --event died --ignore-columns state,site --scores s"
	out := must(t, strings.Fields(line+" --figure survival=one.svg --report one.html -m c-index@9,time-auc@9")...)
	for _, want := range []string{"\nc-index@9   0.", "\ntime-auc@9  0.", "\nlowest  ", "\nhighest ",
		"survival by thirds of the score\nthird    time  at risk"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	put(t, "one.json", must(t, strings.Fields(line+" --json")...))
	must(t, "report", "one.json", "-o", "again.html")
	for _, file := range []string{"one.svg", "one.html", "again.html"} {
		text := read(t, file)
		if strings.Count(text, ">highest third<") != 1 || strings.Contains(text, "NaN") {
			t.Errorf("%s: %.300s", file, text)
		}
	}
	for _, verb := range []string{"evaluate", "compare"} {
		two := strings.Replace(line, "evaluate", verb, 1) + " --scores r --figure survival=two.svg --report two.html"
		if out := must(t, strings.Fields(two)...); strings.Contains(out, "survival by thirds") {
			t.Errorf("%s of two: %s", verb, out)
		}
		if n := strings.Count(read(t, "two.html"), ">highest third<"); n != 2 {
			t.Errorf("%s: %d curves", verb, n)
		}
		if text := read(t, "two.svg"); !strings.Contains(text, ": A") {
			t.Errorf("%s: %.300s", verb, text)
		}
	}
	put(t, "l.txt", "1 1:2\n0 1:1\n")
	put(t, "two", "1\n2\n")
	code, _, stderr := program(t, "evaluate", "l.txt", "--scores", "two", "--figure", "survival=x.svg")
	if code == 0 || !strings.Contains(stderr, "no figure survival") {
		t.Errorf("%d %s", code, stderr)
	}
}
