package main

import (
	"slices"
	"strings"

	"pairrank"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/learn/ranksvm"
	"pairrank/pref"
)

// learner is what the command line knows of a learner.
type learner struct {
	name string
	// flags are those that not all learners take, and this one does.
	flags []string
	// make is the learner that the flags ask for, nil for those of edges alone.
	make func(f *trainFlags, goal pref.Options, basis pairrank.Basis) (pairrank.Learner, error)
}

// learners are the learners, in the order in which they are listed.
var learners = []learner{
	{"rankrls", strings.Fields("kernel kernel-matrix lambda lambdas solver basis basis-rows cost ties query-weight pairs preferences tolerance max-iterations permutations roc labels"),
		func(f *trainFlags, goal pref.Options, basis pairrank.Basis) (pairrank.Learner, error) {
			return f.leastSquares(pairrank.LeastSquares{Pairs: goal, Basis: basis})
		}},
	{"rls", strings.Fields("kernel kernel-matrix lambda lambdas solver basis basis-rows tolerance max-iterations permutations roc labels"),
		func(f *trainFlags, goal pref.Options, basis pairrank.Basis) (pairrank.Learner, error) {
			return f.leastSquares(pairrank.LeastSquares{Regression: true, Pairs: goal, Basis: basis})
		}},
	{"ranksvm", strings.Fields("kernel kernel-matrix lambda lambdas basis basis-rows query-weight pairs max-iterations loss counter precision epsilon time-limit warm-start"),
		(*trainFlags).rankSVM},
	{"rankboost", strings.Fields("query-weight pairs rounds"), (*trainFlags).rankBoost},
	{name: "similarity"},
	{name: "two-step"},
}

// The learners of edges between nodes.
const (
	rankRLS    = "rankrls"
	similarity = "similarity"
	twoStep    = "two-step"
)

// learnerNames are the names of all learners.
func learnerNames() (names []string) {
	for _, l := range learners {
		names = append(names, l.name)
	}
	return names
}

// learner is the one that is asked for; flags that it does not take are refused.
func (f *trainFlags) chosenLearner() (*learner, error) {
	at := slices.IndexFunc(learners, func(l learner) bool { return l.name == f.learner })
	chosen := &learners[at]
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
	iterates := f.changed("tolerance") || f.changed("max-iterations")
	cg := pairrank.Solver(f.solver) == pairrank.CG
	switch {
	case slices.Contains(edgeSolvers, f.solver):
		return nil, cli.Usagef("--solver %s is for edges between nodes: --edges FILE --rows FILE", f.solver)
	case iterates && f.solver == autoSolver:
		return nil, cli.Usagef("--tolerance and --max-iterations are for --solver cg: name it")
	case iterates && !cg:
		return nil, cli.Usagef("--tolerance and --max-iterations are for --solver cg, not %s", f.solver)
	case !(f.tolerance > 0):
		return nil, cli.Usagef("--tolerance is between 0 and 1, not %v", f.tolerance)
	}
	if l.Solver = pairrank.Solver(f.solver); f.solver == autoSolver {
		l.Solver = pairrank.Auto
	}
	if cg {
		l.Tolerance, l.MaxIterations = f.tolerance, f.iterations
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
		Basis: basis, Single: f.precision == single,
	}, nil
}

// rankBoost is the learner with its rounds.
func (f *trainFlags) rankBoost(goal pref.Options, _ pairrank.Basis) (pairrank.Learner, error) {
	rounds, err := parseRounds(f.rounds)
	return pairrank.RankBoost{Rounds: rounds, Weight: goal.Weight}, err
}

// list is "a, b and c".
func list(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
