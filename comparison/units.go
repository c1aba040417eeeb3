package comparison

import (
	"pairrank/event"
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

// effective is the number of sets of lines with the same number of outcomes that would weigh as these do: (Σ n)² / Σ n²
// for the weighted numbers of outcomes n (Kish 1965, Survey sampling, section 11.7).
func (p *Problem) effective(sets [][]int) float64 {
	sum, squares := 0.0, 0.0
	for _, set := range sets {
		n := 0.0
		for _, c := range set {
			n += p.source().At(c).Count() * p.source().At(c).OutcomeWeight()
		}
		sum, squares = sum+n, squares+n*n
	}
	return sum * sum / squares
}
