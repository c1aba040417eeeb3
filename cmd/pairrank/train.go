package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"pairrank"
	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/eval/cv"
	"pairrank/internal/memory"
	"pairrank/internal/option"
	"pairrank/internal/report"
	"pairrank/kernel"
)

func newTrain(a *app) *cobra.Command {
	f := trainFlags{}
	return a.Bind(&cobra.Command{
		Use:   "train DATA -o MODEL",
		Short: "train a ranker and choose its λ exactly",
		Long: `train learns to rank the rows of DATA within each query, or as one list where
there is no qid, and writes the model. Without further flags it is linear
RankRLS: 31 values of λ that span the eigenvalues of the problem, the exact
leave-query-out error of each (leave-pair-out for a single list), and the best
one trained on all rows. The error is the share of held-out pairs in the wrong
order, tied scores counting one half.

The objectives, with each unordered pair of compared rows once, are
  rankrls    sum of w_ij ((y_i-y_j) - (f_i-f_j))^2 + lambda |f|^2
  rls        sum over rows of (y_i - f_i)^2 + lambda |f|^2
  ranksvm    mean over y_i > y_j of max(0, 1-(f_i-f_j)), or its square, + lambda |f|^2
  rankboost  mean over y_i > y_j of exp(f_j - f_i), over sums of stumps

Numbers may be powers: 2^-3. The default values of λ go down from one so large that
the ranking hardly changes. Ctrl-C saves the best model so far of ranksvm and
rankboost. relation train learns from edges between nodes, stream train from files
larger than memory. --beside compares another tool's out-of-fold scores with the
model's (docs/howto-company.md). See docs/cross-validation.md, docs/ranksvm.md.`,
		Example: `  pairrank train train.txt -o model.txt
  pairrank train train.txt -o model.txt --valid vali.txt --metric ndcg@10
  pairrank train train.txt -o model.txt --kernel gaussian:gamma=2^-10:2^4:15
  pairrank train big.txt -o model.txt --kernel gaussian:gamma=0.25 --basis 500
  pairrank train big.txt.gz -o model.txt --learner ranksvm --lambda 1e-5
  pairrank train --comparisons votes.csv --items items.csv -o model.txt
  pairrank train train.txt -o model.txt --report report.html`,
		Args: between(0, "DATA"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.begin(cmd, args); err != nil {
				return err
			}
			return a.train(f.dataPath(args), &f)
		},
	}, func() cli.Targets { return f.targets("train") })
}

// setSelection sets what λ, kernel or rounds are chosen by: --select, --valid, or nothing.
func (p *learning) setSelection() error {
	f := p.flags
	nothing := p.single() && f.valid == "" && f.selectBy == ""
	if f.selectBy == "none" {
		if err := p.selectNone(); err != nil {
			return err
		}
		nothing = true
	} else if err := p.setMethod(f.selectBy); err != nil {
		return cli.AsUsage(fmt.Errorf("--select: %w, or none", err))
	}
	if err := f.checkChoice(!nothing); err != nil {
		return cli.WithHint(err, "--select lqo, loo or kfold:10 holds out all the same")
	}
	return cmp.Or(f.metricDrawn(), p.checkUnused(nothing))
}

// metricDrawn refuses the figure of a metric that does not choose.
func (f *trainFlags) metricDrawn() error {
	return f.pages.needs(map[string]string{report.MetricFigure: "metric", report.FeaturesFigure: "features"}, f.changed)
}

// checkUnused refuses flags about choosing where nothing is chosen, and a seed where
// nothing is drawn.
func (p *learning) checkUnused(nothing bool) error {
	f, m := p.flags, p.options.Method
	folds := f.valid == "" && !nothing && (m == nil || m.Kind == cv.KFold)
	if f.changed("seed") && !f.draws() && !folds && !p.mayDraw() {
		return cli.Usagef("--seed has no effect without kfold, --basis, --random-features or --pairs-sample")
	}
	of := "λ"
	if option.Takes("rounds", p.chosen.name) {
		of = "--rounds"
	}
	if nothing && f.beside != "" {
		return cli.WithHint(cli.Usagef("--beside compares held-out scores, and nothing is held out for one value of %s", of),
			"--select lqo, loo or kfold:10 holds out all the same")
	}
	if nothing {
		return f.refuseChoosing(of, "pairs-sample", "metric")
	}
	return nil
}

// refuseChoosing refuses options about choosing λ, or the number of rounds, where there is only one.
func (f *trainFlags) refuseChoosing(of string, names ...string) error {
	for _, name := range names {
		if f.changed(name) {
			return cli.Usagef("--%s is for choosing among values of %s, and only one is given", name, of)
		}
	}
	return nil
}

// drawsBasis reports whether a solver took a basis that no flag asked for, which the seed drew.
func (f *trainFlags) drawsBasis(solver string) bool {
	return solver == string(pairrank.Sparse) && !f.draws()
}

// isLinear reports whether a kernel is the linear one.
func isLinear(k kernel.Kernel) bool { return k == kernel.Kernel(kernel.Linear{}) }

// mayDraw reports whether leave-pair-out may draw pairs, or many rows a basis of their kernel functions.
func (p *learning) mayDraw() bool {
	l, squares := p.options.Learner.(pairrank.LeastSquares)
	bent := slices.ContainsFunc(p.options.Kernels, func(k kernel.Kernel) bool { return !isLinear(k) })
	basis := squares && l.Solver == pairrank.Auto && bent && len(p.options.Lambdas) != 1
	return basis || p.options.PairsSample > 0 || p.options.Method != nil && p.options.Method.Kind == cv.LeavePairOut &&
		p.options.PairsSample == cv.PairsAuto
}

// selectNone refuses --select none where there is something to choose.
func (p *learning) selectNone() error {
	if p.single() {
		return nil
	}
	if l, boosts := p.options.Learner.(pairrank.RankBoost); boosts {
		return cli.Usagef("--select none cannot choose among %d values of --rounds", len(l.Rounds))
	}
	if k := p.options.Kernels; len(k) == 1 && kernel.Learns(k[0]) {
		return cli.WithHint(cli.Usagef("--select none cannot learn the weights of %s, by what is held out", k[0]),
			"give the weights, as in 0.5*linear+0.5*gaussian:gamma=1")
	}
	if n := len(p.options.Lambdas); n != 1 {
		if n == 0 {
			n = p.options.Candidates()
		}
		return cli.WithHint(cli.Usagef("--select none cannot choose among %d values of λ", n),
			"give one value: --lambda 1")
	}
	return cli.Usagef("--select none cannot choose among %d kernels", len(p.options.Kernels))
}

func (a *app) train(path string, f *trainFlags) error {
	p, err := f.plan()
	if err != nil {
		return err
	}
	if err := p.setSelection(); err != nil {
		return err
	}
	if err := a.CheckOutputs(append(f.pages.files(), f.output), path, f.matrix, f.preferences, f.comparisons,
		f.basisRows, f.names, f.valid, f.labels, f.beside); err != nil {
		return err
	}
	began := time.Now()
	if err := a.read(path, p); err != nil {
		return err
	}
	if err := checkUTF8(cmp.Or(f.names, cli.Shown(path)), "feature", p.problem.Set.Names); err != nil {
		return err
	}
	memory.Release() // what reading took beside the rows: training reuses it
	load := time.Since(began)
	began = time.Now()
	result, stopped := a.runTraining(path, p)
	if result == nil {
		return stopped
	}
	work := time.Since(began)
	var company *report.Comparisons
	if stopped == nil {
		if company, err = a.trainedCompany(p, result); err != nil {
			return (&advice.Run{Data: cli.Shown(path), Kernel: f.matrix, Method: "select",
				Kernels: f.givesKernels()}).Error(err)
		}
	}
	about := report.About{Model: f.output, Valid: f.valid, Load: load, Work: work, Beside: company,
		Metric: p.options.Metric, Columns: report.ColumnsOf(p.problem.Set),
		Compared: p.lines()}
	if f.changed("seed") && !f.draws() && !f.drawsBasis(result.Training.Solver) &&
		result.Choice.Method.Kind != cv.KFold && !result.Choice.Drawn() {
		a.Note("--seed had no effect: nothing was drawn for kfold, --basis, --random-features or --pairs-sample")
	}
	ctx := a.Ctx
	if stopped != nil { // the best so far is saved, whatever stopped it
		ctx = context.WithoutCancel(ctx)
	}
	return errors.Join(a.writeTraining(ctx, path, f, result, about), stopped)
}

// writeTraining writes the model and the report of its training.
func (a *app) writeTraining(ctx context.Context, path string, f *trainFlags, result *pairrank.Result,
	about report.About) error {
	if err := a.WriteUnder(ctx, f.output, result.Model.Write); err != nil {
		return err
	}
	d := report.NewTraining(result, about)
	return errors.Join(a.trainingPages(ctx, path, f, result, d), a.reportTraining(ctx, f.output, d))
}

// trainingPages writes what --report and --figure ask for of a training.
func (a *app) trainingPages(
	ctx context.Context, path string, f *trainFlags, result *pairrank.Result, d *report.Training,
) error {
	saved := f.output
	if saved == "-" {
		saved = path
	}
	of := report.NewInspection(result.Model, 0)
	if f.pages.page != "" {
		if _, err := cli.AwaitFor(ctx, func() (any, error) { return nil, result.ShapeErrors(ctx, of.Shapes) }); err != nil {
			return err
		}
	}
	return a.writePages(ctx, &f.pages, told{path, d}, told{saved, of})
}

// runTraining trains. An interrupted run still waits for a learner that keeps its best
// model, which ends soon.
func (a *app) runTraining(path string, p *learning) (*pairrank.Result, error) {
	f, ctx, keeps := p.flags, a.Ctx, p.chosen.keepsBest
	if f.timeLimit > 0 {
		limited, stop := context.WithTimeout(a.Ctx, f.timeLimit)
		defer stop()
		ctx = limited
	}
	run := &advice.Run{Data: cli.Shown(path), Valid: f.valid, Kernel: f.matrix, Method: "select",
		Kernels: f.givesKernels(), TimeLimit: f.timeLimit, Iterations: f.iterations}
	p.options.Monitor = run.Monitor(a.App, !keeps)
	work := func() (*pairrank.Result, error) { return pairrank.Train(ctx, p.problem, p.options.Options) }
	if !keeps {
		result, err := cli.AwaitFor(a.Ctx, work)
		return result, run.Error(err)
	}
	result, err := work()
	return result, run.Error(err)
}

// reportTraining tells the choice and its error on standard output, or on standard
// error when the model goes to standard output.
func (a *app) reportTraining(ctx context.Context, output string, d report.Document) error {
	if output == "-" {
		a.Lines(func() { d.View().WriteText(a.Err) })
		return nil
	}
	return a.Print(ctx, d)
}
