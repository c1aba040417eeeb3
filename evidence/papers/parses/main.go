// Command parses repeats the parse ranking of two papers on the few sentences that are available:
//
//   - Pahikkala, Tsivtsivadze, Airola, Boberg and Salakoski 2007, Learning to rank with pairwise regularized
//     least-squares, section 3.2, table 8
//   - Pahikkala, Tsivtsivadze, Airola, Järvinen and Boberg 2009, An efficient algorithm for learning to rank from
//     preference graphs, section 5.2, table 2
//
// Run it from the root of the repository:
//
//	go -C evidence/papers run ./parses -o .
//
// The program looks for rlscore_examples in $PAIRRANK_DATA, or ../shared/data. It has 42 of the 1100 sentences of
// BioInfer.
//
// The files:
//
//   - main.go: flags and sections
//   - sentences.go: the parses and their kernel matrix
//   - learners.go: learners and splits
//   - tables.go: measures and tables
//   - curve.go: the error by the number of sentences
package main

import (
	"context"
	"flag"

	"pairrank/evidence/papers/experiment"
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
	flag.IntVar(&s.folds, "folds", 10, "`N` folds of the sentences in the second table")
	flag.IntVar(&s.repeat, "repeat", 10, "`N` draws of these folds")
	flag.Uint64Var(&s.seed, "seed", 1, "`SEED` of the folds")
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
