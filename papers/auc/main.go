// Command auc estimates the area under the ROC curve on small samples, in the ways
// that Pahikkala, Airola, Boberg and Salakoski 2008, Exact and efficient leave-pair-out
// cross-validation for ranking RLS, and section 4.1 of Pahikkala, Tsivtsivadze, Airola,
// Järvinen and Boberg 2009, An efficient algorithm for learning to rank from preference
// graphs, weigh against each other: every pair left out, the mean of the AUC of ten
// folds, and all rows pooled into one ranking.
//
//	go -C papers run ./auc -o .
//
// DIR of -data has uci and microarray; by default it is looked for in $PAIRRANK_DATA, or
// ../shared/data. Sections of simulated samples need none.
//
// Files: main.go the sections; exact.go shortcuts beside retraining; simulation.go bias
// and spread of the estimates on simulated samples, with samples.go the samples and
// curves.go the figures; sets.go real sets; learner.go choosing, training and predicting;
// chance.go permutations and shuffled labels.
package main

import (
	"context"
	"flag"

	"pairrank/papers/experiment"
)

// settings are what the flags say.
type settings struct {
	dir, sets    string
	permutations int
	samples      int // simulated, of each kind
	seed         uint64
}

func main() {
	var s settings
	experiment.DataFlag(&s.dir, "uci and microarray")
	out := experiment.OutputFlags("auc", experiment.Names(sections))
	flag.StringVar(&s.sets, "sets", "", "names of real sets, with commas; empty: all")
	flag.IntVar(&s.permutations, "permutations", 1000, "of the labels")
	flag.IntVar(&s.samples, "samples", 2000, "simulated, of each kind")
	flag.Uint64Var(&s.seed, "seed", 1, "of all that is drawn")
	experiment.Main("auc", func(ctx context.Context) error {
		out.Seed = s.seed
		return experiment.Report(ctx, out, sections, s)
	})
}

// sections are the parts of the page, in their order.
var sections = []experiment.Section[settings]{
	{Name: "exact", Make: exact},
	{Name: "simulation", Make: simulation},
	{Name: "sets", Make: sets},
	{Name: "chance", Make: chance},
}
