package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pairrank"
	"pairrank/data"
	"pairrank/internal/exit"
	"pairrank/learn/ranksvm"
	"pairrank/model"
	"pairrank/pref"
)

// inProcess runs the program as processes that are goroutines, and returns their output and the
// exit code of each.
func inProcess(t *testing.T, size int, args ...string) (stdout, stderr string, codes []int) {
	t.Helper()
	var all sync.WaitGroup
	var mu sync.Mutex
	var out, errs bytes.Buffer
	codes = make([]int, size)
	for process, member := range ranksvm.NewInProcess(size) {
		all.Go(func() {
			defer member.Leave(nil)
			var o, e bytes.Buffer
			p := program{group: member, library: "in process", stdout: &o, stderr: &e}
			codes[process] = exitCode(p.run(t.Context(), args))
			mu.Lock()
			defer mu.Unlock()
			out.Write(o.Bytes())
			errs.Write(e.Bytes())
		})
	}
	all.Wait()
	return out.String(), errs.String(), codes
}

// The model of several processes equals that of pairrank.Train on all files, whichever files each
// reads.
func TestModelIsThatOfTrain(t *testing.T) {
	dir := t.TempDir()
	names := files(t, dir, 240, 5, 12, 3)
	const lambda = 0.01
	for _, c := range []struct {
		flags   []string
		learner pairrank.RankSVM
	}{
		{[]string{"--loss", "squared-hinge", "--epsilon", "1e-12"},
			pairrank.RankSVM{Loss: ranksvm.SquaredHinge, Epsilon: 1e-12}},
		{[]string{"--loss", "squared-hinge", "--epsilon", "1e-12", "--query-weight", "edges", "--counter", "tree",
			"--threads", "2"}, pairrank.RankSVM{Loss: ranksvm.SquaredHinge, Epsilon: 1e-12, Weight: pref.Edges}},
		{[]string{"--epsilon", "1e-12"}, pairrank.RankSVM{Epsilon: 1e-12}},
	} {
		want := optimum(t, names, lambda, c.learner)
		for size := 1; size <= 4; size++ { // of four processes one has no file
			path := filepath.Join(dir, "m.txt")
			args := append(append([]string{"-o", path, "--lambda", "0.01"}, c.flags...), names...)
			stdout, stderr, codes := inProcess(t, size, args...)
			for _, code := range codes {
				if code != 0 || stderr != "" || !strings.Contains(stdout,
					"240 rows, 5 features, 12 queries in 3 files") {
					t.Fatalf("%v on %d processes: exit code %d\n%s%s", c.flags, size, code, stdout, stderr)
				}
			}
			j, w := minimum(t, names, path, lambda, c.learner.Loss)
			if c.learner.Weight == "" && math.Abs(j-want.Training.Minimum) > 1e-10*j {
				t.Errorf("%v on %d processes: J = %v, want %v", c.flags, size, j, want.Training.Minimum)
			}
			// the gap bounds the weights of the hinge to √(gap/λ) only
			if off := apart(w, want.Model.Scorer.(*model.Linear).Weights.Row(0)); off > 1e-8 &&
				c.learner.Loss != "" || off > 1e-4 {
				t.Errorf("%v on %d processes: weights differ by %v", c.flags, size, off)
			}
		}
	}
}

// Normalisation equals that of pairrank train, over the rows of all files, and is in the model.
func TestNormalisation(t *testing.T) {
	dir := t.TempDir()
	names := files(t, dir, 120, 4, 6, 3)
	path := filepath.Join(dir, "m.txt")
	set := whole(t, names)
	for _, kind := range []string{data.NormalizeZScore, data.NormalizeMinMax, data.NormalizeQueryMinMax} {
		want, err := pairrank.Train(t.Context(), pairrank.Problem{Set: set},
			pairrank.Options{Normalize: kind, Lambdas: []float64{0.1},
				Learner: pairrank.RankSVM{Loss: ranksvm.SquaredHinge, Epsilon: 1e-10}})
		if err != nil {
			t.Fatal(err)
		}
		for size := 1; size <= 4; size++ {
			_, stderr, codes := inProcess(t, size,
				append([]string{"-o", path, "--lambda", "0.1", "--loss", "squared-hinge", "--epsilon", "1e-10",
					"--normalize", kind}, names...)...)
			if codes[0] != 0 {
				t.Fatal(stderr)
			}
			m, err := model.ReadFile(path)
			if err != nil || m.Normalizer == nil || m.Normalizer.Kind != kind {
				t.Fatalf("%+v, %v", m, err)
			}
			if off := apart(m.Scorer.(*model.Linear).Weights.Row(0),
				want.Model.Scorer.(*model.Linear).Weights.Row(0)); off > 1e-8 {
				t.Errorf("%s on %d processes: weights differ by %v", kind, size, off)
			}
			for j, v := range m.Normalizer.Shift {
				if far := math.Abs(v - want.Model.Normalizer.Shift[j]); far > 1e-12 ||
					math.Abs(m.Normalizer.Scale[j]/want.Model.Normalizer.Scale[j]-1) > 1e-12 {
					t.Errorf("%s on %d processes: feature %d is moved by %v, want %v", kind, size, j+1, v,
						want.Model.Normalizer.Shift[j])
				}
			}
		}
	}
}

// One process reports a refusal, once, and all end with the exit code of its kind.
func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	names := files(t, dir, 60, 3, 6, 2)
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	twice := write("twice.txt", "1 qid:1 1:1\n2 qid:1 1:2\n") // query 1 is in part-1.txt, too
	broken := write("broken.txt", "1 qid:x1 1:1\n2 qid:x1 1:z\n")
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	fmt.Fprint(z, strings.Repeat("1 qid:x2 1:1\n2 qid:x2 1:2\n", 100))
	z.Close()
	cut := write("cut.txt.gz", packed.String()[:packed.Len()/2])
	foreign := write("foreign.ckpt", "no checkpoint\n")
	good := []string{"-o", filepath.Join(dir, "m.txt"), "--lambda", "1"}
	with := func(more ...string) []string { return append(append(append([]string{}, good...), names...), more...) }
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{good, exit.Usage, "no FILE is given"},
		{append([]string{"--lambda", "1"}, names...), exit.Usage, "-o MODEL is missing"},
		{append([]string{"-o", "-", "--lambda", "1"}, names...), exit.Usage, "-o is a file"},
		{append([]string{"-o", "m"}, names...), exit.Usage, "--lambda is missing"},
		{with("--lambda", "0"), exit.Usage, "--lambda is greater than 0"},
		{with("--lambda", "x"), exit.Usage, "--lambda"},
		{with("--every", "1s"), exit.Usage, "--every is for --checkpoint"},
		{with("--checkpoint", "x", "--every", "0s"), exit.Usage, "--every is greater than 0"},
		{with("--threads", "-1"), exit.Usage, "at least 0"},
		{with("--nothing"), exit.Usage, "unknown flag: --nothing"},
		{with("--loss", "log"), exit.Usage, "known are hinge, squared-hinge"},
		{with("--counter", "abacus"), exit.Usage, "known are auto, levels"},
		{with("--query-weight", "size"), exit.Usage, "--query-weight size is not for ranksvm"},
		{with("--normalize", "log"), exit.Usage, "known are none, zscore"},
		{with("--epsilon", "0"), 0, ""}, // the default, as of the library
		{with("--max-iterations", "-1"), exit.Usage, "--max-iterations is at least 1"},
		{with(names[0]), exit.Usage, "is given twice"},
		{with("--features", "2"), exit.Data, "part-"},
		{with(twice), exit.Data, "query 1 is in " + names[1] + " and in " + twice},
		{with(broken), exit.Data, "broken.txt:2:"},
		{with(cut), exit.Data, "cut.txt.gz"},
		{with(filepath.Join(dir, "none.txt")), exit.Runtime, "none.txt"},
		{with("--checkpoint", foreign), exit.Data, "foreign.ckpt is not one of RankSVM"},
		{with("--checkpoint", filepath.Join(dir, "none", "c"), "--every", "1ns"), exit.Runtime, "none does not exist"},
		{with("-o", filepath.Join(dir, "nowhere", "m")), exit.Runtime, "nowhere does not exist"},
		{with("--max-iterations", "1", "--epsilon", "1e-9"), exit.Numerical, "stopped before the optimum"},
	} {
		for size := 1; size <= 3; size++ {
			_, stderr, codes := inProcess(t, size, c.args...)
			if !strings.Contains(stderr, c.want) || strings.Count(stderr, "pairrank-mpi: process ") > 1 {
				t.Errorf("%v on %d processes says %q, want %q", c.args, size, stderr, c.want)
			}
			if slices.Min(codes) != c.code || slices.Max(codes) != c.code {
				t.Errorf("%v on %d processes: exit codes %v, want %d", c.args, size, codes, c.code)
			}
		}
	}
}

// A training that was stopped leaves the best model and its checkpoint, the next one goes
// on, and takes the checkpoint away.
func TestCheckpointOfProgram(t *testing.T) {
	dir := t.TempDir()
	names := files(t, dir, 400, 8, 8, 3)
	path, checkpoint := filepath.Join(dir, "m.txt"), filepath.Join(dir, "run.ckpt")
	args := append([]string{"-o", path, "--lambda", "1e-3", "--epsilon", "1e-11", "--checkpoint", checkpoint,
		"--progress", "1ns"}, names...)
	_, stderr, codes := inProcess(t, 2, append([]string{"--max-iterations", "10"}, args...)...)
	if codes[0] != exit.Numerical || codes[1] != exit.Numerical || !strings.Contains(stderr, "iteration 10, J ") {
		t.Fatalf("%v: %s", codes, stderr)
	}
	if _, err := model.ReadFile(path); err != nil {
		t.Error(err)
	}
	_, stderr, codes = inProcess(t, 3, args...)
	if codes[0] != 0 || !strings.Contains(stderr, "goes on from iteration 10 in "+checkpoint) {
		t.Fatalf("%v: %s", codes, stderr)
	}
	if _, err := os.Stat(checkpoint); !os.IsNotExist(err) {
		t.Errorf("the checkpoint of a training that is over: %v", err)
	}
	want := optimum(t, names, 1e-3, pairrank.RankSVM{Epsilon: 1e-11})
	if j, _ := minimum(t, names, path, 1e-3, ranksvm.Hinge); math.Abs(j-want.Training.Minimum) > 1e-10*j {
		t.Errorf("J = %v, want %v", j, want.Training.Minimum)
	}
}

// Features that only one file has are features of all.
func TestWidths(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.txt")
	for name, text := range map[string]string{a: "1 qid:a 1:1\n0 qid:a 2:1\n", b: "1 qid:b 4:1\n0 qid:b 1:2\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for size := 1; size <= 3; size++ {
		stdout, stderr, codes := inProcess(t, size, "-o", filepath.Join(dir, "m.txt"), "--lambda", "1", a, b)
		if codes[0] != 0 || !strings.Contains(stdout, "4 rows, 4 features, 2 queries in 2 files") {
			t.Errorf("%v: %s%s", codes, stdout, stderr)
		}
	}
}

// Indices begin at 0 on request. A file without qid is one list besides others with queries, whose
// ids are still compared.
func TestReading(t *testing.T) {
	dir := t.TempDir()
	names := make([]string, 4)
	for i, text := range []string{"1 qid:a 0:1\n0 qid:a 2:1\n", "1 1:1\n0 2:1\n0 3:1\n", "1 2:1\n0 1:1\n",
		"1 qid:a 2:1\n0 qid:a 1:2\n"} {
		names[i] = filepath.Join(dir, string('a'+rune(i))+".txt")
		if err := os.WriteFile(names[i], []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	good := []string{"-o", filepath.Join(dir, "m.txt"), "--lambda", "1"}
	for size := 1; size <= 3; size++ {
		stdout, stderr, codes := inProcess(t, size, append(append([]string{"--zero-based"}, good...), names[:3]...)...)
		if codes[0] != 0 || !strings.Contains(stdout, "7 rows, 4 features, 3 queries in 3 files") ||
			!strings.Contains(stdout, "4 compared") {
			t.Errorf("%v: %s%s", codes, stdout, stderr)
		}
		if _, stderr, codes = inProcess(t, size, append(good, names[:3]...)...); !strings.Contains(stderr,
			"a.txt:1:") || !slices.Contains(codes, exit.Data) {
			t.Errorf("an index 0: %v: %s", codes, stderr)
		}
		if _, stderr, codes = inProcess(t, size, append(append([]string{"--zero-based"}, good...),
			names...)...); !strings.Contains(stderr, "query a is in "+names[0]+" and in "+names[3]) {
			t.Errorf("a query in two files: %v: %s", codes, stderr)
		}
	}
}

// A run interrupted while reading says so, once, and leaves nothing.
func TestInterruptedBeforeTraining(t *testing.T) {
	dir := t.TempDir()
	names := files(t, dir, 60, 3, 6, 2)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var all sync.WaitGroup
	texts := make([]bytes.Buffer, 2)
	for process, member := range ranksvm.NewInProcess(2) {
		all.Go(func() {
			defer member.Leave(nil)
			p := program{group: member, stdout: &texts[process], stderr: &texts[process]}
			if code := exitCode(p.run(ctx, append([]string{"-o", filepath.Join(dir, "m.txt"), "--lambda", "1"},
				names...))); code != exit.Interrupted {
				t.Errorf("process %d: exit code %d", process, code)
			}
		})
	}
	all.Wait()
	if text := texts[0].String() + texts[1].String(); text != "pairrank-mpi: process 0: interrupted before there was "+
		"a model\n" {
		t.Errorf("it says %q", text)
	}
	if _, err := os.Stat(filepath.Join(dir, "m.txt")); !os.IsNotExist(err) {
		t.Errorf("there is a model: %v", err)
	}
}

// A process that leaves ends the others, which do not wait.
func TestLostProcess(t *testing.T) {
	dir := t.TempDir()
	names := files(t, dir, 60, 3, 6, 2)
	members := ranksvm.NewInProcess(2)
	members[1].Leave(nil)
	var out, errs bytes.Buffer
	p := program{group: members[0], stdout: &out, stderr: &errs}
	err := p.run(context.Background(), append([]string{"-o", filepath.Join(dir, "m.txt"), "--lambda", "1"}, names...))
	if exitCode(err) != exit.Runtime || !p.lost || !strings.Contains(errs.String(), "has lost the others") {
		t.Errorf("%v, %s", err, errs.String())
	}
}
