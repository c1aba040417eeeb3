package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/serve"
)

const (
	gapRows  = `[{"a":1,"b":null,"c":"red"},{"a":1,"b":1.5,"c":"blue"},{"a":null,"b":2,"c":"green"}]`
	gapTrain = "label,a,b,c,team\n2,1,,red,x\n0,2,3,blue,x\n1,,1,red,y\n0,4,2,blue,y\n1,3,5,green,z\n2,0.5,4,red,z\n"
)

// TestOneModelOneAnswer: over learners, kernels, normalisations, treatments of missing values, a factor and groups, a
// row has one score, whoever computes it: predict from every format, the server, and the exports, or it is refused.
func TestOneModelOneAnswer(t *testing.T) {
	t.Chdir(t.TempDir())
	lines := strings.ReplaceAll(strings.Trim(gapRows, "[]"), "},{", "}\n{") + "\n"
	for name, text := range map[string]string{"train.csv": gapTrain, "new.jsonl": lines,
		"new.csv": "c,b,a\nred,NA,1\nblue,1.5,1\ngreen,2,\n"} {
		put(t, name, text)
	}
	for _, flags := range []string{"", "--normalize zscore", "--normalize minmax", "--kernel gaussian:gamma=0.1",
		"--learner rls", "--learner ranksvm", "--learner rankboost --rounds 9"} {
		for _, missing := range []string{"zero", "mean", "min"} {
			args := "train train.csv --factor-columns c --group-column team -o m.model --missing " + missing + " " + flags
			if !strings.Contains(flags, "rounds") {
				args += " --lambda 1"
			}
			mustRun(t, strings.Fields(args)...)
			checkOneAnswer(t, flags+" --missing "+missing, missing)
		}
	}
}

// checkOneAnswer compares the ways in which a model scores the rows.
func checkOneAnswer(t *testing.T, name, missing string) {
	t.Helper()
	mustRun(t, "predict", "m.model", "new.csv", "-o", "want")
	want := contentOf(t, "want")
	for _, args := range []string{"new.jsonl", "new.csv --missing " + missing} {
		mustRun(t, strings.Fields("predict m.model -o got "+args)...)
		if got := contentOf(t, "got"); string(got) != string(want) {
			t.Errorf("%s: predict %s has %s, want %s", name, args, got, want)
		}
	}
	for _, other := range []string{"zero", "mean", "min"} {
		err := run(t.Context(), strings.Fields("predict m.model new.csv --missing "+other), nil, io.Discard, io.Discard)
		if refused := cli.ExitCode(err) == cli.ExitUsage; refused != (other != missing) {
			t.Errorf("%s: predict --missing %s: %v", name, other, err)
		}
	}
	s, err := serve.New(serve.Options{Models: []serve.Source{{Name: "m", File: "m.model"}}})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("POST", "http://localhost/v1/models/m/score", strings.NewReader(`{"rows":`+gapRows+`}`))
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	var answer struct{ Scores []float64 }
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatal(err)
	}
	checkScoresOf(t, name+": serve", answer.Scores, string(want))
	for _, target := range []string{"es-ltr", "solr", "ranklib", "svmrank", "liblinear"} {
		err := run(t.Context(), []string{"export", "m.model", "--to", target, "-o", "out"}, nil, io.Discard, io.Discard)
		if missing != "zero" && cli.ExitCode(err) != cli.ExitUsage {
			t.Errorf("%s: export to %s: %v", name, target, err)
		}
	}
	err = run(t.Context(), []string{"export", "m.model", "--to", "js", "-o", "m.mjs"}, nil, io.Discard, io.Discard)
	if node, missing := exec.LookPath("node"); missing == nil && err == nil {
		checkScoresOf(t, name+": js", byNode(t, node), string(want))
	}
}

// byNode are the scores of the exported module. The texts of the factor become features, as in training.
func byNode(t *testing.T, node string) (scores []float64) {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	module, err := json.Marshal(filepath.Join(dir, "m.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf(`import { score, names } from %s;
const value = (row, name) => name.startsWith("c=") ? Number(name === "c=" + row.c) : row[name];
console.log(JSON.stringify(%s.map((row) => score(names.map((name) => value(row, name))))));`, module, gapRows)
	out, err := exec.CommandContext(t.Context(), node, "--input-type=module", "-e", script).CombinedOutput()
	if err == nil {
		err = json.Unmarshal(out, &scores)
	}
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return scores
}

// checkScoresOf compares scores with those that predict printed, up to rounding.
func checkScoresOf(t *testing.T, name string, got []float64, printed string) {
	t.Helper()
	const rounding = 1e-12 // relative to the largest score, or to 1
	for i, text := range strings.Fields(printed) {
		var want float64
		if _, err := fmt.Sscan(text, &want); err != nil || i >= len(got) ||
			!(math.Abs(got[i]-want) <= rounding*max(1, math.Abs(want))) {
			t.Errorf("%s: %v, want %s", name, got, printed)
			return
		}
	}
}
