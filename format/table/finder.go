package table

import (
	"fmt"
	"slices"
)

// columnNames are what a column is called, and the names by which it is found, in the form of plain; also are looked
// for where no column has one of the names. A name with points is a path in objects of JSON.
type columnNames struct {
	noun        string
	names, also []string
}

// knows reports whether a column of the name may be found by it.
func (c *columnNames) knows(name string) bool {
	return slices.Contains(c.names, plain(name)) || slices.Contains(c.also, plain(name))
}

// finder finds the columns of a header: first those that options name, then others by their names.
type finder struct {
	*lines
	first []field
	head  *heading
	taken []bool // the columns that have a role
	holds []bool // the columns that hold objects or lists, which are not found by name; nil where they are
}

func (l *lines) finder(first []field) *finder {
	h := &heading{count: len(first), at: map[string]int{}, names: make([]string, len(first))}
	for k, f := range slices.Backward(first) {
		h.at[f.text], h.names[k] = k, f.text
	}
	h.fault = func(k int, _ error, format string, args ...any) error {
		if k < 0 {
			return l.fault(field{col: 1}, "%s: the columns are %s", fmt.Sprintf(format, args...), headerTexts(first))
		}
		return l.fault(first[k], format, args...)
	}
	return &finder{lines: l, first: first, head: h, taken: make([]bool, len(first))}
}

// take gives a role to a column that an option names, which has no other one.
func (f *finder) take(which string) (int, error) {
	k, err := f.head.one(which)
	if err != nil {
		return 0, err
	}
	if f.taken[k] {
		return 0, f.fault(f.first[k], "this column has two roles")
	}
	f.taken[k] = true
	return k, nil
}

// given takes the columns that options name, by role: at is where they are, −1 for none.
func (f *finder) given(which []string, at []int) (err error) {
	for role, which := range which {
		at[role] = -1
		if which == "" {
			continue
		}
		if at[role], err = f.take(which); err != nil {
			return err
		}
	}
	return nil
}

// clusters are the columns of clusters, which may have another role, too: given ones, or that of this name.
func (f *finder) clusters(given []string) (columns []int, err error) {
	for k, c := range f.first {
		if given == nil && plain(c.text) == "cluster" {
			columns = []int{k}
		}
	}
	for _, which := range given {
		k, err := f.head.one(which)
		if err != nil {
			return nil, err
		}
		columns = append(columns, k)
	}
	return columns, nil
}

// byName finds columns that have no role by their names.
func (f *finder) byName(roles []columnNames, at []int) error {
	for role, known := range roles {
		for _, names := range [][]string{known.names, known.also} {
			if at[role] >= 0 {
				break
			}
			for k, c := range f.first {
				if f.taken[k] || f.holds != nil && f.holds[k] ||
					!slices.Contains(names, plain(c.text)) && !slices.Contains(names, c.text) {
					continue
				}
				if at := at[role]; at >= 0 {
					return f.fault(c, "columns %d and %d may both be the %s: the columns are %s", at+1, k+1, known.noun,
						headerTexts(f.first))
				}
				at[role], f.taken[k] = k, true
			}
		}
	}
	return nil
}

// headerTexts lists the fields of a header.
func headerTexts(fields []field) string {
	return listed(len(fields), ", ", func(k int) string { return quotedID(fields[k].text) })
}
