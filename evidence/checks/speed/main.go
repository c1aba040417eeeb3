// Command speed measures the tables of docs/benchmarks.md and evidence/checks/speed.md: whole commands and benchmarks,
// of one source tree or of two in turn, "before" and "after". Each round runs every build with every number of threads.
// The order reverses from round to round, so that other work on the machine affects all builds alike. The program
// prints medians of wall-clock and processor time, and the largest peak of memory.
//
//	go -C evidence/checks run ./speed -against COMMIT
//	go -C evidence/checks run ./speed -before ../OLDTREE -rounds 7
//
// -against checks out the commit beside the data. With two trees each row has a verdict for each number of threads:
// slower, faster or same, with the median over the rounds of after/before, and the least time after beside the least
// before. It is slower where both are above 1 + -threshold. Commands are judged by processor time, and by peaks of
// memory; benchmarks by their own clock. What the last runs wrote is compared, too. A last table has what each command
// takes beside its products, bytes and sorts. If a row is slower, or takes a tenth more memory, the program ends with
// 1.
//
// A tree is a folder with a checkout, from which the program builds the command and the test binaries. It makes the
// data once, in -work, by pairrank synth and by lists.go, and reads collections from -data. -only chooses rows by a
// part of their names, -threads the numbers of threads. -defaults measures other rows: every verb with its defaults on
// every collection and on relations of all sizes, and tells which take more than ten seconds.
//
// peers.py times the same work by other programs on the same files, and compares what they find:
//
//	OPENBLAS_NUM_THREADS=1 python3 evidence/checks/speed/peers.py WORK
//
// Rows of the Python package run python.py with the package and the command of a tree.
//
// The files:
//
//   - main.go: flags and flow
//   - rows.go: the rows of the tables
//   - defaults.go: the rows of -defaults
//   - lists.go, sources.go: data that synth does not make, and from files of collections
//   - build.go: trees
//   - commands.go, benchmarks.go: commands and Go benchmarks
//   - against.go: the tree of a commit, and verdicts
//   - results.go: what the commands write, before and after
//   - bounds.go: the least time of each command, by what the machine does at best
//   - report.go: medians and tables
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"pairrank/evidence/papers/experiment"
)

// settings are what the flags say.
type settings struct {
	against, before, after, work, data, only, threads, python string
	rounds                                                    int
	threshold                                                 float64 // share of time that is the same
	defaults, noCommands, noBenchmarks                        bool
}

func main() {
	var s settings
	experiment.DataFlag(&s.data, "20newsgroups")
	flag.StringVar(&s.against, "against", "", "`COMMIT` to compare with, instead of -before")
	flag.StringVar(&s.before, "before", "", "`FOLDER` with the source to compare with (default none)")
	flag.StringVar(&s.after, "after", "../..", "`FOLDER` with the source to measure")
	flag.StringVar(&s.work, "work", filepath.Join(os.TempDir(), "pairrank-speed"),
		"`FOLDER` for data and builds, kept for the next run")
	flag.StringVar(&s.only, "only", "", "parts of names of rows, separated by commas (default all)")
	flag.StringVar(&s.threads, "threads", "1,2", "numbers of threads, separated by commas")
	flag.StringVar(&s.python, "python", "/usr/bin/python3", "`PROGRAM` that has NumPy, for rows of the Python package")
	flag.IntVar(&s.rounds, "rounds", 7, "`N` runs of each; tables have their median")
	flag.Float64Var(&s.threshold, "threshold", 0.05, "`SHARE` of the time by which a slower row is worse")
	flag.BoolVar(&s.defaults, "defaults", false, "measure defaults on every data set instead of the rows of the tables")
	flag.BoolVar(&s.noCommands, "no-commands", false, "measure no commands")
	flag.BoolVar(&s.noBenchmarks, "no-benchmarks", false, "measure no Go benchmarks")
	experiment.Main("speed", func(ctx context.Context) error { return run(ctx, s) })
}

func run(ctx context.Context, s settings) error {
	threads, err := numbers(s.threads)
	if err != nil || s.rounds < 1 {
		return errors.Join(err, fmt.Errorf("-threads are numbers with commas, -rounds at least 1; not %s, %d",
			s.threads, s.rounds))
	}
	if s.threshold <= 0 || s.against != "" && s.before != "" {
		return errors.New("-threshold is above 0, and -against and -before are two ways to name one tree: give one")
	}
	if err := os.MkdirAll(s.work, 0o777); err != nil {
		return err
	}
	if s.against != "" {
		dir, remove, err := worktree(ctx, s)
		if err != nil {
			return err
		}
		defer remove()
		s.before = dir
	}
	trees, err := buildAll(ctx, s)
	if err != nil {
		return err
	}
	m := &measurement{settings: s, trees: trees, counts: threads, best: make([]speeds, len(threads))}
	if !s.noCommands {
		if err := m.commands(ctx); err != nil {
			return err
		}
	}
	if !s.noBenchmarks && !s.defaults {
		if err := m.benchmarks(ctx); err != nil {
			return err
		}
	}
	return m.gate()
}

// measurement is what is measured: trees, each with each number of threads.
type measurement struct {
	settings
	trees  []tree
	counts []int
	worse  []string // rows that are slower, take more memory or too long, or fail, as they are found
	best   []speeds // of the machine, for each of counts
	bounds []bounded
}

// variant is a tree with a number of threads.
type variant struct {
	tree
	threads int
}

// variants are those of a round, in the other order in every second one.
func (m *measurement) variants(round int) (all []variant) {
	for _, threads := range m.counts {
		for _, t := range m.trees {
			all = append(all, variant{t, threads})
		}
	}
	if round%2 == 1 {
		for i, j := 0, len(all)-1; i < j; i, j = i+1, j-1 {
			all[i], all[j] = all[j], all[i]
		}
	}
	return all
}

// chosen says whether -only has a part of the name.
func (m *measurement) chosen(name string) bool {
	for part := range strings.SplitSeq(m.only, ",") {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

func numbers(text string) (all []int, err error) {
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is no number of threads", part)
		}
		all = append(all, n)
	}
	return all, nil
}
