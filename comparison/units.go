package comparison

import (
	"errors"
	"fmt"

	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/holdout"
	"pairrank/internal/ratio"
)

// The codes of notes about comparisons.
const (
	noteScale    event.Code = "annotator-scale"   // which factors of annotators were chosen
	noteAgainst  event.Code = "annotator-against" // annotators vote against the board
	noteFewVotes event.Code = "few-votes"         // factors of annotators are of few votes
	noteStep     event.Code = "one-step"          // scores without a finite optimum where a unit is left out
)

// The kinds of units that comparisons are independent by, as Independent names them.
const (
	ofAnnotators = "annotator"
	ofClusters   = "cluster"
	ofLines      = "line"
)

// FewUnits is the number of annotators below which they are no units unless that is asked for: with two, Student's
// quantile is 12.7, and the standard error has one degree of freedom. LeastUnits is the least number of units of any
// kind over which there is a standard error.
const (
	FewUnits   = 5
	leastUnits = ratio.LeastUnits
)

// independent returns what covariances, standard errors and tests take as independent, and the lines of each such unit:
// "cluster" where clusters are named, else "line" where ByLine says so, else "annotator" where fewest or more of them
// are named, and "" for single outcomes, which have no sets.
func (p *Problem) independent(fewest int) (kind string, sets [][]int) {
	switch {
	case len(p.Clusters) > 0:
		return ofClusters, p.byCluster()
	case p.ByLine:
		return ofLines, p.byLine()
	case len(p.Annotators) >= max(fewest, 2):
		return ofAnnotators, p.ByAnnotator()
	}
	return "", nil
}

// byLine are the lines, each a set.
func (p *Problem) byLine() [][]int {
	sets := make([][]int, p.count())
	for c := range sets {
		sets[c] = []int{c}
	}
	return sets
}

// ByPair are the lines of each two items, in order of first appearance.
func (p *Problem) ByPair() (sets [][]int) {
	number := map[[2]int]int{}
	for c := range p.count() {
		l := p.source().At(c)
		pair := [2]int{min(l.Left, l.Right), max(l.Left, l.Right)}
		g, is := number[pair]
		if !is {
			g = len(sets)
			number[pair] = g
			sets = append(sets, nil)
		}
		sets[g] = append(sets[g], c)
	}
	return sets
}

// ByAnnotator are the lines of each annotator that has any, in the order of Annotators; lines without
// one are each a set of their own.
func (p *Problem) ByAnnotator() [][]int {
	return p.by(func(l Line) int { return l.Annotator }, len(p.Annotators))
}

// ByStratum are the lines of each stratum, as ByAnnotator.
func (p *Problem) ByStratum() [][]int {
	return p.by(func(l Line) int { return l.Stratum }, len(p.Strata))
}

// byCluster are the lines of each cluster, as ByAnnotator.
func (p *Problem) byCluster() [][]int {
	return p.by(func(l Line) int { return l.Cluster }, len(p.Clusters))
}

func (p *Problem) by(of func(l Line) int, n int) (sets [][]int) {
	all, alone := make([][]int, n), [][]int(nil)
	for c := range p.count() {
		if k := of(*p.source().At(c)); k >= 0 && k < n {
			all[k] = append(all[k], c)
		} else {
			alone = append(alone, []int{c})
		}
	}
	for _, set := range all {
		if set != nil {
			sets = append(sets, set)
		}
	}
	return append(sets, alone...)
}

// ByItem are the lines of each item: each line is in two sets.
func (p *Problem) ByItem() [][]int {
	sets := make([][]int, len(p.Items))
	for c := range p.count() {
		l := p.source().At(c)
		sets[l.Left], sets[l.Right] = append(sets[l.Left], c), append(sets[l.Right], c)
	}
	return sets
}

// setOf is the set of each line.
func (p *Problem) setOf(sets [][]int) []int {
	of := make([]int, p.count())
	for h, set := range sets {
		for _, c := range set {
			of[c] = h
		}
	}
	return of
}

// sets are the lines of each unit of the board.
func (b *Board) sets(u Unit, seed uint64) ([][]int, error) {
	p := b.p
	sets, err := p.sets(u, seed, p.Features != nil && (p.Residual == 0 || b.o.Lambda > 0))
	return sets, fault.As(fault.Use, fault.Code(u.Kind), err)
}

// sets are the lines of each unit. scored says that an item without comparisons has a score.
func (p *Problem) sets(u Unit, seed uint64, scored bool) ([][]int, error) {
	switch u.Kind {
	case "comparison":
		return nil, nil
	case "line":
		return p.byLine(), nil
	case "pair":
		return p.ByPair(), nil
	case "annotator":
		if len(p.Annotators) < 2 {
			return nil, errors.New("fewer than two annotators are named, so none can be left out")
		}
		return p.ByAnnotator(), nil
	case "cluster":
		if len(p.Clusters) < 2 {
			return nil, errors.New("fewer than two clusters are named, so none can be left out")
		}
		return p.byCluster(), nil
	case "stratum":
		if len(p.Strata) < 2 {
			return nil, errors.New("fewer than two strata are named, so none can be left out")
		}
		return p.ByStratum(), nil
	case "item":
		if !scored {
			return nil, errors.New("an item that is left out has a score only by its features")
		}
		return p.ByItem(), nil
	case "kfold":
		pairs := p.ByPair()
		of, err := u.deal(len(pairs), seed)
		if err != nil {
			return nil, err
		}
		return together(pairs, of, u.Folds), nil
	}
	return nil, fmt.Errorf("unknown unit %q", u.Kind)
}

// singles are the lines, each a set, where each is a single outcome.
func (p *Problem) singles() (sets [][]int, err error) {
	for c := range p.count() {
		if p.source().At(c).Count() > 1 {
			return nil, errors.New("single outcomes of lines that count more are left out by the formula of least squares " +
				"only: leave out lines, pairs or folds")
		}
		sets = append(sets, []int{c})
	}
	return sets, nil
}

// together are the lines of the sets of each fold.
func together(sets [][]int, fold []int32, folds int) [][]int {
	out := make([][]int, folds)
	for h, g := range fold {
		out[g] = append(out[g], sets[h]...)
	}
	return out
}

// deal returns the fold of each pair.
func (u Unit) deal(pairs int, seed uint64) ([]int32, error) {
	return holdout.Deal(pairs, u.Folds, seed, 0x6b666f6c64, "pairs of items")
}
