package main

import (
	"slices"

	"pairrank"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/option"
	"pairrank/learn/ranksvm"
	"pairrank/pref"
	"pairrank/relation"

	"github.com/spf13/cobra"
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

// begin finds the kind of data that a verb is given by its arguments, and refuses options that are not for it, for its
// learner or its solver.
func (f *trainFlags) begin(cmd *cobra.Command, args []string) (option.Kind, error) {
	f.changed = cmd.Flags().Changed
	kind, err := kindOf(cmd, args, f.stream, f.relation.edges, f.comparisons)
	if err != nil {
		return 0, err
	}
	_, plain := option.KindOf(cli.VerbOf(cmd))
	use := option.Use{Data: kind, Learner: f.learner, Given: cli.Given(cmd.Flags())}
	if kind == option.Edges || option.Takes("solver", f.learner) {
		use.Solver = f.solver
	}
	return kind, cli.AsUsage(option.Check(plain, use))
}

// kindOf is the kind of data that a verb is given: its own or, by arguments and options, that of a plain verb.
func kindOf(cmd *cobra.Command, args []string, streams bool, edges, comparisons string) (option.Kind, error) {
	kind, _ := option.KindOf(cli.VerbOf(cmd))
	switch {
	case kind != 0:
		return kind, nil
	case streams:
		return option.Stream, nil
	case edges != "":
		return option.Edges, nil
	case comparisons == "" && len(args) == 0:
		return 0, cli.HintForm(cmd, cli.Usagef("DATA is missing"))
	}
	return option.Rows, nil
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
		Loss: ranksvm.Loss(f.loss), Weight: goal.Weight, Counter: ranksvm.Counter(f.counter), Epsilon: f.epsilon,
		MaxIterations: f.iterations, Basis: basis,
	}
}

// rankBoost is the learner with its rounds.
func (f *trainFlags) rankBoost(goal pref.Options, _ pairrank.Basis) pairrank.Learner {
	return pairrank.RankBoost{Rounds: f.rounds, Weight: goal.Weight}
}
