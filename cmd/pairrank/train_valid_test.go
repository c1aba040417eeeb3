package main

import (
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
)

// For every learner the value of each λ on the rows of --valid is what evaluate
// says of the model that is trained with that λ alone; the least is chosen, and the
// model is the one of that λ.
func TestValid(t *testing.T) {
	dir := t.TempDir()
	rows, valid, m := filepath.Join(dir, "rows.txt"), filepath.Join(dir, "valid.txt"), filepath.Join(dir, "m.txt")
	must(t, words("synth letor --rows 240 --queries 12 --features 6 --seed 1 --progress none -o "+rows)...)
	must(t, words("synth letor --rows 150 --queries 12 --features 6 --seed 2 --progress none -o "+valid)...)
	for _, c := range []struct{ learner, name, values, metric string }{
		{"--normalize zscore", "lambda", "0.1,1,10,100,1000", ""},
		{"--normalize query-minmax --metric ndcg@5", "lambda", "0.1,1,10,100,1000", "ndcg@5"},
		{"--normalize minmax --kernel gaussian:gamma=0.5", "lambda", "0.1,1,10,100", ""},
		{"--kernel gaussian:gamma=0.5 --basis 30", "lambda", "0.1,1,10,100", ""},
		{"--solver dual --pairs all --binarize 2", "lambda", "0.1,1,10,100", ""},
		{"--solver cg", "lambda", "1,100", ""},
		{"--learner rls", "lambda", "0.1,1,10,100", ""},
		{"--learner ranksvm --normalize zscore --epsilon 1e-6", "lambda", "1e-4,1e-2,1", ""},
		{"--learner ranksvm --loss squared-hinge --kernel gaussian:gamma=0.5 --basis 20 --epsilon 1e-6", "lambda",
			"1e-3,1", ""},
		{"--learner rankboost --metric map", "rounds", "2,5,20,40", "map"},
	} {
		command := words("train " + rows + " -o " + m + " --progress none " + c.learner)
		flag := map[string]string{"lambda": "--lambdas", "rounds": "--rounds"}[c.name]
		text := must(t, append(command, flag, c.values, "--valid", valid, "--json")...)
		var d trainDocument
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Fatal(err)
		}
		chosen := d.Lambda
		if c.name == "rounds" {
			chosen = d.Rounds
		}
		best, least, model := 0.0, math.Inf(1), readFile(t, m)
		var its string
		for l, value := range strings.Split(c.values, ",") {
			single := withoutMetric(command)
			must(t, append(single, "--"+c.name, value)...)
			error, tolerance := d.Selection[l].Error, rounding
			if strings.Contains(c.learner, "ranksvm") {
				tolerance = withinEpsilon
			}
			if got := measured(t, valid, m, "pooled-disagreement", c.learner); math.Abs(got-error) > tolerance {
				t.Errorf("%s, %s %s: error %v on the rows of --valid, and evaluate says %v", c.learner, c.name, value,
					error, got)
			}
			loss := error
			if c.metric != "" {
				loss = -d.Selection[l].Value
				if got := measured(t, valid, m, c.metric, c.learner); math.Abs(got+loss) > rounding {
					t.Errorf("%s, %s %s: %s %v on the rows of --valid, and evaluate says %v", c.learner, c.name, value,
						c.metric, -loss, got)
				}
			}
			if v, err := strconv.ParseFloat(value, 64); err != nil {
				t.Fatal(err)
			} else if loss <= least {
				best, least, its = v, loss, readFile(t, m)
			}
		}
		if chosen != best || d.Method != "valid" || d.Valid != valid {
			t.Errorf("%s: %s %v is chosen, by %s %s; the best is %v", c.learner, c.name, chosen, d.Method, d.Valid,
				best)
		}
		if a, b := modelNumbers(model), modelNumbers(its); !near(a, b, 1e-6) {
			t.Errorf("%s: the model is not that of the best %s", c.learner, c.name)
		}
	}
}

// Two trainings of a direct solver rank alike; a mean is of a few hundred pairs.
// ranksvm starts from what it learnt at a greater λ, and ends somewhere else
// within --epsilon, where some of the 1200 pairs are ordered otherwise.
const (
	rounding      = 1e-12
	withinEpsilon = 5. / 1200
)

// trainDocument is what train --json says.
type trainDocument struct {
	Method    string
	Valid     string
	Lambda    float64
	Rounds    float64
	Selection []struct{ Error, Value float64 }
}

// withoutMetric is a command without --metric and its value, as one λ needs it.
func withoutMetric(command []string) (out []string) {
	for k := 0; k < len(command); k++ {
		if command[k] == "--metric" {
			k++
			continue
		}
		out = append(out, command[k])
	}
	return out
}

// measured is a metric of a model on rows.
func measured(t *testing.T, rows, m, name, learner string) float64 {
	t.Helper()
	args := []string{"evaluate", rows, "--model", m, "-m", name, "--json", "--progress", "none"}
	if strings.Contains(learner, "--binarize 2") {
		args = append(args, "--binarize", "2")
	}
	var d struct {
		Metrics map[string]struct{ Mean float64 }
	}
	if err := json.Unmarshal([]byte(must(t, args...)), &d); err != nil {
		t.Fatal(err)
	}
	return d.Metrics[name].Mean
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// weightsOf are the numbers of a model from its weights, coefficients or stumps on.
func modelNumbers(text string) (v []float64) {
	for _, key := range []string{"\nweights\n", "\ncoefficients\n", "\nstumps "} {
		if _, rest, ok := strings.Cut(text, key); ok {
			body, _, _ := strings.Cut(rest, "checksum")
			for field := range strings.FieldsSeq(body) {
				if x, err := strconv.ParseFloat(field, 64); err == nil {
					v = append(v, x)
				}
			}
		}
	}
	return v
}

// near tells whether two lists of numbers are the same, relative to the largest.
func near(a, b []float64, tolerance float64) bool {
	if len(a) != len(b) || len(a) == 0 {
		return false
	}
	size, apart := 0.0, 0.0
	for k := range a {
		size, apart = max(size, math.Abs(a[k])), max(apart, math.Abs(a[k]-b[k]))
	}
	return apart <= tolerance*size
}

// What --valid does not go with is refused, and so are rows that cannot choose.
func TestValidRefused(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string { return putFile(t, dir, name, text) }
	rows := put("rows.txt", "1 1:1 2:0\n2 1:0 2:1\n3 1:1 2:1\n")
	table := put("rows.csv", "label,a,b\n1,1,0\n2,0,1\n3,1,1\n")
	m := filepath.Join(dir, "m.txt")
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{rows + " --valid " + rows + " --select loo", cli.ExitUsage, "--valid and --select cannot be given together"},
		{rows + " --valid " + rows + " --seed 3", cli.ExitUsage, "--seed has no effect without kfold"},
		{rows + " --valid " + rows + " --kernel-matrix " + rows, cli.ExitUsage,
			"--valid and --kernel-matrix cannot be given together"},
		{rows + " --valid -", cli.ExitUsage, "standard input is for DATA"},
		{rows + " --valid " + m, cli.ExitUsage, "would overwrite an input"},
		{rows + " --valid " + put("wide.txt", "1 1:1 3:1\n2 1:1\n"), cli.ExitData,
			"wide.txt has features beyond the 2 of the training rows"},
		{rows + " --valid " + put("alike.txt", "1 1:1\n1 1:2\n"), cli.ExitData,
			"alike.txt: no two rows of a query have different labels"},
		{rows + " --valid " + filepath.Join(dir, "none.txt"), cli.ExitRuntime, "no such file"},
		{table + " --valid " + put("other.csv", "label,b,c\n1,1,0\n2,0,1\n"), cli.ExitData,
			`other.csv:1:1: a feature of the model is not among the columns: "a"`},
		{table + " --lambda 1 --valid " + put("turned.csv", "label,b,a\n1,1,0\n2,0,1\n"), cli.ExitOK,
			"turned.csv: columns"},
	} {
		if strings.Contains(c.args, "--valid "+m) {
			put("m.txt", "1 1:1\n2 1:2\n")
		}
		var text strings.Builder
		err := run(t.Context(), append([]string{"train", "-o", m}, words(c.args)...), strings.NewReader(""), io.Discard,
			&text)
		if cli.ExitCode(err) != c.code || !strings.Contains(text.String(), c.want) {
			t.Errorf("%s: exit code %d, %q; want %d, %q", c.args, cli.ExitCode(err), text.String(), c.code, c.want)
		}
	}
}
