// Command jester repeats table 6 of Pahikkala, Tsivtsivadze, Airola, Järvinen and Boberg
// 2009, An efficient algorithm for learning to rank from preference graphs, section 5.5:
// the preferences of single users among the jokes of Jester, learnt from half of what
// they rated, with the ratings of 300 other users as the features of a joke.
//
//	go -C papers run ./jester -o .
//
// The data is looked for in $PAIRRANK_DATA, or ../shared/data: the three files of jester.
//
// Files: main.go flags and sections; ratings.go the files, and what is drawn from them;
// learners.go what is trained; grid.go errors of users, and the choice of width and λ;
// draws.go table 6 over several draws; tables.go what is written of it; widths.go the
// figure of errors by width.
package main

import (
	"context"
	"flag"

	"pairrank/papers/experiment"
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
	flag.IntVar(&s.draws, "draws", 5, "of users, halves and reference users")
	flag.IntVar(&s.users, "users", 300, "that are tested, that choose width and λ, and whose ratings are features: so many of each")
	flag.IntVar(&s.fewer, "fewer", 100, "of the users that choose, for RankSVM")
	flag.Uint64Var(&s.seed, "seed", 1, "of what is drawn")
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
