package incidence

import "pairrank/data"

// Source has the lines of a board: Rows, or where these are nil Compact.
type Source struct {
	Rows    []data.Comparison
	Compact *data.Comparisons
}

// Len is the number of lines.
func (s Source) Len() int {
	if s.Rows != nil {
		return len(s.Rows)
	}
	return s.Compact.Len()
}

// At is line c, or where it is compact a copy: the compiler writes it in place, so that none is on the heap.
func (s Source) At(c int) *data.Comparison {
	if s.Rows != nil {
		return &s.Rows[c]
	}
	return s.Compact.LineTo(new(data.Comparison), c)
}

// Items are those of line c.
func (s Source) Items(c int) (left, right int) {
	if s.Rows != nil {
		return s.Rows[c].Left, s.Rows[c].Right
	}
	return s.Compact.Items(c)
}
