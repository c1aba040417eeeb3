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
	features, search, criterion, baseline string
	oneSE                                 bool
}

// selects reports whether features are selected.
func (f *selectFlags) selects() bool { return f.features != "" }

// greedy is the learner that selects features.
func (f *trainFlags) greedy(regression bool, goal pref.Options) (pairrank.Learner, error) {
	g := pairrank.Greedy{Regression: regression, Weight: goal.Weight, OneSE: f.oneSE, Search: greedy.Search(f.search)}
	if f.criterion != "auto" {
		g.Criterion = greedy.Criterion(f.criterion)
	}
	n, err := cli.WholeOr("features", f.features, map[string]int64{"auto": 0})
	if err != nil {
		return nil, err
	}
	if g.Features = int(n); n > 0 && f.oneSE {
		return nil, cli.Usagef("--one-se chooses the number of features, which --features %d fixes: use --features auto", n)
	}
	return g, nil
}

// readBaseline finds the features of --baseline by their names, or by their numbers from 1.
func (a *app) readBaseline(p *learning) error {
	g, selects := p.options.Learner.(pairrank.Greedy)
	if !selects || p.flags.baseline == "" {
		return nil
	}
	_, n := p.problem.Set.X.Dims()
	for text := range strings.SplitSeq(p.flags.baseline, ",") {
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
