package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"pairrank"
	"pairrank/internal/option"
	"pairrank/learn/ranksvm"
	"pairrank/pref"
)

// options are the values of the command line.
type options struct {
	files      []string
	output     string
	lambda     float64
	loss       string
	weight     string
	counter    string
	normalize  string
	epsilon    float64
	iterations int
	features   int
	zeroBased  bool
	checkpoint string
	every      time.Duration
	progress   time.Duration
	threads    int
}

// help is the text of --help above the flags.
const help = `pairrank-mpi FILE... -o MODEL --lambda L

Trains a linear RankSVM on all files together, in as many processes as mpirun starts:

  mpirun -np 4 --bind-to none pairrank-mpi part-*.txt -o model.txt --lambda 1e-4 --checkpoint run.ckpt

Files are SVMlight or LETOR text, also compressed by gzip or zstd. File i, from 0, is
read by process i modulo their number, and by no other; a query has all its rows in one
file, and a file without qid is one list. Process 0 writes the model, which is that of
pairrank train --learner ranksvm on all files but for rounding, and the checkpoint. Where
the checkpoint is there the training goes on from it, on any number of processes; when the
model is written it is removed.

Ctrl-C, SIGTERM and SIGUSR1 at any process end all of them, with the best model so far
and the checkpoint written. mpirun may leave little time for that: --every.

`

// flagsOf are the flags, set to o.
func flagsOf(o *options) *pflag.FlagSet {
	f := pflag.NewFlagSet("pairrank-mpi", pflag.ContinueOnError)
	f.SortFlags = false
	f.Usage = func() {}
	f.StringVarP(&o.output, "output", "o", "", "`FILE` for the model (needed)")
	f.Float64Var(&o.lambda, "lambda", 0, "regularisation, greater than 0 (needed)")
	option.Bind(option.Some("train", "loss", "query-weight", "counter", "normalize", "epsilon", "max-iterations",
		"zero-based"),
		option.Targets{"loss": &o.loss, "query-weight": &o.weight, "counter": &o.counter, "normalize": &o.normalize,
			"epsilon": &o.epsilon, "max-iterations": &o.iterations, "zero-based": &o.zeroBased},
		func(option *option.Option, v option.Value, usage string) {
			flag := f.VarPF(v, option.Name, option.Short, usage)
			if v.Type() == "bool" {
				flag.NoOptDefVal = "true"
			}
		})
	f.IntVar(&o.features, "features", 0, "`N` features; 0 takes the largest index of all files")
	f.StringVar(&o.checkpoint, "checkpoint", "", "`FILE` for the state of the training, to go on from")
	f.DurationVar(&o.every, "every", time.Minute, "time between two checkpoints")
	f.DurationVar(&o.progress, "progress", 0, "time between two lines about how far the training is; 0 is none")
	f.IntVar(&o.threads, "threads", 0, "`N` threads of each process; 0 is as many as it has processors")
	return f
}

// asksForHelp reports whether there is nothing to do but to explain.
func asksForHelp(args []string) bool {
	for _, a := range args {
		if a == "--help" || a == "-h" {
			return true
		}
	}
	return false
}

// usage writes how the program is called.
func usage(w io.Writer) error {
	_, err := io.WriteString(w, help+flagsOf(&options{}).FlagUsages())
	return err
}

// errUsage is the error of a command line.
type errUsage struct{ error }

// parse reads a command line.
func parse(args []string) (o options, err error) {
	f := flagsOf(&o)
	if err := f.Parse(args); err != nil {
		return o, errUsage{err}
	}
	o.files = f.Args()
	var wrong string
	switch {
	case len(o.files) == 0:
		wrong = "no FILE is given"
	case o.output == "":
		wrong = "-o MODEL is missing"
	case o.output == "-":
		wrong = "-o is a file: standard output is of several processes"
	case !f.Changed("lambda"):
		wrong = "--lambda is missing: pairrank train chooses one on part of the data"
	case !(o.lambda > 0) || math.IsInf(o.lambda, 0):
		wrong = fmt.Sprintf("--lambda is greater than 0, not %v", o.lambda)
	case o.checkpoint == "" && f.Changed("every"):
		wrong = "--every is for --checkpoint"
	case o.every <= 0:
		wrong = fmt.Sprintf("--every is greater than 0, not %v", o.every)
	case o.features < 0 || o.threads < 0 || o.progress < 0:
		wrong = "--features, --threads and --progress are at least 0"
	}
	if wrong != "" {
		return o, errUsage{errors.New(wrong)}
	}
	return o, o.duplicate()
}

// duplicate refuses a file that is given twice.
func (o *options) duplicate() error {
	seen := map[string]bool{}
	for _, name := range o.files {
		if seen[name] {
			return errUsage{fmt.Errorf("%s is given twice", name)}
		}
		seen[name] = true
	}
	return nil
}

// training are the options of the library.
func (o *options) training() pairrank.Options {
	r := pairrank.RankSVM{Loss: ranksvm.Loss(o.loss), Weight: pref.Weight(o.weight),
		Counter: ranksvm.Counter(o.counter), Epsilon: o.epsilon, MaxIterations: o.iterations}
	if o.checkpoint != "" {
		r.Checkpoints = ranksvm.Checkpoints{Path: o.checkpoint, Every: o.every}
	}
	return pairrank.Options{Learner: r, Lambdas: []float64{o.lambda}, Normalize: o.normalize, InPlace: true}
}

// words is the text of an error with the flag of the option that it is about.
func words(err error) string {
	var known *pairrank.Error
	if errors.As(err, &known) && option.FlagOf(known.Option) != "" {
		return strings.Replace(err.Error(), known.Option+" ", "--"+option.FlagOf(known.Option)+" ", 1)
	}
	return err.Error()
}
