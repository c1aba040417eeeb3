// Command reuters repeats what Pahikkala, Tsivtsivadze, Airola, Järvinen and Boberg 2009,
// An efficient algorithm for learning to rank from preference graphs, did with the
// documents of Reuters-21578: tables 4 and 5, the AUC of 25 topics by RankRLS, regression
// and RankSVM (section 5.4), table 1, the seconds of training with a kernel (section 4.2),
// and conjugate gradients on all documents (section 4.3).
//
//	go -C papers run ./reuters -o .
//
// The data is looked for in $PAIRRANK_DATA, or ../shared/data: reuters21578, documents in
// log tf-idf, whose comments say of which split they are and which topics they have.
//
// Files: main.go flags and sections; documents.go the documents and their draws; forms.go
// what numbers say how often a document has a word; learners.go what is trained and
// chosen; study.go all learners over all draws; auc.go tables 4 and 5, with published.go
// what the paper says and versus.go who wins and elsewhere.go
// where topics differ; labels.go forms and labels beside each
// other; choice.go ways to choose λ; ties.go pairs of equal labels; times.go table 1, with
// explicit.go a RankSVM over all pairs; cg.go section 4.3.
package main

import (
	"context"
	"flag"
	"time"

	"pairrank/papers/experiment"
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
	flag.IntVar(&s.draws, "draws", 10, "of the 500 documents to train on, 2 or more")
	flag.Uint64Var(&s.seed, "seed", 1, "of the first draw and its folds; the others follow")
	flag.IntVar(&s.octaves, "octaves", 1, "from each λ to the next")
	flag.IntVar(&s.inputs, "inputs", 0, "the most to train on in table 1 and section 4.3; 0: as many as the paper")
	flag.DurationVar(&s.limit, "limit", 5*time.Minute, "of a RankSVM over all pairs")
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
