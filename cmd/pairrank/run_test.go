package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/fault"
	"pairrank/internal/spell"
	"pairrank/model"
	"pairrank/relation/pairmodel"
)

// Every verb, and every verb of a kind of data, has a long help, two examples at least that name it, and lists no flag
// without a text. Plain forms that the help does not list have the examples of the verbs that it lists.
func TestHelpOfEveryVerb(t *testing.T) {
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		examples := strings.Count(cmd.Example, cmd.CommandPath())
		if cmd.Hidden {
			examples += strings.Count(cmd.Example, "pairrank stream "+cmd.Name()) +
				strings.Count(cmd.Example, "pairrank relation "+cmd.Name())
		}
		if examples < 2 || cmd.Long == "" || cmd.Short == "" {
			t.Errorf("%s: %d examples, %q", cmd.CommandPath(), examples, cmd.Short)
		}
		if err := cmd.Flags().Parse(nil); err != nil {
			t.Errorf("%s: %v", cmd.CommandPath(), err)
		}
		for _, below := range cmd.Commands() {
			check(below)
		}
	}
	for _, cmd := range newTestRoot(t).Commands() {
		check(cmd)
	}
}

func TestExitCodes(t *testing.T) {
	plain := errors.New("x")
	for _, test := range []struct {
		err  error
		want int
	}{
		{nil, 0}, {plain, 1}, {cli.Usagef("x"), 2}, {cli.AsData(plain), 3}, {cli.AsGate(plain), 4},
		{cli.AsNumerical(plain), 5}, {cli.AsIncomplete(plain), 6},
		{context.Canceled, 130}, {fmt.Errorf("y: %w", cli.AsData(plain)), 3},
		{cli.WithHint(cli.AsNumerical(plain), "y"), 5},
		{&fault.FormatError{Err: model.ErrTruncated}, 3}, {fs.ErrNotExist, 1},
	} {
		if got := cli.ExitCode(test.err); got != test.want {
			t.Errorf("exit code of %v is %d, want %d", test.err, got, test.want)
		}
	}
}

func TestHints(t *testing.T) {
	err := cli.WithHint(fmt.Errorf("x: %w", cli.WithHint(cli.Usagef("y"), "inner\nsecond")), "outer")
	if got := strings.Join(cli.Hints(err), "|"); got != "outer|inner|second" {
		t.Errorf("hints %q", got)
	}
}

func TestNearest(t *testing.T) {
	known := []string{"predict", "evaluate", "train", "check"}
	for text, want := range map[string]string{"evalute": "evaluate", "rtain": "train", "pre": "predict", "zzz": "",
		"x": "", "check": "check"} {
		if got := spell.Nearest(text, known); got != want {
			t.Errorf("nearest to %s is %q, want %q", text, got, want)
		}
	}
}

// Ctrl-C while standard input blocks: exit code 130, the old output stands and
// nothing else is there.
func TestInterruptedReading(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "data.txt")
	if err := os.WriteFile(data, []byte("1 1:1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	blocked, _ := io.Pipe()
	var stdout, stderr bytes.Buffer
	ended := make(chan error)
	go func() { ended <- run(ctx, []string{"evaluate", data, "--scores", "-"}, blocked, &stdout, &stderr) }()
	time.Sleep(10 * time.Millisecond) // so that it is likely to wait for the pipe; the test holds either way
	interrupt()
	if code := cli.ExitCode(<-ended); code != cli.ExitInterrupted || stderr.String() != "pairrank: interrupted\n" ||
		stdout.Len() > 0 {
		t.Errorf("exit code %d, output %q, error output %q", code, &stdout, &stderr)
	}
}

// Ctrl-C while comparisons are read, and while scores are learnt of so many that it takes seconds.
func TestInterruptedLeaderboard(t *testing.T) {
	const games, items = 60_000, 1500
	path := filepath.Join(t.TempDir(), "games.csv")
	var text bytes.Buffer
	text.WriteString("winner,loser\n")
	for k := range games {
		fmt.Fprintf(&text, "i%d,i%d\n", k%items, (k+1+k/items)%items)
	}
	if err := os.WriteFile(path, text.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	blocked, _ := io.Pipe()
	for _, args := range [][]string{{"-"}, {path, "--loss", "logistic", "--next", "100"}} {
		ctx, interrupt := context.WithCancel(t.Context())
		time.AfterFunc(200*time.Millisecond, interrupt)
		var stdout, stderr bytes.Buffer
		err := run(ctx, append([]string{"leaderboard"}, args...), blocked, &stdout, &stderr)
		if code := cli.ExitCode(err); code != cli.ExitInterrupted || stdout.Len() > 0 ||
			!strings.HasSuffix(stderr.String(), "pairrank: interrupted\n") {
			t.Errorf("%v: exit code %d, %d bytes of output, error output %q", args, code, stdout.Len(), &stderr)
		}
	}
}

// Ctrl-C while a file is written.
func TestInterruptedWriting(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.txt")
	if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	a := &app{&cli.App{Ctx: ctx, Out: io.Discard, Err: io.Discard}}
	err := a.Write(path, func(w io.Writer) error {
		for range 1000 {
			if _, err := io.WriteString(w, strings.Repeat("new ", 1000)); err != nil {
				return err
			}
			interrupt()
		}
		return nil
	})
	text, readErr := os.ReadFile(path)
	names, dirErr := os.ReadDir(dir)
	if cli.ExitCode(err) != cli.ExitInterrupted || string(text) != "old" || len(names) != 1 || readErr != nil ||
		dirErr != nil {
		t.Errorf("error %v; the file holds %.20q, the directory %v", err, text, names)
	}
}

// trigger calls interrupt at the first text that has the words.
type trigger struct {
	bytes.Buffer
	words     string
	interrupt func()
}

func (w *trigger) Write(p []byte) (int, error) {
	if strings.Contains(string(p), w.words) {
		w.interrupt()
	}
	return w.Buffer.Write(p)
}

// An interrupted RankSVM leaves the best model so far, whole, and says its gap.
func TestInterruptedTrainingKeepsItsBest(t *testing.T) {
	dir := t.TempDir()
	rows, path := filepath.Join(dir, "rows.txt"), filepath.Join(dir, "model.txt")
	if err := run(t.Context(), []string{"synth", "cadata", "--rows", "6000", "-o", rows}, nil, io.Discard,
		io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		words string // of the event after a second, when something is learnt
		flags []string
	}{
		{`"objective"`, []string{"ranksvm", "--normalize", "zscore", "--lambda", "1e-9", "--epsilon", "1e-16",
			"--counter", "pairs"}},
		{`"loss"`, []string{"rankboost", "--rounds", "1000000"}},
	} {
		ctx, interrupt := context.WithCancel(t.Context())
		stderr := &trigger{words: test.words, interrupt: interrupt}
		var stdout bytes.Buffer
		err := run(ctx, append([]string{"train", rows, "-o", path, "--progress", "json", "--learner"}, test.flags...),
			nil, &stdout, stderr)
		if cli.ExitCode(err) != cli.ExitInterrupted {
			t.Fatalf("%v: %v\n%s", test.flags, err, stderr)
		}
		if _, err := model.ReadFile(path); err != nil {
			t.Errorf("%v: %v", test.flags, err)
		}
		if !strings.Contains(stderr.String(), "the model is the best found before the training was stopped") ||
			!strings.Contains(stdout.String(), "model      ") {
			t.Errorf("%v says:\n%s\n%s", test.flags, stdout.String(), stderr)
		}
		os.Remove(path)
	}
}

// An interrupted relational training leaves the last iterate, or the best one.
func TestInterruptedRelationKeepsItsIterate(t *testing.T) {
	dir := t.TempDir()
	nodes, edges, path := filepath.Join(dir, "nodes.tsv"), filepath.Join(dir, "edges.tsv"),
		filepath.Join(dir, "model.txt")
	random := rand.New(rand.NewPCG(1, 2))
	const n, features = 300, 250 // more products of features than edges
	var x, e strings.Builder
	x.WriteString("id")
	for k := range features {
		fmt.Fprintf(&x, "\tx%d", k)
	}
	x.WriteString("\n")
	e.WriteString("row\tcol\tlabel\n")
	for i := range n {
		fmt.Fprintf(&x, "n%d", i)
		for k := range features { // of such different size that conjugate gradients are slow
			fmt.Fprintf(&x, "\t%g", math.Ldexp(random.NormFloat64(), -k/12))
		}
		x.WriteString("\n")
		for range 100 {
			fmt.Fprintf(&e, "n%d\tn%d\t%g\n", i, random.IntN(n), random.NormFloat64())
		}
	}
	if err := errors.Join(os.WriteFile(nodes, []byte(x.String()), 0o666),
		os.WriteFile(edges, []byte(e.String()), 0o666)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		kept  string
		flags []string
	}{
		{"last", []string{"--row-kernel", "gaussian:gamma=0.1", "--solver", "cg"}},
		{"best", []string{"--row-kernel", "gaussian:gamma=0.1", "--early-stop", edges, "--patience", "1000000"}},
		{"last", []string{"--solver", "primal", "--relation", "symmetric"}},
	} {
		ctx, interrupt := context.WithCancel(t.Context())
		stderr := &trigger{words: `"residual"`, interrupt: interrupt}
		var stdout bytes.Buffer
		flags := []string{"relation", "train", edges, "--rows", nodes, "-o", path, "--progress", "json", "--lambda",
			"1e-9", "--tolerance", "1e-300", "--max-iterations", "1000000000"}
		err := run(ctx, append(flags, test.flags...), nil, &stdout, stderr)
		if cli.ExitCode(err) != cli.ExitInterrupted {
			t.Fatalf("%v: %v\n%s", test.flags, err, stderr)
		}
		if _, err := pairmodel.ReadFile(path); err != nil {
			t.Errorf("%v: %v", test.flags, err)
		}
		if !strings.Contains(stderr.String(),
			"the model is the "+test.kept+" iterate before the training was stopped") ||
			!strings.Contains(stdout.String(), "model      ") {
			t.Errorf("%v says:\n%s\n%s", test.flags, stdout.String(), stderr)
		}
		os.Remove(path)
	}
}
