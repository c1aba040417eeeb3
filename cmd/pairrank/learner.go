package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pairrank"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/option"
	"pairrank/pref"
	"pairrank/relation"
)

// learner is what the command line knows of a learner.
type learner struct {
	name string
	// make makes the learner of rows that the flags ask for; nil where there is none.
	make func(f *trainFlags, goal pref.Options, basis pairrank.Basis) pairrank.Learner
	// edges is the learner of edges between nodes; nil where there is none.
	edges *edgeLearner
	// keepsBest says that a training that is stopped leaves the best model so far.
	keepsBest bool
}

// edgeLearner is what the command line knows of a learner of edges between nodes.
type edgeLearner struct {
	of     relation.Learner
	learns bool // it has a λ
}

// learners are the learners.
var learners = []learner{
	{name: "rankrls", make: (*trainFlags).leastSquares, edges: &edgeLearner{relation.RankRLS, true}},
	{name: "rls", make: (*trainFlags).leastSquares},
	{name: "ranksvm", make: (*trainFlags).rankSVM, keepsBest: true},
	{name: "rankboost", make: (*trainFlags).rankBoost, keepsBest: true},
	{name: string(relation.Similarity), edges: &edgeLearner{of: relation.Similarity}},
	{name: string(relation.TwoStep), edges: &edgeLearner{relation.TwoStep, true}},
}

// learnerNamed is the learner of a name, which must be one of the table of options.
func learnerNamed(name string) *learner {
	return &learners[slices.IndexFunc(learners, func(l learner) bool { return l.name == name })]
}

// solverOf is the solver of rows of a name.
func solverOf(name string) pairrank.Solver {
	if name == solverAuto {
		return pairrank.Auto
	}
	return pairrank.Solver(name)
}

// The solvers that the command looks at.
const (
	solverAuto   = "auto"
	solverClosed = string(relation.Closed)
)

// begin refuses options that are not for the kind of data of a verb, for its learner or its solver.
func (f *trainFlags) begin(cmd *cobra.Command, args []string) error {
	f.changed = cmd.Flags().Changed
	kind, plain := option.KindOf(cli.VerbOf(cmd))
	if kind == option.Rows && f.comparisons == "" && len(args) == 0 {
		return cli.HintForm(cmd, cli.Usagef("DATA is missing"))
	}
	use := option.Use{Data: kind, Learner: f.learner, Given: cli.Given(cmd.Flags())}
	if kind == option.Edges || option.Takes("solver", f.learner) {
		use.Solver = f.solver
	}
	return cli.AsUsage(option.Check(plain, use))
}

// leastSquares is the learner with the options of the solver, or of the selection of features.
func (f *trainFlags) leastSquares(goal pref.Options, basis pairrank.Basis) pairrank.Learner {
	if f.selects() {
		return f.greedy(goal)
	}
	l := pairrank.LeastSquares{Regression: f.learner == "rls", Pairs: goal, Basis: basis, Solver: solverOf(f.solver)}
	if l.Solver == pairrank.CG {
		l.Tolerance, l.MaxIterations = f.tolerance, f.iterations
	}
	return l
}

// rankSVM is the learner with the flags of its own.
func (f *trainFlags) rankSVM(goal pref.Options, basis pairrank.Basis) pairrank.Learner {
	return pairrank.RankSVM{
		Loss: f.loss, Weight: goal.Weight, Counter: f.counter, Epsilon: f.epsilon,
		MaxIterations: f.iterations, Basis: basis,
	}
}

// rankBoost is the learner with its rounds.
func (f *trainFlags) rankBoost(goal pref.Options, _ pairrank.Basis) pairrank.Learner {
	return pairrank.RankBoost{Rounds: f.rounds, Weight: goal.Weight}
}

// selectFlags are the flags of the selection of features.
type selectFlags struct {
	features                    int64 // 0 is auto
	search, criterion, baseline string
	oneSE                       bool
}

// selects reports whether features are selected.
func (f *trainFlags) selects() bool { return f.changed("features") }

// greedy is the learner that selects features.
func (f *trainFlags) greedy(goal pref.Options) pairrank.Learner {
	g := pairrank.Greedy{Regression: f.learner == "rls", Weight: goal.Weight, Features: int(f.features), OneSE: f.oneSE,
		Search: f.search}
	if f.criterion != "auto" {
		g.Criterion = f.criterion
	}
	return g
}

// readBaseline finds the features of --baseline by their names, or by their numbers from 1.
func readBaseline(list string, p *learning) error {
	g := p.options.Learner.(pairrank.Greedy)
	_, n := p.problem.Set.X.Dims()
	for text := range strings.SplitSeq(list, ",") {
		name := strings.TrimSpace(text)
		j := slices.Index(p.problem.Set.Names, name)
		if number, err := strconv.Atoi(name); j < 0 && err == nil && number >= 1 && number <= n {
			j = number - 1
		}
		if name == "" || j < 0 {
			return cli.AsData(fmt.Errorf("--baseline names %q, which is neither a feature nor a number from 1 to %d",
				name, n))
		}
		if slices.Contains(g.Baseline, j) {
			return cli.Usagef("--baseline names feature %s twice", name)
		}
		g.Baseline = append(g.Baseline, j)
	}
	p.options.Learner = g
	return nil
}
