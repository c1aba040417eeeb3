package svmlight

import (
	"bytes"
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/internal/textline"
)

// maxIndex is the largest index: one less than the largest int32, so that a
// number of features fits in an int32 too.
const maxIndex = math.MaxInt32 - 1

// fields is a row as it stands in a line. cols and vals are appended to, the
// byte slices point into the line.
type fields struct {
	label   float64
	qid     []byte // nil when the row has none
	qidAt   int    // where the qid field starts
	cols    []int32
	vals    []float64
	missing bool // a value is missing and stands as NaN
	comment []byte
}

// grammar is the part of the options that concerns a line.
type grammar struct {
	base    int32 // the first index, 1 or 0
	limit   int32 // columns are below it
	longest int   // line, in bytes
	extra   bool  // others are left out
	missing data.Missing
}

func newGrammar(opts Options) grammar {
	g := grammar{base: 1, limit: math.MaxInt32, longest: opts.maxLine(), missing: opts.Missing, extra: opts.Extra}
	if opts.ZeroBased {
		g.base = 0
	}
	if opts.Missing == data.MissingModel && opts.Substitutes == nil {
		g.missing = data.MissingError
	}
	if opts.Features > 0 {
		g.limit = int32(min(opts.Features, math.MaxInt32))
	}
	return g
}

func blank(c byte) bool { return c == ' ' || c == '\t' }

// skipBlanks returns the index of the first byte from i on that is not blank.
func skipBlanks(line []byte, i int) int {
	for i < len(line) && blank(line[i]) {
		i++
	}
	return i
}

// fieldEnd returns where the field that starts at i ends.
func fieldEnd(line []byte, i int) int {
	for i < len(line) && !ends[line[i]] {
		i++
	}
	return i
}

// trim cuts the CRs off the end of a line.
func trim(line []byte) []byte {
	for len(line) > 0 && line[len(line)-1] == '\r' {
		line = line[:len(line)-1]
	}
	return line
}

// inside is the fault of a line that is too long or has a carriage return from byte i on, as text
// has whose line ends are CR alone.
func (g *grammar) inside(line []byte, i int) *fault {
	if len(line) > g.longest {
		return &fault{long: g.longest}
	}
	if at := bytes.IndexByte(line[i:], '\r'); at >= 0 {
		return &fault{col: i + at + 1, msg: textline.InnerReturn}
	}
	return nil
}

// parse reads one line without its line end into row. It reports false for a
// line without a row.
func (g *grammar) parse(line []byte, row *fields) (bool, *fault) {
	found, f := g.parseRow(line, row)
	if f != nil {
		if inner := g.inside(line, 0); inner != nil {
			f = inner
		}
	}
	return found, f
}

func (g *grammar) parseRow(line []byte, row *fields) (bool, *fault) {
	row.qid, row.comment, row.missing = nil, nil, false
	if len(line) > g.longest {
		return true, g.inside(line, 0)
	}
	i := skipBlanks(line, 0)
	if i == len(line) || line[i] == '#' {
		return false, g.inside(line, i)
	}
	i, f := g.label(line, i, row)
	if f != nil {
		return true, f
	}
	i, f = g.values(line, i, -1, row)
	if f != nil {
		return true, f
	}
	if i < len(line) {
		row.comment = line[i+1:]
		return true, g.inside(line, i)
	}
	return true, nil
}

// label reads the label that starts at i, and the qid when one follows.
func (g *grammar) label(line []byte, i int, row *fields) (int, *fault) {
	x, end, ok := number(line, i)
	if !ok {
		return fieldEnd(line, i), numberFault(line, i, fieldEnd(line, i), "label")
	}
	row.label = x
	i = skipBlanks(line, end)
	if !bytes.HasPrefix(line[i:], qidPrefix) {
		return i, nil
	}
	end = fieldEnd(line, i)
	if end == i+len(qidPrefix) {
		return end, faultAt(line, i, end, "qid without a name")
	}
	if f := g.inside(line[:end], i); f != nil {
		return end, f
	}
	if name := line[i+len(qidPrefix) : end]; bytes.ContainsAny(name, ".+") && textline.LostDigits(string(name)) {
		return end, faultAt(line, i, end, "the qid is "+textline.RoundedName+"; write qids as whole numbers or texts")
	}
	row.qid, row.qidAt = line[i+len(qidPrefix):end], i
	return end, nil
}

var qidPrefix = []byte("qid:")

// values reads the features from i on, after the column last, up to the
// comment or the end of the line. At a fault it returns the end of the field
// at fault.
func (g *grammar) values(line []byte, i int, last int32, row *fields) (int, *fault) {
	for {
		var done bool
		row.cols, row.vals, last, i, done = g.run(line, i, last, row.cols, row.vals)
		if done {
			return i, nil
		}
		end := fieldEnd(line, i)
		if f := g.diagnose(line, i, end, &last, row); f != nil {
			return end, f
		}
		i = end
	}
}

// run appends features while they are in order and have numbers. It stops at
// the end of the features, or at the start of the first field that is not so.
func (g *grammar) run(line []byte, i int, last int32, cols []int32, vals []float64) (
	[]int32, []float64, int32, int, bool) {
	for {
		i = skipBlanks(line, i)
		if i == len(line) || line[i] == '#' {
			return cols, vals, last, i, true
		}
		start := i
		index := 0
		for i < len(line) && line[i]-'0' <= 9 && i-start < 11 {
			index = index*10 + int(line[i]-'0')
			i++
		}
		if i == start || i == len(line) || line[i] != ':' || index > maxIndex {
			return cols, vals, last, start, false
		}
		col := int32(index) - g.base
		if col <= last || col >= g.limit {
			return cols, vals, last, start, false
		}
		x, end, ok := number(line, i+1)
		if !ok {
			return cols, vals, last, start, false
		}
		cols, vals = append(cols, col), append(vals, x)
		last, i = col, end
	}
}

// diagnose says why run stopped at the field line[from:to]. A missing value
// that the options allow is appended as NaN and no fault, and neither is a feature
// that they leave out.
func (g *grammar) diagnose(line []byte, from, to int, last *int32, row *fields) *fault {
	field := line[from:to]
	colon := bytes.IndexByte(field, ':')
	index, digits := indexOf(field)
	if digits == 0 || colon != digits || index > maxIndex {
		return indexFault(line, from, to, row)
	}
	col := int32(index) - g.base
	if col <= *last || col >= g.limit && !g.extra {
		return g.orderFault(line, from, to, col, *last)
	}
	missing := isMissing(field[colon+1:])
	if col >= g.limit { // extra
		if _, end, ok := number(line, from+colon+1); !missing && (!ok || end != to) {
			return numberFault(line, from+colon+1, to, "value")
		}
		*last = col
		return nil
	}
	if !missing {
		return numberFault(line, from+colon+1, to, "value")
	}
	if g.missing == data.MissingError {
		return faultAt(line, from, to, "the value is missing")
	}
	row.cols, row.vals = append(row.cols, col), append(row.vals, math.NaN())
	row.missing, *last = true, col
	return nil
}

// indexOf returns the index at the beginning of a field and the number of its digits; it reads at
// most 11 digits.
func indexOf(field []byte) (index, digits int) {
	for digits < len(field) && digits < 11 && field[digits]-'0' <= 9 {
		index = index*10 + int(field[digits]-'0')
		digits++
	}
	return index, digits
}

// isMissing reports whether a text denotes a missing value.
func isMissing(text []byte) bool {
	return len(text) == 0 || len(text) == 4 && bytes.EqualFold(text, []byte("null")) ||
		len(text) == 3 && bytes.EqualFold(text, []byte("nan"))
}

// numberFault says why line[from:to] is not a label or a value.
func numberFault(line []byte, from, to int, what string) *fault {
	text := line[from:to]
	switch {
	case isMissing(text) && len(text) > 0:
		return faultAt(line, from, to, "the "+what+" is missing")
	case isInfinity(text):
		return faultAt(line, from, to, "the "+what+" is infinite")
	case isDecimal(text):
		return faultAt(line, from, to, "the "+what+" is too large for a float64")
	case what == "label" && bytes.IndexByte(text, ':') >= 0:
		return faultAt(line, from, to, "the line must begin with a label")
	}
	return faultAt(line, from, to, "the "+what+" is not a number")
}

func isInfinity(text []byte) bool {
	text = bytes.TrimLeft(text, "+-")
	return bytes.EqualFold(text, []byte("inf")) || bytes.EqualFold(text, []byte("infinity"))
}

// isDecimal reports whether a field is written as a number: number refused it for
// its size.
func isDecimal(text []byte) bool {
	_, end, _ := number(text, 0)
	return end == len(text) && len(text) > 0 && text[len(text)-1]-'0' <= 9
}

// indexFault says why the field line[from:to] does not start with an index and
// a colon.
func indexFault(line []byte, from, to int, row *fields) *fault {
	text := line[from:to]
	if bytes.HasPrefix(text, qidPrefix) {
		switch {
		case row.qid != nil:
			return faultAt(line, from, to, "second qid in a row")
		default:
			return faultAt(line, from, to, "qid after a feature")
		}
	}
	colon := bytes.IndexByte(text, ':')
	if colon < 0 {
		return faultAt(line, from, to, "expected index:value")
	}
	for _, c := range text[:colon] {
		if c-'0' > 9 {
			return faultAt(line, from, to, "the index is not a whole number")
		}
	}
	if colon == 0 {
		return faultAt(line, from, to, "no index before the colon")
	}
	if colon > 10 {
		return faultAt(line, from, to, "the index has too many digits")
	}
	return faultAt(line, from, to, fmt.Sprintf("the index is larger than %d", maxIndex))
}

// orderFault says why the feature in line[from:to] may not follow column last.
func (g *grammar) orderFault(line []byte, from, to int, col, last int32) *fault {
	switch {
	case col < 0:
		return faultAt(line, from, to, "index 0, but indices start at 1")
	case col == last:
		return faultAt(line, from, to, fmt.Sprintf("index %d is repeated", col+g.base))
	case col < last:
		return faultAt(line, from, to, fmt.Sprintf("index %d after index %d, but indices ascend",
			col+g.base, last+g.base))
	}
	f := faultAt(line, from, to, fmt.Sprintf("feature index %d but the model has %d features", col+g.base, g.limit))
	f.err = data.ErrExtraFeatures
	return f
}
