package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
)

// Several outputs are learnt as each would be alone: the same λ, the same error,
// the same scores in a column each.
func TestOutputs(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	const m, n, v = 90, 5, 3
	r := rand.New(rand.NewPCG(1, 2))
	singles, rows, labels := make([]strings.Builder, v), strings.Builder{}, strings.Builder{}
	for i := range m {
		x, features := make([]float64, n), ""
		for j := range x {
			x[j] = r.NormFloat64()
			features += fmt.Sprintf(" %d:%v", j+1, x[j])
		}
		y := []float64{x[0] + 0.1*r.NormFloat64(), x[1]*x[2] + r.NormFloat64(), math.Round(x[3] - x[4])}
		for c := range v {
			fmt.Fprintf(&singles[c], "%v qid:%d%s\n", y[c], i/10, features)
		}
		fmt.Fprintf(&rows, "0 qid:%d%s\n", i/10, features)
		fmt.Fprintf(&labels, "%v\t%v\t%v\n", y[0], y[1], y[2])
	}
	write := func(name, text string) {
		if err := os.WriteFile(at(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("rows.txt", rows.String())
	write("labels.tsv", labels.String())
	for c := range v {
		write(fmt.Sprintf("y%d.txt", c), singles[c].String())
	}
	type document struct {
		Lambda    *float64
		Objective float64
		Outputs   []struct {
			Lambda    float64
			Selection []struct{ Lambda, Error float64 }
		}
		Selection []struct{ Lambda, Error float64 }
	}
	train := func(args ...string) (d document, scores []string) {
		t.Helper()
		text := must(t, append([]string{"train", "--json", "--progress", "none", "-o", at("m.txt")}, args...)...)
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Fatal(err)
		}
		out := must(t, "predict", at("m.txt"), at("rows.txt"), "--progress", "none")
		return d, strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	}
	for _, flags := range []string{
		"", "--normalize zscore --metric ndcg@3 --learner rls --binarize 0.5", "--kernel gaussian:gamma=0.2",
		"--kernel gaussian:gamma=0.2 --basis 20",
		"--solver dual", "--solver cg --lambdas 0.1,10,1000 --tolerance 1e-13", "--select kfold:3 --lambdas 1,100",
		"--lambda 3", "--solver cg --lambda 3 --tolerance 1e-13",
	} {
		d, scores := train(append(words(flags), at("rows.txt"), "--labels", at("labels.tsv"))...)
		objective := 0.0
		for c := range v {
			alone, want := train(append(words(flags), at(fmt.Sprintf("y%d.txt", c)))...)
			objective += alone.Objective
			if len(alone.Selection) > 0 {
				got := d.Outputs[c]
				if got.Lambda != *alone.Lambda || fmt.Sprint(got.Selection) != fmt.Sprint(alone.Selection) {
					t.Errorf("%q, output %d: λ %v, %v; alone %v, %v", flags, c+1, got.Lambda, got.Selection,
						*alone.Lambda, alone.Selection)
				}
			} else if *d.Lambda != 3 {
				t.Errorf("%q: λ is %v", flags, *d.Lambda)
			}
			if len(scores) != m {
				t.Fatalf("%d lines of scores for %d rows", len(scores), m)
			}
			columns := make([]float64, m)
			singles := make([]float64, m)
			for i, line := range scores {
				fields := strings.Split(line, "\t")
				if len(fields) != v {
					t.Fatalf("%q: a line of scores is %q", flags, line)
				}
				columns[i], _ = strconv.ParseFloat(fields[c], 64)
				singles[i], _ = strconv.ParseFloat(want[i], 64)
			}
			// Products are summed in another order beside other columns.
			if !near(singles, columns, 1e-9) {
				t.Errorf("%q: the scores of output %d are not those of learning it alone", flags, c+1)
			}
		}
		if math.Abs(d.Objective-objective) > 1e-9*objective {
			t.Errorf("%q: objective %v, alone %v in sum", flags, d.Objective, objective)
		}
	}
	// One kernel of several for all outputs, the best on the mean of their errors.
	d, _ := train(at("rows.txt"), "--labels", at("labels.tsv"), "--kernel", "gaussian:gamma=0.01:1:3", "--lambdas",
		"0.1,1")
	if len(d.Outputs) != v {
		t.Errorf("%d outputs of several kernels", len(d.Outputs))
	}
}

func TestOutputsRefused(t *testing.T) {
	dir := t.TempDir()
	rows, labels := filepath.Join(dir, "rows.txt"), filepath.Join(dir, "labels.tsv")
	for path, text := range map[string]string{rows: "1 1:1\n2 1:2\n", labels: "1\t2\n2\t1\n3\t1\n"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"--labels " + labels, cli.ExitData, "labels.tsv is 3×2, and the data has 2 rows"},
		{"--labels -", cli.ExitUsage, "standard input is for DATA"},
		{"--labels " + labels + " --valid " + rows, cli.ExitUsage, "--valid and --labels cannot be given together"},
		{"--labels " + labels + " --preferences " + rows, cli.ExitUsage, "both say what is compared"},
		{"--labels " + labels + " --cost unit", cli.ExitUsage, "--labels needs tied pairs included"},
		{"--labels " + labels + " --learner ranksvm", cli.ExitUsage, "--labels is for --learner rankrls and rls"},
	} {
		var text strings.Builder
		err := run(t.Context(), append([]string{"train", rows, "-o", filepath.Join(dir, "m.txt")}, words(c.args)...),
			strings.NewReader(""), &text, &text)
		if cli.ExitCode(err) != c.code || !strings.Contains(text.String(), c.want) {
			t.Errorf("%s: exit code %d, %q; want %d, %q", c.args, cli.ExitCode(err), text.String(), c.code, c.want)
		}
	}
}
