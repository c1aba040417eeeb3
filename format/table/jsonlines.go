package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"pairrank/data"
	"pairrank/internal/jsonrows"
	"pairrank/internal/memory"
)

// ReadJSONLines reads the m rows of a text of JSON, one object a line or a list of objects; errors call it name. An
// object has one of three forms, the same in all rows:
//
//	{"label": 2, "qid": "q7", "id": "d1", "features": {"age": 41, "dose": 0.5}}
//	{"label": 2, "qid": "q7", "id": "d1", "features": [41, 0.5]}
//	{"label": 2, "qid": "q7", "id": "d1", "age": 41, "dose": 0.5}
//
// The last is a row of a table: each member is a column, whose role ReadSet finds. In the others all
// features are in features, without names in a list. The members beside them get their roles by name,
// also group and fold; those without a role are left out.
//
// Columns are in order of first appearance. A member that an object lacks is a missing value, as null
// is. Where Options.Missing is data.MissingZero, and less than a quarter of the values are there, the
// matrix is sparse. The cost is linear in the length of the text. It returns the errors of ReadSet.
func ReadJSONLines(r io.Reader, name string, opts Options) (*data.Set, error) {
	return readJSONLines(newLines(r, name, ',', opts.MaxLine), opts, false)
}

func readJSONLines(l *lines, opts Options, some bool) (*data.Set, error) {
	j := &objects{lines: l, opts: opts, panels: panels{some: some}, at: map[string]*member{}, inside: map[string]*member{}}
	for {
		line, err := l.object()
		if err == io.EOF {
			break
		}
		if err == nil {
			if err = j.object(line); err != nil {
				j.forget()
			} else {
				err = j.passSome()
			}
		}
		if err = opts.check.passLine(err); err != nil {
			return nil, err
		}
	}
	if len(j.lineOf) == 0 && j.g == nil {
		return nil, &data.SyntaxError{File: l.name, Msg: "no rows: there is no object"}
	}
	return j.set()
}

// objectForm is how the objects hold their features.
type objectForm int

const (
	unknownForm objectForm = iota
	flatForm               // as members
	namedForm              // in the object "features"
	listForm               // in the list "features"
)

var formTexts = [...]string{flatForm: "no features member", namedForm: "an object of features",
	listForm: "a list of features"}

// featuresKey is the member with the features.
const featuresKey = `"features"`

// member is a column: a member of the objects, or of their features.
type member struct {
	name  string
	plain bool // its values are kept as texts, because it may have a role
	apart bool // it is among the features of a form that holds them apart
	seen  int  // the last row that has it, from 1
	rows  int  // that have a value of it
	slot  int  // among those that are not plain, −1 of others
	place int  // in cols
	texts []string
}

// objects are the rows of JSON lines. The numbers of a row are entries: of slot k there is the value
// vals[k], in the order of the text. While all rows have all slots in their order, slot and until
// are nil.
type objects struct {
	*lines
	opts   Options
	form   objectForm
	cols   []*member
	at     map[string]*member
	inside map[string]*member // those apart, by name
	list   []*member          // those of a list
	slots  int
	lineOf []int32

	vals  []float64
	begin int // of the row in vals
	uniform
	others map[int]string // texts by place in vals, where no number is
	fields [][2][]byte    // keys and values of the object
	next   int            // the member that follows the last one in cols, a guess
	kept   int            // bytes of texts
	open   bool           // the last row has not ended

	panels
}

// uniform is whose the values of the rows are.
type uniform struct {
	wide   int     // entries of the first row
	varied bool    // rows are not uniform:
	slot   []int32 // of each value
	until  []int   // of each row, the end of its values
}

// takeForm takes the form of the first object, and refuses another one.
func (j *objects) takeForm(form objectForm) error {
	switch {
	case j.form == unknownForm:
		j.form = form
	case form == j.form:
	case len(j.lineOf) == 0: // those before were handed on
		return errAllRows
	default:
		return &data.SyntaxError{File: j.name, Line: j.line, Col: 1, Msg: "the object has " + formTexts[form] +
			", but that of line " + strconv.Itoa(int(j.lineOf[0])) + " has " + formTexts[j.form]}
	}
	return nil
}

// object takes the object of a line.
func (j *objects) object(line []byte) error {
	form, features, err := j.split(line)
	if err != nil {
		return err
	}
	if err := j.takeForm(form); err != nil {
		return err
	}
	j.lineOf, j.begin, j.next, j.open = append(j.lineOf, int32(j.line)), len(j.vals), 0, true
	if j.vals, err = memory.Grow(j.vals, j.slots, len(j.lineOf)); err != nil {
		return j.lack(err)
	}
	for _, f := range j.fields {
		if features != nil && string(f[0]) == featuresKey {
			continue
		}
		if err := j.take(line, f[0], f[1], j.at, false); err != nil {
			return err
		}
	}
	switch form {
	case namedForm:
		for key, value := range jsonrows.Members(features) {
			if err := j.take(line, key, value, j.inside, true); err != nil {
				return err
			}
		}
	case listForm:
		if err := j.takeList(line, features); err != nil {
			return err
		}
	}
	return j.endRow()
}

// split finds the members of the object of a line, and the form and the text of its features where it holds them apart.
func (j *objects) split(line []byte) (form objectForm, features []byte, err error) {
	form, j.fields = flatForm, j.fields[:0]
	for key, value := range jsonrows.Members(line) {
		j.fields = append(j.fields, [2][]byte{key, value})
		if string(key) != featuresKey {
			continue
		}
		switch {
		case features != nil:
			return form, nil, j.faultAt(line, key, `the member "features" stands twice`)
		case jsonrows.IsObject(value):
			form, features = namedForm, value
		case jsonrows.IsList(value):
			form, features = listForm, value
		}
	}
	return form, features, nil
}

// forget removes the row of a faulty object.
func (j *objects) forget() {
	row := len(j.lineOf)
	if !j.open {
		return
	}
	j.open = false
	for e := j.begin; e < len(j.vals); e++ {
		delete(j.others, e)
	}
	j.lineOf, j.vals = j.lineOf[:row-1], j.vals[:j.begin]
	if j.varied {
		j.slot, j.until = j.slot[:j.begin], j.until[:min(len(j.until), row-1)]
	}
	for _, m := range j.cols {
		if m.texts = m.texts[:min(len(m.texts), row-1)]; m.seen == row {
			m.seen, m.rows = 0, m.rows-1
		}
	}
}

// lack is an error about memory.
func (j *objects) lack(err error) error {
	return &data.SyntaxError{File: j.name, Msg: err.Error(), Err: err}
}

// object returns the next object, of a line that is not blank or of a list, and io.EOF after the last.
func (l *lines) object() ([]byte, error) {
	if l.line == 0 && !l.beginsList() {
		if first, err := l.beginDocument(); first != nil || err != nil {
			return first, err
		}
	}
	if l.list.state != listUnread || l.list.whole != nil || l.line == 0 {
		return l.element()
	}
	for {
		line, err := l.read()
		if err != nil {
			return nil, err
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, l.valid(line)
		}
	}
}

// valid refuses a line that is no object.
func (l *lines) valid(line []byte) error {
	if !json.Valid(line) {
		var raw json.RawMessage
		var syntax *json.SyntaxError
		err := json.Unmarshal(line, &raw)
		if !errors.As(err, &syntax) {
			return l.jsonFault(1, "", "not JSON", err)
		}
		msg := syntax.Error()
		if strings.HasPrefix(msg, "unexpected end") {
			msg = "the object does not end on this line: there is one object a line"
		}
		return l.jsonFault(max(1, int(syntax.Offset)), "", msg, err)
	}
	if !jsonrows.IsObject(line) {
		msg := "not an object: JSON lines are one object a line"
		if l.list.state != listUnread {
			msg = "not an object: the list is one of objects"
		}
		return l.jsonFault(1, data.ClipText(string(line)), msg, nil)
	}
	return nil
}

// jsonFault is an error about the byte at of an object, from 1.
func (l *lines) jsonFault(at int, text, msg string, err error) error {
	line, col := l.placed(at)
	return &data.SyntaxError{File: l.name, Line: line, Col: col, Msg: msg, Text: text, Err: err}
}

// faultAt is an error about a part of an object.
func (l *lines) faultAt(object, part []byte, msg string) error {
	return l.jsonFault(place(object, part), data.ClipText(string(part)), msg, nil)
}

// place is where a part of an object begins, from 1.
func place(line, part []byte) int {
	if len(part) == 0 {
		return 1
	}
	at := int(uintptr(unsafe.Pointer(&part[0])) - uintptr(unsafe.Pointer(&line[0])))
	if at < 0 || at >= len(line) { // a name that is not in the text
		return 1
	}
	return 1 + at
}

// take takes a member of an object, or of its features.
func (j *objects) take(line, key, value []byte, among map[string]*member, apart bool) error {
	m := j.find(key, among, apart)
	row := len(j.lineOf)
	if m.seen == row {
		return j.faultAt(line, key, "the member stands twice")
	}
	m.seen = row
	return j.put(m, value)
}

// find is the member of a key.
func (j *objects) find(key []byte, among map[string]*member, apart bool) *member {
	if j.next < len(j.cols) { // usual: the members of the last object, in their order
		m := j.cols[j.next]
		if inner := key[1 : len(key)-1]; m.apart == apart && string(inner) == m.name && simple(inner) {
			j.next++
			return m
		}
	}
	m, known := lookup(among, key)
	if !known {
		name := jsonrows.Text(key)
		m = j.add(name, apart)
		among[name] = m
	}
	j.next = m.place + 1
	return m
}

// simple reports whether a string of JSON stands for itself.
func simple(inner []byte) bool {
	for _, c := range inner {
		if c == '\\' || c >= 0x80 {
			return false
		}
	}
	return true
}

// add makes a column.
func (j *objects) add(name string, apart bool) *member {
	m := &member{name: name, apart: apart, slot: -1, place: len(j.cols)}
	if m.plain = !apart && (j.form != flatForm || j.mayHaveRole(name)); !m.plain {
		m.slot = j.slots
		j.slots++
	}
	j.cols = append(j.cols, m)
	return m
}

// mayHaveRole reports whether a column may be other than a feature, so that its texts matter.
func (j *objects) mayHaveRole(name string) bool {
	o, number := &j.opts, strconv.Itoa(len(j.cols)+1)
	has := func(r role) bool {
		asked := []string{o.asked(r), o.remembered(r)}
		return r.known(name) || slices.Contains(asked, name) || slices.Contains(asked, plain(name)) ||
			slices.Contains(asked, number)
	}
	return slices.ContainsFunc(named, has) || slices.Contains(o.Factors, name) ||
		o.Schema != nil && factorOf(o.Schema, name) != nil
}

// takeList takes a list of features.
func (j *objects) takeList(line, list []byte) error {
	count := 0
	for k, value := range jsonrows.Elements(list) {
		if k == len(j.list) && len(j.lineOf) == 1 {
			j.list = append(j.list, j.add("", true))
		}
		if k < len(j.list) {
			if err := j.put(j.list[k], value); err != nil {
				return err
			}
		}
		count = k + 1
	}
	if count != len(j.list) {
		return j.faultAt(line, list, strconv.Itoa(count)+" features, but line "+strconv.Itoa(int(j.lineOf[0]))+" has "+
			strconv.Itoa(len(j.list)))
	}
	return nil
}

// put takes the value of a member.
func (j *objects) put(m *member, value []byte) error {
	missing := value[0] == 'n'
	if m.plain {
		if !missing {
			m.rows++
			j.keep(m, value)
		}
		return nil
	}
	if !missing {
		m.rows++
	}
	return j.entry(m.slot, value)
}
