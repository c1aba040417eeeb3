package main

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/format/parquet"
)

// What is wrong in a table of scores is an error, or a note, with the place: in text, objects of JSON and Parquet.
func TestHostileScores(t *testing.T) {
	t.Chdir(t.TempDir())
	object := func(system, item, score string) string {
		return `{"system":` + system + `,"item":` + item + `,"score":` + score + "}\n"
	}
	good := object(`"a"`, `"x"`, "1") + object(`"b"`, `"x"`, "2")
	columns := func(scores ...float64) string { // of Parquet: two systems, and items x, y …
		var b bytes.Buffer
		set := &data.Set{IDs: strings.Split("x y z u v w", " ")[:len(scores)/2]}
		if err := parquet.WriteScores(&b, scores, 2, set); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for _, c := range []struct {
		file, text, flags string
		code              int
		want              string // in what is told
	}{
		{"nan.jsonl", good + object(`"a"`, `"y"`, "NaN"), "", 3, "nan.jsonl:3:34: invalid character 'N'"},
		{"nan.csv", "system,item,score\na,x,NaN\nb,x,1\na,y,1\nb,y,2\n", "", 0, "1 line with no score left out"},
		{"inf.jsonl", good + object(`"a"`, `"y"`, `"-Inf"`), "", 3, "inf.jsonl:3:34: the score is not a finite number"},
		{"digits.jsonl", good + object(`"a"`, `"y"`, "1e400"), "", 3,
			"digits.jsonl:3:34: the score is not a finite number"},
		{"huge.csv", "system,item,score\na,x,1e308\nb,x,-1e307\n", "", 3,
			`the largest score is 1e+308, of system "a" on item "x"`},
		{"tiny.csv", "system,item,score\na,x,1e-308\nb,x,0\n", "", 3,
			`the largest score is 1e-308, of system "a" on item "x"`},
		{"unnamed.csv", "system,item,score\n,x,1\n", "", 3, "unnamed.csv:2:1: the name of the system is missing"},
		{"null.jsonl", good + object(`"a"`, "null", "1"), "", 3, "null.jsonl:3:22: the name of the item is missing"},
		{"again.jsonl", good + object(`"a"`, `"x"`, "1"), "", 3, `a second score on item "x", the first in object 1`},
		{"short.csv", "system,item,score\na,x\n", "", 3, "short.csv:2:3: 2 fields, but the first line has 3"},
		{"member.jsonl", good + `{"system":"a","item":"y"}` + "\n" + object(`"b"`, `"y"`, "1"), "", 0,
			"1 line with no score left out"},
		{"none.csv", "system,item,score\n", "", 3, "none.csv: no scores: no line has one"},
		{"none.json", "[]", "", 3, "none.json:1:1: "},
		{"one.csv", "system,item,score\na,x,1\na,y,2\n", "", 3, "scores of one system, and a ranking needs two"},
		{"item.jsonl", good, "", 0, "none: 1 item: an error is over three or more"},
		{"nested.jsonl", object(`"a"`, `"x"`, `{"value":1}`) + object(`"b"`, `"x"`, `{"value":2}`), "", 3,
			"nested.jsonl:1:1: "},
		{"path.jsonl", object(`"a"`, `"x"`, `{"value":1}`) + object(`"b"`, `"x"`, `{"value":2}`),
			"--score-column score.value", 0, `score "score.value"`},
		{"tab.jsonl", strings.ReplaceAll(good, `"a"`, `"a\tc"`), "-o tab.tsv", 0, "2 scores of 2 systems"},
		{"rounded.jsonl", good + object(`"a"`, "1.2345678901234567e+19", "1"), "", 3, "rounded.jsonl:3:22: "},
		{"wide.csv", "item,a,b\nx,1,2\ny,2,inf\n", "--wide systems", 3, "wide.csv:3:5: the score is not a finite number"},
		{"nan.parquet", columns(1, 2, math.NaN(), 3, 1, 2), "--wide systems --item-column id", 0,
			"5 scores of 2 systems on 3 items, 1 missing"},
		{"inf.parquet", columns(1, 2, 4, math.Inf(1), 1, 2), "--wide systems --item-column id", 3, "inf.parquet"},
		{"huge.parquet", columns(1, 2, 4, -1e200, 1, 2), "--wide systems --item-column id", 3,
			`the largest score is -1e+200, of system "score_2" on item "y"`},
		{"none.parquet", columns(), "--wide systems --item-column id", 3, "none.parquet"},
	} {
		put(t, c.file, c.text)
		code, stdout, stderr := program(t, append(strings.Fields("leaderboard "+c.file), strings.Fields(c.flags)...)...)
		if code != c.code || !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("%s: exit code %d, and no %q in\n%s%s", c.file, code, c.want, stdout, stderr)
		}
	}
	if got := read(t, "tab.tsv"); !strings.Contains(got, "\t\"a\tc\"\n") {
		t.Errorf("a name with a tab: %q", got)
	}
}
