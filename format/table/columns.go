package table

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/internal/cellfault"
)

// ErrNoLabel is wrapped by the error of ReadSet about a table in which neither a name nor
// Options.Label identifies one column of labels.
var ErrNoLabel = errors.New("no column of labels")

// ErrUnnamed is wrapped by the error of ReadSet about a column without a name under a header that
// does not name the rows.
var ErrUnnamed = errors.New("a column without a name")

// AmbiguousError is wrapped by the error of ReadSet about two columns that may both have a role:
// "query" or "id", or "time" where labels stand beside times. Two that may be the label are ErrNoLabel.
type AmbiguousError struct{ Role string }

// Error says what is ambiguous.
func (e *AmbiguousError) Error() string { return "two columns may be the " + e.Role }

// heading is what is known of the columns of a table before its rows are read.
type heading struct {
	names []string // nil where the table has no header
	count int
	// apart says that the format holds features apart: they are the columns from lead on. bare says that
	// they have no names.
	apart, bare bool
	lead        int
	levels      [][]string     // by column: the texts that its numbers from 0 stand for; nil where none does
	first       []string       // texts of the first line, for errors
	at          map[string]int // the first column of a name
	// fault makes an error about a column, or the table as a whole for −1.
	fault func(k int, err error, format string, args ...any) error
}

// layout says what each column of a table is.
type layout struct {
	*heading
	opts   Options
	roles  []role
	places []int // of features in a row of the matrix
	// factors are those of the columns with this role, by column; nil otherwise.
	factors []*levels
	unsure  bool     // two columns may be the label
	width   int      // of the matrix, but for levels that are not known yet
	names   []string // of the features, likewise; nil where they have none
	schema  data.Schema
}

// levels are the levels of a factor.
type levels struct {
	data.Factor
	places []int // of the features of known levels; nil where the rows tell the levels
	at     int   // where the features of unknown levels begin
	number map[string]int
}

// lay finds the role and the place of every column.
func lay(h *heading, opts Options) (*layout, error) {
	h.at = make(map[string]int, len(h.names))
	for k, name := range slices.Backward(h.names) {
		h.at[name] = k
	}
	l := &layout{heading: h, opts: opts, roles: make([]role, h.count), places: make([]int, h.count),
		factors: make([]*levels, h.count)}
	if err := l.findRoles(); err != nil {
		return nil, err
	}
	if err := l.only(); err != nil {
		return nil, err
	}
	if err := l.opts.check.pass(cellfault.Columns, l.checkLabel()); err != nil {
		return nil, err
	}
	if err := l.checkNames(); err != nil {
		return nil, err
	}
	l.describe()
	if l.named() && len(opts.Names) > 0 && !slices.Contains(opts.Names, "") {
		return l, l.placeByName()
	}
	return l, l.place()
}

// findRoles finds the role of every column: from the options, then from the schema of a model, then from
// well-known names.
func (l *layout) findRoles() error {
	if o := l.opts; (o.Times.Column == "") != (o.Times.Event == "") || o.Times.Column != "" && o.Label != "" {
		return l.fault(-1, nil, "times need a column of times and one of events, and no labels")
	}
	if err := l.asked(); err != nil {
		return err
	}
	if bare := l.heading.names == nil && l.opts.MayLackLabel && l.count == l.opts.Features; l.opts.Schema != nil && !bare {
		l.remembered(l.opts.Schema)
	}
	if l.heading.names != nil {
		return l.byName()
	}
	if k := slices.Index(l.roles, factor); k >= 0 {
		return l.fault(k, nil, "a factor needs a header, whose name its features get")
	}
	return nil
}

// named reports whether all features have names.
func (h *heading) named() bool {
	return h.names != nil && !h.bare && (!h.apart || !slices.Contains(h.names[h.lead:], ""))
}

// asked gives columns the roles that the options name.
func (l *layout) asked() error {
	for _, list := range []struct {
		items []string
		role  role
	}{{l.opts.Ignore, ignored}, {l.opts.Factors, factor}} {
		for _, item := range list.items {
			found, err := l.selected(item)
			if err != nil {
				return err
			}
			for _, k := range found {
				if err := l.give(k, list.role); err != nil {
					return err
				}
			}
		}
	}
	for k, levels := range l.heading.levels {
		if levels != nil && l.roles[k] != ignored {
			l.roles[k] = factor
		}
	}
	for _, r := range named {
		which := l.opts.asked(r)
		if which == "" {
			continue
		}
		k, err := l.one(which)
		if err == nil {
			err = l.give(k, r)
		}
		if err != nil {
			return err
		}
	}
	for _, column := range slices.Sorted(maps.Keys(l.opts.MissingIn)) {
		if _, err := l.one(column); err != nil {
			return err
		}
	}
	return nil
}

// give gives a column a role; it can have one only.
func (l *layout) give(k int, r role) error {
	switch old := l.roles[k]; {
	case old == r || old == feature:
		l.roles[k] = r
		return nil
	case old == ignored:
		return l.fault(k, nil, "this column is ignored, but is also the %s", r.noun())
	default:
		return l.fault(k, nil, "this column is both the %s and the %s", r.noun(), old.noun())
	}
}

// has reports whether a column has the role.
func (l *layout) has(r role) bool { return slices.Contains(l.roles, r) }

// free reports whether column k may get a role by its name.
func (l *layout) free(k int) bool {
	return l.roles[k] == feature && !l.held(k) && !slices.Contains(l.opts.Only, l.called(k))
}

// held reports whether a column is one of the features that a format holds apart.
func (h *heading) held(k int) bool { return h.apart && k >= h.lead }

// remembered gives columns the roles of those with the same names in the table of the training. A name that features of
// the model have, too, does not say which column it means.
func (l *layout) remembered(s *data.Schema) {
	features := make(map[string]bool, len(l.opts.Names))
	for _, name := range l.opts.Names {
		features[name] = true
	}
	take := func(name string, r role) {
		if features[name] {
			return
		}
		k := l.recalled(name)
		if k >= 0 && (l.free(k) || (r == ignored || r == factor) && l.held(k) && l.roles[k] == feature) {
			l.roles[k] = r
		}
	}
	for _, r := range named {
		if to := l.again(r); !l.has(r) {
			take(l.opts.remembered(r), to)
		}
	}
	for _, name := range s.Ignored {
		take(name, ignored)
	}
	for _, f := range s.Factors {
		take(f.Column, factor)
	}
}

// again is the role that a column gets which had one in the training: weights count in a
// training alone, that of labels is ignored beside times, and stays what it is where labels are not read.
func (l *layout) again(r role) role {
	switch {
	case r == weigh, r == label && l.has(timed):
		return ignored
	case r == label && l.opts.NoLabel:
		return feature
	}
	return r
}

// recalled returns the column that called named so, −1 where there is none.
func (l *layout) recalled(name string) int {
	if k, is := l.at[name]; is && name != "" {
		return k
	}
	number, err := strconv.Atoi(name)
	k := l.lead + number - 1
	if err == nil && number >= 1 && k < l.count && (l.heading.names == nil || unnamed(l.heading.names[k])) {
		return k
	}
	return -1
}

// only ignores the features that Options.Only does not select.
func (l *layout) only() error {
	if l.opts.Only == nil {
		return nil
	}
	l.schema.Selected = true
	kept := make([]bool, l.count)
	for _, item := range l.opts.Only {
		found, err := l.selected(item)
		if err != nil {
			return err
		}
		for _, k := range found {
			kept[k] = true
			if r := l.roles[k]; len(found) == 1 && r != feature && r != factor {
				return l.fault(k, nil, "this column is a feature, but is also the %s", r.noun())
			}
			if l.find(item) == k || l.called(k) == item {
				l.schema.Accepted = append(l.schema.Accepted, l.called(k))
			}
		}
	}
	for k, r := range l.roles {
		if r == feature && !kept[k] {
			l.roles[k] = ignored
		}
	}
	return nil
}

// checkLabel refuses a table of which no column is the label, where there must be one.
func (l *layout) checkLabel() error {
	const at = -1 // the table as a whole
	switch {
	case l.has(label) || l.has(timed) || l.unsure || l.opts.NoLabel ||
		l.opts.MayLackLabel && (l.heading.names != nil || l.count == l.opts.Features):
		return nil
	case l.heading.names == nil:
		return l.fault(at, ErrNoLabel, "there is no header that names the labels: columns 1 … %d begin with %s",
			l.count, l.listed())
	case l.opts.Schema != nil && l.opts.Schema.Label != "":
		return l.fault(at, ErrNoLabel, "no column is named %q, as the labels of the training: the columns are %s",
			l.opts.Schema.Label, l.listed())
	}
	if l.count == 1 {
		return l.fault(at, ErrNoLabel, "the table has one column, %s, and none of labels: commas, semicolons, tabs or "+
			"blanks stand between columns", l.listed())
	}
	return l.fault(at, ErrNoLabel, "no column has a name of labels (%s): the columns are %s",
		strings.Join(roleTable[label].known, ", "), l.listed())
}

// checkNames refuses names that are not UTF-8, which no model can keep. Names of features are refused
// by a check alone: a table with such names can be converted.
func (l *layout) checkNames() error {
	for k, name := range l.heading.names {
		err := checkText(name)
		if r := l.roles[k]; err == nil || r == ignored || r == feature && l.opts.check == nil {
			continue
		}
		err = l.fault(k, err, "the name of column %d is not UTF-8", k+1)
		if err = l.opts.check.pass(cellfault.Encoding, err); err != nil {
			return err
		}
	}
	return nil
}

// listed is the texts of the first line.
func (l *layout) listed() string {
	return listed(len(l.first), ", ", func(k int) string { return quotedID(l.first[k]) })
}

// called returns the name of a column, or its number where it has none.
func (l *layout) called(k int) string {
	if l.heading.names != nil && !unnamed(l.heading.names[k]) {
		return l.heading.names[k]
	}
	return strconv.Itoa(k + 1 - l.lead)
}

// describe sets the schema, but for what the rows tell.
func (l *layout) describe() {
	s := &l.schema
	for k, r := range l.roles {
		switch column := roleTable[r].column; {
		case column != nil:
			*column(s) = l.called(k)
		case r == ignored:
			s.Ignored = append(s.Ignored, l.called(k))
		}
	}
}
