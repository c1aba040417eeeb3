// Command jester repeats table 6 of Pahikkala, Tsivtsivadze, Airola, Järvinen and Boberg 2009, An efficient algorithm
// for learning to rank from preference graphs, section 5.5. It learns the preferences of single users of Jester from
// half of the jokes that they rated. The features of a joke are the ratings of 300 other users.
//
//	go -C evidence/papers run ./jester -o .
//
// The program looks for the three files of jester in $PAIRRANK_DATA, or ../shared/data.
//
// The files:
//
//   - main.go: flags and sections
//   - ratings.go: the files, and the draws of users and jokes
//   - learners.go: the learners
//   - grid.go: errors of users, and the choice of width and λ: the users of one group choose for those of another
//   - draws.go, tables.go: table 6 over several draws, and its tables
//   - widths.go: the figure of the error by width
package main

import (
	"context"
	"flag"

	"pairrank/evidence/papers/experiment"
)

// settings are what the flags say.
type settings struct {
	dir                 string
	draws, users, fewer int
	seed                uint64
}

func main() {
	var s settings
	experiment.DataFlag(&s.dir, "jester")
	out := experiment.OutputFlags("jester", experiment.Names(sections))
	flag.IntVar(&s.draws, "draws", 5, "`N` draws of users, halves and reference users")
	flag.IntVar(&s.users, "users", 300,
		"`N` users to test, as many to choose width and λ, and as many whose ratings are features")
	flag.IntVar(&s.fewer, "fewer", 100, "`N` users that choose for RankSVM")
	flag.Uint64Var(&s.seed, "seed", 1, "`SEED` of the draws")
	experiment.Main("jester", func(ctx context.Context) error {
		out.Seed = s.seed
		return experiment.Report(ctx, out, sections, s)
	})
}

// sections are the parts of the page, in their order.
var sections = []experiment.Section[settings]{
	{Name: "table6", Make: func(ctx context.Context, s settings) (experiment.Result, error) {
		return table6(ctx, s, band{"any", 0, 101}, learners, true)
	}},
	{Name: "widths", Make: byWidth},
	{Name: "busy", Make: func(ctx context.Context, s settings) (experiment.Result, error) {
		s.draws = min(s.draws, 2) // the table beside, not the paper's
		return table6(ctx, s, band{"50 and more", 50, 101}, leastSquares(), false)
	}},
}
