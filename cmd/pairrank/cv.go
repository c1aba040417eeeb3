package main

import (
	"cmp"
	"errors"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"pairrank"
	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/eval/cv"
	"pairrank/report"
	"pairrank/report/page"
)

// cvFlags are the flags of cv: those of a learner, and its own.
type cvFlags struct {
	trainFlags
	method       string
	heldOut      string
	nested       string
	permutations int
	roc, rocBy   string
	importance   string
	learning     bool
}

func newCV(a *app) *cobra.Command {
	f := cvFlags{}
	cmd := &cobra.Command{
		Use:   "cv DATA [--method M]",
		Short: "estimate, exactly, the error on what was not seen",
		Long: `cv estimates how well a learner ranks rows that it was not trained on, for every
λ at once, by the exact shortcuts of least squares: without training again.

The methods hold out
  lqo       each query (the default where there are queries)
  lpo       each pair of rows of a single list (the default there); within
            queries with --query-weight size or --learner rls
  loo       each row; the held-out scores are ranked together
  kfold:K   K groups of queries, or of the rows of a single list, dealt by --seed
            (the default of ranksvm and rankboost, which are trained again)

The error is the mean disagreement over the held-out pairs with different
labels, tied scores counting one half; the standard error beside it takes the
held-out predictions as given. With lpo and two labels, 1 - error is the area
under the ROC curve, which --report draws. The best estimate has a 95 % interval
from 60 random splits of the rows, queries or nodes into halves, in each of
which every choice is made again: in simulations it held the error of the
trained models 94 to 100 times in 100, where the standard error led to 80 to 100
(docs/statistics.md). It costs far more than the estimate; --interval none
leaves it out.

The features are normalised, and the rows of --basis drawn, once from all rows:
labels are not looked at, but the features of held-out rows are. With --pairs
all every two rows are compared in training; the error is over the pairs within
queries.

The error of the best of several λ or kernels is too low by what chance gave to
the choice. --nested estimates the error of the whole procedure: each outer fold
is predicted by choosing and training on the others alone.

--importance leaves out each feature, too: the held-out error without it, by the
same method at the same λ, by how much that is worse than with all features, and
the standard error of that difference over the same held-out pairs. Those of the
largest weight times standard deviation come first, and as many as some tens of
seconds allow; --importance=20 and --importance=all say how many. Of two features
that tell the same neither is worth anything.

With edges between nodes (--edges) two edges of a row are compared by one training,
which leaves out both edges, the row, both columns, or the row and both columns, as
--setting says: lpo, exact for arbitrary relations in closed form and for two-step.
kfold:K compares edges of one fold. Folds at the best λ give the AUC and average
precision by row, column and fold. The interval splits the nodes: of --setting
pairs it is of relations with other nodes, and wider than these nodes need.

Where there is no shortcut (part of a query held out while tied pairs are left
out, or while its pairs are weighted by pairs or edges), folds are trained again
and the report says so; lpo is refused.`,
		Example: `  pairrank cv train.txt
  pairrank cv patients.txt --method lpo --lambdas 2^-10:2^10:21
  pairrank cv patients.txt --kernel gaussian:gamma=2^-10:2^4:15 --nested
  pairrank cv patients.txt --lambda 1 --held-out pairs.tsv --roc roc.tsv
  pairrank cv train.txt --learning-curve --report report.html
  pairrank cv train.txt --method kfold:10 --metric ndcg@10 --json
  pairrank cv patients.txt --lambda 1 --permutations 1000
  pairrank cv train.txt --importance --json
  pairrank cv rows.txt --labels outputs.npy --lambdas 0.1,1,10
  pairrank cv --edges edges.tsv --rows drugs.tsv --cols targets.tsv --setting cols`,
		Args: between(0, "DATA"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.changed = cmd.Flags().Changed
			path, err := f.relation.dataOr(cmd, args)
			if err != nil {
				return err
			}
			if path == "" {
				return a.crossValidateEdges(&f)
			}
			return a.crossValidate(path, &f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.method, "method", "", "`METHOD` of holding out: lqo, lpo, loo or kfold:K (default: lqo, for a single list lpo)")
	flags.StringVar(&f.heldOut, "held-out", "", "`FILE` for the held-out scores at the best λ: one a row, for lpo i j f_i f_j a pair")
	flags.StringVar(&f.nested, "nested", "", "error of the whole procedure over outer folds, by `METHOD`: lqo, loo or kfold:K (kfold:10, or as many folds as there are queries or rows, when no value is given)")
	flags.Lookup("nested").NoOptDefVal = nestedDefault
	flags.IntVar(&f.permutations, "permutations", 0, "test against `N` permutations of the labels, within queries")
	flags.StringVar(&f.roc, "roc", "", "`FILE` for the ROC curve of tournament leave-pair-out at the best λ: threshold, false positive rate, sensitivity")
	cli.EnumFlag(cmd, &f.rocBy, "roc-by", "all", rocNames, "pairs that rank the rows for --roc; quicksort needs few of many")
	flags.StringVar(&f.importance, "importance", "", "error without each of `N` features, one at a time, or all (as many as take some tens of seconds, when no value is given)")
	flags.Lookup("importance").NoOptDefVal = importanceDefault
	cli.EnumFlag(cmd, &f.interval, "interval", "auto", intervalNames, "95 % interval of the best estimate, by 60 splits into halves with all choices made again; auto leaves it out where that takes a while")
	flags.BoolVar(&f.learning, "learning-curve", false, "estimate the error anew on ten random parts of a half of the queries or rows, of a quarter, and so on")
	f.pages.add(cmd, "the error over λ, and the best", page.ErrorFigure, page.MetricFigure, page.ROCFigure,
		page.LearningFigure, page.ImportanceFigure)
	a.learnerFlags(cmd, &f.trainFlags)
	a.JSONFlag(cmd)
	a.ProgressFlag(cmd)
	return cmd
}

// intervalNames are the ways to an interval of the best estimate, the default first.
var intervalNames = []string{"auto", string(cv.IntervalsHalves), string(cv.IntervalsNone)}

// intervals is the value of --interval.
func (f *cvFlags) intervals() cv.Intervals {
	if f.interval == intervalNames[0] {
		return cv.IntervalsAuto
	}
	return cv.Intervals(f.interval)
}

// rocNames are the ways to rank the rows by held-out pairs.
var rocNames = []string{"all", "quicksort"}

// nestedDefault stands for --nested without a value.
const nestedDefault = "default"

// importanceDefault stands for --importance without a value.
const importanceDefault = "auto"

// importances is the value of --importance.
func (f *cvFlags) importances() (features int, err error) {
	switch f.importance {
	case "", importanceDefault:
		return cv.ImportanceAuto, nil
	case "all":
		return cv.ImportanceAll, nil
	}
	n, err := strconv.Atoi(f.importance)
	if err != nil || n < 1 {
		return 0, cli.Usagef("--importance takes a number of features from 1, or all, not %q", f.importance)
	}
	return n, nil
}

// planEstimate checks the flags that train and cv share, and those of cv alone.
func (f *cvFlags) planEstimate() (*learning, error) {
	p, err := f.plan()
	asked := map[string]string{page.MetricFigure: "metric", page.LearningFigure: "learning-curve",
		page.ImportanceFigure: "importance"}
	if err = cmp.Or(err, f.pages.check(), f.pages.needs(asked, f.changed)); err != nil {
		return nil, err
	}
	o := &p.options
	if err := p.setMethod(f.method); err != nil {
		return nil, cli.AsUsage(err)
	}
	o.HeldOut, o.ROC, o.LearningCurve, o.Permutations = f.heldOut != "", f.roc != "" || f.pages.draws(page.ROCFigure),
		f.learning, f.permutations
	o.Intervals, o.Importance = f.intervals(), f.importance != ""
	if _, err := f.importances(); err != nil {
		return nil, err
	}
	if f.nested == nestedDefault {
		o.Nested = &cv.Method{Kind: cv.KFold}
	} else if f.nested != "" {
		m, err := cv.ParseMethod(f.nested)
		if err != nil {
			return nil, cli.AsUsage(err)
		}
		if m.Kind == cv.LeavePairOut {
			return nil, cli.Usagef("--nested takes lqo, loo or kfold:K: every pair would choose anew")
		}
		o.Nested = &m
	}
	return p, f.check(p)
}

// random reports whether the seed matters when rows are held out by m. Half-samples for
// an interval, which it draws too, are not counted.
func (f *cvFlags) random(m cv.Method) bool {
	return m.Kind == cv.KFold || f.nested != "" || f.permutations > 0 || f.draws() || f.learning || f.rocBy == rocNames[1]
}

// check refuses flags that do not go together.
func (f *cvFlags) check(p *learning) error {
	o := &p.options
	if err := f.checkLabels(o); err != nil {
		return err
	}
	switch {
	case f.changed("permutations") && f.permutations < 1:
		return cli.Usagef("--permutations is at least 1, not %d", f.permutations)
	case f.changed("seed") && f.pages.page == "" && !f.halves() && o.Method != nil && !f.random(*o.Method) &&
		!p.drawsPairs():
		return cli.Usagef("--seed is for kfold, --pairs-sample, --nested, --permutations, --basis, --random-features, --learning-curve and --roc-by quicksort, and nothing else is random")
	case !o.ROC && f.changed("roc-by"):
		return cli.Usagef("--roc-by is about --roc FILE or --figure roc=FILE")
	case f.roc == "-" || f.heldOut == "-":
		return cli.Usagef("standard output takes the report; --roc and --held-out write to files")
	case f.roc != "" && f.roc == f.heldOut:
		return cli.Usagef("--roc and --held-out write to different files")
	}
	return (&advice.Run{ROC: f.rocFlag()}).Error(o.Check(p.problem))
}

// rocFlag is the flag that asks for the ROC curve.
func (f *cvFlags) rocFlag() string {
	if f.roc == "" {
		return "--figure roc"
	}
	return "--roc"
}

// checkLabels refuses what needs the labels of DATA where others replace them.
func (f *cvFlags) checkLabels(o *pairrank.EstimateOptions) error {
	switch {
	case f.labels == "" && f.preferences == "":
		return nil
	case f.changed("permutations"):
		return cli.Usagef("--permutations shuffles the labels of DATA, which --preferences and --labels replace")
	case o.Nested != nil:
		return cli.Usagef("--nested is for the labels of DATA, which --preferences and --labels replace")
	case o.ROC:
		return cli.Usagef("%s is for the labels of DATA, which --preferences and --labels replace", f.rocFlag())
	}
	return nil
}

// addImportance adds what each feature is worth to a document, where that was asked for.
func (a *app) addImportance(f *cvFlags, e *pairrank.Estimated, d *report.Estimate) error {
	features, err := f.importances()
	if err != nil || f.importance == "" {
		return err
	}
	i, err := cli.AwaitFor(a.Ctx, func() (*cv.Importance, error) { return e.Importance(a.Ctx, features) })
	if err == nil {
		d.AddImportance(i)
	}
	return err
}

func (a *app) crossValidate(path string, f *cvFlags) error {
	p, err := f.planEstimate()
	if err != nil {
		return err
	}
	if err := cli.FilesOnly(f.matrix, f.preferences, f.basisRows, f.labels); err != nil {
		return err
	}
	if err := a.CheckOutputs(append(f.pages.files(), f.heldOut, f.roc), path, f.matrix, f.preferences, f.basisRows, f.labels); err != nil {
		return err
	}
	began := time.Now()
	if err := a.read(path, p); err != nil {
		return err
	}
	load := time.Since(began)
	began = time.Now()
	run := &advice.Run{Data: cli.Shown(path), Kernel: f.matrix, Method: "method", ROC: f.rocFlag()}
	p.options.Monitor = run.Monitor(a.App, true)
	e, err := cli.AwaitFor(a.Ctx, func() (*pairrank.Estimated, error) {
		return pairrank.Estimate(a.Ctx, p.problem, p.options)
	})
	if err != nil {
		return run.Error(err)
	}
	about := report.About{Load: load, Metric: p.options.Metric, Columns: report.ColumnsOf(p.problem.Set)}
	d := report.NewEstimate(e, f.learner, about)
	if err := a.addImportance(f, e, d); err != nil {
		return run.Error(err)
	}
	if err := a.writeAsked(f, p, e, d); err != nil {
		return run.Error(err)
	}
	d.Seconds.Validation = report.Number(time.Since(began).Seconds())
	if f.changed("seed") && e.Halves == nil && !f.random(e.Choice.Method) && !e.Choice.Drawn() {
		a.Note("--seed is for kfold, --pairs-sample, --interval, --nested, --permutations, --basis, --random-features, --learning-curve and --roc-by quicksort, and nothing was drawn")
	}
	pages := a.writePages(a.Ctx, &f.pages, told{path, d})
	return errors.Join(pages, a.Print(a.Ctx, d)) // a page that fails does not take the document along
}
