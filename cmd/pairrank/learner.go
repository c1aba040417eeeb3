package main

import (
	"slices"
	"strings"

	"pairrank"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/learn/ranksvm"
	"pairrank/pref"
	"pairrank/relation"
)

// learner is what the command line knows of a learner.
type learner struct {
	name string
	// flags are those that not all learners of rows take, and this one does.
	flags []string
	// make makes the learner of rows that the flags ask for; nil where there is none.
	make func(f *trainFlags, goal pref.Options, basis pairrank.Basis) (pairrank.Learner, error)
	// edges is the learner of edges between nodes; nil where there is none.
	edges *edgeLearner
}

// edgeLearner is what the command line knows of a learner of edges between nodes.
type edgeLearner struct {
	of         relation.Learner
	learns     bool     // it has a λ
	lambdaCols bool     // and another one of the columns
	refuses    []string // flags that learners of edges take, and this one does not
}

// learners are the learners, in the order in which they are listed.
var learners = []learner{
	{"rankrls", strings.Fields("kernel kernel-matrix lambda lambdas solver basis basis-rows random-features cost ties query-weight pairs preferences tolerance max-iterations permutations roc labels"),
		func(f *trainFlags, goal pref.Options, basis pairrank.Basis) (pairrank.Learner, error) {
			return f.leastSquares(pairrank.LeastSquares{Pairs: goal, Basis: basis})
		}, &edgeLearner{of: relation.RankRLS, learns: true}},
	{"rls", strings.Fields("kernel kernel-matrix lambda lambdas solver basis basis-rows random-features tolerance max-iterations permutations roc labels"),
		func(f *trainFlags, goal pref.Options, basis pairrank.Basis) (pairrank.Learner, error) {
			return f.leastSquares(pairrank.LeastSquares{Regression: true, Pairs: goal, Basis: basis})
		}, nil},
	{"ranksvm", strings.Fields("kernel kernel-matrix lambda lambdas basis basis-rows random-features query-weight pairs max-iterations loss counter epsilon time-limit warm-start"),
		(*trainFlags).rankSVM, nil},
	{"rankboost", strings.Fields("query-weight pairs rounds"), (*trainFlags).rankBoost, nil},
	{name: string(relation.Similarity), edges: &edgeLearner{of: relation.Similarity,
		refuses: append(slices.Clone(notTwoStep), "select", "method", "metric", "setting", "seed", "symmetrize", "psd-fix", "binarize", "lambda-cols")}},
	{name: string(relation.TwoStep), edges: &edgeLearner{of: relation.TwoStep, learns: true, lambdaCols: true, refuses: notTwoStep}},
}

// notTwoStep are flags about solving one system of all edges. Two-step has none: it
// regresses over the rows, and then over the columns.
var notTwoStep = []string{"loss", "relation", "pair-kernel", "solver", "tolerance", "max-iterations", "early-stop",
	"curve", "patience"}

// edgeLosses are the losses of edges between nodes, the default first.
var edgeLosses = []relation.Loss{relation.Ranking, relation.Regression}

// solver is what the command line knows of a solver.
type solver struct {
	name     string
	of       pairrank.Solver // of rows
	stops    bool            // of rows takes --tolerance and --max-iterations
	features bool            // of edges has no kernel matrices, which cv needs
	closed   bool            // is the closed form of edges, and not for rows
}

// solvers are the solvers, the default first.
var solvers = []solver{
	{name: "auto", of: pairrank.Auto},
	{name: "primal", of: pairrank.Primal, features: true},
	{name: "dual", of: pairrank.Dual},
	{name: "sparse", of: pairrank.Sparse},
	{name: "cg", of: pairrank.CG, stops: true},
	{name: "closed", closed: true},
}

// solverNamed is the solver of a name, which must be one of solverNames.
func solverNamed(name string) *solver {
	return &solvers[slices.IndexFunc(solvers, func(s solver) bool { return s.name == name })]
}

// choosesClosed reports whether auto became the closed form.
func (s *solver) choosesClosed(became string) bool {
	return s.name == solvers[0].name && became == string(relation.Closed)
}

// solverNames are the names of all solvers.
func solverNames() (names []string) {
	for _, s := range solvers {
		names = append(names, s.name)
	}
	return names
}

// learnerNames are the names of all learners.
func learnerNames() (names []string) {
	for _, l := range learners {
		names = append(names, l.name)
	}
	return names
}

// learnerNamed is the learner of a name, which must be one of learnerNames.
func learnerNamed(name string) *learner {
	return &learners[slices.IndexFunc(learners, func(l learner) bool { return l.name == name })]
}

// learnerOfEdges is the learner of edges between nodes that is asked for.
func (f *trainFlags) learnerOfEdges() (*edgeLearner, error) {
	if l := learnerNamed(f.learner).edges; l != nil {
		return l, nil
	}
	return nil, cli.Usagef("--learner %s is not for edges between nodes: known are %s", f.learner, strings.Join(named(relation.Learners), ", "))
}

// learnerOfRows is the learner of rows that is asked for; flags that it does not take
// are refused.
func (f *trainFlags) learnerOfRows() (*learner, error) {
	chosen := learnerNamed(f.learner)
	if chosen.make == nil {
		return nil, cli.Usagef("--learner %s is for edges between nodes: --edges FILE --rows FILE", f.learner)
	}
	takers := map[string][]string{} // of each flag
	for _, l := range learners {
		for _, flag := range l.flags {
			takers[flag] = append(takers[flag], l.name)
		}
	}
	var wrong []string
	for flag, names := range takers {
		if !slices.Contains(names, f.learner) && f.changed(flag) {
			wrong = append(wrong, flag)
		}
	}
	if len(wrong) == 0 {
		return chosen, nil
	}
	slices.Sort(wrong)
	return nil, cli.Usagef("--%s is for --learner %s, not %s", wrong[0], list(takers[wrong[0]]), f.learner)
}

// leastSquares adds the flags of the solver.
func (f *trainFlags) leastSquares(l pairrank.LeastSquares) (pairrank.Learner, error) {
	s, stops := solverNamed(f.solver), f.changed("tolerance") || f.changed("max-iterations")
	switch {
	case s.closed:
		return nil, cli.Usagef("--solver %s is for edges between nodes: --edges FILE --rows FILE", f.solver)
	case stops && s.of == pairrank.Auto:
		return nil, cli.Usagef("--tolerance and --max-iterations are for --solver cg: name it")
	case stops && !s.stops:
		return nil, cli.Usagef("--tolerance and --max-iterations are for --solver cg, not %s", f.solver)
	case f.changed("tolerance") && !(f.tolerance > 0):
		return nil, cli.Usagef("--tolerance is between 0 and 1, not %v", f.tolerance)
	}
	if l.Solver = s.of; s.stops {
		if l.MaxIterations = f.iterations; f.changed("tolerance") {
			l.Tolerance = f.tolerance
		}
	}
	return l, nil
}

// rankSVM is the learner with the flags of its own.
func (f *trainFlags) rankSVM(goal pref.Options, basis pairrank.Basis) (pairrank.Learner, error) {
	switch {
	case !slices.Contains(ranksvm.Losses, ranksvm.Loss(f.loss)):
		return nil, cli.Usagef("--loss %s is for edges between nodes; ranksvm has hinge and squared-hinge", f.loss)
	case !(f.epsilon > 0):
		return nil, cli.Usagef("--epsilon is greater than 0, not %v", f.epsilon)
	case f.changed("time-limit") && f.timeLimit <= 0:
		return nil, cli.Usagef("--time-limit is greater than 0, not %v", f.timeLimit)
	}
	return pairrank.RankSVM{
		Loss: ranksvm.Loss(f.loss), Weight: goal.Weight, Counter: ranksvm.Counter(f.counter), Epsilon: f.epsilon, MaxIterations: f.iterations,
		Basis: basis,
	}, nil
}

// rankBoost is the learner with its rounds.
func (f *trainFlags) rankBoost(goal pref.Options, _ pairrank.Basis) (pairrank.Learner, error) {
	rounds, err := parseRounds(f.rounds)
	return pairrank.RankBoost{Rounds: rounds, Weight: goal.Weight}, err
}

// list joins names: "a, b and c".
func list(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
