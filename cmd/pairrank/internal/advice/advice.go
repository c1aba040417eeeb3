// Package advice puts what the library says of a training or an estimate into the words
// of the command line: flags instead of fields of options, exit codes, and ways out.
package advice

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/learn/ranksvm"
	"pairrank/internal/option"
	"pairrank/internal/quote"
	"pairrank/internal/report"
)

// ways are hints for errors, by their codes. METHOD stands for the flag that says what is
// held out, DATA for the input.
var ways = map[fault.Code]string{
	codes.FaultOneLabel: "labels are the first number of each line of SVMlight text; of a table, --label-column " +
		"names their column",
	codes.FaultNothing:      "check the labels: pairrank check DATA counts them",
	codes.FaultFeatureOrder: "bring the columns into the order of the training data",
	codes.FaultRepeatedIDs: "--group-column COLUMN keeps the rows of each together" + queryWay + ", and " +
		"--independent-rows insists that every row stands alone",
	codes.FaultSubject: "--group-column COLUMN keeps the rows of each together" + queryWay +
		", --ignore-columns COLUMN leaves it out, and --feature-columns that names it, or --independent-rows, accepts it",
	codes.FaultManyFeatures: "features are counted up to the largest index in the data: number those that " +
		"there are from 1",
	codes.FaultManyRows: "--basis 500 trains on a subset of regressors",
	codes.FaultLinearMemory: "--solver cg trains on sparse rows without a matrix; --basis 500 trains on a " +
		"subset of regressors",
	codes.FaultRelativeCost: "the relative cost keeps a weight for every pair of a query; --cost magnitude and " +
		"unit do not",
	codes.FaultKernelMap:      "--basis 500 trains on the map of fewer rows",
	codes.FaultRandomFeatures: "fewer --random-features take less, in proportion to their number or its square",
	"spline":                  "fewer knots take less, as --spline 2 does",
	codes.FaultPairsOfQueries: "METHOD lqo leaves out queries, and is quick",
	codes.FaultConnected:      "METHOD kfold:10 makes folds of pairs of rows",
	codes.FaultOverflow: "bring the features to a usual size, in training too: train --normalize zscore " +
		"does it for both",
	codes.FaultRounding: "scale the features (--normalize zscore), take a larger --epsilon, or --loss " +
		"squared-hinge",
	codes.FaultRoundingSquared:   "scale the features (--normalize zscore), or take a larger --epsilon",
	codes.FaultTwoLabels:         "--binarize T makes two of more",
	codes.FaultSelection:         "leave out features that say nothing, with --ignore-columns or convert",
	codes.FaultNotExact:          "METHOD kfold:10 trains each fold again",
	codes.FaultSolution:          "take larger values of λ, or scale the features: --normalize zscore",
	codes.FaultObjective:         "scale the features, --normalize zscore, and take a λ of usual size",
	codes.FaultEdgesAsymmetric:   "--symmetrize takes their mean",
	codes.FaultEdgesIndefinite:   "--psd-fix clip or shift mends it",
	codes.FaultEdgesNotPSD:       "--psd-fix clip or shift mends a similarity matrix",
	codes.FaultEdgesMemory:       "--solver primal trains linear kernels on the features, for one λ: --lambda F",
	codes.FaultEdgesNotExact:     "METHOD kfold:5 trains each fold again",
	codes.FaultEdgesNoClosedForm: "--solver cg learns it",
	codes.FaultEdgesOpenFolds:    "METHOD loo is exact; --solver cg trains each fold",
	codes.FaultEdgesMirrorFolds:  "--solver cg trains each fold",
	codes.FaultEdgesNumerical: "take larger values of λ, or divide the features by their size; linear kernels on " +
		"many edges are best learnt by --solver primal",
	codes.FaultEdgesOverflow: "bring the features to a usual size, in training too: train --normalize zscore " +
		"does it for both",
	codes.FaultSeparated: "--bias-reduced has finite scores with intervals, but of graded " +
		"outcomes, and --lambda F penalised ones",
	codes.FaultFewUnits: "--annotator COLUMN and --cluster COLUMN name them",
	codes.FaultApart:    "compare an item of each with one of the others first",
	"annotator":         "--annotator COLUMN names them",
	"cluster":           "--cluster COLUMN names them",
	"stratum":           "--stratum COLUMN names them",

	codes.FaultLargeHoldOut:   "--hold-out kfold:10 trains again without each fold",
	codes.FaultLargeIntervals: "--about LIST has sandwich intervals of some items",
	codes.FaultFactors:        "--hold-out kfold:10 or annotator leaves out fewer",
	codes.FaultLargeNext:      "--about LIST names the items that --next is about",
	codes.FaultUnsolved:       "larger values of --lambda are solved further",
	codes.FaultStatisticsMemory: "fewer folds take less, METHOD kfold:5, and one λ, --lambda F, takes one; pairrank " +
		"train --solver cg trains sparse rows without a matrix",
	codes.FaultFewFolds:   "METHOD kfold:K takes fewer folds, and --lambda F none",
	codes.FaultQueryTwice: "all rows of a query are in one file, one after the other",
	codes.FaultNoModel: "there is none while λ is chosen and before the first iteration: give one value, " +
		"--lambda 1e-3, or more time",
}

// The ways out of doubts about columns of a table.
const (
	columnWay = "--ignore-columns leaves out columns of a table, and --feature-columns that names one accepts it"
	weightWay = "--weight-column COLUMN counts a pair of rows by the product of theirs, with 1/p for a propensity p; " +
		columnWay
	timeWay = "--time COLUMN and --event COLUMN learn from censored times, and measure scores by them; " + columnWay
	idWay   = "--ignore-columns leaves out columns of a table, --id-column names the rows by one, and " +
		"--feature-columns that names one accepts it"
	unitWay = "of a table, --group-column COLUMN holds out the rows of each together" + queryWay +
		", --ignore-columns leaves it out, and --feature-columns that names it accepts it"
	groupWay = ", or --group-column COLUMN of a table holds out together what belongs together"
	queryWay = ", --qid-column COLUMN compares them alone, as a query" // of rows of one list
)

// remedies are what the notes of training and estimating recommend, by their codes.
var remedies = map[event.Code]string{
	codes.NoteRowNumbers:    idWay,
	codes.NoteIDs:           idWay,
	codes.NoteLeak:          columnWay,
	codes.NoteSubject:       unitWay,
	codes.NoteUnits:         unitWay,
	codes.NoteMeaning:       columnWay,
	codes.NoteTime:          timeWay,
	codes.NoteWeight:        weightWay,
	codes.NoteFactor:        "--basis 500 takes a part of it, and so does one --lambda",
	codes.NoteDrawnBasis:    "--solver dual takes all rows, and so does one --lambda",
	codes.NoteSentinel:      columnWay,
	codes.NoteDates:         columnWay,
	codes.NoteRepeatedRows:  "take out rows that are there twice" + groupWay,
	codes.NoteRepeatedQuery: "take out queries that are there twice" + groupWay,
	codes.NoteFewPairs:      "--interval halves makes an interval",
	codes.NoteScales:        "--normalize zscore, or --solver primal for a model of one --lambda",
	codes.NoteManyPairs:     "METHOD lqo leaves out queries, and is quick",
	codes.NoteManySearches:  "one --lambda takes a part of it, and so does --features K",
	codes.NoteNoInterval:    "--interval halves makes it",
	codes.NoteFeaturesLeft:  "--importance=all leaves out each of them, and --importance=N as many",
	codes.NoteWithinEpsilon: "where the compared rows are not all alike, take a smaller λ, a smaller --epsilon, " +
		"or --normalize zscore",
	codes.NoteMagnitudes:       "--learner rankrls learns magnitudes, and --weight-column has weights of comparisons",
	codes.NoteWideGap:          "--normalize zscore, or a smaller --epsilon",
	codes.NoteEdgesDrawn:       "--pairs-sample all leaves out every edge",
	codes.NotePooledAnnotators: "--intervals jackknife leaves out each of three or more",
	codes.NoteOverdispersed: "--intervals line takes lines as independent, and --cluster COLUMN what lines have in " +
		"common",
	codes.NoteFeaturesLack: "--residual 1 --lambda 1 gives each item a part of its own, and intervals of scores " +
		"without features",
	codes.NoteRareItems:         "--reference comparisons refers scores to the mean over comparisons",
	codes.NoteEqualScores:       "take a smaller λ, or --normalize zscore",
	codes.NoteEdgesSimilarities: "--row-kernel precomputed, and --col-kernel precomputed for columns, take similarities",
}

// lefts are how to leave out tasks that may take long, by how the names of the tasks begin.
var lefts = []struct{ task, way string }{
	{"cross-validating", "fewer rows or --lambdas take less, one --lambda the least"},
	{"choosing λ", "--lambda F chooses nothing"},
	{"choosing the kernel", "a --kernel without a grid chooses nothing"},
	{"choosing kernel and λ", "--lambda F and a --kernel without a grid choose nothing"},
	{"choosing the number of rounds", "one number of --rounds chooses nothing"},
	{"choosing features and λ", "--features K and --lambda F choose nothing"},
	{"holding out", "without --select or --valid nothing is held out"},
	{"estimating halves", "--interval none leaves them out"},
	{"curves of halves", "--interval none leaves them out"},
	{"permuting the labels", "fewer --permutations take less"},
	{"nested estimate", "without --nested it is left out"},
	{"leaving out features", "--importance=N leaves out fewer"},
	{"learning from parts", "without --learning-curve it is left out"},
	{"fitting samples of the bootstrap", "--intervals sandwich leaves them out"},
	{"testing cycles", "without --cycles it is left out"},
	{"choosing pairs", "fewer --next take less"},
}

// leaveOut is how to leave out a task, "" where there is no way.
func leaveOut(task string) string {
	for _, l := range lefts {
		if !strings.HasPrefix(task, l.task) {
			continue
		}
		if strings.HasSuffix(task, "on a kernel matrix") {
			return l.way + ", and --basis N approximates the kernel in less time"
		}
		return l.way
	}
	return ""
}

// Run is what the command line says of a training or an estimate: what its errors and
// notes name.
type Run struct {
	Data, Valid, Kernel string // files
	Method              string // the flag that says what is held out: select or method
	ROC                 string // what asks for the ROC curve; "" is --roc
	Kernels             string // the flag that gives the kernels; "" is kernel
	Stream              bool   // of sums over queries, which have no groups
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
	out := error(&told{r.words(f), f})
	if text := err.Error(); text != f.Error() { // the fault of a part, as of a fold
		out = &told{strings.Replace(text, f.Error(), out.Error(), 1), err}
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
		if column, oneList, is := repeats(f); is {
			if !oneList {
				way = strings.ReplaceAll(way, queryWay, "")
			}
			if column != "" {
				way = strings.ReplaceAll(way, "COLUMN", quote.ForShell(column))
			}
		}
		out = cli.WithHint(out, "%s", r.fill(way))
	}
	return out
}

// repeats is the column of an error about what repeats, "" where it has no name, and whether all rows are one list.
func repeats(f *fault.Error) (column string, oneList, is bool) {
	if f.Code != codes.FaultRepeatedIDs && f.Code != codes.FaultSubject {
		return "", false, false
	}
	return f.Values[0].(string), f.Values[1].(bool), true
}

// told is an error of the library in the words of the command line.
type told struct {
	text string
	err  error
}

func (e *told) Error() string { return e.text }
func (e *told) Unwrap() error { return e.err }

// words is the text of an error of the library with flags and files.
func (r *Run) words(f *fault.Error) string {
	switch f.Code {
	case codes.FaultOneRow, codes.FaultOneLabel, codes.FaultNothing, codes.FaultFewFolds:
		return cli.Shown(r.Data) + ": " + f.Err.Error()
	case codes.FaultValidation, codes.FaultFeatureOrder:
		return r.Valid + ": " + f.Err.Error()
	case codes.FaultAsymmetric:
		return r.Kernel + ": " + f.Err.Error()
	case codes.FaultNoModel:
		return "--time-limit ended before there was a model"
	}
	var stopped *ranksvm.StoppedError
	if errors.As(f, &stopped) {
		by := "what rounding lets it reach"
		switch f.Code {
		case codes.FaultDeadline:
			by = "--time-limit " + r.TimeLimit.String()
		case codes.FaultIterations:
			by = fmt.Sprintf("--max-iterations %d", r.Iterations)
		}
		return fmt.Sprintf("stopped at %s: the objective %.6g may be %.2g above the optimum; the model is the best "+
			"so far", by, stopped.Objective, stopped.Gap)
	}
	flag := option.FlagOf(f.Option)
	if f.Option == "Method" && r.Method != "" {
		flag = r.Method
	}
	if f.Option == "Kernels" && r.Kernels != "" {
		flag = r.Kernels
	}
	if flag != "" {
		if f.Option == "ROC" && r.ROC != "" {
			return f.Of(r.ROC)
		}
		return flagged.Replace(f.Of("--" + flag))
	}
	return f.Error()
}

// Monitor shows the progress of a computation of the library and tells its notes. Where
// the computation is awaited, it is left alone when the run is interrupted, and nothing
// more is heard of it.
func (r *Run) Monitor(a *cli.App, awaited bool) event.Monitor {
	var mu sync.Mutex
	meters := map[string]*cli.Meter{}
	progress := func(p event.Progress) {
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
			m.Foretell(leaveOut(p.Task))
			meters[p.Task] = m
		}
		if p.Total > 0 {
			m.SetTotal(p.Total)
		}
		m.Set(p.Done)
		if p.Text != "" {
			m.Describe(p.State, p.Text)
		}
	}
	return event.Monitor{Progress: progress, Note: func(n event.Note) {
		if awaited && a.Ctx.Err() != nil {
			return
		}
		remark(a, r.remedied(n))
	}}
}

// Tell tells notes about comparisons, and returns them with their remedies.
func Tell(a *cli.App, notes ...event.Note) []event.Note {
	for _, n := range Remedied(notes...) {
		remark(a, n)
	}
	return notes
}

// Remedied gives notes about comparisons their remedies.
func Remedied(notes ...event.Note) []event.Note {
	for k := range notes {
		notes[k] = (&Run{}).remedied(notes[k])
	}
	return notes
}

// flagged puts flags in the place of the fields that notes and errors of rankings name.
var flagged = strings.NewReplacer("Lambda shrinks", "--lambda shrinks", "HoldOut kfold", "--hold-out kfold",
	"About has", "--about LIST, or first:10, has", "About names", "--about names")

// units are the codes of notes about what belongs together. They warn, or say what --independent-rows decided.
var units = []event.Code{codes.NoteSubject, codes.NoteUnits, codes.NoteRepeatedRows,
	codes.NoteRepeatedQuery}

// remedied is a note with its remedy. What was decided needs none.
func (r *Run) remedied(n event.Note) event.Note {
	n.Text = flagged.Replace(n.Text)
	if !n.Warning && slices.Contains(units, n.Code) {
		return n
	}
	if remedy := remedies[n.Code]; remedy != "" {
		if r.Valid != "" || r.Stream {
			remedy = strings.ReplaceAll(remedy, groupWay, "")
		}
		n.Remedy = r.fill(remedy)
	}
	return n
}

// remark tells a note.
func remark(a *cli.App, n event.Note) {
	a.Remark(report.Note{Warning: n.Warning, Code: string(n.Code), Text: n.String()})
}
