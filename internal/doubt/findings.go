package doubt

import (
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/internal/equal"
)

// Finding is something about the rows and queries of a set that is probably not meant.
type Finding int

const (
	FindSingles  Finding = iota // queries of one row
	FindOneLabel                // queries with one label
	FindApart                   // queries between whose rows those of others stand
	FindEqual                   // rows with the features of an earlier row of the query
	findings
)

// Text says what was found so many times; its first place stands behind it.
func (f Finding) Text(n int) string {
	texts := [...][2]string{
		FindSingles: {"query has one row, nothing to compare; first",
			"queries have one row, nothing to compare; first"},
		FindOneLabel: {"query has one label in all rows; first", "queries have one label in all rows; first"},
		FindApart: {"query has rows of other queries in between; first",
			"queries have rows of other queries in between; first"},
		FindEqual: {"row has the same features as an earlier row of the query; first",
			"rows have the same features as an earlier row of the query; first"},
	}[f]
	if n == 1 {
		return "1 " + texts[0]
	}
	return fmt.Sprintf("%d %s", n, texts[1])
}

// AllText says that there is nothing to compare in so many rows whose labels are all the same; "" where there is.
func AllText(rows int, least, most float64) string {
	switch {
	case rows == 1:
		return "there is only one row, nothing to compare"
	case least == most:
		return fmt.Sprintf("all %d labels are %g, nothing to compare", rows, least)
	}
	return ""
}

// Findings returns in words what is found about the rows and queries of a set, each with its first place. A label of
// NaN is not known, and is like any other. It costs O(m) besides EqualRows.
func Findings(s *data.Set) (all []string) {
	m, _ := s.X.Dims()
	if m == 0 {
		return nil
	}
	least, most := math.Inf(1), math.Inf(-1)
	for _, y := range s.Y {
		if y == y {
			least, most = min(least, y), max(most, y)
		}
	}
	if text := AllText(m, least, most); text != "" {
		all = append(all, text)
	}
	var counts [findings]int
	first := [findings]int{m, m, m, m} // rows
	add := func(f Finding, row int) {
		counts[f]++
		first[f] = min(first[f], row)
	}
	if s.HasQID { // of a list Repeats tells what is not ordinary
		findInQueries(s, add)
	}
	for f, n := range counts {
		if n == 0 {
			continue
		}
		text := fmt.Sprintf("%s: row %d", Finding(f).Text(n), s.Number(first[f])+1)
		if s.HasQID {
			text += fmt.Sprintf(", query %q", s.Queries.ID(int(s.Queries.Of()[first[f]])))
		}
		all = append(all, text)
	}
	return all
}

// findInQueries tells add what it finds, with its row.
func findInQueries(s *data.Set, add func(f Finding, row int)) {
	for q := range s.Queries.Len() {
		rows := s.Queries.Part(q)
		switch {
		case len(rows) == 1:
			add(FindSingles, int(rows[0]))
		case len(rows) > 1 && oneLabel(s, rows):
			add(FindOneLabel, int(rows[0]))
		}
		for k := 1; k < len(rows); k++ {
			if rows[k] > rows[k-1]+1 {
				add(FindApart, int(rows[k]))
				break
			}
		}
	}
	of, seen := s.Queries.Of(), map[[2]int32]bool{}
	for i, class := range equal.Rows(s.X) {
		key := [2]int32{of[i], class}
		if seen[key] {
			add(FindEqual, i)
		}
		seen[key] = true
	}
}

// oneLabel reports whether rows have the same label.
func oneLabel(s *data.Set, rows []int32) bool {
	for _, i := range rows {
		if s.Y[i] != s.Y[rows[0]] {
			return false
		}
	}
	return true
}
