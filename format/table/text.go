package table

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"pairrank/data"
	"pairrank/internal/codec"
	"pairrank/internal/memory"
)

// field is one entry of a line. Its text is in the memory of the line and must
// be cloned to outlive it.
type field struct {
	text string
	col  int // 1-based
}

// lines reads the lines of a text as fields.
type lines struct {
	name   string
	source *codec.Reader // nil when the text does not come from a file
	from   *bufio.Reader
	line   int
	sep    byte // ' ' means any run of blanks and tabs, 0 not known yet
	known  bool // the separator is known from a line
	fields []field
	buf    []byte // the line
	most   int    // bytes of a line

	bytes int          // of all lines so far
	asked memory.Meter // of the memory that they take

	emptied int // the first line of tabs alone, which was skipped; 0 for none

	note func(text string) // takes the comment lines, where it is not nil

	commas, points bool // numbers had a decimal comma, a point; only between semicolons

	foreign error // why the file is no text; nil where it may be

	turned *turned // the cells of a transposed table; nil otherwise
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
	l.source = r
	return l, r.Close, nil
}

// newLines reads lines of up to maxLine bytes; 0 is data.MaxLine.
func newLines(r io.Reader, name string, sep byte, maxLine int) *lines {
	if maxLine <= 0 {
		maxLine = data.MaxLine
	}
	from := bufio.NewReaderSize(r, 1<<16)
	l := &lines{name: name, from: from, sep: sep, most: maxLine}
	mark, _ := from.Peek(4)
	switch begins := string(mark); {
	case strings.HasPrefix(begins, "\xef\xbb\xbf"):
		from.Discard(3) // the byte order mark that spreadsheets write
	case strings.HasPrefix(begins, "\xff\xfe"), strings.HasPrefix(begins, "\xfe\xff"):
		l.foreign = &reason{FaultForeign, "the text is UTF-16, not UTF-8"}
	case begins == "PK\x03\x04", begins == "\xd0\xcf\x11\xe0":
		l.foreign = &reason{FaultForeign, "a spreadsheet or an archive, not text"}
	}
	return l
}

// separatorOf returns the separator that a file's name asks for, 0 for none.
func separatorOf(path string) byte {
	path = plainName(path)
	switch {
	case strings.HasSuffix(path, ".tsv") || strings.HasSuffix(path, ".tab"):
		return '\t'
	case strings.HasSuffix(path, ".csv"):
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
	if l.turned != nil {
		return l.turned.next()
	}
	if l.foreign != nil {
		return nil, &SyntaxError{File: l.name, Msg: l.foreign.Error(), Err: l.foreign}
	}
	for {
		line, err := l.read()
		if err != nil {
			return nil, err
		}
		l.line++
		l.bytes += len(line)
		line = bytes.TrimRight(line, "\r\n")
		if at := bytes.IndexByte(line, '\r'); at >= 0 {
			return nil, &SyntaxError{File: l.name, Line: l.line, Col: at + 1, Msg: data.InnerReturn,
				Err: &reason{FaultOther, data.InnerReturn}}
		}
		if len(bytes.Trim(line, " \t")) == 0 || line[0] == '#' {
			l.skip(line)
			continue
		}
		text := unsafe.String(&line[0], len(line)) // l.buf is not changed before the next call
		if !l.known && l.separate(text) {
			continue
		}
		return l.split(text)
	}
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
	case l.emptied == 0 && bytes.IndexByte(line, '\t') >= 0:
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

// read returns the next line with its end, io.EOF after the last.
func (l *lines) read() ([]byte, error) {
	l.buf = l.buf[:0]
	for {
		part, err := l.from.ReadSlice('\n')
		l.buf = append(l.buf, part...)
		if len(l.buf) > l.most && (len(l.buf) > l.most+1 || part[len(part)-1] != '\n') {
			return nil, data.LongLine(l.name, l.line+1, l.most)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if err == io.EOF && len(l.buf) > 0 {
			err = nil // the last line has no end
		}
		return l.buf, err
	}
}

// expected estimates the total number of rows after so many, so that values need not be copied as
// they grow; 0 if it cannot.
func (l *lines) expected(rows int) int {
	if l.source == nil || l.source.Size() < 0 {
		return 0
	}
	done := l.source.Done() - codec.BufferSize
	if done <= 0 {
		return 0
	}
	const margin = 1.1
	return int(float64(rows) * margin * max(1, float64(l.source.Size())/float64(done)))
}

// split cuts a line into fields.
func (l *lines) split(line string) ([]field, error) {
	l.fields = l.fields[:0]
	if l.sep != ' ' {
		l.fields = slices.Grow(l.fields, 1+strings.Count(line, string(l.sep))) // of a long line at once
	}
	for i := 0; ; {
		for i < len(line) && (line[i] == ' ' || line[i] == '\t' && l.sep == ' ') {
			i++
		}
		if i == len(line) && l.sep == ' ' {
			return l.fields, nil
		}
		start := i
		if i < len(line) && line[i] == '"' {
			var err error
			if i, err = l.splitQuoted(line, i); err != nil {
				return nil, err
			}
		} else {
			i = l.plainEnd(line, i)
			l.fields = append(l.fields, field{strings.TrimRight(line[start:i], " "), start + 1})
		}
		if i == len(line) {
			return l.fields, nil
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

// splitQuoted appends the quoted field at line[start] and returns where it ends, with
// the blanks behind it.
func (l *lines) splitQuoted(line string, start int) (i int, err error) {
	text, end, ok := quoted(line, start)
	if !ok || end < len(line) && !l.ends(line[end:]) {
		return 0, l.faultOf(field{line[start:], start + 1}, l.quoteReason(ok))
	}
	l.fields = append(l.fields, field{text, start + 1})
	for i = end; i < len(line) && line[i] != l.sep; i++ {
	}
	return i, nil
}

// quoteReason is why quotes are refused, which are closed or not.
func (l *lines) quoteReason(closed bool) error {
	if !closed {
		return &reason{FaultQuotes, "the quotes do not end on their line"}
	}
	return &reason{FaultQuotes, "the quotes do not end at the end of the field"}
}

// faultOf is an error about a field that wraps another.
func (l *lines) faultOf(f field, err error) error {
	at := l.fault(f, "%s", err).(*SyntaxError)
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
	var b strings.Builder
	for i++; i < len(line); i++ {
		if line[i] == '"' {
			if i+1 < len(line) && line[i+1] == '"' {
				i++
			} else {
				return b.String(), i + 1, true
			}
		}
		b.WriteByte(line[i])
	}
	return "", i, false
}

// fault is an error about a field of the current line.
func (l *lines) fault(f field, format string, args ...any) error {
	if l.turned != nil {
		return l.turned.fault(l.name, f, fmt.Sprintf(format, args...))
	}
	return &SyntaxError{File: l.name, Line: l.line, Col: f.col, Text: data.ClipText(f.text),
		Msg: fmt.Sprintf(format, args...)}
}

// parse reads a finite number. Between semicolons its decimal sign may be a comma, as spreadsheets
// write it in many languages, but not in a text that has points, too.
func (l *lines) parse(text string) (float64, bool) {
	if l.sep != ';' {
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
	x, ok := l.parse(f.text)
	switch {
	case ok:
		return x, nil
	case isMissing(f.text):
		return 0, l.fault(f, "the value is missing")
	}
	return 0, l.fault(f, "not a finite number")
}

// wholeFrom1 returns the whole number in [1,limit] in a field.
func (l *lines) wholeFrom1(f field, limit int, what string) (int, error) {
	k, err := strconv.Atoi(f.text)
	if err != nil {
		return 0, l.fault(f, "%s is not a whole number", what)
	}
	if k < 1 || k > limit {
		return 0, l.fault(f, "%s %d is not in 1 … %d", what, k, limit)
	}
	return k, nil
}

// isMissing reports whether a text denotes a missing value.
func isMissing(text string) bool {
	switch text {
	case "", "NA", ".", "N/A", "#N/A", "<NA>":
		return true
	}
	return strings.EqualFold(text, "nan") || strings.EqualFold(text, "null")
}
