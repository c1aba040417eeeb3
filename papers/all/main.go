// Command all repeats the experiments of the five papers, one program after the
// other, and writes what they found beside what the papers say into one table.
//
//	go -C papers run ./all -o .
//
// The full run takes hours, and says after every program how far it is; -quick ends
// within ten minutes, with fewer repetitions and smaller data, in a folder of its own
// unless -o says otherwise. -only chooses programs. A program whose data is not there
// skips what needs it, and says so.
//
// Files: main.go flags and the programs in their order; table.go the table.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"pairrank/papers/experiment"
)

// program is an experiment: its folder, and its arguments for a quick run.
type program struct{ name, quick string }

// programs are in the order in which they run: the short ones first.
var programs = []program{
	{name: "svmrank"},
	{name: "letor", quick: "-rounds 20"},
	{name: "condrank", quick: "-most 100 -repeats 10 -iterations 20 -draws 1 -drugs nr -patience 1s"},
	{name: "auc", quick: "-samples 100 -permutations 50 -sets sonar,colon"},
	{name: "parses", quick: "-repeat 1"},
	{name: "reuters", quick: "-only labels,auc,choice,times,gradients -draws 2 -octaves 6 -inputs 1000 -limit 5s"},
	{name: "jester", quick: "-draws 1 -users 30 -fewer 10"},
	{name: "treersvm", quick: "-most 4000 -fit 1000 -runs 1 -draws 2"},
}

// settings are what the flags say.
type settings struct {
	data, folder, only string
	quick, table       bool
}

func main() {
	var s settings
	experiment.DataFlag(&s.data, "the data sets")
	flag.StringVar(&s.folder, "o", "", "folder of the pages, as .; empty: one in $TMPDIR")
	flag.StringVar(&s.only, "only", "", "programs, with commas; empty: all")
	flag.BoolVar(&s.quick, "quick", false, "a short run, which shows that all works: its numbers are of smaller data")
	flag.BoolVar(&s.table, "table", false, "run nothing: write the table from the records that are in the folder")
	experiment.Main("all", func(ctx context.Context) error { return run(ctx, s) })
}

func run(ctx context.Context, s settings) error {
	var names []string
	for _, p := range programs {
		names = append(names, p.name)
	}
	chosen, err := experiment.Sections(s.only, names)
	if err != nil {
		return err
	}
	if s.table {
		chosen = nil
	}
	if s.folder == "" {
		if s.folder, err = os.MkdirTemp("", "pairrank-papers"); err != nil {
			return err
		}
	}
	began := time.Now()
	for k, name := range chosen {
		fmt.Fprintf(os.Stderr, "all: %d of %d, %s, after %.0f s\n", k+1, len(chosen), name, time.Since(began).Seconds())
		if err := find(name).run(ctx, s); err != nil {
			return err
		}
	}
	if err := writeTable(s.folder); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "all: %.0f s, %s\n", time.Since(began).Seconds(), filepath.Join(s.folder, "README.md"))
	return nil
}

// find is the program of a name that is known.
func find(name string) program {
	for _, p := range programs {
		if p.name == name {
			return p
		}
	}
	return program{}
}

// run runs a program, which tells its progress on standard error.
func (p program) run(ctx context.Context, s settings) error {
	args := []string{"run", "./" + p.name, "-data", s.data, "-o", s.folder}
	if s.quick {
		args = append(args, strings.Fields(p.quick)...)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	return nil
}
