package main

import (
	"cmp"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"pairrank"
	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/eval/cv"
	"pairrank/internal/option"
	"pairrank/internal/report"
)

// cvFlags are the flags of cv: those of a learner, and its own.
type cvFlags struct {
	trainFlags
	method       string
	heldOut      string
	outer        *cv.Method // of --nested
	permutations int
	roc          string
	read         cv.ROCQuestions
	importance   int64 // how many features
	learning     bool
	against      string
	other        *cvFlags // the procedure of against, nil without
}

func newCV(a *app) *cobra.Command {
	f := cvFlags{}
	return a.Bind(&cobra.Command{
		Use:   "cv DATA [--method M]",
		Short: "estimate the error on unseen rows, exactly",
		Long: `cv estimates how well a learner ranks rows that it was not trained on, for every
λ at once: exactly for least squares, else by training each fold again.

The methods hold out
  lqo       each query (the default where there are queries)
  lpo       each pair of rows of a single list (the default there)
  loo       each row; the held-out scores are ranked together
  kfold:K   K groups of queries, or of the rows of a single list

The error is the share of held-out pairs in the wrong order, ties counting half;
with lpo and two labels, 1 - error is the AUC; interval: coverage 93-100 % in
simulations. The error of the best λ is too low: --nested (docs/howto-cv.md).`,
		Example: `  pairrank cv train.txt --method kfold:10 --metric ndcg@10 --nested
  pairrank cv patients.txt --lambda 1 --held-out pairs.tsv --roc roc.tsv
  pairrank cv --comparisons votes.csv --items items.csv --method annotator
  pairrank cv train.txt --importance --learning-curve --report report.html`,
		Args: between(0, "DATA"),
		RunE: func(cmd *cobra.Command, args []string) error {
			err := f.begin(cmd, args)
			if err == nil {
				f.other, err = f.otherProcedure(cmd, args)
			}
			if err != nil {
				return err
			}
			return a.crossValidate(f.dataPath(args), &f)
		},
	}, f.targets)
}

// targets are where the values of the options go.
func (f *cvFlags) targets() cli.Targets {
	t := cli.Join(f.trainFlags.targets("cv"), cli.Targets{
		"method": &f.method, "held-out": &f.heldOut, "with-ids": &f.withIDs,
		"nested": option.Into(&f.outer, outer), "permutations": &f.permutations, "roc": &f.roc,
		"at-specificity": option.Into(&f.read.Specificities, shares),
		"at-sensitivity": option.Into(&f.read.Sensitivities, shares), "partial": option.Into(&f.read.Partial, ranges),
		"importance": cli.WholeOr(&f.importance, map[string]int64{"auto": cv.ImportanceAuto,
			"all": cv.ImportanceAll}),
		"interval": &f.interval, "learning-curve": &f.learning, "against": &f.against,
	})
	return t
}

// intervals is the value of --interval.
func (f *cvFlags) intervals() cv.Intervals {
	if f.interval == "auto" {
		return cv.IntervalsAuto
	}
	return cv.Intervals(f.interval)
}

// outer reads --nested.
func outer(text string) (*cv.Method, error) {
	if text == "default" { // without a value
		return &cv.Method{Kind: cv.KFold}, nil
	}
	m, err := cv.ParseMethod(text)
	return &m, err
}

// planEstimate checks the flags that train and cv share, and those of cv alone.
func (f *cvFlags) planEstimate() (*learning, error) {
	p, err := f.plan()
	asked := map[string]string{report.MetricFigure: "metric", report.LearningFigure: "learning-curve",
		report.ImportanceFigure: "importance", report.FeaturesFigure: "features"}
	if err = cmp.Or(err, f.pages.needs(asked, f.changed)); err != nil {
		return nil, err
	}
	o := &p.options
	if err := p.setMethod(f.method); err != nil {
		return nil, cli.AsUsage(fmt.Errorf("--method: %w", err))
	}
	o.HeldOut, o.ROC, o.LearningCurve, o.Permutations = f.heldOut != "" || f.beside != "", f.asksROC(),
		f.learning, f.permutations
	o.Intervals, o.Importance, o.Nested = f.intervals(), f.changed("importance"), f.outer
	if f.other != nil {
		if p.other, err = f.other.planEstimate(); err != nil {
			return nil, againstError(err)
		}
		p.options.InPlace, p.other.options.InPlace = false, false // both have the same rows
	}
	return p, f.check(p)
}

// random reports whether the seed matters when rows are held out by m. Half-samples for
// an interval, which it draws too, are not counted.
func (f *cvFlags) random(m cv.Method) bool {
	return m.Kind == cv.KFold || f.outer != nil || f.permutations > 0 || f.draws() || f.learning
}

// check refuses flags that do not go together.
func (f *cvFlags) check(p *learning) error {
	o := &p.options
	switch {
	case f.changed("seed") && f.pages.page == "" && !f.halves() && o.Method != nil && !f.random(*o.Method) &&
		!p.mayDraw():
		return cli.Usagef("--seed has no effect without kfold, --pairs-sample, --nested, --permutations, --basis, " +
			"--random-features or --learning-curve")
	case o.ROC && (f.labels != "" || f.preferences != ""):
		return cli.Usagef("%s is for the labels of DATA, which --preferences and --labels replace", f.rocFlag())
	}
	if err := f.checkRead(o.ROC); err != nil {
		return err
	}
	held := checkOutputFormat(f.heldOut, "scores", scoreFormats...)
	if f.compares() {
		held = checkOutputFormat(f.heldOut, "held-out margins", "csv")
	} else if o.Method != nil && o.Method.Kind == cv.LeavePairOut {
		held = checkOutputFormat(f.heldOut, "held-out pairs", "csv")
	}
	if err := cmp.Or(held, checkOutputFormat(f.roc, "curves", "csv")); err != nil {
		return err
	}
	return (&advice.Run{ROC: f.rocFlag(), Kernels: f.givesKernels()}).Error(o.Check(p.problem))
}

// addImportance adds what each feature is worth to a document, where that was asked for.
func (a *app) addImportance(f *cvFlags, e *pairrank.Estimated, d *report.Estimate) error {
	if !f.changed("importance") {
		return nil
	}
	i, err := cli.AwaitFor(a.Ctx, func() (*cv.Importance, error) { return e.Importance(a.Ctx, int(f.importance)) })
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
	if f.withIDs {
		if err := checkNamedOutput(f.heldOut); err != nil {
			return err
		}
	}
	if err := a.CheckOutputs(append(f.pages.files(), f.heldOut, f.roc), path, f.matrix, f.preferences, f.comparisons,
		f.basisRows, f.labels, f.beside); err != nil {
		return err
	}
	began := time.Now()
	if err := a.read(path, p); err != nil {
		return err
	}
	if f.withIDs {
		if err := checkIDs(p.problem.Set, path); err != nil {
			return err
		}
	}
	load := time.Since(began)
	began = time.Now()
	run := &advice.Run{Data: cli.Shown(path), Kernel: f.matrix, Method: "method", ROC: f.rocFlag(),
		Kernels: f.givesKernels()}
	p.options.Monitor = run.Monitor(a.App, true)
	e, err := cli.AwaitFor(a.Ctx, func() (*pairrank.Estimated, error) {
		return pairrank.Estimate(a.Ctx, p.problem, p.options)
	})
	if err != nil {
		return run.Error(err)
	}
	about := report.About{Load: load, Metric: p.options.Metric, Columns: report.ColumnsOf(p.problem.Set),
		Study: report.NewStudy(cli.Shown(path), &p.problem, &p.options.Options)}
	if about.Study != nil {
		about.Study.Command = a.CommandLine()
	}
	d := report.NewEstimate(e, f.learner, about)
	if err := a.addImportance(f, e, d); err != nil {
		return run.Error(err)
	}
	if err := a.writeAsked(f, p, e, d); err != nil {
		return run.Error(err)
	}
	d.Seconds.Validation = report.Number(time.Since(began).Seconds())
	a.tellSeed(f, e)
	return a.present(&f.pages, path, d)
}

// tellSeed tells that a seed was given for nothing.
func (a *app) tellSeed(f *cvFlags, e *pairrank.Estimated) {
	if f.changed("seed") && e.Halves == nil && !f.random(e.Choice.Method) && !e.Choice.Drawn() &&
		!f.drawsBasis(e.Solver) {
		a.Note("--seed had no effect: nothing was drawn for kfold, --pairs-sample, --interval, --nested, " +
			"--permutations, --basis, --random-features or --learning-curve")
	}
}
