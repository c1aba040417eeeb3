// Command parses repeats, on the few sentences that can be had, the parse ranking of two
// papers: table 8 of Pahikkala, Tsivtsivadze, Airola, Boberg and Salakoski 2007, Learning
// to rank with pairwise regularized least-squares, section 3.2, and table 2 of Pahikkala,
// Tsivtsivadze, Airola, Järvinen and Boberg 2009, An efficient algorithm for learning to
// rank from preference graphs, section 5.2.
//
//	go -C papers run ./parses -o .
//
// The data is looked for in $PAIRRANK_DATA, or ../shared/data: rlscore_examples, which
// has 42 of the 1100 sentences of BioInfer.
//
// Files: main.go flags and sections; sentences.go the parses, with their kernel matrix;
// learners.go what is trained; tables.go what is measured and written; curve.go the error
// by the number of sentences.
package main

import (
	"context"
	"flag"

	"pairrank/papers/experiment"
)

// settings are what the flags say.
type settings struct {
	dir    string
	folds  int // outer ones
	repeat int // draws of them
	seed   uint64
}

func main() {
	var s settings
	experiment.DataFlag(&s.dir, "rlscore_examples")
	out := experiment.OutputFlags("parses", experiment.Names(sections))
	flag.IntVar(&s.folds, "folds", 10, "of the sentences, in the second table")
	flag.IntVar(&s.repeat, "repeat", 10, "times that folds are drawn there")
	flag.Uint64Var(&s.seed, "seed", 1, "of the folds")
	experiment.Main("parses", func(ctx context.Context) error {
		out.Seed = s.seed
		return experiment.Report(ctx, out, sections, s)
	})
}

// sections are the parts of the page, in their order.
var sections = []experiment.Section[settings]{
	{Name: "split", Make: bySplit},
	{Name: "folds", Make: byFolds},
	{Name: "curve", Make: bySize},
}
