// Package compared has rows that are compared by preferences or comparisons, in place of labels: the pairs that teach,
// and the source of package procedure that leaves out units of them.
package compared

import (
	"errors"
	"fmt"
	"slices"

	"pairrank/comparison"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/goals"
	"pairrank/internal/procedure"
	"pairrank/internal/spell"
	"pairrank/kernel"
	"pairrank/pref"
)

// Pairs are the preferences or comparisons of the rows of a set, in place of labels. They know which of them are left
// out together. The items of their lines are the rows.
type Pairs struct {
	set         *data.Set
	preferences []pref.Edge
	given       *comparison.Problem

	Teaching *comparison.Problem // the lines that teach
	Place    []int               // of each line that was given, −1 where it is left out
	Leaves   cv.Method           // what is left out together
	unit     comparison.Unit     // that it is
}

// Of returns preferences or comparisons of the rows of a set, nil where both are nil.
func Of(set *data.Set, preferences []pref.Edge, given *comparison.Problem) *Pairs {
	if preferences == nil && given == nil {
		return nil
	}
	if given != nil {
		given = given.InRows()
	}
	return &Pairs{set: set, preferences: preferences, given: given}
}

// Check refuses pairs that do not match the rows, and makes their lines.
func (p *Pairs) Check(labels bool) error {
	switch c := p.given; {
	case labels && c == nil:
		return fault.Dataf("labels of outputs and preferences are two ways to say what is compared")
	case c == nil:
		return p.checkPreferences()
	case p.preferences != nil || labels:
		return fault.Dataf("comparisons, preferences and labels of outputs are ways to say what is compared: give one")
	case c.X != nil || c.Features != nil || c.Residual != 0:
		return fault.Dataf("comparisons of rows have no covariates, features or residual: the features are those of the Set")
	case c.Items != nil && len(c.Items) != len(p.set.Y):
		return fault.Dataf("comparisons of %s, and the Set has %d rows", spell.Plural(len(c.Items), "item"),
			len(p.set.Y))
	}
	return fault.As(fault.Data, "", p.overRows(p.given).Check())
}

// checkPreferences is Check of preferences.
func (p *Pairs) checkPreferences() error {
	m := len(p.set.Y)
	for _, e := range p.preferences {
		if min(e.I, e.J) < 0 || max(e.I, e.J) >= m {
			return fault.Dataf("a preference is of rows %d and %d, which count from 0, and there are %d", e.I, e.J, m)
		}
	}
	weighs := func(e pref.Edge) bool { return e.Weight != 0 }
	if len(p.preferences) > 0 && !slices.ContainsFunc(p.preferences, weighs) {
		return &fault.Error{Kind: fault.Data, Code: codes.FaultNothing, Err: errors.New("every preference has weight 0, so " +
			"nothing can be learnt: Weight is 1 where all count alike")}
	}
	_, err := goals.NewGraph(m, goals.Weighted(p.preferences))
	return fault.As(fault.Data, "", err)
}

// CheckMethod refuses a method that leaves out something else than units of comparisons. lqo leaves out all comparisons
// within a query.
func CheckMethod(m *cv.Method) error {
	if m == nil || m.Kind == cv.LeaveQueryOut {
		return nil
	}
	if _, err := comparison.ParseUnit(m.String()); err != nil {
		return fault.Optionf("Method", "of preferences and comparisons leaves out units, or lqo: %w", err)
	}
	return nil
}

// overRows are comparisons whose items are the rows.
func (p *Pairs) overRows(c *comparison.Problem) *comparison.Problem {
	of := *c
	of.Items = make([]string, len(p.set.Y))
	for i := range of.Items {
		of.Items[i] = p.set.Called(i)
	}
	return &of
}

// fromPreferences are preferences as comparisons, each a line with one outcome. Those of weight 0 are left out.
func (p *Pairs) fromPreferences() (c *comparison.Problem, place []int) {
	c, place = &comparison.Problem{}, make([]int, len(p.preferences))
	for k, e := range p.preferences {
		if place[k] = -1; e.Weight == 0 {
			continue
		}
		l := comparison.Line{Left: e.I, Right: e.J, Weight: e.Weight, Magnitude: e.Magnitude, Annotator: -1, Stratum: -1}
		switch {
		case e.Magnitude > 0:
			l.Wins = 1
		case e.Magnitude < 0:
			l.Losses, l.Magnitude = 1, -e.Magnitude
		default:
			l.Ties = 1
		}
		place[k], c.Lines = len(c.Lines), append(c.Lines, l)
	}
	return c, place
}

// edgesOf are comparisons as preferences: wins of either side, and ties of magnitude 0, weighted by their counts.
func edgesOf(c *comparison.Problem) []pref.Edge {
	edges := make([]pref.Edge, 0, len(c.Lines))
	for k := range c.Lines {
		l := &c.Lines[k]
		w, z := l.OutcomeWeight(), l.WinMagnitude()
		for _, e := range []pref.Edge{{I: l.Left, J: l.Right, Magnitude: z, Weight: w * l.Wins},
			{I: l.Right, J: l.Left, Magnitude: z, Weight: w * l.Losses}, {I: l.Left, J: l.Right, Weight: w * l.Ties}} {
			if e.Weight > 0 {
				edges = append(edges, e)
			}
		}
	}
	return edges
}

// Lines is the number of lines that teach.
func (p *Pairs) Lines() int { return len(p.Teaching.Lines) }

// Teach gives the lines the targets and weights of a cost, as goals.Preferences takes them, and leaves out those of
// which nothing is left.
func (p *Pairs) Teach(cost pref.Cost) []pref.Edge {
	c := p.given
	if c == nil {
		c, p.Place = p.fromPreferences()
	} else {
		p.Place = make([]int, len(c.Lines))
		for k := range p.Place {
			p.Place[k] = k
		}
	}
	p.Teaching = p.overRows(c)
	if cost == pref.Magnitude {
		return edgesOf(p.Teaching)
	}
	all, moved := p.Teaching.Lines, make([]int, len(p.Teaching.Lines))
	p.Teaching.Lines = nil
	for k, l := range all {
		if moved[k], l.Ties = -1, 0; l.Wins+l.Losses == 0 {
			continue
		}
		if z := l.Magnitude; cost == pref.Relative && z != 0 {
			l.Weight = l.OutcomeWeight() / (z * z)
		} else if cost == pref.Unit {
			l.Magnitude = 1
		}
		moved[k], p.Teaching.Lines = len(p.Teaching.Lines), append(p.Teaching.Lines, l)
	}
	for k, at := range p.Place {
		if at >= 0 {
			p.Place[k] = moved[at]
		}
	}
	return edgesOf(p.Teaching)
}

// across returns the first line that compares rows of two queries, −1 for none.
func (p *Pairs) across() int {
	of := p.set.Queries.Of()
	return slices.IndexFunc(p.Teaching.Lines, func(l comparison.Line) bool { return of[l.Left] != of[l.Right] })
}

// Leave sets what is left out together: what the options say, else queries where there are several and no line
// crosses them, else pairs, or folds of pairs where each is a training.
func (p *Pairs) Leave(m *cv.Method, exact bool) (err error) {
	queries := p.set.Queries.Len()
	switch {
	case m != nil:
		p.Leaves = *m
	case queries > 1 && p.set.HasQID && p.across() < 0:
		p.Leaves = cv.Method{Kind: cv.LeaveQueryOut}
	case exact:
		p.Leaves = cv.Method{Kind: "pair"}
	default:
		p.Leaves = cv.Method{Kind: cv.KFold, Folds: max(2, min(10, len(p.Teaching.ByPair())))}
	}
	if p.Leaves.Kind != cv.LeaveQueryOut {
		p.unit, err = comparison.ParseUnit(p.Leaves.String())
		return err
	}
	switch at := p.across(); {
	case queries < 2:
		return fault.Optionf("Method", "lqo needs at least two queries, and the data has %d", queries)
	case at >= 0:
		c := p.Teaching.Lines[at]
		return &fault.Error{Kind: fault.Use, Code: codes.FaultConnected, Err: fmt.Errorf("a comparison is of rows %d "+
			"and %d, of two queries, so that no query can be left out", p.set.Number(c.Left)+1, p.set.Number(c.Right)+1)}
	}
	p.unit = comparison.Unit{Kind: "stratum"}
	p.Teaching.Lines, p.Teaching.Strata = slices.Clone(p.Teaching.Lines), make([]string, queries)
	for c := range p.Teaching.Lines {
		l := &p.Teaching.Lines[c]
		l.Stratum = int(p.set.Queries.Of()[l.Left])
	}
	return nil
}

// Source leaves out units of the lines.
func (p *Pairs) Source(b Rows) procedure.Divisible {
	return &Source{Rows: b, Pairs: p, found: map[kernel.Kernel]*found{}}
}

// Fact says what the rows were compared by.
func (p *Pairs) Fact() string {
	if p.given != nil {
		return "wins and ties of comparisons"
	}
	return "an explicit list of preferences"
}
