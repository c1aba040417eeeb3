// Command reuters repeats the experiments with the documents of Reuters-21578 in Pahikkala, Tsivtsivadze, Airola,
// Järvinen and Boberg 2009, An efficient algorithm for learning to rank from preference graphs:
//
//   - section 5.4, tables 4 and 5: the AUC of RankRLS, regression and RankSVM on 25 topics
//   - section 4.2, table 1: the seconds of a training with a kernel
//   - section 4.3: conjugate gradients on all documents
//
// Run it from the root of the repository:
//
//	go -C evidence/papers run ./reuters -o .
//
// The program looks for reuters21578 in $PAIRRANK_DATA, or ../shared/data: documents in log tf-idf, whose comments give
// the split and the topics of each.
//
// The files:
//
//   - main.go: flags and sections
//   - documents.go, forms.go: the documents and their draws, the forms of a word count
//   - learners.go, study.go: learners and their choices, all learners over all draws
//   - auc.go, published.go, versus.go, elsewhere.go: tables 4 and 5, the paper's numbers, which learner wins, which
//     topics differ
//   - labels.go: forms and labels compared
//   - choice.go: ways to choose λ
//   - ties.go: pairs of equal labels
//   - times.go, explicit.go: table 1, and a RankSVM over all pairs
//   - cg.go: section 4.3
package main

import (
	"context"
	"flag"
	"time"

	"pairrank/evidence/papers/experiment"
)

// settings are what the flags say.
type settings struct {
	dir     string
	draws   int
	octaves int
	seed    uint64
	inputs  int
	limit   time.Duration
}

func main() {
	var s settings
	experiment.DataFlag(&s.dir, "reuters21578")
	out := experiment.OutputFlags("reuters", experiment.Names(sections))
	flag.IntVar(&s.draws, "draws", 10, "`N` draws of the 500 training documents, at least 2")
	flag.Uint64Var(&s.seed, "seed", 1, "`SEED` of the first draw and its folds; the next draws take the next seeds")
	flag.IntVar(&s.octaves, "octaves", 1, "`N` octaves from one λ to the next")
	flag.IntVar(&s.inputs, "inputs", 0,
		"`N` training documents at most in table 1 and section 4.3; 0 is as many as in the paper")
	flag.DurationVar(&s.limit, "limit", 5*time.Minute, "`TIME` limit of a RankSVM over all pairs")
	experiment.Main("reuters", func(ctx context.Context) error {
		out.Seed = s.seed
		return experiment.Report(ctx, out, sections, s)
	})
}

// sections are the parts of the page, in their order.
var sections = []experiment.Section[settings]{
	{Name: "labels", Make: labels},
	{Name: "auc", Make: auc},
	{Name: "choice", Make: choice},
	{Name: "ties", Make: ties},
	{Name: "times", Make: times},
	{Name: "gradients", Make: gradients},
}
