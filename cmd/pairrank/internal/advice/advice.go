// Package advice puts what the library says of a training or an estimate into the words
// of the command line: flags instead of fields of options, exit codes, and ways out.
package advice

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"pairrank"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/event"
	"pairrank/internal/fault"
	"pairrank/learn/ranksvm"
	"pairrank/relation"
	"pairrank/stream"
)

// flagOf is the flag of a field of the options of training and estimating, where the
// text of an error about the field goes on.
var flagOf = map[string]string{
	"Epsilon": "epsilon", "Basis": "basis", "HeldOut": "held-out", "Intervals": "interval", "Importance": "importance", "Kernels": "kernel", "Labels": "labels", "LearningCurve": "learning-curve", "Lambdas": "lambdas",
	"Learner": "learner", "Loss": "loss", "Map": "kernel", "MaxIterations": "max-iterations", "Metric": "metric", "Nested": "nested", "Normalize": "normalize",
	"Permutations": "permutations", "ROC": "roc", "Rounds": "rounds", "Solver": "solver", "Start": "warm-start",
	"Tolerance": "tolerance", "Weight": "query-weight",

	// Of statistics alone.
	"Folds": "select", "KeepQueries": "keep-query-sums",
	"Names": "names", "Outputs": "labels", "Pairs": "cost", "Threshold": "binarize",

	// Of relations alone.
	"Cols": "cols", "EarlyStop": "early-stop", "Kernel": "pair-kernel", "LambdaCols": "lambda-cols",
	"Method": "method", "Patience": "patience", "PSD": "psd-fix", "Relation": "relation", "Rows.Kernel": "row-kernel",
	"PairsSample": "pairs-sample", "Setting": "setting",
	"Symmetrize": "symmetrize",
}

// ways are hints for errors, by their codes. METHOD stands for the flag that says what is
// held out, DATA for the input.
var ways = map[fault.Code]string{
	pairrank.FaultOneLabel:     "the label is the first number of a line; --binarize T makes two labels of more",
	pairrank.FaultNothing:      "check the labels: pairrank check DATA counts them",
	pairrank.FaultFeatureOrder: "bring the columns into the order of the training data",
	pairrank.FaultManyFeatures: "features are counted up to the largest index in the data: number those that " +
		"there are from 1",
	pairrank.FaultManyRows: "--basis 500 trains on a subset of regressors",
	pairrank.FaultLinearMemory: "--solver cg trains on sparse rows without a matrix; --basis 500 trains on a " +
		"subset of regressors",
	pairrank.FaultRelativeCost: "the relative cost keeps a weight for every pair of a query; --cost magnitude and " +
		"unit do not",
	pairrank.FaultKernelMap:      "--basis 500 trains on the map of fewer rows",
	pairrank.FaultRandomFeatures: "fewer --random-features take less, in proportion to their number or its square",
	pairrank.FaultPairsOfQueries: "METHOD lqo leaves out queries, and is quick",
	pairrank.FaultConnected:      "kfold:10 makes folds of rows, with the preferences between them",
	pairrank.FaultOverflow: "bring the features to a usual size, in training too: train --normalize zscore " +
		"does it for both",
	pairrank.FaultRounding: "scale the features (--normalize zscore), take a larger --epsilon, or --loss " +
		"squared-hinge",
	pairrank.FaultRoundingSquared: "scale the features (--normalize zscore), or take a larger --epsilon",
	pairrank.FaultTwoLabels:       "--binarize T makes two of more",
	pairrank.FaultNotExact:        "METHOD kfold:10 trains each fold again",
	pairrank.FaultSolution:        "take larger values of λ, or scale the features: --normalize zscore",
	pairrank.FaultObjective:       "scale the features, --normalize zscore, and take a λ of usual size",
	relation.FaultAsymmetric:      "--symmetrize takes their mean",
	relation.FaultIndefinite:      "--psd-fix clip or shift mends it",
	relation.FaultNotPSD:          "--psd-fix clip or shift mends a similarity matrix",
	relation.FaultMemory:          "--solver primal trains linear kernels on the features, for one λ: --lambda F",
	relation.FaultNotExact:        "METHOD kfold:5 trains each fold again",
	relation.FaultNoClosedForm:    "--solver cg learns it",
	relation.FaultOpenFolds:       "METHOD loo is exact; --solver cg trains each fold",
	relation.FaultMirrorFolds:     "--solver cg trains each fold",
	relation.FaultNumerical: "take larger values of λ, or divide the features by their size; linear kernels on " +
		"many edges are best learnt by --solver primal",
	relation.FaultOverflow: "bring the features to a usual size, in training too: train --normalize zscore " +
		"does it for both",
	stream.FaultMemory: "fewer folds take less, METHOD kfold:5, and one λ, --lambda F, takes one; without " +
		"--stream --solver cg trains sparse rows without a matrix",
	stream.FaultFewFolds:   "METHOD kfold:K takes fewer folds, and --lambda F none",
	stream.FaultQueryTwice: "all rows of a query are in one file, one after the other",
	pairrank.FaultNoModel: "there is none while λ is chosen and before the first iteration: give one value, " +
		"--lambda 1e-3, or more time",
}

// remedies are what the notes of training and estimating recommend, by their codes.
var remedies = map[event.Code]string{
	pairrank.NoteRowNumbers:    "--ignore-columns leaves out columns of a table",
	pairrank.NoteFewPairs:      "--interval halves makes an interval",
	pairrank.NoteScales:        "--normalize zscore, or --solver primal for a model of one --lambda",
	pairrank.NoteManyPairs:     "METHOD lqo leaves out queries, and is quick",
	pairrank.NoteNoInterval:    "--interval halves makes it",
	pairrank.NoteFeaturesLeft:  "--importance=all leaves out each of them, and --importance=N as many",
	pairrank.NoteWithinEpsilon: "where the compared rows are not all alike, take a smaller λ, a smaller --epsilon, or --normalize zscore",
	pairrank.NoteWideGap:       "--normalize zscore, or a smaller --epsilon",
	relation.NoteDrawn:         "--pairs-sample all leaves out every edge",
	pairrank.NoteEqualScores:   "take a smaller λ, or --normalize zscore",
}

// flagWords puts flags in the place of words by which the library names an option.
var flagWords = strings.NewReplacer(
	"the solver cg", "--solver cg", "the solver sparse", "--solver sparse", "sparse needs a basis", "sparse needs --basis N or --basis-rows FILE",
	"a metric chooses", "--metric chooses", "without a basis", "without --basis", "preferences replace them", "--preferences replaces them",
	"is within epsilon", "is within --epsilon", "--lambdas F", "--lambda F",
)

// field is a field of the options or of the problem in a text of the library.
var field = regexp.MustCompile(`\b(?:Options|Problem)\.([A-Z]\w*(?:\.[A-Z]\w*)?)`)

// flagged is a text of the library with flags for its fields and words.
func flagged(text string) string {
	text = field.ReplaceAllStringFunc(text, func(name string) string {
		_, name, _ = strings.Cut(name, ".")
		if flag := flagOf[name]; flag != "" {
			return "--" + flag
		}
		return name
	})
	return flagWords.Replace(text)
}

// Run is what the command line says of a training or an estimate: what its errors and
// notes name.
type Run struct {
	Data, Valid, Kernel string // files
	Method              string // the flag that says what is held out: select or method
	ROC                 string // what asks for the ROC curve; "" is --roc
	TimeLimit           time.Duration
	Iterations          int
}

// fill puts the names of the command line into a hint.
func (r *Run) fill(text string) string {
	return strings.NewReplacer("METHOD", "--"+r.Method, "DATA", r.Data).Replace(text)
}

// Error gives an error of the library its exit code and its way out, and names flags
// and files in its text. Other errors, and nil, stay as they are.
func (r *Run) Error(err error) error {
	var f *fault.Error
	if !errors.As(err, &f) {
		return err
	}
	out := r.words(f)
	if text := err.Error(); text != f.Error() && f.Error() != "" { // the fault of a part, as of a fold
		out = errors.New(strings.Replace(text, f.Error(), out.Error(), 1))
	}
	switch f.Kind {
	case fault.Use:
		out = cli.AsUsage(out)
	case fault.Data:
		out = cli.AsData(out)
	case fault.Numerical:
		out = cli.AsNumerical(out)
	}
	if way := ways[f.Code]; way != "" {
		out = cli.WithHint(out, "%s", r.fill(way))
	}
	return out
}

// words is the text of an error of the library with flags and files.
func (r *Run) words(f *fault.Error) error {
	switch f.Code {
	case pairrank.FaultOneRow, pairrank.FaultOneLabel, pairrank.FaultNothing, stream.FaultFewFolds:
		return fmt.Errorf("%s: %w", cli.Shown(r.Data), f.Err)
	case pairrank.FaultValidation, pairrank.FaultFeatureOrder:
		return fmt.Errorf("%s: %w", r.Valid, f.Err)
	case pairrank.FaultAsymmetric:
		return errors.New(strings.Replace(f.Err.Error(), "the kernel matrix", r.Kernel, 1))
	case pairrank.FaultOverflow, relation.FaultOverflow:
		return f.Err // which may name nodes of the user
	case pairrank.FaultNoModel:
		return errors.New("--time-limit ended before there was a model")
	}
	var stopped *ranksvm.StoppedError
	if errors.As(f, &stopped) {
		by := "what rounding lets it reach"
		switch f.Code {
		case pairrank.FaultDeadline:
			by = "--time-limit " + r.TimeLimit.String()
		case pairrank.FaultIterations:
			by = fmt.Sprintf("--max-iterations %d", r.Iterations)
		}
		return fmt.Errorf("stopped at %s: the objective %.6g may be %.2g above the optimum; the model is the best so far", by, stopped.Objective, stopped.Gap)
	}
	text := flagged(f.Err.Error())
	if f.Option == "" && text == f.Err.Error() {
		return f.Err // with the hints of its own
	}
	if f.Code == pairrank.FaultBasisSolver {
		return errors.New("--basis and --basis-rows are " + strings.TrimPrefix(text, "is "))
	}
	if flag := flagOf[f.Option]; flag != "" {
		flag = "--" + flag
		if f.Option == "ROC" && r.ROC != "" {
			flag = r.ROC
		}
		text = flag + " " + text
	}
	return errors.New(text)
}

// Monitor shows the progress of a computation of the library and tells its notes. Where
// the computation is awaited, it is left alone when the run is interrupted, and nothing
// more is heard of it.
func (r *Run) Monitor(a *cli.App, awaited bool) pairrank.Monitor {
	var mu sync.Mutex
	meters := map[string]*cli.Meter{}
	progress := func(p pairrank.Progress) {
		mu.Lock()
		defer mu.Unlock()
		m := meters[p.Task]
		switch {
		case p.Ended && m != nil:
			m.End()
			delete(meters, p.Task)
			return
		case p.Ended, awaited && a.Ctx.Err() != nil:
			return
		case m == nil:
			m = a.Begin(p.Task, p.Total)
			meters[p.Task] = m
		}
		m.Set(p.Done)
		if p.Total > 0 {
			m.SetTotal(p.Total)
		}
		if p.Text != "" {
			m.Describe(p.State, p.Text)
		}
	}
	return pairrank.Monitor{Progress: progress, Note: func(n pairrank.Note) {
		if awaited && a.Ctx.Err() != nil {
			return
		}
		if remedy := remedies[n.Code]; remedy != "" {
			n.Remedy = r.fill(remedy)
		}
		n.Text, n.Remedy = flagged(n.Text), flagged(n.Remedy)
		if n.Warning {
			a.Warn("%s", n)
		} else {
			a.Note("%s", n)
		}
	}}
}
