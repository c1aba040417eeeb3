package main

import (
	"errors"

	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/numeral"
	"pairrank/relation"
	"pairrank/relation/pairwise"
	"pairrank/relation/similarity"
	"pairrank/report"
)

// edgePlan is the checked flags of train --edges or cv --edges, as options of package
// relation.
type edgePlan struct {
	flags     *trainFlags
	edges     *relationFlags // of flags
	learner   *edgeLearner
	estimates bool                     // cv, which holds out even where there is no λ to choose
	options   relation.EstimateOptions // train reads the Options alone
	nodes     relation.Problem         // that will be read
	threshold *float64                 // of --binarize
	run       advice.Run
}

// planEdges checks the flags against each other, and asks the library whether the options
// go together. method says how edges are held out, and estimates is true for cv, which
// holds out even where there is no λ to choose.
func (f *trainFlags) planEdges(method string, estimates bool) (*edgePlan, error) {
	r := &f.relation
	p := &edgePlan{flags: f, edges: r, learner: learnerNamed(f.learner).edges, estimates: estimates,
		run: advice.Run{Method: "select"}}
	if estimates {
		p.run.Method = "method"
	}
	sample, err := f.pairsSample()
	if err != nil {
		return nil, err
	}
	p.options.Options = relation.Options{
		Learner: p.learner.of, Loss: relation.Ranking, Relation: relation.Kind(r.relation),
		Kernel:  pairwise.Kernel(r.pairKernel),
		Setting: relation.Setting(r.setting), Solver: relation.Solver(f.solver),
		Seed: f.seed, PairsSample: sample, Also: report.RelationMetrics, Tolerance: f.tolerance,
		MaxIterations: f.iterations,
		Normalize:     r.unit, Symmetrize: r.symmetrize,
	}
	if f.changed("loss") {
		p.options.Loss = relation.Loss(f.loss)
	}
	if r.earlyStop != "" {
		p.options.EarlyStop = &relation.EarlyStop{Patience: r.patience}
	}
	for _, check := range []func() error{
		p.setNodes, p.setLambdas, func() error { return p.setMethod(method) }, p.setMetric, p.checkUnused,
	} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	return p, p.run.Error(p.options.Options.Check(p.nodes))
}

// setNodes sets the kernels of the nodes, and how their matrices are repaired.
func (p *edgePlan) setNodes() (err error) {
	if p.nodes, err = p.edges.nodes(); err != nil {
		return err
	}
	p.options.PSD, err = similarity.ParseRepair(p.edges.psdFix)
	return cli.AsUsage(err)
}

// setLambdas sets the values of λ: of the edges, or rows, and of the columns.
func (p *edgePlan) setLambdas() (err error) {
	if p.options.Lambdas, err = p.flags.lambdaValues(); err != nil {
		return err
	}
	text := p.edges.lambdaCols
	if text == "" {
		return nil
	}
	values, err := numeral.ParseLambdas(text)
	if err != nil || len(values) != 1 {
		return cli.Usagef("--lambda-cols is one number greater than 0, not %q", text)
	}
	p.options.LambdaCols = values[0]
	return nil
}

// chooses reports whether edges are held out, to choose λ or to estimate the error.
func (p *edgePlan) chooses() bool {
	return p.learner.learns && (p.estimates || p.options.Method != nil || len(p.options.Lambdas) != 1)
}

// setMethod reads how edges are held out: lpo, loo, kfold:K or none.
func (p *edgePlan) setMethod(method string) error {
	switch {
	case method == "":
		return nil
	case method == "none" && !p.learner.learns:
		return nil
	case method == "none" && len(p.options.Lambdas) != 1:
		return errNoneOfSeveral()
	case method == "none":
		return nil
	}
	m, err := cv.ParseMethod(method)
	if err != nil || m.Kind == cv.LeaveQueryOut {
		return cli.AsUsage(errors.New("edges are held out by lpo, loo or kfold:K, in the --setting"))
	}
	p.options.Method = &m
	return nil
}

// setMetric sets the metric that chooses λ, and the threshold that makes labels binary.
func (p *edgePlan) setMetric() (err error) {
	if name := p.flags.metric; name != "" {
		if !p.chooses() {
			return cli.Usagef("--metric chooses among values of λ, and only one is given")
		}
		m, err := metric.Parse(name)
		if err != nil {
			return cli.AsUsage(err)
		}
		p.options.Metric = &m
	}
	p.threshold, err = p.flags.threshold()
	return err
}

// checkUnused refuses flags about holding out where nothing is held out, and a seed where
// nothing is drawn.
func (p *edgePlan) checkUnused() error {
	f := p.flags
	if !p.chooses() {
		for _, name := range []string{"setting", "pairs-sample", "seed"} {
			if f.changed(name) {
				return cli.Usagef("--%s is for choosing among values of λ, and only one is given", name)
			}
		}
	}
	draws := f.halves() || p.mayDraw() || f.changed("nested") || f.changed("permutations") || !p.leavesOneOut()
	if f.changed("seed") && !draws {
		return cli.Usagef("--seed has no effect without kfold or --pairs-sample")
	}
	return nil
}

// mayDraw reports whether pairs of edges may be drawn that are left out.
func (p *edgePlan) mayDraw() bool {
	o := &p.options
	return o.PairsSample > 0 || o.PairsSample == cv.PairsAuto && o.Setting != relation.Rows && !p.leavesOneOut()
}

// leavesOneOut reports whether leave-one-out was asked for.
func (p *edgePlan) leavesOneOut() bool {
	return p.options.Method != nil && p.options.Method.Kind == cv.LeaveOneOut
}

// halves reports whether an interval may be computed, from half-samples that the seed draws.
func (f *trainFlags) halves() bool { return f.interval != "" && f.interval != "none" }
