package main

import (
	"slices"
	"strings"
)

// The learners.
const (
	rankRLS   = "rankrls"
	plainRLS  = "rls"
	rankSVM   = "ranksvm"
	rankBoost = "rankboost"

	// Of edges between nodes only.
	similarity = "similarity"
	twoStep    = "two-step"
)

var learnerNames = []string{rankRLS, plainRLS, rankSVM, rankBoost, similarity, twoStep}

// flagLearners are the flags that not all learners take, with those that do. The
// others take every flag of their verb.
var flagLearners = map[string][]string{
	"kernel":         {rankRLS, plainRLS, rankSVM},
	"kernel-matrix":  {rankRLS, plainRLS, rankSVM},
	"lambda":         {rankRLS, plainRLS, rankSVM},
	"lambdas":        {rankRLS, plainRLS, rankSVM},
	"solver":         {rankRLS, plainRLS},
	"basis":          {rankRLS, plainRLS, rankSVM},
	"basis-rows":     {rankRLS, plainRLS, rankSVM},
	"cost":           {rankRLS},
	"ties":           {rankRLS},
	"query-weight":   {rankRLS, rankSVM, rankBoost},
	"pairs":          {rankRLS, rankSVM, rankBoost},
	"preferences":    {rankRLS},
	"tolerance":      {rankRLS, plainRLS},
	"max-iterations": {rankRLS, plainRLS, rankSVM},
	"loss":           {rankSVM},
	"counter":        {rankSVM},
	"precision":      {rankSVM},
	"epsilon":        {rankSVM},
	"time-limit":     {rankSVM},
	"warm-start":     {rankSVM},
	"rounds":         {rankBoost},
	"permutations":   {rankRLS, plainRLS},
	"roc":            {rankRLS, plainRLS},
	"labels":         {rankRLS, plainRLS},
}

// planLearner refuses flags that the learner does not take.
func planLearner(p *trainPlan) error {
	if p.learner == similarity || p.learner == twoStep {
		return usagef("--learner %s is for edges between nodes: --edges FILE --rows FILE", p.learner)
	}
	var names []string
	for name, learners := range flagLearners {
		if !slices.Contains(learners, p.learner) && p.changed(name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	return usagef("--%s is for --learner %s, not %s", names[0], list(flagLearners[names[0]]), p.learner)
}

// leastSquares reports whether the learner has a factorisation, and with it the
// exact shortcuts.
func (p *trainPlan) leastSquares() bool { return p.learner == rankRLS || p.learner == plainRLS }

// factors reports whether training makes a factorisation.
func (p *trainPlan) factors() bool { return p.leastSquares() && p.solver != "cg" }

// keepsBest reports whether a training that is stopped leaves a model.
func (p *trainPlan) keepsBest() bool { return p.learner == rankSVM || p.learner == rankBoost }

// list is "a, b and c".
func list(names []string) string {
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
