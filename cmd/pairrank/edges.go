package main

import (
	"cmp"
	"slices"
	"strings"

	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/eval/cv"
	"pairrank/internal/option"
	"pairrank/internal/report"
	"pairrank/internal/spell"
	"pairrank/kernel"
	"pairrank/relation"
	"pairrank/relation/edge"
	"pairrank/relation/pairwise"
)

// edgeFlags are the flags of every verb that reads labelled edges between nodes.
type edgeFlags struct {
	edges                string
	format               string   // "" where the file decides
	rowNodes, colNodes   []string // files
	rowKernel, colKernel kernel.Kernel
	transpose            bool
}

// relationFlags are the flags of learning from edges between nodes.
type relationFlags struct {
	edgeFlags
	relation, pairKernel string
	setting              string
	lambdaCols           float64
	sample               int64 // of pairs
	symmetrize, unit     bool
	psd                  edge.Repair
	earlyStop, curve     string
	patience             int
}

// targets are where the values of the options of edges go.
func (f *edgeFlags) targets() cli.Targets {
	return cli.Targets{
		"edges": &f.edges, "edge-format": option.Into(&f.format, notAuto), "transpose": &f.transpose,
		"rows": cli.Texts(&f.rowNodes, "FILE"), "cols": cli.Texts(&f.colNodes, "FILE"),
		"row-kernel": option.Into(&f.rowKernel, kernel.Parse),
		"col-kernel": option.Into(&f.colKernel, kernel.Parse),
	}
}

// files are the files of the edges and the nodes.
func (f *edgeFlags) files() []string { return slices.Concat([]string{f.edges}, f.rowNodes, f.colNodes) }

// nodes are the nodes that will be read, with their files and kernels.
func (f *edgeFlags) nodes() relation.Problem {
	nodes := func(files []string, k kernel.Kernel) *relation.Nodes {
		if len(files) > 1 {
			return &relation.Nodes{Source: spell.List(files), Sources: files, Kernel: k}
		}
		return &relation.Nodes{Source: strings.Join(files, ""), Kernel: k}
	}
	p := relation.Problem{Rows: nodes(f.rowNodes, f.rowKernel)}
	if f.colNodes != nil {
		p.Cols = nodes(f.colNodes, cmp.Or(f.colKernel, f.rowKernel))
	}
	return p
}

// edgePlan is the checked flags of relation train or relation cv, as options of package
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
	p.options.Options = relation.Options{
		Learner: p.learner.of, Loss: edge.Ranking, Relation: edge.Relation(r.relation),
		Kernel:  pairwise.Kernel(r.pairKernel),
		Setting: edge.Setting(r.setting), Solver: relation.Solver(f.solver),
		Seed: f.seed, PairsSample: r.sample, Also: report.RelationMetrics, Tolerance: f.tolerance,
		MaxIterations: f.iterations, Lambdas: f.lambdas, LambdaCols: r.lambdaCols,
		Normalize: r.unit, Symmetrize: r.symmetrize, PSD: r.psd,
	}
	p.nodes, p.threshold = r.nodes(), f.threshold
	if f.changed("loss") {
		p.options.Loss = edge.Loss(f.loss)
	}
	if r.earlyStop != "" {
		p.options.EarlyStop = &relation.EarlyStop{Patience: r.patience}
	}
	p.options.Metric = f.metric
	if err := p.setMethod(method); err != nil {
		return nil, err
	}
	if err := p.checkUnused(); err != nil {
		return nil, err
	}
	return p, p.run.Error(p.options.Options.Check(p.nodes))
}

// chooses reports whether edges are held out, to choose λ or to estimate the error.
func (p *edgePlan) chooses() bool {
	return p.learner.learns && (p.estimates || p.options.Method != nil || len(p.options.Lambdas) != 1)
}

// setMethod reads how edges are held out: lpo, loo, kfold:K or none.
func (p *edgePlan) setMethod(method string) error {
	switch {
	case method == "none" && p.learner.learns && len(p.options.Lambdas) != 1:
		return errNoneOfSeveral()
	case method == "" || method == "none":
		return nil
	}
	m, err := cv.ParseMethod(method)
	if err != nil || m.Kind == cv.LeaveQueryOut {
		return cli.Usagef("--%s: edges are held out by lpo, loo or kfold:K in the --setting, not by %q",
			map[bool]string{true: "method", false: "select"}[p.estimates], method)
	}
	p.options.Method = &m
	return nil
}

// checkUnused refuses flags about holding out where nothing is held out, and a seed where
// nothing is drawn.
func (p *edgePlan) checkUnused() error {
	f := p.flags
	if !p.chooses() {
		if err := f.refuseChoosing("λ", "metric", "setting", "pairs-sample", "seed"); err != nil {
			return err
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
	return o.PairsSample > 0 || o.PairsSample == cv.PairsAuto && o.Setting != edge.Rows && !p.leavesOneOut()
}

// leavesOneOut reports whether leave-one-out was asked for.
func (p *edgePlan) leavesOneOut() bool {
	return p.options.Method != nil && p.options.Method.Kind == cv.LeaveOneOut
}

// halves reports whether an interval may be computed, from half-samples that the seed draws.
func (f *trainFlags) halves() bool { return f.interval != "" && f.interval != "none" }
