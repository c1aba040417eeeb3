// Command condrank repeats the experiments of Pahikkala, Airola, Stock, De Baets
// and Waegeman 2013, Efficient regularized least-squares algorithms for
// conditional ranking on relational data, section 6, as far as the data can be
// had, and adds drugs and their targets, with edges, drugs, targets or both left
// out.
//
//	go -C papers run ./condrank -o .
//
// The data is looked for in $PAIRRANK_DATA, or ../shared/data: 20newsgroups, yeast_ppi,
// yamanishi, davis and usps; a section whose files are not there is skipped. -most 400
// -repeats 5 is a short run.
//
// Files: main.go flags and sections; rps.go rock-paper-scissors, with svm.go
// RankSVM on product features, rpstable.go table 1 and figure 2, draws.go what a draw
// may be; news.go the messages, header.go what of their headers, newsgroups.go table 2, counts.go the same hardly
// regularised, curves.go figure 3; yeast.go a network of proteins with its folds,
// yeasttable.go what the pairwise kernels make of it; bio.go drugs and targets as files,
// drugs.go what they show; scale.go and linear.go figure 5;
// report.go λ, errors and products.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"pairrank/papers/experiment"
)

// settings are what the flags say.
type settings struct {
	dir        string
	repeats    int // of rock-paper-scissors
	weights    string
	most       int // nodes
	iterations int // of figures 3 and 5
	drugs      string
	draws      int // of the folds of the yeast network
	seed       uint64
	patience   time.Duration
}

func main() {
	var s settings
	experiment.DataFlag(&s.dir, "20newsgroups, yeast_ppi, yamanishi, davis and usps")
	out := experiment.OutputFlags("condrank", experiment.Names(sections))
	flag.IntVar(&s.repeats, "repeats", 1000, "repetitions of rock-paper-scissors; the paper has 100")
	flag.StringVar(&s.weights, "weights", "1,10,100", "w of rock-paper-scissors, with commas")
	flag.IntVar(&s.most, "most", 0, "nodes of the largest graphs; 0: all messages, and 4000 for the times")
	flag.IntVar(&s.iterations, "iterations", 200, "conjugate gradient iterations")
	flag.StringVar(&s.drugs, "drugs", "nr,gpcr,ic,e,davis", "sets of drugs and targets, with commas")
	flag.IntVar(&s.draws, "draws", 4, "of the folds of the yeast network, beside the one that chooses λ")
	flag.Uint64Var(&s.seed, "seed", 1, "of all that is made or drawn")
	flag.DurationVar(&s.patience, "patience", 30*time.Second, "time after which a slower method gets no larger problem")
	experiment.Main("condrank", func(ctx context.Context) error {
		out.Seed = s.seed
		return run(ctx, out, s)
	})
}

// sections are the parts of the report, in their order.
var sections = []experiment.Section[settings]{
	{Name: "rps", Make: games},
	{Name: "messages", Make: messages},
	{Name: "newsgroups", Make: newsgroups},
	{Name: "gaussian", Make: gaussian},
	{Name: "frequencies", Make: frequencies},
	{Name: "lengths", Make: lengths},
	{Name: "counts", Make: counts},
	{Name: "curves", Make: curves},
	{Name: "yeast", Make: yeast},
	{Name: "drugs", Make: drugs},
	{Name: "scale", Make: scale},
}

func run(ctx context.Context, out *experiment.Output, s settings) error {
	if s.repeats < 1 || s.iterations < 1 || s.draws < 1 || s.most != 0 && s.most < 100 {
		return fmt.Errorf("-repeats, -iterations and -draws are at least 1, -most 100 or 0; not %d, %d, %d and %d",
			s.repeats, s.iterations, s.draws, s.most)
	}
	return experiment.Report(ctx, out, sections, s)
}

// tell says on standard error how far the program is.
func tell(format string, args ...any) { fmt.Fprintf(os.Stderr, "condrank: "+format+"\n", args...) }
