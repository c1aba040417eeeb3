package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
)

// A table of 12 patients, three rows each, in every format, and verbs that hold rows out of it: an id that repeats is
// an error that names both ways out, which then hold; equal rows are a warning. A training of one λ holds nothing out.
func TestRowsThatRepeat(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	r := rand.New(rand.NewPCG(7, 8))
	var named, bare strings.Builder
	named.WriteString("patient,label,a,b,c\n")
	bare.WriteString("label,a,b,c\n")
	for i := range 12 {
		values := fmt.Sprintf("%g,%g,%g", r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
		for k := range 3 {
			fmt.Fprintf(&named, "p%d,%d,%s\n", i, (i+k/2)%2, values)
			fmt.Fprintf(&bare, "%d,%s\n", (i+k/2)%2, values)
		}
	}
	putFile(t, dir, "named.csv", named.String())
	putFile(t, dir, "bare.csv", bare.String())
	putFile(t, dir, "s.txt", strings.Repeat("1\n2\n3\n", 12))
	for _, format := range words("tsv jsonl npz parquet") {
		must(t, "convert", "named.csv", "named."+format)
		must(t, "convert", "bare.csv", "bare."+format)
	}
	must(t, "convert", "bare.csv", "bare.txt")
	told := func(command string) (int, string) {
		var out, errs strings.Builder
		err := run(t.Context(), append(words(command), "--progress", "none"), strings.NewReader(""), &out, &errs)
		if err != nil {
			fmt.Fprintln(&errs, err, cli.Hints(err))
		}
		return cli.ExitCode(err), out.String() + errs.String()
	}
	verbs := words("cv=%s=--lambda=1 cv=%s=--nested=--interval=none cv=%s=--method=loo cv=%s=--method=kfold:3 " +
		"train=%s=-o=m")
	alone := words("cv=%s=--features=1=--method=kfold:3=--interval=none cv=%s=--lambda=1=--permutations=9 " +
		"cv=%s=--roc=r.csv=--lambda=1 cv=%s=--held-out=h.csv=--lambda=1")
	judged := words("evaluate=%s=--scores=s.txt=--metrics=auc compare=%s=--scores=s.txt=--scores=s.txt=--metrics=auc " +
		"evaluate=%s=--model=bare.m=--metrics=auc report=bare.m=%s=--output=r.html " +
		"report=bare.m=%s=--baseline=bare.m=--metrics=auc=--output=r.html")
	must(t, "train", "bare.csv", "-o", "bare.m", "--lambda", "1")
	for _, format := range words("csv tsv jsonl npz parquet") {
		for k, verb := range slices.Concat(judged, verbs, alone) {
			command := strings.ReplaceAll(fmt.Sprintf(verb, "named."+format), "=", " ")
			column := "id" // as convert writes it
			if format == "csv" {
				column = "patient"
			}
			code, text := told(command)
			if code != cli.ExitData || !strings.Contains(text, "--group-column") || !strings.Contains(text,
				"--independent-rows") {
				t.Errorf("%s: exit code %d, %s", command, code, text)
			}
			code, text = told(command + " --independent-rows")
			if code != 0 || !strings.Contains(text, "said to be independent") {
				t.Errorf("%s --independent-rows: exit code %d, %s", command, code, text)
			}
			want := 0
			if k >= len(judged)+len(verbs) { // refused, and clearly
				want = cli.ExitUsage
			}
			code, text = told(command + " --group-column " + column)
			if code != want || strings.Contains(text, "equal another") || want != 0 && !strings.Contains(text, "group") {
				t.Errorf("%s --group-column %s: exit code %d, %s", command, column, code, text)
			}
		}
		if code, text := told("train named." + format + " -o m --lambda 1"); code != 0 || strings.Contains(text, "repeats") {
			t.Errorf("%s, nothing held out: exit code %d, %s", format, code, text)
		}
		if code, text := told("check named." + format); code != 0 || !strings.Contains(text, "repeat") {
			t.Errorf("check %s: exit code %d, %s", format, code, text)
		}
	}
	for _, format := range words("csv tsv jsonl npz parquet txt") {
		for _, verb := range verbs {
			command := strings.ReplaceAll(fmt.Sprintf(verb, "bare."+format), "=", " ")
			if code, text := told(command); code != 0 || !strings.Contains(text, "36 of 36 rows equal another one") {
				t.Errorf("%s: exit code %d, %s", command, code, text)
			}
		}
		command := "train bare." + format + " -o m --valid bare." + format
		if code, text := told(command); code != 0 || !strings.Contains(text, "36 of 36 rows for validation equal") {
			t.Errorf("%s: exit code %d, %s", command, code, text)
		}
	}
}

// Queries that a group connects are refused where queries are compared, unless rows are said to be independent, and
// are no matter where they are only measured.
func TestGroupsThatConnectQueries(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	var rows, scores strings.Builder
	rows.WriteString("qid,user,label\n")
	for i := range 24 {
		fmt.Fprintf(&rows, "q%d,u%d,%d\n", i/3, i/6, i%2)
		fmt.Fprintf(&scores, "%d\n", i%5)
	}
	putFile(t, dir, "d.csv", rows.String())
	putFile(t, dir, "s.txt", scores.String())
	const compared = "compare d.csv --scores s.txt --scores s.txt --group-column "
	for _, c := range []struct {
		command string
		code    int
	}{{compared + "user", cli.ExitData}, {compared + "user --independent-rows", 0},
		{"evaluate d.csv --scores s.txt --group-column user", 0}} {
		var out, errs strings.Builder
		err := run(t.Context(), words(c.command), strings.NewReader(""), &out, &errs)
		hints := fmt.Sprint(cli.Hints(err))
		if code := cli.ExitCode(err); code != c.code || c.code != 0 && !strings.Contains(hints, "--independent-rows") {
			t.Errorf("%s: exit code %d, %v %s", c.command, code, err, hints)
		}
	}
}

// A file of the sizes of queries beside rows without qid is told, and counted by check.
func TestSizesOfQueriesAreTold(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	putFile(t, dir, "d.txt", "1 1:1\n0 1:2\n1 1:2.5\n0 1:0\n")
	putFile(t, dir, "d.csv", "label,x\n1,1\n0,2\n1,2.5\n0,0\n")
	for _, name := range []string{"d.txt.query", "d.txt.group", "d.csv.query"} {
		file := name[:len("d.txt")]
		for _, c := range []struct {
			sizes string
			told  int
		}{{"2\n2\n", 1}, {"", 0}, {"two\n", 0}} { // others are no sizes
			sizes := putFile(t, dir, name, c.sizes)
			var out, errs strings.Builder
			err := run(t.Context(), words("cv "+file+" --lambda 1"), strings.NewReader(""), &out, &errs)
			want := name + " is not read: by it the 4 rows of " + file + " are of 2 queries"
			if err != nil || strings.Count(errs.String(), want) != c.told {
				t.Errorf("cv, %s of %q: %v, %s", name, c.sizes, err, errs.String())
			}
			out.Reset()
			err = run(t.Context(), words("check "+file), strings.NewReader(""), &out, &errs)
			if err != nil || strings.Count(out.String(), want) != c.told ||
				strings.Contains(out.String(), " 0 warnings") == (c.told > 0) {
				t.Errorf("check, %s of %q: %v, %s", name, c.sizes, err, out.String())
			}
			d := struct{ Warnings int }{-1}
			if err := json.Unmarshal([]byte(must(t, "check", file, "--json")), &d); err != nil || d.Warnings != c.told {
				t.Errorf("check --json, %s of %q: %v, %d warnings", name, c.sizes, err, d.Warnings)
			}
			if err := os.Remove(sizes); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Verbs of sums tell equal queries, and how to go on with no option that they lack; what was decided needs no advice.
func TestRepeatedQueriesOfSumsAreTold(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	var once, again strings.Builder
	for i := range 60 {
		row := fmt.Sprintf("1:%g 2:%g 3:%g", math.Sin(float64(i)), math.Sin(float64(i*i)), math.Cos(float64(i)))
		fmt.Fprintf(&once, "%d qid:%d %s\n", i%3, i/3, row)
		fmt.Fprintf(&again, "%d qid:%d %s\n", i%3, 100+i/3, row)
	}
	putFile(t, dir, "a.txt", once.String())
	putFile(t, dir, "b.txt", again.String())
	putFile(t, dir, "ab.txt", once.String()+again.String())
	if err := os.Mkdir("units", 0o777); err != nil {
		t.Fatal(err)
	}
	const equal = "40 of 40 queries have the same rows as another query"
	for _, c := range []struct{ command, want, not string }{
		{"stream train a.txt b.txt -o m", equal + ", and count as independent, as those of a.txt:1 and b.txt:1", "--group"},
		{"stream train a.txt b.txt -o m --lambda 1 --select none", "", equal}, // nothing is held out
		{"stream stats a.txt b.txt -o units", "", equal},
		{"stream merge units -o m", equal, "--group"},
		{"stream train a.txt -o m --keep-moments", "", equal},
		{"stream update m b.txt -o m2", equal, "--group"},
		{"cv ab.txt", equal, "--independent-rows"},
		{"cv ab.txt --independent-rows", "said to be independent, although " + equal, "--"},
	} {
		var out, errs strings.Builder
		if err := run(t.Context(), words(c.command), strings.NewReader(""), &out, &errs); err != nil {
			t.Fatalf("%s: %v", c.command, err)
		}
		if text := errs.String(); !strings.Contains(text, c.want) || c.not != "" && strings.Contains(text, c.not) {
			t.Errorf("%s: %s", c.command, text)
		}
	}
}

// Rows for validation that equal rows of the training are told, also where few values make them ordinary.
func TestRepeatedRowsOfFewValuesAreToldOfValidation(t *testing.T) {
	dir := t.TempDir()
	var rows strings.Builder
	for i := range 40 {
		fmt.Fprintf(&rows, "%d 1:%d 2:%d 3:%d\n", i%2, i/2%2, i/4%2, i*i/3%2)
	}
	file := putFile(t, dir, "d.txt", rows.String())
	valid := putFile(t, dir, "v.txt", "1 1:1 2:1 3:1\n0 1:0 2:1 3:0\n1 1:7 2:1 3:1\n0 1:0 2:0 3:0\n")
	document := must(t, "train", file, "--valid", valid, "-o", dir+"/m", "--json")
	var d struct{ Notes []saidNote }
	if err := json.Unmarshal([]byte(document), &d); err != nil {
		t.Fatal(err)
	}
	want := "3 of 4 rows for validation equal a row of the training data, or but for rounding, as many as features of " +
		"few values let expect"
	if !slices.Contains(d.Notes, saidNote{false, "repeated-rows", want}) {
		t.Errorf("%v", d.Notes)
	}
}
