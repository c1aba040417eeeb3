package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// weighedQueries writes tables of 24 queries with whole weights from 0 to 3: all of them, in two files, without rows
// of weight 0, with each row as often as its weight says, and with weights of 1 and without weights.
func weighedQueries(t *testing.T) {
	t.Helper()
	r := rand.New(rand.NewPCG(91, 92))
	files := map[string]*strings.Builder{}
	for _, name := range []string{"all", "first", "second", "present", "copies", "ones", "plain", "zeros"} {
		files[name] = &strings.Builder{}
		bare := name == "copies" || name == "plain"
		files[name].WriteString(map[bool]string{true: "label,qid,x1,x2\n", false: "label,qid,mass,x1,x2\n"}[bare])
	}
	for q := range 24 {
		for range 2 + r.IntN(6) {
			y, w := r.IntN(3), r.IntN(4)
			if q == 7 {
				w = 0 // no query
			}
			head := fmt.Sprintf("%d,q%d,", y, q)
			x := fmt.Sprintf("%.3f,%.3f\n", float64(y)+r.NormFloat64(), r.NormFloat64())
			weighed := fmt.Sprint(head, w, ",", x)
			files["all"].WriteString(weighed)
			files[map[bool]string{true: "first", false: "second"}[q < 11]].WriteString(weighed)
			if w > 0 {
				files["present"].WriteString(weighed)
			}
			files["copies"].WriteString(strings.Repeat(head+x, w))
			files["plain"].WriteString(head + x)
			files["ones"].WriteString(head + "1," + x)
			files["zeros"].WriteString(head + "0," + x)
		}
	}
	for name, text := range files {
		put(t, name+".csv", text.String())
	}
}

// learntFrom is a model without its facts: the weights of its features.
func learntFrom(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, weights, _ := strings.Cut(string(b), "\nweights\n")
	weights, _, _ = strings.Cut(weights, "checksum")
	return weights
}

// nearModels reports whether two models have the same weights, up to rounding.
func nearModels(t *testing.T, a, b string) bool {
	t.Helper()
	of := func(file string) (all []any) {
		for field := range strings.FieldsSeq(learntFrom(t, file)) {
			var v float64
			if _, err := fmt.Sscan(field, &v); err != nil {
				t.Fatal(err)
			}
			all = append(all, v)
		}
		return all
	}
	return nearNumbers(of(a), of(b))
}

// Sums of rows with weights are those of memory: weights of 1 are none, a row of weight 0 is no row, a whole weight is
// as many copies, and the files of parts, merged, updated and forgotten have the bytes of one pass.
func TestLawsOfWeightedSums(t *testing.T) {
	t.Chdir(t.TempDir())
	weighedQueries(t)
	same := func(a, b string) {
		t.Helper()
		x, errX := os.ReadFile(a)
		y, errY := os.ReadFile(b)
		if errX != nil || errY != nil || !bytes.Equal(x, y) {
			t.Errorf("%s and %s differ, %v, %v:\n%s\n%s", a, b, errX, errY, x, y)
		}
	}
	mustRun(t, "convert", "all.csv", "all.parquet")
	for name, flags := range map[string]string{
		"pairs": "", "size": "--query-weight size", "unit": "--cost unit --query-weight edges",
		"relative": "--cost relative", "rls": "--learner rls", "minmax": "--normalize query-minmax --binarize 1",
	} {
		with := func(more string) []string { return strings.Fields(more + " " + flags) }
		train := func(files, model, more string) {
			mustRun(t, append([]string{"stream", "train"}, with(files+" -o "+model+" "+more)...)...)
		}
		const weights = "--weight-column mass"
		train("all.csv", "stream.model", weights+" --lambda 2")
		mustRun(t, append([]string{"train"}, with("all.csv -o memory.model --lambda 2 --solver primal "+weights)...)...)
		if !nearModels(t, "stream.model", "memory.model") {
			t.Errorf("%s: the model of sums is not that of memory", name)
		}
		if train("copies.csv", "copies.model", "--lambda 2"); name != "unit" && !nearModels(t, "stream.model",
			"copies.model") {
			t.Errorf("%s: whole weights are not copies", name)
		}
		train("all.csv", "all.model", weights)
		train("all.parquet", "table.model", weights)
		same("all.model", "table.model")
		train("present.csv", "present.model", weights)
		same("all.model", "present.model")
		train("ones.csv", "ones.model", weights)
		train("plain.csv", "plain.model", "")
		if !bytes.Equal(learnt(t, "ones.model"), learnt(t, "plain.model")) {
			t.Errorf("%s: weights of 1 are not no weights", name)
		}

		train("first.csv second.csv", "whole.model", weights+" --keep-moments")
		mustRun(t, append([]string{"stream", "stats"}, with("first.csv second.csv -o units-"+name+" "+weights)...)...)
		mustRun(t, "stream", "merge", "units-"+name, "-o", "merged.model", "--keep-moments")
		same("whole.model", "merged.model")
		same("whole.model.moments", "merged.model.moments")
		train("first.csv", "first.model", weights+" --keep-moments")
		mustRun(t, "stream", "update", "first.model", "second.csv", "-o", "updated.model", "--weight-column", "mass")
		same("whole.model", "updated.model")
		mustRun(t, "stream", "update", "updated.model", "--forget", "second.csv", "-o", "forgot.model",
			"--weight-column", "mass")
		same("first.model", "forgot.model")
	}
}

// learnt is a model without the columns of its table, and the checksum over all.
func learnt(t *testing.T, path string) []byte {
	t.Helper()
	return bytes.Join(slices.DeleteFunc(bytes.Split(contentOf(t, path), []byte("\n")), func(line []byte) bool {
		return bytes.HasPrefix(line, []byte("fact columns ")) || bytes.HasPrefix(line, []byte("checksum "))
	}), []byte("\n"))
}

// What are no weights, and sums of rows with and without weights that meet, are errors that say where.
func TestWeightsOfSumsAreChecked(t *testing.T) {
	t.Chdir(t.TempDir())
	weighedQueries(t)
	put(t, "negative.csv", "label,qid,mass,x\n1,a,1,2\n0,a,-1,1\n")
	put(t, "no.csv", "label,qid,mass,x\n1,a,nan,2\n0,a,1,1\n")
	put(t, "rows.txt", "1 qid:1 1:2\n0 qid:1 1:3\n")
	mustRun(t, "stream", "train", "first.csv", "-o", "weighed.model", "--weight-column", "mass", "--keep-moments",
		"--keep-query-sums")
	mustRun(t, "stream", "train", "plain.csv", "-o", "plain.model", "--keep-moments")
	mustRun(t, "stream", "stats", "first.csv", "-o", "units", "--weight-column", "mass")
	for line, want := range map[string]string{
		"train negative.csv -o m --weight-column mass":                     "negative.csv:3:5: a weight is at least 0",
		"train no.csv -o m --weight-column mass":                           "no.csv:2:5: the value is missing",
		"train zeros.csv -o m --weight-column mass":                        "zeros.csv:1:11: all rows have weight zero",
		"train rows.txt -o m --weight-column mass":                         "--weight-column is for tables",
		"stats zeros.csv -o zeros --weight-column mass":                    "zeros.csv:1:11: all rows have weight zero",
		"stats first.csv -o units":                                         "--names is",
		"update weighed.model plain.csv -o m":                              `no column "mass"`,
		"update weighed.model rows.txt -o m":                               "is for tables",
		"update plain.model --forget all.csv -o m --weight-column mass":    "trained without weights of rows",
		"update weighed.model --forget-qid q7 -o m":                        `"q7"`, // of rows of weight 0
		"update weighed.model --forget ones.csv -o m --weight-column mass": "to forget",
		"update weighed.model -o m --weight-column mass":                   "--weight-column needs NEW",
	} {
		code, _, stderr := program(t, append([]string{"stream"}, strings.Fields(line)...)...)
		if code != 2 && code != 3 || !strings.Contains(stderr, want) {
			t.Errorf("stream %s ends with %d, want %q: %s", line, code, want, stderr)
		}
	}
	mustRun(t, "stream", "update", "weighed.model", "--forget-qid", "q3", "-o", "m.model")
	mustRun(t, "stream", "update", "weighed.model", "second.csv", "-o", "remembered.model")
	mustRun(t, "stream", "update", "weighed.model", "second.csv", "-o", "named.model", "--weight-column", "mass")
	if !bytes.Equal(contentOf(t, "remembered.model"), contentOf(t, "named.model")) {
		t.Error("an update by the column of weights that the sums know is not that by the column that is named")
	}
}
