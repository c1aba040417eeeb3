package table

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"pairrank/internal/cellfault"
	"pairrank/internal/doubt"
)

// plain is a name in small letters, with '_' for blanks, points and dashes.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '.', '-':
			return '_'
		}
		return unicode.ToLower(r)
	}, strings.TrimSpace(name))
}

// unnamed reports whether a column of a header has no name: an empty one, which R and pandas write
// above a row index, or the one that pandas gives such a column when it reads it.
func unnamed(name string) bool {
	number, is := strings.CutPrefix(name, "Unnamed: ")
	if !is {
		return strings.TrimSpace(name) == ""
	}
	_, err := strconv.Atoi(number)
	return err == nil
}

// known reports whether a column of the name has the role, if no option says so.
func (r role) known(name string) bool {
	if r == id {
		return doubt.NamesRows(name)
	}
	return slices.Contains(roleTable[r].known, plain(name))
}

// byName gives columns the roles that well-known names stand for.
func (l *layout) byName() error {
	for _, r := range named {
		give := l.known
		switch {
		case r == label && l.has(timed):
			give = l.beside
		case l.has(r), r == label && l.opts.NoLabel, roleTable[r].apart && !l.heading.apart:
			continue
		}
		if err := give(r); err != nil {
			return err
		}
	}
	if !l.heading.apart {
		return l.withoutName()
	}
	for k := range l.lead {
		if l.roles[k] == feature {
			l.roles[k] = ignored
		}
	}
	return nil
}

// known gives a role to the column with a well-known name of it.
func (l *layout) known(r role) error {
	at := -1
	for k, name := range l.heading.names {
		switch {
		case !l.free(k) || !r.known(name),
			!l.heading.apart && slices.Contains(l.opts.Names, name):
		case at < 0:
			at = k
		default:
			var err error = ErrNoLabel
			if r != label {
				err = &AmbiguousError{r.noun()}
			}
			err = l.fault(k, err, "columns %d and %d may both be the %s: the columns are %s", at+1, k+1, r.noun(),
				l.listed())
			if err = l.opts.check.pass(cellfault.Columns, err); err != nil {
				return err
			}
			l.roles[at], l.roles[k] = ignored, ignored
			l.unsure = l.unsure || r == label
		}
	}
	if at >= 0 && l.roles[at] == feature {
		l.roles[at] = r
	}
	return nil
}

// beside refuses a column with a well-known name of labels, which times are in the place of.
func (l *layout) beside(r role) error {
	for k, name := range l.heading.names {
		if !l.free(k) || !r.known(name) || !l.heading.apart && slices.Contains(l.opts.Names, name) {
			continue
		}
		err := l.fault(k, &AmbiguousError{timed.noun()},
			"column %s is named as labels are, and times are in their place", quotedID(name))
		if err = l.opts.check.pass(cellfault.Columns, err); err != nil {
			return err
		}
		l.roles[k] = ignored
	}
	return nil
}

// withoutName gives a first column without a name the names of the rows, and refuses others.
func (l *layout) withoutName() error {
	if l.count > 0 && unnamed(l.heading.names[0]) && l.roles[0] == feature {
		if l.roles[0] = rowNames; l.has(id) {
			l.roles[0] = ignored
		}
	}
	for k, name := range l.heading.names {
		if unnamed(name) && l.roles[k] == feature {
			err := l.fault(k, ErrUnnamed, "column %d has no name, like an index that R or pandas wrote", k+1)
			if err = l.opts.check.pass(cellfault.Columns, err); err != nil {
				return err
			}
			l.roles[k] = ignored
		}
	}
	return nil
}

// checkIndex refuses a first column without a name that does not name the rows.
func (g *gathered) checkIndex() error {
	k := slices.Index(g.roles, rowNames)
	if k < 0 {
		return nil
	}
	known := make(map[string]int, len(g.ids))
	for i, name := range g.ids {
		x, number := parseNumber(name)
		switch first, twice := known[name]; {
		case twice:
			return g.fault(k, ErrUnnamed, "column %d has no name, and names no rows: rows %d and %d have %s", k+1, first+1,
				i+1, quotedID(name))
		case number && x != math.Trunc(x):
			return g.fault(k, ErrUnnamed, "column %d has no name, and names no rows: row %d has %s", k+1, i+1,
				quotedID(name))
		}
		known[name] = i
	}
	return nil
}
