// Command auc estimates the area under the ROC curve (AUC) on small samples in the three ways that two papers compare:
// leave-pair-out, the mean AUC of ten folds, and the AUC of all held-out scores pooled into one ranking.
//
//   - Pahikkala, Airola, Boberg and Salakoski 2008, Exact and efficient leave-pair-out cross-validation for ranking RLS
//   - Pahikkala, Tsivtsivadze, Airola, Järvinen and Boberg 2009, An efficient algorithm for learning to rank from
//     preference graphs, section 4.1
//
// Run it from the root of the repository:
//
//	go -C evidence/papers run ./auc -o .
//
// The flag -data names the folder with uci and microarray; the default is $PAIRRANK_DATA, or ../shared/data. The
// sections on simulated samples need no data.
//
// Real sets are learnt through package study and the entrance. Simulated samples and the control over shuffled labels
// call eval/cv: they take several estimates from one factorisation, and the entrance makes only one of them.
//
// The files:
//
//   - main.go: the sections
//   - exact.go: the shortcut compared with retraining
//   - simulation.go, samples.go, curves.go: bias and spread on simulated samples, the samples, the figures
//   - sets.go: real sets
//   - learner.go: learners and nested cross-validation
//   - chance.go: permutations and shuffled labels
//   - selection.go: few genes, selected inside and outside the rounds
package main

import (
	"context"
	"flag"

	"pairrank/evidence/papers/experiment"
)

// settings are what the flags say.
type settings struct {
	dir, sets    string
	permutations int
	samples      int // simulated, of each kind
	shufflings   int // of the labels, in the section on selected genes
	seed         uint64
}

func main() {
	var s settings
	experiment.DataFlag(&s.dir, "uci and microarray")
	out := experiment.OutputFlags("auc", experiment.Names(sections))
	flag.StringVar(&s.sets, "sets", "", "names of real sets, separated by commas (default all)")
	flag.IntVar(&s.permutations, "permutations", 1000, "`N` permutations of the labels")
	flag.IntVar(&s.samples, "samples", 2000, "`N` simulated samples of each kind")
	flag.IntVar(&s.shufflings, "shufflings", 400, "`N` shufflings of the labels before genes are selected")
	flag.Uint64Var(&s.seed, "seed", 1, "`SEED` of all draws")
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
	{Name: "selection", Make: selection},
	{Name: "shuffled", Make: shuffledSelection},
}
