package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"pairrank/data"
	"pairrank/internal/gaps"
)

// scoreFile is a file, and how many lines are in those before it.
type scoreFile struct {
	name   string
	before int
}

// scoreReader gathers scores.
type scoreReader struct {
	*lines  // of the file
	o       *ScoreTableOptions
	out     ScoreTable
	columns scoreColumns
	file    int // the number of the system that the file is
	cells   scoreCells

	systems, items, clusters, repeats side
	units                             []int32 // the cluster of each item
	joined                            []byte
	reading                           [scoreReadings]bool
	files                             []scoreFile
	next                              int  // lines of all files so far
	repeated                          bool // the files have a column of repeats
}

func newScoreReader(o *ScoreTableOptions) *scoreReader {
	r := &scoreReader{o: o}
	r.out.Unit = "item"
	return r
}

// The readings of scores that do not say what they mean.
const (
	byTruth = iota
	byMark
	scoreReadings
)

var scoreReadingTexts = [scoreReadings]string{
	byTruth: "a score true is 1, false 0",
	byMark:  "a score C (correct) is 1, P (partial) 0.5, I (incorrect) and N (no answer) 0",
}

// read reads a file.
func (r *scoreReader) read(l *lines, system string) error {
	o := r.o
	if o.Wide == "" {
		l.wants(o.asked(), scoreNames[:])
	} else {
		l.wants(o.asked(), nil)
	}
	first, err := l.header(o.Rows, "scores")
	if err != nil {
		return err
	}
	r.lines, r.files = l, append(r.files, scoreFile{l.name, r.next})
	if o.SystemFromFile {
		file, err := r.systems.of(l, field{text: system}, "a system")
		if err != nil {
			return err
		}
		r.file = int(file)
	}
	if err = columnsFault(r.head(first), ErrScoreColumns); err != nil {
		return err
	}
	return r.rest(len(first))
}

// asked are the columns that the options name.
func (o *ScoreTableOptions) asked() []string {
	return slices.Concat([]string{o.Score, o.Repeat}, strings.Split(o.System+","+o.Item, ","), o.Cluster)
}

// rest reads the lines of a file after the first one, of so many columns.
func (r *scoreReader) rest(width int) error {
	l := r.lines
	if repeats := r.columns.at[repeatColumn] >= 0; len(r.files) == 1 {
		r.repeated = repeats
	} else if repeats != r.repeated {
		return &data.SyntaxError{File: l.name, Msg: "one of the files has a column of repeats, and another has none",
			Err: ErrScoreColumns}
	}
	err := eachLineOf(l, func(_ *lines, fields []field) error {
		if len(fields) != width {
			return l.fault(fields[len(fields)-1], "%d fields, but the first line has %d", len(fields), width)
		}
		return r.take(fields)
	})
	if r.o.Wide != "" {
		r.endWide()
	}
	r.next += max(l.line, l.rowsRead())
	return err
}

// take reads a line. Of a wide table it has a system, or an item, and the columns the other one.
func (r *scoreReader) take(fields []field) (err error) {
	c := &r.columns
	if r.o.Wide != "" && !c.begun {
		c.begun = true
		err = r.beginWide(fields)
	}
	var system, item, repeat int32
	if err == nil && r.o.Wide != wideSystems {
		system, err = r.system(fields)
	}
	if err == nil && r.o.Wide != wideItems {
		item, err = r.item(fields)
	}
	if err == nil {
		repeat, err = r.repeat(fields)
	}
	switch {
	case err != nil:
		return err
	case r.o.Wide != "":
		return r.takeCells(fields, system+item, repeat)
	}
	f := fields[c.at[scoreColumn]]
	if gaps.IsMissing(f.text) {
		r.out.Empty++
		return nil
	}
	v, ok := r.score(f)
	if !ok {
		return r.fault(f, "the score is not a finite number")
	}
	return r.add(system, item, repeat, v, f)
}

// repeat is the number of the repeat of a line, −1 where there is no column of repeats.
func (r *scoreReader) repeat(fields []field) (int32, error) {
	if !r.repeated {
		return -1, nil
	}
	return r.number(&r.repeats, fields[r.columns.at[repeatColumn]], "the repeat")
}

// system is the number of the system of a line.
func (r *scoreReader) system(fields []field) (int32, error) {
	if len(r.columns.names[systemColumn]) == 0 {
		return int32(r.file), nil
	}
	return r.together(&r.systems, fields, r.columns.names[systemColumn], "the system")
}

// item is the number of the item of a line, whose unit must be the same on all lines.
func (r *scoreReader) item(fields []field) (int32, error) {
	i, err := r.together(&r.items, fields, r.columns.names[itemColumn], "the item")
	if err != nil || len(r.columns.clusters) == 0 {
		return i, err
	}
	c, err := r.together(&r.clusters, fields, r.columns.clusters, "the cluster")
	if err != nil {
		return 0, err
	}
	switch {
	case int(i) == len(r.units):
		r.units = append(r.units, c)
	case r.units[i] != c:
		return 0, r.fault(fields[r.columns.clusters[0]], "item %s is of cluster %s here, and of %s before",
			quotedID(r.items.ids[i]), quotedID(r.clusters.ids[c]), quotedID(r.clusters.ids[r.units[i]]))
	}
	return i, nil
}

// number is the number of a name of what it names.
func (r *scoreReader) number(of *side, f field, what string) (int32, error) {
	if f.text == "" {
		return 0, r.fault(f, "the name of %s is missing", what)
	}
	known := len(of.ids)
	k, err := of.of(r.lines, f, what)
	if err != nil {
		return 0, err
	}
	if len(of.ids) > known && (of == &r.systems || of == &r.items) {
		return k, r.cells.room(len(r.systems.ids), len(r.items.ids))
	}
	return k, nil
}

// together is the number of a name that several columns give together, with slashes between them.
func (r *scoreReader) together(of *side, fields []field, columns []int, what string) (int32, error) {
	f := fields[columns[0]]
	if len(columns) == 1 {
		return r.number(of, f, what)
	}
	r.joined = r.joined[:0]
	for n, k := range columns {
		if fields[k].text == "" {
			return 0, r.fault(fields[k], "the name of %s is missing", what)
		}
		if n > 0 {
			r.joined = append(r.joined, '/')
		}
		for _, c := range []byte(fields[k].text) {
			if c == '/' || c == '\\' {
				r.joined = append(r.joined, '\\')
			}
			r.joined = append(r.joined, c)
		}
	}
	f.text = unsafe.String(&r.joined[0], len(r.joined)) // which is not changed before the next call
	return r.number(of, f, what)
}

// score is the number that a score is.
func (r *scoreReader) score(f field) (float64, bool) {
	if v, ok := r.value(&f); ok {
		return v, true
	}
	switch f.text {
	case "true", "True", "TRUE":
		r.reading[byTruth] = true
		return 1, true
	case "false", "False", "FALSE":
		r.reading[byTruth] = true
		return 0, true
	}
	if len(f.text) != 1 {
		return 0, false
	}
	k := strings.IndexByte("CPIN", f.text[0])
	if k < 0 {
		return 0, false
	}
	r.reading[byMark] = true
	return [...]float64{1, 0.5, 0, 0}[k], true
}

// add adds a score to a cell.
func (r *scoreReader) add(system, item, repeat int32, v float64, f field) error {
	line := r.rowsRead()
	if line == 0 {
		line = r.line
	}
	first, is, err := r.cells.add(system, item, repeat, v, r.next+line)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", r.lines.name, err)
	case !is:
		return nil
	}
	cell := fmt.Sprintf("system %s has a second score on item %s", quotedID(r.systems.ids[system]),
		quotedID(r.items.ids[item]))
	if repeat >= 0 {
		cell += " in repeat " + quotedID(r.repeats.ids[repeat])
	} else {
		cell += ", the first in " + r.place(int(first))
	}
	return columnsFault(r.fault(f, "%s", cell), ErrRepeatedScore)
}

// rowsRead is how many objects of JSON were read, which may share a line; 0 where rows are none.
func (l *lines) rowsRead() int {
	if j, is := l.from.(*objectRows); is {
		return j.objects
	}
	return 0
}

// place is where a line is, by its number among those of all files.
func (r *scoreReader) place(line int) string {
	k := len(r.files) - 1
	for line <= r.files[k].before {
		k--
	}
	counted := cmp.Or(r.counted, "line")
	if r.rowsRead() > 0 {
		counted = "object"
	}
	text := fmt.Sprintf("%s %d", counted, line-r.files[k].before)
	if len(r.files) > 1 {
		text += " of " + r.files[k].name
	}
	return text
}

// finish returns what all lines say.
func (r *scoreReader) finish() (*ScoreTable, error) {
	t := &r.out
	t.Systems, t.Items = r.systems.ids, r.items.ids
	var err error
	if t.Y, t.Repeats, t.Repeated, err = r.cells.table(len(t.Systems), len(t.Items)); err != nil {
		return nil, err
	}
	if t.Y == nil {
		return nil, &data.SyntaxError{File: r.lines.name, Msg: "no scores: no line has one"}
	}
	if len(r.units) > 0 {
		for _, u := range r.units {
			t.Units = append(t.Units, int(u))
		}
	}
	for k, is := range r.reading {
		if is {
			t.Reading = append(t.Reading, scoreReadingTexts[k])
		}
	}
	if r.o.Wide != "" {
		t.dropEmpty(r.o.Wide)
	}
	t.Doubts = slices.Concat(t.Doubts, spellings(t.Systems), spellings(t.Items))
	return t, nil
}
