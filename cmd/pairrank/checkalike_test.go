package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// alikeData are rows of which a check finds something, as a table with the label and the query first.
var alikeData = map[string]string{
	"queries": "label,qid,f1,f2\n1,a,7,3\n1,a,7,3\n2,b,1,3\n0,c,7,3\n1,c,7,3\n",
	"apart":   "label,qid,f1\n1,a,7\n0,b,3\n2,a,1\n0,b,5\n",
	"one":     "label,f1\n1,2\n",
	"equal":   "label,f1\n1,2\n1,3\n1,2\n",
	"numbers": "label,f1,f2\n1,1,.5\n0,2,.25\n2,3,.75\n0,4,.5\n1,5,.125\n3,6,.5\n",
	"leak": "label,f1,f2\n1,10,.5\n0,20,.25\n1,10,.75\n0,20,.5\n1,10,.125\n0,20,.625\n1,10,.5\n0,20,.25\n" +
		"1,10,.1\n0,20,.7\n1,10,.3\n",
	"nothing": "label,f1\n1,2.5\n0,3.25\n2,1\n",
}

// placeOfWarning is where a warning points at, and how a feature is called, both of which depend on the format.
var placeOfWarning = regexp.MustCompile(`; first.*|; first$| \("[^"]*"\)`)

// A check warns of the same whatever the format is.
func TestChecksAreAlike(t *testing.T) {
	t.Chdir(t.TempDir())
	formats := []string{"csv", "tsv", "txt", "npz", "jsonl", "json", "parquet", "sparse.npz"}
	for name, text := range alikeData {
		put(t, "a.csv", text)
		var want []string
		for _, format := range formats {
			file := "a." + format
			if file = strings.TrimPrefix(file, "a.sparse"); file[0] == '.' {
				must(t, "convert", "a.txt", "s.npz")
				file = "s.npz"
			} else if format != "csv" {
				must(t, "convert", "a.csv", file)
			}
			got := warningsOf(t, file)
			if format == "csv" {
				want = got
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s as %s: %q\n  as csv: %q", name, format, got, want)
			}
		}
		if (len(want) == 0) != (name == "nothing") {
			t.Errorf("%s: %q", name, want)
		}
	}
}

// warningsOf are the warnings of a check.
func warningsOf(t *testing.T, file string) (all []string) {
	t.Helper()
	var d struct {
		Warnings int
		Problems []struct{ Severity, Message string }
	}
	if err := json.Unmarshal([]byte(must(t, "check", file, "--json")), &d); err != nil {
		t.Fatal(err)
	}
	for _, p := range d.Problems {
		all = append(all, placeOfWarning.ReplaceAllString(p.Message, ""))
	}
	if d.Warnings != len(all) {
		t.Errorf("%s: %d warnings, and %d are listed", file, d.Warnings, len(all))
	}
	return all
}

// A check lists all errors, whatever the format is, and does not say that a check would.
func TestChecksListAllErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	for file, text := range map[string]string{
		"a.csv": "label,qid,a\n1,x,2\n0,x,u\nz,y,3\n2,y,\n2,,7\n",
		"a.jsonl": `{"label":1,"qid":"x","a":2}` + "\n" + `{"label":0,"qid":"x","a":"u"}` + "\n" +
			`{"label":"z","qid":"y","a":3}` + "\n" + `{"label":2,"qid":"y"}` + "\n" + `{"label":2,"a":7}` + "\n",
	} {
		put(t, file, text)
		code, stdout, stderr := program(t, "check", file)
		if code != 3 || strings.Count(stdout, "error: ") != 4 || strings.Contains(stdout+stderr, "pairrank check") {
			t.Errorf("%s: exit code %d\n%s%s", file, code, stdout, stderr)
		}
	}
	put(t, "b.jsonl", `{"label":1,"a":2}`+"\nbad\n"+`{"label":2,"a":1,"a":2}`+"\n"+`{"label":2,"a":1,"b":2}`+"\n"+
		`{"label":3,"a":9}`+"\n")
	code, stdout, _ := program(t, "check", "b.jsonl")
	for _, want := range []string{"b.jsonl:2:1: ", "b.jsonl:3:18: the member stands twice",
		`b.jsonl:1:1: "b": the value is`,
		`b.jsonl:5:1: "b": the value is missing`, "3 rows, 2 features"} {
		if code != 3 || !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
}

// check finds the same doubts of graded comparisons, whose columns options name, as leaderboard, whose options these
// are.
func TestCheckOfNamedColumns(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ name, text string }{
		{"g.csv", "x,y,p\na,b,.9\nb,c,.7\nA,c,.2\nc,b,0.5\n"},
		{"g.jsonl", `{"x":"a","y":"b","p":0.9}` + "\n" + `{"x":"b","y":"c","p":0.7}` + "\n" + `{"x":"A","y":"c","p":0.2}` +
			"\n" + `{"x":"c","y":"b","p":0.5}` + "\n"},
	} {
		put(t, c.name, c.text)
		flags := []string{"--left", "x", "--right", "y", "--outcome", "p", "--outcome-is", "probability"}
		code, stdout, stderr := program(t, append([]string{"check", c.name}, flags...)...)
		if code != 0 || !strings.Contains(stdout, "4 comparisons of 4 items") || !strings.Contains(stderr, `outcome "p"`) {
			t.Errorf("%s: exit code %d: %s%s", c.name, code, stdout, stderr)
		}
		_, _, told := program(t, append([]string{"leaderboard", c.name}, flags...)...)
		for line := range strings.Lines(stdout) {
			text, is := strings.CutPrefix(line, "warning: "+c.name+": ")
			if is && !strings.Contains(told, strings.TrimSpace(text)) {
				t.Errorf("%s: leaderboard does not tell %s", c.name, text)
			}
		}
	}
}
