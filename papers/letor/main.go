// Command letor repeats the tables on LETOR of two papers, on the collections that can
// be had: tables 1 to 3 of Pahikkala, Tsivtsivadze, Airola, Boberg and Salakoski 2007,
// Learning to rank with pairwise regularized least-squares, section 3.1, and table 3
// of Pahikkala, Tsivtsivadze, Airola, Järvinen and Boberg 2009, An efficient algorithm
// for learning to rank from preference graphs, section 5.3.
//
// Both scale features to [0,1] within each query, train on three parts, choose on the
// fourth and test on the fifth, over the five rotations: 2007 λ, and whether tied
// pairs count, by MAP, 2009 λ by the disagreement, with labels binarised at 2.
//
//	go -C papers run ./letor -o .
//
// The data is looked for in $PAIRRANK_DATA, or ../shared/data: ohsumed_letor2, with
// the published figures of RankSVM and RankBoost in baselines.tsv, ohsumed_letor3 and
// mq2008_letor4. A section whose files are not there is skipped.
//
// Files: main.go flags and sections; folds.go the collections and rotations;
// learners.go what is trained and chosen; map2007.go and tables.go the tables of 2007, with
// published.go what they and the collection say and beside.go how far the two are apart;
// pairs2009.go the table of 2009.
package main

import (
	"context"
	"flag"

	"pairrank/papers/experiment"
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
	flag.IntVar(&s.rounds, "rounds", 300, "of RankBoost, at most")
	experiment.Main("letor", func(ctx context.Context) error { return experiment.Report(ctx, out, sections, s) })
}

// sections are the parts of the page, in their order.
var sections = []experiment.Section[settings]{
	{Name: "map", Make: map2007},
	{Name: "pairs", Make: pairs2009},
}
