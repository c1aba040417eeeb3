// Command letor repeats the LETOR tables of two papers on the collections that are available:
//
//   - Pahikkala, Tsivtsivadze, Airola, Boberg and Salakoski 2007, Learning to rank with pairwise regularized
//     least-squares, section 3.1, tables 1 to 3
//   - Pahikkala, Tsivtsivadze, Airola, Järvinen and Boberg 2009, An efficient algorithm for learning to rank from
//     preference graphs, section 5.3, table 3
//
// Both papers scale features to [0,1] within each query. Over the five rotations they train on three parts, choose on
// the fourth and test on the fifth. The paper of 2007 chooses λ, and whether tied pairs count, by MAP. The paper of
// 2009 chooses λ by the disagreement, with labels binarised at 2.
//
//	go -C evidence/papers run ./letor -o .
//
// The program looks for these collections in $PAIRRANK_DATA, or ../shared/data: ohsumed_letor2, with the published
// figures of RankSVM and RankBoost in baselines.tsv, ohsumed_letor3 and mq2008_letor4. It skips a section whose files
// are missing.
//
// The files:
//
//   - main.go: flags and sections
//   - learners.go: learners and rotations
//   - map2007.go, tables.go: the tables of 2007
//   - published.go: the numbers of the paper and of the collection
//   - beside.go: the differences from them
//   - pairs2009.go: the table of 2009
package main

import (
	"context"
	"flag"

	"pairrank/evidence/papers/experiment"
)

// settings are what the flags say.
type settings struct {
	dir    string
	rounds int // of RankBoost, at most
}

func main() {
	var s settings
	experiment.DataFlag(&s.dir, "ohsumed_letor2, ohsumed_letor3 and mq2008_letor4")
	out := experiment.OutputFlags("letor", experiment.Names(sections))
	flag.IntVar(&s.rounds, "rounds", 300, "`N` rounds of RankBoost at most")
	experiment.Main("letor", func(ctx context.Context) error { return experiment.Report(ctx, out, sections, s) })
}

// sections are the parts of the page, in their order.
var sections = []experiment.Section[settings]{
	{Name: "map", Make: map2007},
	{Name: "pairs", Make: pairs2009},
}
