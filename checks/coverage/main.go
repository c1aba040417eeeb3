// Command coverage measures how often intervals hold what they are for, and how
// often tests reject what is true, by simulation: draws of differences whose
// mean is known. docs/statistics.md has the tables and what they say.
//
//	go -C checks run ./coverage -o ../docs/statistics.md
//
// The full run takes some minutes of one core; -quick is 100 simulations a cell.
// Results depend on -seed, not on the number of threads. Each section is printed
// as soon as it is there, and with -o goes into the page.
//
// Files: main.go sections and pages; law.go the distributions of differences;
// letor.go those of two linear rankers on made LETOR data; simulate.go cells and
// tables; intervals.go the intervals of compare and method.go those beside it;
// levels.go its tests; family.go Holm's correction over metrics; several.go more than
// two rankings, and folds; permutations.go
// the permutation test of cv; estimates.go its intervals, of learners that train folds
// again by trained.go, of relations by relations.go.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"

	"pairrank/papers/experiment"
)

// settings are what the flags say.
type settings struct {
	simulations int // a cell
	resamples   int // of each bootstrap and of drawn patterns of signs
	population  int // queries of the LETOR data
	seed        uint64
	studies     []study
}

func main() {
	s := settings{population: 10_000, studies: studies}
	out := &experiment.Output{Program: "coverage"}
	flag.StringVar(&out.Page, "o", "", "page in which what is between the lines <!-- SECTION --> and <!-- /SECTION --> is replaced")
	flag.StringVar(&out.Only, "only", "", "sections, with commas, of "+strings.Join(experiment.Names(sections), ",")+"; empty: all")
	flag.IntVar(&s.simulations, "simulations", 2000, "of each cell")
	flag.IntVar(&s.resamples, "resamples", 2000, "of each bootstrap and of drawn patterns of signs")
	flag.Uint64Var(&s.seed, "seed", 1, "of all that is made or drawn")
	quick := flag.Bool("quick", false, "100 simulations of a cell, 500 resamples")
	experiment.Main("coverage", func(ctx context.Context) error {
		if *quick {
			s.beQuick()
		}
		out.Seed = s.seed
		return run(ctx, out, s)
	})
}

// beQuick takes fewer simulations, which are not asked for as well.
func (s *settings) beQuick() {
	flag.Visit(func(f *flag.Flag) {
		if f.Name == "simulations" || f.Name == "resamples" {
			fmt.Fprintf(os.Stderr, "coverage: -quick sets -%s: give one of them\n", f.Name)
			os.Exit(2)
		}
	})
	s.simulations, s.resamples = 100, 500
}

// sections are the parts of the page that are made here, in their order.
var sections = []experiment.Section[settings]{
	{Name: "intervals", Make: experiment.Paragraphs(intervals)},
	{Name: "levels", Make: experiment.Paragraphs(levels)},
	{Name: "family", Make: experiment.Paragraphs(family)},
	{Name: "several", Make: experiment.Paragraphs(several)},
	{Name: "permutations", Make: experiment.Paragraphs(permutations)},
	{Name: "estimates", Make: experiment.Paragraphs(estimates)},
}

func run(ctx context.Context, out *experiment.Output, s settings) error {
	if s.simulations < 1 || s.resamples < 100 {
		return fmt.Errorf("-simulations is at least 1 and -resamples 100, not %d and %d", s.simulations, s.resamples)
	}
	return experiment.Report(ctx, out, sections, s)
}
