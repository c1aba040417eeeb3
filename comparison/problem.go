package comparison

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pairrank/comparison/internal/incidence"
	"pairrank/data"
)

// Line is comparisons of two items, as readers return them.
type Line = data.Comparison

// Problem has N items, C lines of comparisons, and facts about both.
type Problem struct {
	Items []string
	// Lines are the comparisons. Compact has them in place of Lines, as readers return them, in a tenth of the memory.
	Lines   []Line
	Compact *data.Comparisons
	// Annotators, Strata, Clusters and Covariates are their names.
	Annotators, Strata, Clusters, Covariates []string
	// ByLine says that the lines are independent, and not the outcomes that a line counts. Clusters come before it.
	ByLine bool
	// Added says that each outcome was a line of its own: lines that were alike have been added up.
	Added bool
	// X is the covariates of the lines, C×p; nil where there are none.
	X *data.Dense
	// Features are those of the items, N×n; nil is the identity. The board takes them less their means over the
	// compared items, so that a constant added to one changes nothing. Names are theirs. Schema is that of the table
	// they come from, and Substitutes stood for its missing values. Each of these is nil where there is none.
	Features    *data.Dense
	Names       []string
	Schema      *data.Schema
	Substitutes *data.Substitutes
	// Own are items that have, each, a feature of its own, 1 for it and 0 for others: the last ones.
	Own []int
	// Residual is τ > 0 where each item has a part of its score that features do not explain; 0 is none.
	Residual float64
}

// source has the lines, and count is how many there are.
func (p *Problem) source() incidence.Source {
	return incidence.Source{Rows: p.Lines, Compact: p.Compact}
}

func (p *Problem) count() int { return p.source().Len() }

// Outcomes are how many outcomes the lines count, and how many of these are ties. Cost O(C).
func (p *Problem) Outcomes() (all, ties float64) {
	for c := range p.count() {
		l := p.source().At(c)
		all, ties = all+l.Count(), ties+l.Ties
	}
	return all, ties
}

// covariates are those of line c.
func (p *Problem) covariates(c int) []float64 { return incidence.Covariates(p.X, c) }

// AddSide adds a covariate called side, 1 in every comparison: the advantage of the left side.
func (p *Problem) AddSide() {
	cols := len(p.Covariates)
	x := data.NewDense(p.count(), cols+1, nil)
	for c := range p.count() {
		copy(x.Row(c), p.covariates(c))
		x.Row(c)[cols] = 1
	}
	p.X, p.Covariates = x, append(slices.Clip(p.Covariates), "side")
}

// Of is the problem of some of its lines. Cost O(lines).
func (p *Problem) Of(lines []int) *Problem {
	out := *p
	out.Lines, out.Compact = make([]Line, len(lines)), nil
	for k, c := range lines {
		out.Lines[k] = *p.source().At(c)
	}
	if p.X != nil {
		out.X = data.Select(p.X, lines).(*data.Dense)
	}
	return &out
}

// WithoutFeatures is the problem where each item has a score of its own.
func (p *Problem) WithoutFeatures() *Problem {
	out := *p
	out.Features, out.Names, out.Schema, out.Substitutes, out.Own, out.Residual = nil, nil, nil, nil, nil, 0
	return &out
}

// GiveOwn replaces the features of each item with a missing feature, NaN, by one feature of its own, 1 for this item
// and 0 for others. The item then has a score of its own, as without features. Cost O(N n).
func (p *Problem) GiveOwn() {
	n := p.Features.Cols
	for i := range p.Items {
		if slices.ContainsFunc(p.Features.Row(i), math.IsNaN) {
			p.Own = append(p.Own, i)
		}
	}
	if len(p.Own) == 0 {
		return
	}
	x := data.NewDense(len(p.Items), n+len(p.Own), nil)
	k := 0 // of Own
	for i := range p.Items {
		if k < len(p.Own) && p.Own[k] == i {
			x.Row(i)[n+k] = 1
			k++
		} else {
			copy(x.Row(i), p.Features.Row(i))
		}
	}
	if p.Features = x; p.Names != nil {
		p.Names = slices.Clip(p.Names)
		for _, i := range p.Own {
			p.Names = append(p.Names, p.Items[i])
		}
	}
}

// Doubts returns warnings: components that are not compared with one another, items that only win or only lose, and
// annotators of five comparisons or more who always pick one side. Cost O(N + C).
func (p *Problem) Doubts() (texts []string) {
	if n := p.Components().Len(); n > 1 && p.Features == nil {
		texts = append(texts, fmt.Sprintf("the comparisons have %d components: scores of different ones are not "+
			"comparable", n))
	}
	items, sides := p.records()
	var winners, losers, one []string
	for i, r := range items {
		switch r {
		case hasWon:
			winners = append(winners, p.Items[i])
		case hasLost:
			losers = append(losers, p.Items[i])
		}
	}
	const few = 5
	for k, r := range sides {
		if n := r.wins + r.losses; r.ties == 0 && n >= few && (r.wins == 0 || r.losses == 0) {
			one = append(one, p.Annotators[k])
		}
	}
	texts = appendNamed(texts, winners, "item only wins", "items only win")
	texts = appendNamed(texts, losers, "item only loses", "items only lose")
	return appendNamed(texts, one, "annotator always picks one side", "annotators always pick one side")
}

// record is how often somebody wins, loses and ties.
type record struct{ wins, losses, ties float64 }

func (r *record) add(wins, losses, ties float64) {
	r.wins, r.losses, r.ties = r.wins+wins, r.losses+losses, r.ties+ties
}

// does is what an item does in some line: a byte, so that those of many items stay near.
type does uint8

const (
	hasWon does = 1 << iota
	hasLost
	hasTied
)

// doing is what an item does that has some wins, losses and ties.
func doing(won, lost, tied float64) (d does) {
	if won > 0 {
		d |= hasWon
	}
	if lost > 0 {
		d |= hasLost
	}
	if tied > 0 {
		d |= hasTied
	}
	return d
}

// records are what the items do, and the records of the left sides by annotators.
func (p *Problem) records() (items []does, sides []record) {
	items, sides = make([]does, len(p.Items)), make([]record, len(p.Annotators))
	for c := range p.count() {
		l := p.source().At(c)
		items[l.Left] |= doing(l.Wins, l.Losses, l.Ties)
		items[l.Right] |= doing(l.Losses, l.Wins, l.Ties)
		if l.Annotator >= 0 && len(sides) > 0 {
			sides[l.Annotator].add(l.Wins, l.Losses, l.Ties)
		}
	}
	return items, sides
}

// appendNamed appends what is said of names, if there are any: two of them stand in it.
func appendNamed(texts, names []string, one, many string) []string {
	switch n := len(names); n {
	case 0:
		return texts
	case 1:
		return append(texts, fmt.Sprintf("one %s: %q", one, names[0]))
	case 2:
		return append(texts, fmt.Sprintf("2 %s: %q and %q", many, names[0], names[1]))
	default:
		return append(texts, fmt.Sprintf("%d %s, %q and %q among them", n, many, names[0], names[1]))
	}
}

// Check returns why the problem cannot be learnt from: an item or annotator out of range, an item against itself,
// counts that are negative or not finite, weights or magnitudes that are not positive, rests outside [0, ½], and
// matrices of another shape or with numbers that are not finite. Cost O(C p + N n).
func (p *Problem) Check() error {
	if p.Lines != nil && p.Compact != nil {
		return fmt.Errorf("there are comparisons in Lines and in Compact: give one of them")
	}
	if p.count() == 0 {
		return fmt.Errorf("there are no comparisons")
	}
	for c := range p.count() {
		if err := p.checkLine(c); err != nil {
			return fmt.Errorf("comparison %d: %w", c+1, err)
		}
	}
	err := cmp.Or(checkMatrix("covariates", p.X, p.count(), len(p.Covariates)),
		checkMatrix("features", p.Features, len(p.Items), -1), p.checkNames())
	if err != nil {
		return err
	}
	if p.Residual < 0 || math.IsInf(p.Residual, 0) || math.IsNaN(p.Residual) || p.Residual > 0 && p.Features == nil {
		return fmt.Errorf("a residual of %v needs features, and is positive", p.Residual)
	}
	return nil
}

// checkMatrix checks the shape and the values of a matrix, unless it is nil; cols −1 is any number of columns.
func checkMatrix(what string, x *data.Dense, rows, cols int) error {
	if x == nil {
		return nil
	}
	if x.Rows != rows || cols >= 0 && x.Cols != cols {
		return fmt.Errorf("the %s are %d×%d, not of %d rows", what, x.Rows, x.Cols, rows)
	}
	for i := range x.Rows {
		for _, v := range x.Row(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("the %s of row %d have a value %v", what, i+1, v)
			}
		}
	}
	return nil
}

// checkNames checks that names of features and of covariates are as many as these.
func (p *Problem) checkNames() error {
	if f := p.Features; f == nil && len(p.Own) > 0 || f != nil && (len(p.Own) > f.Cols || p.Names != nil &&
		len(p.Names) != f.Cols) {
		return fmt.Errorf("%d items with a feature of their own, and %d names of features, do not fit", len(p.Own),
			len(p.Names))
	}
	if p.X == nil && len(p.Covariates) > 0 {
		return fmt.Errorf("there are names of %d covariates, and no values", len(p.Covariates))
	}
	return nil
}

func (p *Problem) checkLine(c int) error {
	l := p.source().At(c)
	switch n := len(p.Items); {
	case l.Left < 0 || l.Left >= n || l.Right < 0 || l.Right >= n:
		return fmt.Errorf("items %d and %d of %d", l.Left+1, l.Right+1, n)
	case l.Left == l.Right:
		return fmt.Errorf("%q is compared with itself", p.Items[l.Left])
	case l.Annotator < -1 || l.Annotator >= max(len(p.Annotators), 1) || l.Stratum < -1 ||
		l.Stratum >= max(len(p.Strata), 1) || l.Cluster < -1 || l.Cluster >= max(len(p.Clusters), 1):
		return fmt.Errorf("annotator %d of %d, stratum %d of %d, cluster %d of %d", l.Annotator+1, len(p.Annotators),
			l.Stratum+1, len(p.Strata), l.Cluster+1, len(p.Clusters))
	}
	return checkNumbers(l)
}

// checkNumbers checks the numbers of a line.
func checkNumbers(l *Line) error {
	for _, v := range []float64{l.Wins, l.Losses, l.Ties} {
		if !(v >= 0) || math.IsInf(v, 0) {
			return fmt.Errorf("a count is %v", v)
		}
	}
	for _, v := range []float64{l.OutcomeWeight(), l.WinMagnitude()} {
		if !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("a weight or magnitude is %v", v)
		}
	}
	if !(l.Rest >= 0 && l.Rest <= 0.5) {
		return fmt.Errorf("a win leaves a rest of %v", l.Rest)
	}
	if l.Count() == 0 {
		return fmt.Errorf("there is no outcome")
	}
	return nil
}
