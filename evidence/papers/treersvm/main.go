// Command treersvm repeats figures 1 to 4 of Airola, Pahikkala and Salakoski 2011, Training linear ranking SVMs in
// linearithmic time using red-black trees, section 5. The figures show how four things grow as the rows double: one
// evaluation of the loss, a whole training, its memory, and the error on other rows. The program compares
//
//   - the default counter
//   - the red-black tree of the paper
//   - a loop over all pairs, the paper's PairRSVM
//   - stored pairs, the paper's PRSVM
//   - the squared hinge loss
//
// and draws the paper's times and the times here on one axis. It also shows how the line search changes the number of
// iterations, and how much a path of λ gains by keeping its planes.
//
//	go -C evidence/papers run ./treersvm -o .
//
// It calls internal/learn/ranksvm and not the entrance, because it measures the solver: evaluations, products with the
// Hessian and memory, trainings without the line search, and what planes and weights that are kept save along a path of
// λ. pairrank.Train returns none of these.
//
// The program looks for cadata and rcv1_sample in $PAIRRANK_DATA, or ../shared/data. Without cadata it makes rows of
// the same shape. The full RCV1 collection is not available, so that the program makes rows of its shape: see News in
// internal/synth. For a short run give -most 4000. Every point of figures 2 to 4 is a separate process, which reads its
// rows from a file in $TMPDIR (500 MB for 512,000 rows). The largest run of PRSVM takes 2 GB of memory.
//
// The files:
//
//   - main.go: flags and sections
//   - collection.go: the rows
//   - iteration.go: figure 1
//   - training.go, drawing.go: figures 2 to 4
//   - process.go, scratch.go: the process that trains, and the file that it reads
//   - prsvm.go: training over stored pairs
//   - documents.go: the few documents of RCV1
//   - search.go: line search and path
//   - published.go: the paper's numbers
//   - fitted.go: medians and slopes
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"pairrank/evidence/papers/experiment"
)

// settings are what the flags say.
type settings struct {
	dir                         string
	most, test, pairs, search   int // rows
	fit, runs, draws, threads   int
	patience                    time.Duration
	seed                        uint64
	lambdaHouses, lambdaReuters float64
}

// epsilon ends all trainings: the default, and the paper's.
const epsilon = 1e-3

func main() {
	var s settings
	experiment.DataFlag(&s.dir, "cadata/cadata.svm.gz")
	out := experiment.OutputFlags("treersvm", experiment.Names(sections))
	flag.IntVar(&s.most, "most", 512_000, "`N` rows of the largest training, at least 1000")
	flag.IntVar(&s.test, "test", 20_000, "`N` test rows of the RCV1-like data")
	flag.IntVar(&s.pairs, "pairs", 32_000,
		"`N` rows up to which pairs are looped over or stored; the time is quadratic")
	flag.IntVar(&s.search, "search", 64_000, "`N` rows of the RCV1-like data for line search and path, at most -most")
	flag.IntVar(&s.fit, "fit", 8000, "`N` rows from which slopes are fitted")
	flag.IntVar(&s.runs, "runs", 3, "`N` repetitions; tables have their median")
	flag.IntVar(&s.draws, "draws", 10, "`N` draws of targets and rows among the documents of RCV1, at least 2")
	flag.IntVar(&s.threads, "threads", 1, "`N` threads; the programs of the paper use one")
	flag.DurationVar(&s.patience, "patience", 15*time.Second, "`TIME` after which nothing is repeated")
	flag.Uint64Var(&s.seed, "seed", 1, "`SEED` of the order of the rows and of made data")
	flag.Float64Var(&s.lambdaHouses, "lambda-cadata", 0.05, "λ of cadata: half of the paper's, whose code has ½‖w‖²")
	flag.Float64Var(&s.lambdaReuters, "lambda-rcv1", 5e-6, "λ of the RCV1-like data: half of the paper's")
	child := flag.Bool("child", false, "train as described on standard input; the program calls itself with this flag")
	experiment.Main("treersvm", func(ctx context.Context) error {
		if *child {
			return serve(ctx, os.Stdin, os.Stdout)
		}
		out.Seed = s.seed
		return run(ctx, out, s)
	})
}

// study is the settings with the rows.
type study struct {
	settings
	collections []*collection
}

// sections are the parts of the page, in their order.
var sections = []experiment.Section[study]{
	{Name: "data", Make: describe},
	{Name: "iteration", Make: iterations},
	{Name: "training", Make: trainings},
	{Name: "documents", Make: documents},
	{Name: "search", Make: searches},
	{Name: "path", Make: paths},
}

func run(ctx context.Context, out *experiment.Output, s settings) error {
	if s.most < leastRows || s.pairs < leastRows || s.test < 2 || s.runs < 1 || s.draws < 2 || s.threads < 1 {
		return fmt.Errorf("-most and -pairs are at least %d, -test 2, -runs 1, -draws 2, -threads 1; not %d, %d, %d, "+
			"%d, %d and %d", leastRows, s.most, s.pairs, s.test, s.runs, s.draws, s.threads)
	}
	runtime.GOMAXPROCS(s.threads)
	began := time.Now()
	houses, err := cadata(ctx, s)
	if err != nil {
		return err
	}
	reuters, err := rcv1(s)
	if err != nil {
		return err
	}
	tell("rows read and made in %.1f s", time.Since(began).Seconds())
	if err := experiment.Report(ctx, out, sections, study{s, []*collection{houses, reuters}}); err != nil {
		return err
	}
	tell("%.0f s in all, threads: %d", time.Since(began).Seconds(), s.threads)
	return nil
}

// tell says on standard error how far the program is.
func tell(format string, args ...any) { fmt.Fprintf(os.Stderr, "treersvm: "+format+"\n", args...) }
