package rows

import (
	"errors"
	"fmt"
	"slices"

	"pairrank/comparison"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/event"
	"pairrank/internal/fault"
	"pairrank/internal/goals"
	"pairrank/internal/spell"
	"pairrank/pref"
)

// compares reports whether rows are compared by preferences or comparisons, which replace labels.
func (p *Problem) compares() bool { return p.Preferences != nil || p.Comparisons != nil }

// checkComparisons refuses comparisons that do not match the rows.
func (p *Problem) checkComparisons() error {
	c := p.Comparisons
	switch {
	case c == nil:
		return nil
	case p.Preferences != nil || p.Labels != nil:
		return fault.Dataf("comparisons, preferences and labels of outputs are ways to say what is compared: give one")
	case c.X != nil || c.Features != nil || c.Residual != 0:
		return fault.Dataf("comparisons of rows have no covariates, features or residual: the features are those of the Set")
	case c.Items != nil && len(c.Items) != len(p.Set.Y):
		return fault.Dataf("comparisons of %s, and the Set has %d rows", spell.Plural(len(c.Items), "item"), len(p.Set.Y))
	}
	return fault.As(fault.Data, "", overRows(c, p.Set).Check())
}

// overRows are comparisons whose items are the rows of a set.
func overRows(c *comparison.Problem, set *data.Set) *comparison.Problem {
	of := *c
	of.Items = make([]string, len(set.Y))
	for i := range of.Items {
		of.Items[i] = set.Called(i)
	}
	return &of
}

// lines are the comparisons of rows that teach.
type lines struct {
	*comparison.Problem       // whose items are the rows
	place               []int // of each line that was given, −1 where it is left out

	leaves cv.Method       // how lines are left out
	unit   comparison.Unit // the same, as package comparison has it
}

// fromPreferences are preferences as comparisons of the rows of a set, each a line with one outcome. Those of weight 0
// are left out.
func fromPreferences(edges []pref.Edge, set *data.Set) *lines {
	c, place := &comparison.Problem{}, make([]int, len(edges))
	for k, e := range edges {
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
	return &lines{Problem: overRows(c, set), place: place}
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

// prepareComparisons sets the preferences and the lines of comparisons that teach, and notes what the learner leaves
// out.
func (t *task) prepareComparisons() error {
	p := t.problem
	switch {
	case p.Preferences != nil:
		if _, err := goals.NewGraph(len(p.Set.Y), goals.Weighted(p.Preferences)); err != nil {
			return fault.As(fault.Data, "", err)
		}
		t.lines = fromPreferences(p.Preferences, p.Set)
	case p.Comparisons != nil:
		t.lines = &lines{Problem: overRows(p.Comparisons, p.Set), place: indices(len(p.Comparisons.Lines))}
	default:
		return nil
	}
	if p.Set.Groups != nil || p.Set.Folds != nil {
		return &fault.Error{Kind: fault.Data, Code: FaultGroups, Err: errors.New("groups and folds of rows are for labels: " +
			"of preferences and comparisons pairs, items, annotators or strata are left out")}
	}
	edges := edgesOf(t.lines.Problem)
	if n := len(edges); n > 0 && tiesOf(edges) == n {
		return fault.Dataf("there is no winner in %s, so nothing can be learnt about an order",
			spell.Plural(len(t.lines.Lines), "comparison"))
	}
	target := pref.Magnitude
	switch l := t.learner.(type) {
	case LeastSquares:
		target = l.Pairs.Cost
	case RankSVM:
		target = pref.Unit // an order, no magnitude
		if differ(edges) {
			t.journal.Add(event.Note{Code: NoteMagnitudes,
				Text:   "ranksvm learns the order alone: magnitudes say no more",
				Remedy: "RankRLS learns magnitudes, and weights say how much a comparison counts"})
		}
	}
	t.lines.cost(target)
	t.edges = edgesOf(t.lines.Problem)
	if ties := tiesOf(edges); ties > 0 && target != pref.Magnitude {
		why := fmt.Sprintf("the %s cost has no target for them", target)
		if _, is := t.learner.(RankSVM); is {
			why = "the hinge has no order for them"
		}
		t.journal.Note(NoteTies, "%s left out: %s", spell.Plural(ties, "preference")+" without a preferred row "+
			map[bool]string{true: "is", false: "are"}[ties == 1], why)
	}
	if len(t.lines.Lines) == 0 {
		return fault.As(fault.Data, FaultNothing, goals.ErrNothingToLearn)
	}
	return nil
}

// differ reports whether the magnitudes of preferences differ, apart from 0.
func differ(edges []pref.Edge) bool {
	first := slices.IndexFunc(edges, func(e pref.Edge) bool { return e.Magnitude != 0 })
	return first >= 0 && slices.ContainsFunc(edges[first:], func(e pref.Edge) bool {
		return e.Magnitude != 0 && e.Magnitude != edges[first].Magnitude
	})
}

// tiesOf counts the preferences of magnitude 0.
func tiesOf(edges []pref.Edge) (n int) {
	for _, e := range edges {
		if e.Magnitude == 0 {
			n++
		}
	}
	return n
}

// cost gives the lines the targets and weights of a cost, as pref.Preferences takes them, and leaves out those of which
// nothing is left.
func (t *lines) cost(cost pref.Cost) {
	if cost == pref.Magnitude {
		return
	}
	out, moved := *t.Problem, make([]int, len(t.Lines))
	out.Lines = nil
	for k, l := range t.Lines {
		if moved[k], l.Ties = -1, 0; l.Wins+l.Losses == 0 {
			continue
		}
		if z := l.Magnitude; cost == pref.Relative && z != 0 {
			l.Weight = l.OutcomeWeight() / (z * z)
		} else if cost == pref.Unit {
			l.Magnitude = 1
		}
		moved[k], out.Lines = len(out.Lines), append(out.Lines, l)
	}
	for k, at := range t.place {
		if at >= 0 {
			t.place[k] = moved[at]
		}
	}
	t.Problem = &out
}

// across returns the first line that compares rows of two queries, −1 for none.
func (t *task) across() int {
	of := t.queries.Of()
	return slices.IndexFunc(t.lines.Lines, func(l comparison.Line) bool { return of[l.Left] != of[l.Right] })
}
