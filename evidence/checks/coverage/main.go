// Command coverage measures by simulation how often intervals cover the true value, and how often tests reject a true
// hypothesis. It draws differences whose mean is known. evidence/checks/coverage.md has the tables, and
// docs/statistics.md says what follows from them.
//
//	go -C evidence/checks run ./coverage -o coverage.md
//
// The full run takes some minutes of one core; -quick runs 100 simulations for each cell. Results depend on -seed, not
// on the number of threads. The program prints each section as soon as it is finished, and with -o puts it into the
// page.
//
// The files:
//
//   - main.go: sections and pages
//   - law.go, letor.go: distributions of differences, and those of two linear rankers on made LETOR data
//   - simulate.go: cells and tables
//   - intervals.go, method.go: the intervals of compare, and other intervals
//   - levels.go, family.go: the tests of compare, and Holm's correction over metrics
//   - several.go: more than two rankings, and folds
//   - permutations.go: the permutation test of cv
//   - estimates.go, trained.go, relations.go, grouped.go: the intervals of cv, for learners that train folds again, for
//     relations, and for rows that leave in groups
//   - fewnodes.go: the standard error of relations with few columns, and estimates where there is nothing to learn
//   - nested.go, differences.go: the intervals of the AUC, of nested leave-pair-out, and of the difference of two
//     procedures
//   - areagroups.go: the areas of rows in groups
//   - curves.go, areas.go: what is read off the ROC curves of cv, and the areas of fixed scores
//   - boards.go, boardways.go: intervals and sets of ranks of leaderboards, and their test of cycles
//   - boardunits.go, boardgraded.go, boardfeatures.go: leaderboards of comparisons that depend on one another, with
//     graded outcomes, and with features
//   - boardtrusted.go: leaderboards of few votes of people and many of a judge
//   - boardscale.go: leaderboards with factors of annotators
//   - rare.go: leaderboards with rarely compared items
//   - next.go: which comparison is made next, against random ones
//   - retraining.go: what leaderboards predict of comparisons that are left out, beside training again
//   - scoretables.go: intervals and sets of ranks of tables of scores
//   - nestedtimes.go: nested intervals of the c-index
//   - times.go: measures of censored times, and the survival of thirds of the scores
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"

	"pairrank/evidence/papers/experiment"
)

// settings are what the flags say.
type settings struct {
	simulations  int // a cell
	resamples    int // of each bootstrap and of drawn patterns of signs
	population   int // queries of the LETOR data
	seed         uint64
	studies      []study
	boards, ways []board
	next         []nextBoard
	nests        []patients
	few          []relational
	scaled       []scaled
	trusted      []trustedBoard
	systems      []int  // of tables of scores
	timed        int    // studies of censored times, at most
	cells        string // that a line of estimates has in its name
	contrasts    []patients
	curved       []curved
}

func main() {
	s := settings{population: 10_000, studies: studies, boards: boards, ways: wayBoards, next: nextBoards, nests: nests,
		contrasts: contrasts, curved: curvedStudies, few: fewNodes, scaled: scaledBoards, trusted: trustedBoards,
		systems: tableSystems, timed: math.MaxInt}
	out := &experiment.Output{Program: "coverage"}
	flag.StringVar(&out.Page, "o", "",
		"`PAGE` in which to replace the text between the lines <!-- SECTION --> and <!-- /SECTION -->")
	flag.StringVar(&out.Only, "only", "",
		"sections, separated by commas, of "+strings.Join(experiment.Names(sections), ",")+" (default all)")
	flag.IntVar(&s.simulations, "simulations", 2000, "`N` simulations of each cell")
	flag.IntVar(&s.resamples, "resamples", 2000, "`N` resamples of each bootstrap, and as many drawn patterns of signs")
	flag.Uint64Var(&s.seed, "seed", 1, "`SEED` of all made data and draws")
	flag.StringVar(&s.cells, "cells", "", "of the sections estimates, fewnodes, boardunits, times and nestedtimes, "+
		"only lines with `TEXT` in their names")
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
	{Name: "noise", Make: experiment.Paragraphs(noiseTable)},
	{Name: "fewnodes", Make: experiment.Paragraphs(fewNodeTable)},
	{Name: "plain", Make: experiment.Paragraphs(plainTable)},
	{Name: "nested", Make: experiment.Paragraphs(nestTable)},
	{Name: "differences", Make: experiment.Paragraphs(differenceTable)},
	{Name: "curves", Make: experiment.Paragraphs(curves)},
	{Name: "areas", Make: experiment.Paragraphs(areas)},
	{Name: "areagroups", Make: experiment.Paragraphs(groupAreaTable)},
	{Name: "boards", Make: experiment.Paragraphs(boardTable)},
	{Name: "boardways", Make: experiment.Paragraphs(boardWayTable)},
	{Name: "cycles", Make: experiment.Paragraphs(cyclesTable)},
	{Name: "boardunits", Make: experiment.Paragraphs(boardUnitTable)},
	{Name: "boardscale", Make: experiment.Paragraphs(scaledTable)},
	{Name: "boardfeatures", Make: experiment.Paragraphs(boardFeatureTable)},
	{Name: "boardrare", Make: experiment.Paragraphs(rareTable)},
	{Name: "boardtrusted", Make: experiment.Paragraphs(trustedTable)},
	{Name: "boardheld", Make: experiment.Paragraphs(boardHeldTable)},
	{Name: "retraining", Make: experiment.Paragraphs(retrainings)},
	{Name: "next", Make: experiment.Paragraphs(nextTable)},
	{Name: "scoretables", Make: experiment.Paragraphs(scoreTables)},
	{Name: "times", Make: experiment.Paragraphs(timesTable)},
	{Name: "nestedtimes", Make: experiment.Paragraphs(nestedTimesTable)},
}

func run(ctx context.Context, out *experiment.Output, s settings) error {
	if s.simulations < 1 || s.resamples < 100 {
		return fmt.Errorf("-simulations is at least 1 and -resamples 100, not %d and %d", s.simulations, s.resamples)
	}
	return experiment.Report(ctx, out, sections, s)
}
