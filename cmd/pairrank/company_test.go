package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
)

// companySheet is rows of queries with two features, a label and scores of another tool.
type companySheet struct {
	label, query []int
	x            [][2]float64
	scores       []float64
}

func newCompanySheet(seed uint64, queries int) *companySheet {
	rng, s := rand.New(rand.NewPCG(seed, 9)), &companySheet{}
	for g := range queries {
		for range 4 + rng.IntN(5) {
			x := [2]float64{rng.NormFloat64(), rng.NormFloat64()}
			s.label = append(s.label, min(3, max(0, int(1.5+x[0]+math.Abs(x[1])+rng.NormFloat64()/2))))
			s.query, s.x = append(s.query, g+1), append(s.x, x)
			s.scores = append(s.scores, math.Round(8*(math.Abs(x[1])+rng.NormFloat64()/3)))
		}
	}
	return s
}

// text is the rows in a format, by its name's end.
func (s *companySheet) text(format string) string {
	var b strings.Builder
	if format == "csv" {
		b.WriteString("label,qid,x1,x2\n")
	}
	line := map[string]string{"csv": "%d,%d,%v,%v\n", "txt": "%d qid:%d 1:%v 2:%v\n",
		"jsonl": `{"label":%d,"qid":%d,"x1":%v,"x2":%v}` + "\n"}[format]
	for i, y := range s.label {
		fmt.Fprintf(&b, line, y, s.query[i], s.x[i][0], s.x[i][1])
	}
	return b.String()
}

func scoreLines(scores []float64) string {
	var b strings.Builder
	for _, f := range scores {
		fmt.Fprintln(&b, strconv.FormatFloat(f, 'g', -1, 64))
	}
	return b.String()
}

// besideOf is the comparison with another tool in a document, without what names files.
func besideOf(t *testing.T, key string, args ...string) map[string]any {
	t.Helper()
	code, stdout, stderr := program(t, append(args, "--json")...)
	var d map[string]any
	if err := json.Unmarshal([]byte(stdout), &d); code != cli.ExitOK || err != nil {
		t.Fatalf("%s: exit code %d, %v\n%s", args, code, err, stderr)
	}
	if key != "" {
		var is bool
		if d, is = d[key].(map[string]any); !is {
			t.Fatalf("%s: no %s in %s", args, key, stdout)
		}
	}
	for _, file := range []string{"rankings", "data", "columns", "notes", "delong", "times"} {
		delete(d, file)
	}
	return d
}

// However the three rankings reach the tests of compare, the numbers are the same: of cv and train, of evaluate and
// compare with the held-out scores, and of compare with what predict writes; from each format of rows.
func TestCompanyAlike(t *testing.T) {
	s, dir := newCompanySheet(1, 14), t.TempDir()
	theirs := putFile(t, dir, "theirs.txt", scoreLines(s.scores))
	held, model, both := filepath.Join(dir, "held.txt"), filepath.Join(dir, "m"), filepath.Join(dir, "both.txt")
	var first map[string]any
	for _, format := range []string{"csv", "txt", "jsonl"} {
		rows := putFile(t, dir, "rows."+format, s.text(format))
		of := besideOf(t, "beside", "cv", rows, "--beside", theirs, "--interval", "none", "--held-out", held)
		if first == nil {
			first = of
		}
		ways := map[string]map[string]any{
			"cv":       of,
			"train":    besideOf(t, "beside", "train", rows, "-o", model, "--beside", theirs),
			"evaluate": besideOf(t, "beside", "evaluate", rows, "--scores", held, "--beside", theirs, "-m", "disagreement"),
			"compare":  besideOf(t, "", "compare", rows, "--scores", held, "--beside", theirs, "-m", "disagreement"),
		}
		for way, got := range ways {
			if !reflect.DeepEqual(got, first) {
				t.Errorf("%s, %s: %v\nwant %v", format, way, got, first)
			}
		}
		code, stdout, stderr := program(t, "predict", model, rows, "--beside", theirs, "-o", both)
		if code != cli.ExitOK {
			t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
		}
		one := besideOf(t, "", "compare", rows, "--model", model, "--scores", theirs, "--scores", both)
		if two := besideOf(t, "", "compare", rows, "--model", model, "--beside", theirs); !reflect.DeepEqual(one, two) {
			t.Errorf("%s: of predict %v\nof compare %v", format, one, two)
		}
	}
}

// Text and page say the numbers of the document, and which rows were left out.
func TestCompanyTold(t *testing.T) {
	s, dir := newCompanySheet(2, 12), t.TempDir()
	rows, theirs := putFile(t, dir, "rows.csv", s.text("csv")), putFile(t, dir, "theirs.txt", scoreLines(s.scores))
	page := filepath.Join(dir, "page.html")
	d := besideOf(t, "beside", "cv", rows, "--beside", theirs, "--report", page, "--metric", "ndcg@10")
	_, text, _ := program(t, "cv", rows, "--beside", theirs, "--metric", "ndcg@10")
	shown := []string{"A  held-out scores of " + rows, "half and half, held-out scores of " + rows + " and " + theirs,
		"A has scores of queries that leave-query-out left out of training", "standardised within the query"}
	for _, standing := range d["standings"].([]any) {
		for _, r := range standing.(map[string]any)["rankings"].([]any) {
			shown = append(shown, fmt.Sprintf("%.4f", r.(map[string]any)["mean"]))
		}
	}
	written := readFile(t, page)
	for _, want := range shown {
		if !strings.Contains(text, want) {
			t.Errorf("the text has no %q:\n%s", want, text)
		}
		if !strings.Contains(written, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	var document map[string]any
	_, stdout, _ := program(t, "cv", rows, "--beside", theirs, "--metric", "ndcg@10", "--json", "--interval", "none")
	if err := json.Unmarshal([]byte(stdout), &document); err != nil {
		t.Fatal(err)
	}
	code, again, stderr := program(t, "report", putFile(t, dir, "cv.json", stdout), "-o", filepath.Join(dir, "again.html"))
	if code != cli.ExitOK || !strings.Contains(readFile(t, filepath.Join(dir, "again.html")), "half and half") {
		t.Errorf("report: exit code %d\n%s%s", code, again, stderr)
	}
}

// Every learner, kernel and kind of label has company where it has a held-out score of each row.
func TestCompanyPaths(t *testing.T) {
	s, dir := newCompanySheet(3, 9), t.TempDir()
	theirs := putFile(t, dir, "theirs.txt", scoreLines(s.scores))
	queries := putFile(t, dir, "rows.csv", s.text("csv"))
	var two, timed, weighed, kernel strings.Builder
	two.WriteString("label,x1,x2\n")
	timed.WriteString("months,died,x1,x2\n")
	weighed.WriteString("label,qid,w,x1,x2\n")
	for i, x := range s.x {
		fmt.Fprintf(&two, "%d,%v,%v\n", s.label[i]/2, x[0], x[1])
		fmt.Fprintf(&timed, "%d,%d,%v,%v\n", 3*s.label[i]+1+i%3, i%4/2, x[0], x[1])
		fmt.Fprintf(&weighed, "%d,%d,%d,%v,%v\n", s.label[i], s.query[i], i%3, x[0], x[1])
		for j := range s.x {
			fmt.Fprintf(&kernel, "%v\t", x[0]*s.x[j][0]+x[1]*s.x[j][1])
		}
		kernel.WriteString("\n")
	}
	files := map[string]string{"QUERIES": queries, "TWO": putFile(t, dir, "two.csv", two.String()),
		"TIMED":   putFile(t, dir, "timed.csv", timed.String()) + " --time months --event died",
		"WEIGHED": putFile(t, dir, "weighed.csv", weighed.String()) + " --weight-column w",
		"KERNEL":  putFile(t, dir, "kernel.tsv", strings.ReplaceAll(kernel.String(), "\t\n", "\n"))}
	for _, line := range []string{
		"QUERIES", "QUERIES --learner rls", "QUERIES --learner ranksvm --lambda 1 --method kfold:3",
		"QUERIES --learner rankboost --rounds 3 --method kfold:3", "QUERIES --kernel gaussian:gamma=1",
		"QUERIES --features 1 --lambda 1", "QUERIES --kernel-matrix KERNEL", "QUERIES --binarize 2 --metric map",
		"QUERIES --nested --method kfold:3", "TWO --method loo", "TWO --method kfold:5", "TIMED --method kfold:3", "WEIGHED",
	} {
		for name, file := range files {
			line = strings.ReplaceAll(line, name, file)
		}
		of := besideOf(t, "beside", append(strings.Fields("cv "+line), "--interval", "none", "--beside", theirs)...)
		if n := len(of["pairs"].([]any)); n != 3 {
			t.Errorf("%s: %d pairs", line, n)
		}
	}
}

// Several rankings, and several DATA, each have their own half.
func TestCompanyOfSeveral(t *testing.T) {
	dir := t.TempDir()
	var data, theirs []string
	for k := range 2 {
		s := newCompanySheet(uint64(4+k), 8)
		data = append(data, putFile(t, dir, fmt.Sprintf("rows%d.txt", k), s.text("txt")))
		theirs = append(theirs, putFile(t, dir, fmt.Sprintf("theirs%d.txt", k), scoreLines(s.scores)))
		program(t, "train", data[k], "-o", filepath.Join(dir, fmt.Sprint("m", k)), "--lambda", "1")
	}
	m0, m1 := filepath.Join(dir, "m0"), filepath.Join(dir, "m1")
	models := []string{"--model", m0, "--model", m1, "--model", m1, "--model", m0}
	args := slices.Concat([]string{"compare"}, data, models, []string{"--beside", theirs[0], "--beside", theirs[1]})
	got := besideOf(t, "", args...)
	args = slices.Concat([]string{"compare"}, data, models, []string{"--scores", theirs[0], "--scores", theirs[1]})
	for r, of := range [][]string{{m0, m1}, {m1, m0}} {
		for k, path := range data {
			mixed := filepath.Join(dir, fmt.Sprint("mixed", r, k))
			program(t, "predict", of[k], path, "--beside", theirs[k], "-o", mixed)
			args = append(args, "--scores", mixed)
		}
	}
	if want := besideOf(t, "", args...); !reflect.DeepEqual(got, want) {
		t.Errorf("%v\nwant %v", got, want)
	}
	code, stdout, stderr := program(t, "compare", data[0], "--model", m0, "--beside", theirs[0], "-m", "map",
		"--fail-worse",
		"m0=0.5")
	if code != cli.ExitOK && code != 7 || !strings.Contains(stdout, "A") {
		t.Errorf("a gate of the model alone: exit code %d\n%s%s", code, stdout, stderr)
	}
}

// What is wrong with the scores, or has no held-out scores, is refused.
func TestCompanyRefused(t *testing.T) {
	s, dir := newCompanySheet(6, 6), t.TempDir()
	rows, theirs := putFile(t, dir, "rows.txt", s.text("txt")), putFile(t, dir, "theirs.txt", scoreLines(s.scores))
	few, tied := putFile(t, dir, "few.txt", "1\n2\n"), putFile(t, dir, "tied.txt", strings.Repeat("1\n", len(s.label)))
	nan := putFile(t, dir, "nan.txt", "1\nNaN\n")
	list := putFile(t, dir, "list.txt", "1 1:2\n0 1:1\n1 1:3\n0 1:2\n")
	four := putFile(t, dir, "four.txt", "1\n2\n3\n4\n")
	model := filepath.Join(dir, "m")
	program(t, "train", rows, "-o", model, "--lambda", "1")
	fewer := fmt.Sprintf("few.txt has 2 scores and ROWS has %d rows", len(s.label))
	for line, want := range map[string]string{
		"cv ROWS --beside FEW":                 fewer,
		"evaluate ROWS --model M --beside FEW": fewer,
		"predict M ROWS --beside FEW":          fewer,
		"cv ROWS --beside NAN":                 "nan.txt:2: the score is not finite",
		"compare ROWS --model M --beside TIED": "tied.txt has equal scores within every query",
		"cv LIST --beside FOUR":                "a single list is held out in pairs by default",
		"cv LIST --beside FOUR --method lpo":   "--beside and --method lpo cannot be given together",

		"train ROWS -o M2 --beside T --lambda 1":   "nothing is held out for one value of λ",
		"train ROWS -o M2 --beside T --valid ROWS": "--beside and --valid cannot be given together",
		"stream train ROWS -o M2 --beside T":       "held-out rows are not kept",

		"relation cv E --beside T":                     "--beside is not for edges",
		"leaderboard E --beside T":                     "leaderboard has no --beside",
		"compare ROWS --beside T":                      "two rankings or more, not 1",
		"compare ROWS --model M --beside T --beside T": "give one for each",
		"evaluate --qrels Q --run R --beside T":        "--beside and --qrels cannot be given together",
		"predict M --kernel-matrix K --beside T":       "DATA is missing",
		"predict - - --beside T":                       "standard input can be read only once",

		"evaluate ROWS --model M --beside T -m pooled-disagreement": "pools the pairs of all queries",
	} {
		words := strings.Fields(line)
		for k, w := range words {
			words[k] = cmp.Or(map[string]string{"ROWS": rows, "T": theirs, "FEW": few, "TIED": tied, "NAN": nan, "LIST": list,
				"FOUR": four, "M": model, "M2": model + "2"}[w], w)
		}
		code, stdout, stderr := program(t, words...)
		if code == cli.ExitOK || !strings.Contains(stderr, strings.ReplaceAll(want, "ROWS", rows)) {
			t.Errorf("%s: exit code %d, want %q\n%s%s", line, code, want, stdout, stderr)
		}
	}
	half := slices.Clone(s.scores)
	for i := range half {
		if s.query[i] == 1 {
			half[i] = 2
		}
	}
	_, _, stderr := program(t, "cv", rows, "--beside", putFile(t, dir, "half.txt", scoreLines(half)), "--interval", "none")
	if !strings.Contains(stderr, "half.txt tie in 1 of 6 queries, and count as 0 there") {
		t.Errorf("cv says\n%s", stderr)
	}
}
