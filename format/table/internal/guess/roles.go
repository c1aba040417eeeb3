package guess

import (
	"cmp"
	"slices"

	"pairrank/internal/doubt"
)

// most is how many values a factor may have, and how many columns may name items.
const most = 20

// evidence is what a column may show.
type evidence func(c *column) bool

// role is what a column of rows may be: what it must show, and the points that it has for what else it shows.
type role struct {
	noun, option string
	says         func(c *column) string
	least        float64 // points that it needs
	must         evidence
	clues        []clue
}

// clue is evidence that gives points, or takes some.
type clue struct {
	points float64
	is     evidence
}

// The roles of rows. A reading adds what it knows of the queries: labels vary within one, and ids differ.
var (
	query = role{"query", "qid-column", (*column).sizes, 4, func(c *column) bool {
		level := len(c.values) <= most && c.kind == text && !c.blocks() && !c.among(queryWords)
		return c.unit() && !c.among(subjectWords) && c.known != "label" && !level
	}, []clue{
		{3, (*column).blocks}, {3, called(queryWords)}, {1, isText}, {1, isID}, {-2, called(labelWords)},
		{1, func(c *column) bool { return len(c.values) >= 5 }},
		{1, func(c *column) bool { return slices.Min(c.rows) == slices.Max(c.rows) }},
		{-2, func(c *column) bool { return c.kind == whole && !c.among(queryWords) && !isID(c) }},
	}}
	group = role{"group", "group-column", (*column).sizes, 3, func(c *column) bool {
		return c.unit() && len(c.values) > 2 || c.again()
	}, []clue{
		{4, (*column).again}, {4, called(subjectWords)}, {3.5, isID},
		{3, func(c *column) bool { return c.kind == text && len(c.values) > most }},
	}}
	times = role{"time", "time", (*column).holds, 0, func(c *column) bool {
		return c.numeric() && c.least >= 0 && len(c.values) > most/2 && c.missing == 0 && c.among(timeWords)
	}, nil}
	event = role{"event", "event", (*column).holds, 0, func(c *column) bool {
		return c.two() && c.missing == 0 && c.among(eventWords)
	}, nil}
	label = role{"label", "label-column", (*column).holds, 2, func(c *column) bool {
		return len(c.values) > 1 && (c.numeric() || c.two()) && !c.rises
	}, []clue{
		{10, func(c *column) bool { return c.known == "label" }}, {3, called(labelWords)}, {-3, called(inputWords)},
		{1, (*column).numeric}, {2, (*column).two}, {-5, isID},
		{1, func(c *column) bool { return c.kind == whole && c.least >= 0 && c.most <= 10 && len(c.values) <= 6 }},
		{2, isLast}, {0.5, func(c *column) bool { return c.at == 0 }},
		{-3, func(c *column) bool { return c.missing > 0 }},
	}}
	id = role{"id", "id-column", (*column).holds, 2, func(c *column) bool {
		return c.missing == 0 && (c.kind == whole || c.kind == text)
	}, []clue{
		{3, func(c *column) bool { return c.known == "id" }}, {2, isText},
		{2, func(c *column) bool { return isID(c) || c.rises }},
	}}
	weight = role{"weight", "weight-column", (*column).holds, 0, func(c *column) bool {
		name := doubt.Names([]string{c.name}, nil)
		return len(name) > 0 && name[0].Kind == doubt.DoubtWeight && c.numeric() && c.least >= 0 && c.most > 0 &&
			c.missing == 0
	}, nil}
)

func isText(c *column) bool { return c.kind == text }
func isID(c *column) bool   { return doubt.LikeID(c.name) }
func isLast(c *column) bool { return c.last }

// unit reports whether the values are those of units, as queries are, which come again.
func (c *column) unit() bool { return c.repeats() && (c.kind == whole || c.kind == text) && !c.two() }

// again reports whether a well-known name of rows stands above values that come again.
func (c *column) again() bool { return c.known == "id" && c.missing == 0 && !c.distinct() }

// points are those of a column.
func (of role) points(c *column) (sum float64) {
	for _, clue := range of.clues {
		if clue.is(c) {
			sum += clue.points
		}
	}
	return sum
}

// scored is a column with its points for a role.
type scored struct {
	*column
	points float64
}

// find takes a column for a role, and returns it: the one that an option gives, or the only one with a well-known name;
// else the best guess, nil where there is none. Guesses are the free columns that show what they must, and also, with
// enough points, the best first.
func (r *reading) find(of role, also evidence) (first *column, guessed []scored) {
	var known []*column
	for k, c := range r.columns {
		switch {
		case c.given == of.noun:
			return c, nil
		case r.taken[k]:
			continue
		case c.known == of.noun:
			known = append(known, c)
		}
		if !of.must(c) || also != nil && !also(c) {
			continue
		}
		if points := of.points(c); points >= of.least {
			guessed = append(guessed, scored{c, points})
		}
	}
	if len(known) == 1 {
		first, guessed = known[0], nil
	} else if guessed != nil {
		slices.SortStableFunc(guessed, func(a, b scored) int { return cmp.Compare(b.points, a.points) })
		first = guessed[0].column
	}
	if first != nil {
		r.taken[first.at] = true
	}
	return first, guessed
}
