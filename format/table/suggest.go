package table

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pairrank/format/table/internal/guess"
	"pairrank/internal/gaps"
)

// Suggest guesses what a table is, by its first 10,000 rows, or fewer of many columns: a verb of pairrank with names
// and values of its options, and what is said of the columns, with the evidence. Roles that opts give are kept. asked
// is the verb that a user asks for: leaderboard ranks items, stream train reads rows once, and others learn from rows.
// The verb is empty where nothing can be said. Nothing is read by a guess. It returns the error of a file that is no
// table. It costs O(cells).
func Suggest(path string, opts Options, asked string) (verb string, options [][2]string, says []string,
	err error) {
	cut := false
	t, err := reading(func(l *lines) (t *guess.Table, err error) {
		t, cut, err = firstRows(l, opts)
		return t, err
	})(openShape(path, opts.Separator, opts.MaxLine))
	switch {
	case err != nil || len(t.Rows) == 0:
		return "", nil, nil, err
	case isSparse(t.Names) || isSparse(t.Rows[0]):
		return "train", [][2]string{{"format", "svmlight"}}, []string{"SVMlight text"}, nil
	}
	t.Board, t.Once = asked == "leaderboard", asked == "stream train"
	g := guess.Look(t)
	if g == nil {
		return "", nil, nil, nil
	}
	if g.Edges[0] != nil && !t.Board {
		if options, says := nodesBeside(path, t.Names, g.Edges); options != nil {
			return "relation train", options, says, nil
		}
	}
	for _, o := range g.Options {
		options = append(options, [2]string{o.Name, o.Value})
	}
	if says = g.Says; cut {
		says = append(says, "by the first "+strconv.Itoa(len(t.Rows))+" rows")
	}
	return g.Verb, options, says, nil
}

// firstRows reads the first rows of a table; cut says that there are more.
func firstRows(l *lines, opts Options) (t *guess.Table, cut bool, err error) {
	const most, cells = 10000, 1 << 21
	l.decimal = opts.decimal()
	first, err := l.next()
	if err != nil {
		return nil, false, err
	}
	t = &guess.Table{Names: cellsOf(first), Turned: opts.Transpose, Roles: opts.rolesOf, Read: l.cell}
	if t.Bare = !l.named() && numeric(first); t.Bare {
		t.Rows, t.Names = append(t.Rows, t.Names), numbers(len(first))
	}
	for len(t.Rows) < most && len(t.Rows)*len(t.Names) < cells {
		fields, err := l.next()
		if err == io.EOF {
			return t, false, nil
		}
		if err != nil {
			return nil, false, err
		}
		if len(t.Rows) == 0 && len(fields) == len(t.Names)+1 { // as R writes row names
			t.Names = append([]string{""}, t.Names...)
		}
		if len(fields) == len(t.Names) { // others are errors, which a check tells
			t.Rows = append(t.Rows, cellsOf(fields))
		}
	}
	return t, true, nil
}

// cell says what the text of a cell is, for a guess.
func (l *lines) cell(text string) (guess.Cell, float64) {
	x, number := l.parse(text)
	switch _, is := truth(text); {
	case gaps.IsMissing(text):
		return guess.Missing, 0
	case number:
		return guess.Number, x
	case is:
		return guess.Truth, 0
	case isDate(text), isTime(text):
		return guess.Date, 0
	}
	return guess.Text, 0
}

// cellsOf are the texts of fields.
func cellsOf(fields []field) []string {
	all, text := make([]string, len(fields)), joined(fields)
	for k, f := range fields {
		all[k], text = text[:len(f.text)], text[len(f.text):]
	}
	return all
}

// isSparse reports whether a line is SVMlight text: a label, and then qid or a feature with its value.
func isSparse(cells []string) bool {
	if cells = strings.Fields(strings.Join(cells, " ")); len(cells) < 2 {
		return false
	}
	index, value, is := strings.Cut(cells[1], ":")
	return is && value != "" && (index == "qid" || isDigits(index)) && numeric([]field{{text: cells[0]}})
}

// rolesOf are the roles of columns by options, and by well-known names.
func (o Options) rolesOf(names []string) (given, known []string) {
	given, known = make([]string, len(names)), make([]string, len(names))
	l := &layout{heading: &heading{names: names, count: len(names), at: map[string]int{}}, opts: o,
		roles: make([]role, len(names))}
	for k, name := range slices.Backward(names) {
		l.at[name] = k
	}
	l.fault = func(int, error, string, ...any) error { return ErrNoLabel }
	_ = l.asked() // a name that is not there gives no column a role
	for _, item := range o.Only {
		found, _ := l.selected(item)
		for _, k := range found {
			given[k] = feature.noun()
		}
	}
	for k, r := range l.roles {
		if r != feature {
			given[k] = r.noun()
		}
		for _, r := range []role{label, query, id} {
			if r.known(names[k]) {
				known[k] = r.noun()
			}
		}
	}
	return given, known
}

// nodesBeside looks for the nodes of edges in the tables of the same folder, and says which options of relation train
// name them; nil where they are not there.
func nodesBeside(path string, names []string, edges [2][]string) (options [][2]string, says []string) {
	const files = 100
	entries, _ := os.ReadDir(filepath.Dir(path))
	var at [2]string
	for _, entry := range entries[:min(len(entries), files)] {
		beside := filepath.Join(filepath.Dir(path), entry.Name())
		if entry.Name() == filepath.Base(path) {
			continue
		}
		known := idsOf(beside, entry)
		for side, ids := range edges {
			if at[side] == "" && !slices.ContainsFunc(ids, func(id string) bool { return !known[id] }) {
				at[side] = beside
			}
		}
	}
	if at[0] == "" || at[1] == "" {
		return nil, nil
	}
	for side, option := range []string{"rows", "cols"} {
		if side == 0 || at[1] != at[0] {
			options = append(options, [2]string{option, at[side]})
		}
		says = append(says, fmt.Sprintf("nodes %s (%d, with features in %s)", names[side], len(edges[side]), at[side]))
	}
	return options, append(says, "value of an edge "+names[2])
}

// idsOf are the ids of a table of nodes that is not large, none of other files.
func idsOf(path string, entry os.DirEntry) map[string]bool {
	const size = 1 << 24
	info, err := entry.Info()
	if err != nil || !info.Mode().IsRegular() || info.Size() > size || separatorOf(path) == 0 {
		return nil
	}
	n, err := ReadNodes(path, NodesOptions{})
	if err != nil {
		return nil
	}
	known := make(map[string]bool, len(n.ID))
	for _, id := range n.ID {
		known[id] = true
	}
	return known
}
