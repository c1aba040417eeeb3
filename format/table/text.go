package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"pairrank/data"
	"pairrank/internal/blocks"
	"pairrank/internal/cellfault"
	"pairrank/internal/codec"
	"pairrank/internal/gaps"
	"pairrank/internal/memory"
	"pairrank/internal/textline"
)

// field is one entry of a line. Its text is in the memory of the line and must
// be cloned to outlive it.
type field struct {
	text string
	col  int     // 1-based
	x    float64 // the number that text is; 0 where it was not read ahead
}

// lines reads the lines of a text as fields.
type lines struct {
	name   string
	source *codec.Reader // nil when the text does not come from one
	owned  bool          // source is a regular file that nobody else reads or closes
	cutter *blocks.Cutter
	ahead  *blocks.Reader[*parsedBlock] // nil where cutter is used
	block  blocks.Text                  // of cutter
	text   []byte                       // of the block, from the next line on
	blockwise
	loaded int   // bytes of all blocks so far
	done   int64 // bytes of the source that had been read then
	line   int
	sep    byte    // ' ' means any run of blanks and tabs, 0 not known yet
	known  bool    // the separator is known from a line
	fields []field // of the line
	most   int     // bytes of a line

	bytes int          // of all lines so far
	asked memory.Meter // of the memory that they take

	emptied int // the first line of tabs alone, which was skipped; 0 for none

	note func(text string) // takes the comment lines, where it is not nil

	commas, points bool // numbers had a decimal comma, a point; only between semicolons

	decimal string // what points are; "" where the numbers say it
	grouped error  // about the first number whose point may separate thousands
	pointed bool   // another number has a decimal point

	foreign error // why the file is no text; nil where it may be

	placing
}

// openText opens a text file; the caller calls the function returned.
func openText(path string, sep byte, maxLine int) (*lines, func() error, error) {
	r, err := codec.Open(path)
	if err != nil {
		return nil, nil, err
	}
	if sep == 0 {
		sep = separatorOf(path)
	}
	l := newLines(r, path, sep, maxLine)
	l.owned = r.Size() >= 0
	return l, l.close, nil
}

// newLines reads lines of up to maxLine bytes; 0 is data.MaxLine.
func newLines(r io.Reader, name string, sep byte, maxLine int) *lines {
	if maxLine <= 0 {
		maxLine = data.MaxLine
	}
	l := &lines{name: name, sep: sep, most: maxLine}
	if l.source, _ = r.(*codec.Reader); l.source == nil {
		r = codec.Unmarked(r, "")
	}
	l.cutter = &blocks.Cutter{From: r, Size: blockSize, Longest: maxLine, Eager: l.source == nil || l.source.Size() < 0}
	err := l.load() // which read returns, too
	switch begins := string(l.text[:min(len(l.text), 4)]); {
	case errors.Is(err, codec.ErrUTF16):
		l.foreign = cellfault.New(cellfault.Foreign, codec.ErrUTF16.Error())
	case begins == "PK\x03\x04", begins == "\xd0\xcf\x11\xe0":
		l.foreign = cellfault.New(cellfault.Foreign, "a spreadsheet or an archive, not text")
	}
	return l
}

// separatorOf returns the separator that a file's name asks for, 0 for none.
func separatorOf(path string) byte {
	switch codec.Ending(path) {
	case ".tsv", ".tab":
		return '\t'
	case ".csv":
		return ','
	}
	return 0
}

// separatorIn returns the separator that a line shows.
func separatorIn(line string) byte {
	for _, sep := range []byte{'\t', ',', ';'} {
		if strings.IndexByte(line, sep) >= 0 {
			return sep
		}
	}
	return ' '
}

// next returns the fields of the next line, valid until the next call, and
// io.EOF after the last. Blank lines and comments are skipped.
func (l *lines) next() ([]field, error) {
	if l.from != nil {
		return l.fromContainer()
	}
	if l.foreign != nil {
		return nil, &data.SyntaxError{File: l.name, Msg: l.foreign.Error(), Err: l.foreign}
	}
	for {
		if len(l.text) == 0 {
			l.parseAhead()
			if err := l.load(); err != nil {
				return nil, err
			}
		}
		if fields, ok := l.nextParsed(); ok {
			return fields, nil
		}
		line, err := l.read()
		if err != nil {
			return nil, err
		}
		fields, err := l.fieldsOf(l.fields[:0], line)
		if l.unclosed(err) {
			if joined := l.joined(line); joined != nil {
				fields, err = joined, nil
			}
		}
		switch {
		case err != nil:
			return nil, err
		case len(fields) > 0:
			l.fields = fields
			if l.cells == 0 {
				l.cells = len(fields)
			}
			return fields, nil
		default:
			l.skip(bytes.TrimRight(line, "\r\n"))
		}
	}
}

// fieldsOf appends the fields of a line with its end; none where the line is blank, a comment or names the separator.
func (l *lines) fieldsOf(fields []field, line []byte) ([]field, error) {
	for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
		line = line[:len(line)-1]
	}
	if at := bytes.IndexByte(line, '\r'); at >= 0 {
		return nil, &data.SyntaxError{File: l.name, Line: l.line, Col: at + 1, Msg: textline.InnerReturn,
			Err: cellfault.New(cellfault.Other, textline.InnerReturn)}
	}
	if len(line) == 0 || line[0] == '#' || line[0] <= ' ' && len(bytes.Trim(line, " \t")) == 0 {
		return fields, nil
	}
	text := unsafe.String(&line[0], len(line)) // which is not changed before the next call
	if !l.known && l.separate(text) {
		return fields, nil
	}
	return l.split(fields, text)
}

// separate finds the separator in the first line, unless it is given. It reports whether the line says
// the separator alone, as "sep=;" of a spreadsheet does.
func (l *lines) separate(line string) (alone bool) {
	if sep, is := strings.CutPrefix(line, "sep="); is && len(sep) == 1 {
		l.sep, l.known = sep[0], true
		return true
	}
	l.known = true
	bare := outsideQuotes(line)
	quotes := strings.HasPrefix(line, `"`) && strings.Contains(line, `" "`) // as write.table of R has them
	if l.sep == 0 || l.sep == ',' && strings.IndexByte(bare, ',') < 0 && (strings.ContainsAny(bare, ";\t") || quotes) {
		l.sep = separatorIn(bare)
	}
	return false
}

// outsideQuotes is a line without its quoted fields.
func outsideQuotes(line string) string {
	if strings.IndexByte(line, '"') < 0 {
		return line
	}
	var b strings.Builder
	for k, part := range strings.Split(line, `"`) {
		if k%2 == 0 {
			b.WriteString(part)
		}
	}
	return b.String()
}

// skip takes note of a line that is blank or a comment.
func (l *lines) skip(line []byte) {
	switch {
	case len(line) > 0 && line[0] == '#':
		if l.note != nil {
			l.note(string(line[1:]))
		}
	case l.emptied == 0 && bytes.IndexByte(line, '\t') >= 0 && len(bytes.Trim(line, " \t")) == 0:
		l.emptied = l.line
	}
}

// ask returns an error where the data kept of the lines may not fit into memory.
func (l *lines) ask() error {
	if err := l.asked.Read(l.bytes, l.line); err != nil {
		return fmt.Errorf("%s: %w", l.name, err)
	}
	return nil
}

// split appends the fields of a line.
func (l *lines) split(fields []field, line string) ([]field, error) {
	if l.sep != ' ' {
		fields = slices.Grow(fields, 1+strings.Count(line, string(l.sep))) // of a long line at once
	}
	for i := 0; ; {
		for i < len(line) && (line[i] == ' ' || line[i] == '\t' && l.sep == ' ') {
			i++
		}
		if i == len(line) && l.sep == ' ' {
			return fields, nil
		}
		start := i
		if i < len(line) && line[i] == '"' {
			f, end, err := l.quotedField(line, i)
			if err != nil {
				return nil, err
			}
			fields, i = append(fields, f), end
		} else {
			i = l.plainEnd(line, i)
			fields = append(fields, field{text: strings.TrimRight(line[start:i], " "), col: start + 1})
		}
		if i == len(line) {
			return fields, nil
		}
		i++
	}
}

// plainEnd is where the field at line[i], which has no quotes, ends.
func (l *lines) plainEnd(line string, i int) int {
	for i < len(line) && line[i] != l.sep && !(l.sep == ' ' && line[i] == '\t') {
		i++
	}
	return i
}

// quotedField returns the quoted field at line[start] and where it ends, with the blanks behind it.
func (l *lines) quotedField(line string, start int) (f field, i int, err error) {
	text, end, ok := quoted(line, start)
	if !ok || end < len(line) && !l.ends(line[end:]) {
		return f, 0, l.faultOf(field{text: line[start:], col: start + 1}, l.quoteReason(ok))
	}
	for i = end; i < len(line) && line[i] != l.sep; i++ {
	}
	return field{text: text, col: start + 1}, i, nil
}

// quoteReason is why quotes are refused, which are closed or not.
func (l *lines) quoteReason(closed bool) error {
	if !closed {
		return errUnclosed
	}
	return cellfault.New(cellfault.Quotes, "the quotes do not end at the end of the field")
}

// faultOf is an error about a field that wraps another.
func (l *lines) faultOf(f field, err error) error {
	at := l.fault(f, "%s", err).(*data.SyntaxError)
	at.Err = err
	return at
}

// ends reports whether the text after a closing quote ends the field.
func (l *lines) ends(rest string) bool {
	if l.sep == ' ' {
		return rest[0] == ' ' || rest[0] == '\t'
	}
	rest = strings.TrimLeft(rest, " ")
	return rest == "" || rest[0] == l.sep
}

// quoted reads the quoted text that starts at line[i].
func quoted(line string, i int) (text string, end int, ok bool) {
	i++
	for from, doubled := i, false; i < len(line); i++ {
		switch {
		case line[i] != '"':
		case i+1 < len(line) && line[i+1] == '"':
			doubled, i = true, i+1
		case doubled:
			return strings.ReplaceAll(line[from:i], `""`, `"`), i + 1, true
		default:
			return line[from:i], i + 1, true
		}
	}
	return "", i, false
}

// fault is an error about a field of the current line.
func (l *lines) fault(f field, format string, args ...any) error {
	msg := fmt.Sprintf(format, args...)
	if l.from != nil {
		if err := l.from.fault(l.name, f, msg); err != nil {
			return err
		}
	}
	line, col := l.placed(f.col)
	return &data.SyntaxError{File: l.name, Line: line, Col: col, Text: data.ClipText(f.text), Msg: msg}
}

// value is the finite number in a field.
func (l *lines) value(f *field) (float64, bool) {
	if f.x != 0 && l.decimal != decimalComma { // else it was read ahead as if points were decimal points
		return f.x, true
	}
	return l.parse(f.text)
}

// parse reads a finite number as Options.Decimal says. Between semicolons its decimal sign may be a comma, as sheets
// write it in many languages, but not in a text that has points, too.
func (l *lines) parse(text string) (float64, bool) {
	switch {
	case l.decimal == decimalComma:
		l.commas = l.commas || strings.IndexByte(text, ',') >= 0
		return parseCommas(text)
	case l.sep != ';' || l.decimal == decimalPoint:
		return parseNumber(text)
	}
	x, ok := parseDecimal(text)
	switch comma := strings.IndexByte(text, ',') >= 0; {
	case !ok:
		return 0, false
	case comma:
		l.commas = true
	case strings.IndexByte(text, '.') >= 0:
		l.points = true
	}
	return x, !(l.points && l.commas)
}

// parseDecimal reads a finite number with a decimal point or a decimal comma.
func parseDecimal(text string) (float64, bool) {
	comma := strings.IndexByte(text, ',')
	if comma < 0 {
		return parseNumber(text)
	}
	if strings.IndexByte(text, '.') >= 0 {
		return 0, false
	}
	return parseNumber(text[:comma] + "." + text[comma+1:])
}

// number returns the finite number in a field.
func (l *lines) number(f field) (float64, error) {
	x, ok := l.value(&f)
	switch {
	case ok:
		return x, nil
	case gaps.IsMissing(f.text):
		return 0, l.fault(f, "the value is missing")
	}
	return 0, l.fault(f, "not a finite number")
}

// row returns the number of one of m rows, from 1, in a field.
func (l *lines) row(f field, m int) (int, error) {
	k, err := strconv.Atoi(f.text)
	if err != nil {
		return 0, l.fault(f, "row is not a whole number")
	}
	if k < 1 || k > m {
		return 0, l.fault(f, "row %d is not in 1 … %d", k, m)
	}
	return k, nil
}
