package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pairrank"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/learn/greedy"
	"pairrank/pref"
)

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
		Search: greedy.Search(f.search)}
	if f.criterion != "auto" {
		g.Criterion = greedy.Criterion(f.criterion)
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
