package guess

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// names are the columns that may name items, the first twenty: texts that come again, and numbers that are named as ids
// are.
func (s *sheet) names() (all []*column) {
	for _, c := range s.columns {
		if c.repeats() && (c.kind == text || c.kind == whole && isID(c)) {
			all = append(all, c)
		}
	}
	return all[:min(len(all), most)]
}

// comparisons looks for two columns with the same names, never the same one in a row, and the outcome beside them.
func (s *sheet) comparisons() *Guess {
	names := s.names()
	for k, a := range names {
		for _, b := range names[k+1:] {
			if !a.like(b) {
				continue
			}
			g := &Guess{Verb: "leaderboard"}
			if s.outcome(g, a, b) {
				return g
			}
		}
	}
	return nil
}

// like reports whether two columns share half of their values, and hardly ever a row has the same one in both.
func (c *column) like(other *column) bool {
	number := map[string]int32{}
	for v, value := range other.values {
		number[value] = int32(v)
	}
	shared, same := 0, 0
	for _, value := range c.values {
		if _, is := number[value]; is {
			shared++
		}
	}
	for i, v := range c.of {
		if w, is := number[c.values[v]]; is && w == other.of[i] {
			same++
		}
	}
	return len(c.values) > 2 && 2*shared >= min(len(c.values), len(other.values)) && 50*same <= len(c.of)
}

// outcome finds what says who won: the name of the winner, a side, two scores, or a probability; else the two columns
// are the winner and the loser, where a board is asked for.
func (s *sheet) outcome(g *Guess, a, b *column) bool {
	sides := func() {
		items := fmt.Sprintf("%d names, of which both columns have most", len(a.values))
		g.column("left", "left", a, items)
		g.column("right", "right", b, items)
	}
	winner := slices.IndexFunc(s.columns, func(c *column) bool {
		return c != a && c != b && (s.wins(c, a, b) || c.side())
	})
	numbers := s.numbers([]*column{a, b})
	switch n := len(numbers); {
	case winner >= 0:
		sides()
		g.column("winner", "winner", s.columns[winner], s.columns[winner].holds())
	case n == 0 && s.Board:
		g.column("winner", "winner", a, a.sizes())
		g.column("loser", "loser", b, b.sizes())
	case n > 1 && numbers[n-2].scale(numbers[n-1]):
		sides()
		g.column("score-left", "its score", numbers[n-2], numbers[n-2].holds())
		g.column("score-right", "the other score", numbers[n-1], numbers[n-1].holds())
	case n == 1 && (numbers[0].most <= 1 || numbers[0].least < 0):
		sides()
		is := map[bool]string{true: "margin", false: "probability"}[numbers[0].least < 0]
		g.column("outcome", "outcome for the left, a "+is, numbers[0], numbers[0].holds())
		g.Options = append(g.Options, Option{"outcome-is", is})
	default:
		return false
	}
	return true
}

// numbers are the columns that may be scores or values, without some.
func (s *sheet) numbers(but []*column) (all []*column) {
	for _, c := range s.columns {
		if c.numeric() && len(c.values) > 1 && !c.rises && !(c.kind == whole && isID(c)) && !slices.Contains(but, c) {
			all = append(all, c)
		}
	}
	return all
}

// wins reports whether a column names one of the two of its row nearly everywhere, and not always the same side.
func (s *sheet) wins(c, a, b *column) bool {
	left, right := 0, 0
	for i, v := range c.of {
		switch {
		case v < 0:
		case a.of[i] >= 0 && c.values[v] == a.values[a.of[i]]:
			left++
		case b.of[i] >= 0 && c.values[v] == b.values[b.of[i]]:
			right++
		}
	}
	return left > 0 && right > 0 && 2*(left+right) >= s.rows
}

// side reports whether the values are words for the sides of a comparison.
func (c *column) side() bool {
	words := strings.Fields("left right a b tie draw home away h d model_a model_b 1 2 both none x")
	numbers := c.kind == whole && c.least == 1 && c.among(judgeWords)
	return len(c.values) >= 2 && len(c.values) <= 4 && (c.kind == text || numbers) &&
		!slices.ContainsFunc(c.values, func(value string) bool { return !slices.Contains(words, strings.ToLower(value)) })
}

// scale reports whether the numbers of two columns lie in about the same range.
func (c *column) scale(other *column) bool {
	const ratio = 4
	mine, others := c.most-c.least, other.most-other.least
	return c.least <= other.most && other.least <= c.most && mine <= ratio*others && others <= ratio*mine
}

// scores looks for a long table of scores, or of edges: each pair of two names has a line, and a number.
func (s *sheet) scores() *Guess {
	names := s.names()
	numbers := s.numbers(names)
	if len(numbers) == 0 || slices.ContainsFunc(s.columns, (*column).labels) ||
		!s.Board && (len(names) != 2 || len(numbers) != 1 || len(s.columns) > 4) {
		return nil
	}
	value := slices.MaxFunc(numbers, func(a, b *column) int { return cmp.Compare(label.points(a), label.points(b)) })
	for k, a := range names {
		for _, b := range names[k+1:] {
			// most pairs of names have at most one row, and a quarter of all pairs has one
			if n := pairs(a, b); 20*n >= 19*s.rows && 4*n >= len(a.values)*len(b.values) {
				return s.scored(a, b, value)
			}
		}
	}
	return nil
}

// labels reports whether an option gives the column a role, or its name says that it has the labels of rows.
func (c *column) labels() bool { return c.given != "" || c.known == "label" }

// scored is a table of scores: the fewer names are those of systems, if no name says which are.
func (s *sheet) scored(a, b, value *column) *Guess {
	g := &Guess{Verb: "leaderboard"}
	if len(s.columns) == 3 && a.at == 0 && b.at == 1 {
		g.Edges = [2][]string{a.values, b.values}
	}
	if b.among(systemWords) || !a.among(systemWords) && len(b.values) < len(a.values) {
		a, b = b, a
	}
	g.column("system-column", "system", a, a.sizes())
	g.column("item-column", "item", b, b.sizes())
	g.column("score-column", "score", value, value.holds())
	return g
}

// pairs is how many pairs of values stand in a row of two columns.
func pairs(a, b *column) int {
	seen := map[[2]int32]bool{}
	for i, v := range a.of {
		seen[[2]int32{v, b.of[i]}] = true
	}
	return len(seen)
}

// wide looks for a table of scores with a column for each system: names of items, and numbers of one scale.
func (s *sheet) wide() *Guess {
	items := s.columns[0]
	if len(s.columns) < 3 || !items.distinct() || items.kind != text && !items.rises && !isID(items) {
		return nil
	}
	systems := s.columns[1:]
	shared := systems[0].name
	for _, c := range systems {
		if !c.numeric() || c.labels() || !c.scale(systems[0]) {
			return nil
		}
		for !strings.HasPrefix(c.name, shared) {
			shared = shared[:len(shared)-1]
		}
	}
	alike := len(strings.Trim(shared, " _-.0123456789")) > 2 && len(systems) > 2
	if !s.Board && (!alike || s.turned() != nil) {
		return nil
	}
	g := &Guess{Verb: "leaderboard", Options: []Option{{"wide", "systems"}}}
	g.column("item-column", "item", items, items.holds())
	g.say("%d columns of systems with scores of one scale: %s and others", len(systems), systems[0].name)
	return g
}
