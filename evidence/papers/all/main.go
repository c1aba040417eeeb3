// Command all runs the programs of the five papers one after the other, and writes one table of their findings with the
// papers' numbers.
//
//	go -C evidence/papers run ./all -o .
//
// The full run takes hours; the program reports progress after each part. With -quick it ends within ten minutes, with
// fewer repetitions and smaller data, and writes to a temporary folder unless -o names one. -only chooses programs. A
// program whose data is missing skips the sections that need it, and says so.
//
// The files:
//
//   - main.go: flags, and the programs in their order
//   - table.go: the table
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

	"pairrank/evidence/papers/experiment"
)

// program is an experiment: its folder, and its arguments for a quick run.
type program struct{ name, quick string }

// programs are in the order in which they run: the short ones first.
var programs = []program{
	{name: "svmrank"},
	{name: "letor", quick: "-rounds 20"},
	{name: "condrank", quick: "-most 100 -repeats 10 -iterations 20 -draws 1 -drugs nr -patience 1s"},
	{name: "auc", quick: "-samples 100 -permutations 50 -shufflings 5 -sets sonar,colon"},
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
	flag.StringVar(&s.folder, "o", "", "`FOLDER` of the pages (default a temporary one)")
	flag.StringVar(&s.only, "only", "", "programs, separated by commas (default all)")
	flag.BoolVar(&s.quick, "quick", false, "a short run on smaller data, which shows that everything works")
	flag.BoolVar(&s.table, "table", false,
		"write the pages' sections and the table from the records in the folder, and run nothing")
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
		if err := writePages(s.folder); err != nil {
			return err
		}
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
