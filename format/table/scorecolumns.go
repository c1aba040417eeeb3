package table

import (
	"fmt"
	"slices"
	"strings"

	"pairrank/data"
)

// scored is what a column of a table of scores is.
type scored int

// The columns of a table of scores.
const (
	systemColumn scored = iota
	itemColumn
	scoreColumn
	repeatColumn
	scoreRoles // how many there are
)

// scoreNames are the names of the columns.
var scoreNames = [scoreRoles]columnNames{
	systemColumn: {"system", []string{"system", "model", "method", "ranker"},
		[]string{"model_name", "model_id", "system_id", "algorithm", "provider.id", "eval.model"}},
	itemColumn: {"item", []string{"item", "task", "prompt", "query", "dataset", "question_id"},
		[]string{"item_id", "task_id", "prompt_id", "query_id", "qid", "doc_id", "sample_id", "instance_id", "example_id",
			"question", "problem", "testidx", "id"}},
	scoreColumn: {"score", []string{"score", "accuracy", "value", "metric"},
		[]string{"acc", "exact_match", "correct", "success", "scores.*.value", "values.*"}},
	repeatColumn: {"repeat", []string{"repeat", "seed", "epoch", "trial"}, nil},
}

// scoreColumns are the columns of a file.
type scoreColumns struct {
	at       [scoreRoles]int // −1 for none
	names    [2][]int        // those that together name a system, or an item
	clusters []int

	wide  []wideColumn // of a wide table
	row   string       // the column of texts that names its lines
	begun bool         // a line was read
}

// head finds the columns of a file.
func (r *scoreReader) head(first []field) error {
	c, o := &r.columns, r.o
	*c = scoreColumns{}
	f := r.finder(first)
	if err := r.checkOptions(); err != nil {
		return err
	}
	given := [scoreRoles]string{scoreColumn: o.Score, repeatColumn: o.Repeat}
	if err := f.given(given[:], c.at[:]); err != nil {
		return err
	}
	for role, which := range [...]string{systemColumn: o.System, itemColumn: o.Item} {
		if err := r.givenNames(f, scored(role), which); err != nil {
			return err
		}
	}
	var err error
	if o.Wide != wideItems {
		if c.clusters, err = f.clusters(o.Cluster); err != nil {
			return err
		}
	}
	if o.Wide == "" {
		err = r.headLong(f)
	} else {
		err = r.headWide(f)
	}
	for role := range c.names {
		if c.names[role] == nil && c.at[role] >= 0 {
			c.names[role] = []int{c.at[role]}
		}
	}
	if err == nil {
		r.settle(first)
	}
	return err
}

// checkOptions refuses options that contradict one another.
func (r *scoreReader) checkOptions() error {
	o, msg := r.o, ""
	switch {
	case o.Wide != "" && o.Wide != wideSystems && o.Wide != wideItems:
		msg = fmt.Sprintf("a wide table has columns of %s or %s, not of %q", wideSystems, wideItems, o.Wide)
	case o.Wide != "" && o.Score != "":
		msg = "a wide table has no column of scores"
	case o.Wide == wideSystems && (o.System != "" || o.SystemFromFile):
		msg = "the columns are the systems: neither a column nor the file names them"
	case o.Wide == wideItems && (o.Item != "" || o.Cluster != nil):
		msg = "the columns are the items: no column names them or their clusters"
	case o.SystemFromFile && o.System != "":
		msg = "each file is a system: no column names it"
	default:
		return nil
	}
	return &data.SyntaxError{File: r.lines.name, Msg: msg, Err: ErrScoreColumns}
}

// givenNames takes the columns of systems or items that an option names, with commas between several.
func (r *scoreReader) givenNames(f *finder, role scored, given string) error {
	if given == "" {
		return nil
	}
	all := []string{given}
	if f.head.find(given) < 0 {
		all = strings.Split(given, ",")
	}
	for _, which := range all {
		k, err := f.take(which)
		if err != nil {
			return err
		}
		r.columns.names[role], r.columns.at[role] = append(r.columns.names[role], k), k
	}
	return nil
}

// headLong finds the columns of a long table.
func (r *scoreReader) headLong(f *finder) error {
	c := &r.columns
	known := scoreNames
	if j, is := r.from.(*objectRows); is {
		f.holds = j.holds
	}
	if r.o.SystemFromFile {
		known[systemColumn] = columnNames{}
	}
	if err := f.byName(known[:], c.at[:]); err != nil {
		return err
	}
	if c.at[itemColumn] < 0 || c.at[scoreColumn] < 0 || c.at[systemColumn] < 0 && !r.o.SystemFromFile {
		return columnsFault(r.fault(field{col: 1}, "the columns are no %s: %s", strings.TrimPrefix(scoresAre, "a "),
			headerTexts(f.first)), errNoScores)
	}
	return nil
}

// say says what a column is, once.
func (r *scoreReader) say(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(r.out.Columns, text) {
		r.out.Columns = append(r.out.Columns, text)
	}
}

// settle says which column is what, once that is known.
func (r *scoreReader) settle(first []field) {
	c := &r.columns
	for k, f := range first {
		for role, at := range c.at {
			if at == k || role < len(c.names) && slices.Contains(c.names[role], k) {
				r.say("%s %q", scoreNames[role].noun, f.text)
			}
		}
		if slices.Contains(c.clusters, k) {
			r.say("cluster %q", f.text)
		}
	}
	for n, k := range c.clusters {
		if n == 0 {
			r.out.Unit = strings.Clone(first[k].text)
		} else {
			r.out.Unit += ", " + first[k].text
		}
	}
}
