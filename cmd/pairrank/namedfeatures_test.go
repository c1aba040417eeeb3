package main

import (
	"fmt"
	"strings"
	"testing"
)

// Features that are named as weights, times or clicks are told on every path that learns from them or measures with
// them: of every format, as text and as JSON, with a code, and once.
func TestNamedFeaturesAreTold(t *testing.T) {
	t.Chdir(t.TempDir())
	csv, text := strings.Builder{}, strings.Builder{}
	csv.WriteString("label,qid,Sample.Weight,censored,clicks,x\n")
	for i := range 60 {
		y, w, c, x := i*7%3, i*5%11, i%2, i*i%17
		fmt.Fprintf(&csv, "%d,q%d,%d,%d,%d,%d\n", y, i/6, w, c, i%5, x)
		fmt.Fprintf(&text, "%d qid:%d 1:%d 2:%d 3:%d 4:%d\n", y, i/6+1, w, c, i%5, x)
	}
	put(t, "a.csv", csv.String())
	put(t, "a.txt", text.String())
	put(t, "names", "Sample.Weight\ncensored\nclicks\nx\n")
	for _, to := range []string{"a.npz", "a.jsonl", "a.parquet", "a.tsv"} {
		must(t, "convert", "a.csv", to)
	}
	must(t, "train", "a.csv", "-o", "m", "--lambda", "1")
	must(t, "train", "a.csv", "-o", "chosen", "--lambda", "1", "--feature-columns", "Sample.Weight,censored,clicks,x")
	must(t, "stream", "train", "a.csv", "-o", "s", "--lambda", "1", "--keep-moments")
	must(t, "stream", "stats", "a.txt", "--names", "names", "-o", "units", "--select", "none")
	put(t, "new.txt", strings.ReplaceAll(text.String(), "qid:", "qid:9"))
	put(t, "scores", strings.Repeat("1\n2\n0\n", 20))
	var lines []string
	for _, file := range []string{"a.csv", "a.tsv", "a.npz", "a.jsonl", "a.parquet", "a.txt --names names"} {
		lines = append(lines, "train "+file+" --lambda 1 -o out", "train "+file+" --lambda 1 --learner ranksvm -o out")
		if !strings.HasPrefix(file, "a.txt") {
			lines = append(lines, "cv "+file+" --lambda 1 --method kfold:3",
				"check "+file, "evaluate "+file+" --model m", "compare "+file+" --model m --scores scores")
		}
	}
	lines = append(lines, "stream train a.csv --lambda 1 -o out", "stream train a.parquet --lambda 1 -o out",
		"stream train a.txt --names names --lambda 1 -o out", "stream stats a.txt --names names -o units2",
		"stream merge units --lambda 1 -o out", "stream update s new.txt -o out")
	for _, line := range lines {
		for _, json := range []bool{false, true} {
			args := strings.Fields(line)
			if json {
				args = append(args, "--json")
			}
			code, stdout, told := program(t, args...)
			if code != 0 {
				t.Errorf("%v: %d, %s", args, code, told)
				continue
			}
			if json || args[0] == "check" {
				told = stdout
			}
			for _, what := range []string{"how much a row counts", "whether an event was seen", "earlier ranking"} {
				if n := strings.Count(told, what); n != 1 {
					t.Errorf("%v: %q is told %d times: %s", args, what, n, told)
				}
			}
			if json && (!strings.Contains(told, `"meaning"`) || !strings.Contains(told, `"like-times"`) ||
				!strings.Contains(told, `"like-weights"`)) {
				t.Errorf("%v: no code in %s", args, told)
			}
		}
	}
	for _, line := range []string{"train a.csv --lambda 1 -o out --feature-columns Sample.Weight:x",
		"evaluate a.csv --model chosen", "evaluate a.csv --scores scores", "train a.csv --lambda 1 -o out " +
			"--ignore-columns Sample.Weight,censored,clicks", "stream train a.csv --lambda 1 -o out --feature-columns " +
			"Sample.Weight:x"} {
		if code, _, told := program(t, strings.Fields(line)...); code != 0 || strings.Contains(told, "the name is often") {
			t.Errorf("%s: %d, %s", line, code, told)
		}
	}
}
