package table

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"pairrank/internal/doubt"
)

// role is what a column of a table is for.
type role int

const (
	feature role = iota
	label
	query
	id
	group
	fold
	factor
	ignored
	rowNames // a first column without a name, which names the rows
)

// nouns name what a column of a role is.
var nouns = [...]string{label: "label", query: "query", id: "id", group: "group", fold: "fold", factor: "factor",
	feature: "feature", ignored: "ignored", rowNames: "id"}

// known are the names by which a column of a role is found, in the form of plain.
var known = map[role][]string{
	label: {"label", "y", "target", "relevance", "grade", "outcome", "class"},
	query: {"qid", "query_id", "query", "srch_id"},
	// only where features are held apart: in a plain table these are names of features, too
	group: {"group"},
	fold:  {"fold"},
}

// known reports whether a column of the name has the role, if no option says so.
func (r role) known(name string) bool {
	if r == id {
		return doubt.NamesRows(name)
	}
	return slices.Contains(known[r], plain(name))
}

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

// byName gives columns the roles that well-known names stand for.
func (l *layout) byName() error {
	roles := []role{label, query, id}
	if l.heading.apart {
		roles = append(roles, group, fold)
	}
	for _, r := range roles {
		if l.has(r) || r == label && l.opts.NoLabel {
			continue
		}
		if err := l.known(r); err != nil {
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
				err = &AmbiguousError{nouns[r]}
			}
			err = l.fault(k, err, "columns %d and %d may both be the %s: the columns are %s", at+1, k+1, nouns[r],
				l.listed())
			if err = l.opts.check.pass(FaultColumns, err); err != nil {
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
			if err = l.opts.check.pass(FaultColumns, err); err != nil {
				return err
			}
			l.roles[k] = ignored
		}
	}
	return nil
}

// selected finds the columns that an item of a list means: a name; else a number from 1; else a
// range a:z of names or numbers; else a pattern with '*' or '?'.
func (h *heading) selected(item string) ([]int, error) {
	if h.lead > 0 && h.lead < len(h.names) { // lists are of features first
		if k := slices.Index(h.names[h.lead:], item); k >= 0 {
			k += h.lead
			return []int{k}, h.alone(k)
		}
	}
	if h.find(item) >= 0 {
		k, err := h.one(item)
		return []int{k}, err
	}
	if from, to, is := strings.Cut(item, ":"); is {
		first, twice := h.one(from)
		last, again := h.one(to)
		switch err := cmp.Or(twice, again); {
		case first >= 0 && last >= 0 && err != nil:
			return nil, err
		case first >= 0 && last >= first:
			return span(first, last+1), nil
		}
		return nil, h.fault(-1, nil, "no columns %q among %d", item, h.count)
	}
	if found := h.matching(item); found != nil {
		return found, nil
	}
	return nil, h.fault(-1, nil, "no column %q among %d", item, h.count)
}

// matching are the columns whose names a pattern with '*' or '?' matches.
func (h *heading) matching(pattern string) (found []int) {
	if !strings.ContainsAny(pattern, "*?") {
		return nil
	}
	pattern = strings.NewReplacer(`\`, `\\`, "[", `\[`, "/", "\x00").Replace(pattern)
	for k, name := range h.names {
		if is, _ := path.Match(pattern, strings.ReplaceAll(name, "/", "\x00")); is {
			found = append(found, k)
		}
	}
	return found
}

// span are the numbers lo … hi−1.
func span(lo, hi int) []int {
	all := make([]int, hi-lo)
	for k := range all {
		all[k] = lo + k
	}
	return all
}

// one returns the column that an option names. It returns an error where there is none, −1, or where several have the
// name, the first of them.
func (h *heading) one(which string) (int, error) {
	k := h.find(which)
	if k < 0 {
		return k, h.fault(-1, nil, "no column %q among %d", which, h.count)
	}
	if h.names != nil && h.names[k] == which && k >= h.lead { // an array is not one of the features of its archive
		return k, h.alone(k)
	}
	return k, nil
}

// alone is an error where a column after k has the name of k.
func (h *heading) alone(k int) error {
	again := slices.Index(h.names[k+1:], h.names[k])
	if again < 0 {
		return nil
	}
	return h.fault(k+1+again, nil, "columns %d and %d have this name: say which one by its number", k+1-h.lead,
		k+2+again-h.lead)
}

// find returns the column of a name or, where no column has it, of a number from 1; −1 for none.
func (h *heading) find(which string) int {
	if k, is := h.at[which]; is {
		return k
	}
	if k, err := strconv.Atoi(which); err == nil && k >= 1 && k <= h.count-h.lead {
		return h.lead + k - 1
	}
	return -1
}
