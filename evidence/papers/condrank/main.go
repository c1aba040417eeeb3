// Command condrank repeats the experiments of Pahikkala, Airola, Stock, De Baets and Waegeman 2013, Efficient
// regularized least-squares algorithms for conditional ranking on relational data, section 6, on the data that is
// available. It adds drugs and their targets, with edges, drugs, targets or both left out.
//
//	go -C evidence/papers run ./condrank -o .
//
// The program looks for 20newsgroups, yeast_ppi, yamanishi, davis and usps in $PAIRRANK_DATA, or ../shared/data. It
// skips a section whose files are missing. For a short run give -most 400 -repeats 5.
//
// Drugs and proteins go through relation.Estimate and relation.Train. The other sections call the solvers, because
// the entrance would change their numbers or does not return them:
//
//   - table 1 has the test error of every λ of one training set, from 3×3 weights found to a residual of 1e-10, and its
//     RankSVM starts at the weights of the last λ
//   - table 2 chooses λ by messages of other groups, which no way of holding out leaves out
//   - figure 3 has the error after each iteration, and figure 5 the seconds of a solver without choosing and checks
//
// The files:
//
//   - main.go: flags and sections
//   - rps.go, svm.go, rpstable.go, draws.go: rock-paper-scissors, RankSVM on product features, table 1 and figure 2,
//     how a draw of two equal moves is decided
//   - news.go, header.go, newsgroups.go, counts.go, curves.go: the messages and their headers, table 2, the same with
//     little regularisation, figure 3
//   - yeast.go, yeasttable.go: a network of proteins with its folds, and the pairwise kernels on it
//   - bio.go, drugs.go: files of drugs and targets, and their tables
//   - scale.go, linear.go: figure 5
//   - report.go: λ, errors and products
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"pairrank/evidence/papers/experiment"
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
	flag.IntVar(&s.repeats, "repeats", 1000, "`N` repetitions of rock-paper-scissors; the paper has 100")
	flag.StringVar(&s.weights, "weights", "1,10,100", "values of w in rock-paper-scissors, separated by commas")
	flag.IntVar(&s.most, "most", 0, "`N` nodes in the largest graphs; 0 is all messages, and 4000 for the times")
	flag.IntVar(&s.iterations, "iterations", 200, "`N` iterations of conjugate gradients")
	flag.StringVar(&s.drugs, "drugs", "nr,gpcr,ic,e,davis", "sets of drugs and targets, separated by commas")
	flag.IntVar(&s.draws, "draws", 4, "`N` draws of the folds of the yeast network, besides the draw that chooses λ")
	flag.Uint64Var(&s.seed, "seed", 1, "`SEED` of all made data and draws")
	flag.DurationVar(&s.patience, "patience", 30*time.Second,
		"`TIME` of a training after which its method gets no larger problem")
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
