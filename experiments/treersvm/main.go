// Command treersvm repeats figures 1 to 4 of Airola, Pahikkala and Salakoski
// 2011, Training linear ranking SVMs in linearithmic time using red-black trees,
// section 5: how one evaluation of the loss, a whole training, its memory and the
// error on other rows change as the rows double, with the default counter, the
// red-black tree of the paper and a loop over all pairs (the paper's PairRSVM),
// and with the squared hinge loss beside them. It adds what the line search does
// for the number of iterations, and what planes do that are kept along a path of
// λ.
//
//	go run ./experiments/treersvm -data DIR
//
// DIR has cadata/cadata.svm.gz; by default it is looked for in $PAIRRANK_DATA, or
// ../shared/data, and rows of the same shape are made where it is not there. The
// full RCV1 collection cannot be had, so that rows of its shape are made, too:
// see News in internal/synth. -most 16000 is a short run. With -o every table
// also goes into a page as soon as it is there, with -figures the figures into a
// folder. Every point of figures 2 to 4 is a process of its own, which reads its
// rows from a file in $TMPDIR (500 MB for 512,000 rows).
//
// Files: main.go flags and sections; collection.go the rows; iteration.go figure
// 1; training.go figures 2 to 4, with process.go the process that trains and
// scratch.go the file it reads; search.go line search and path; report.go
// medians, slopes and the paper's times.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"

	"pairrank/experiments/internal/experiment"
)

// settings are what the flags say.
type settings struct {
	dir, figures                string
	most, test, pairs, search   int // rows
	fit, runs, threads          int
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
	flag.StringVar(&s.figures, "figures", "", "folder for treersvm-*.svg; empty: none")
	flag.IntVar(&s.most, "most", 512_000, "rows of the largest training, at least 1000")
	flag.IntVar(&s.test, "test", 20_000, "rows of the RCV1-like data to test on")
	flag.IntVar(&s.pairs, "pairs", 32_000, "rows up to which all pairs are looped over; the time is quadratic")
	flag.IntVar(&s.search, "search", 64_000, "rows of the RCV1-like data for line search and path, at most -most")
	flag.IntVar(&s.fit, "fit", 8000, "rows from which slopes are fitted")
	flag.IntVar(&s.runs, "runs", 3, "repetitions, of which the median is told")
	flag.IntVar(&s.threads, "threads", 1, "threads; the paper's programs use one")
	flag.DurationVar(&s.patience, "patience", 3*time.Minute, "time after which nothing is repeated")
	flag.Uint64Var(&s.seed, "seed", 1, "of the order of the rows and of what is made")
	flag.Float64Var(&s.lambdaHouses, "lambda-cadata", 0.05, "λ of cadata: half the paper's, whose code has ½‖w‖²")
	flag.Float64Var(&s.lambdaReuters, "lambda-rcv1", 1e-5, "λ of the RCV1-like data")
	child := flag.Bool("child", false, "train as standard input says: the program calls itself so")
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

// part is a section of the rows.
func part(name string, write func(context.Context, settings, []*collection) (string, error)) experiment.Section[study] {
	return experiment.Section[study]{Name: name, Make: experiment.Paragraphs(func(ctx context.Context, s study) (string, error) {
		return write(ctx, s.settings, s.collections)
	})}
}

// sections are the parts of the report, in their order.
var sections = []experiment.Section[study]{
	part("data", describe),
	part("iteration", iterations),
	part("training", trainings),
	part("search", searches),
	part("path", paths),
}

func run(ctx context.Context, out *experiment.Output, s settings) error {
	if s.most < 1000 || s.test < 2 || s.runs < 1 || s.threads < 1 {
		return fmt.Errorf("-most is at least 1000, -test 2, -runs 1, -threads 1; not %d, %d, %d and %d", s.most, s.test, s.runs, s.threads)
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
