package table

import (
	"bytes"
	"context"
	"slices"
	"unsafe"

	"pairrank/internal/blocks"
	"pairrank/internal/codec"
	"pairrank/internal/parallel"
	"pairrank/internal/textline"
)

// A block of text has blockSize bytes, or more where a line is longer. Above mostAhead it is not parsed ahead: the
// cells take up to ten times the memory of their text.
const (
	blockSize = 1 << 18
	mostAhead = 1 << 20
)

// parsedBlock is a block of text with the cells of its lines.
type parsedBlock struct {
	blocks.Text
	lines  []parsedLine
	cells  []cell
	fields []field // of the line that is parsed
}

// cell is a field of a line that was parsed ahead. It is half as large as a field and has no pointer: another core
// reads it, and the memory of cells that a core read last is slow to write on (on two cores of an AMD EPYC it took a
// fifth of the time of check).
type cell struct {
	x    float64 // the number that the text is; 0 where it is none
	at   uint32  // where the field begins in its line
	size uint32  // twice the length of the text, and 1 more where it stands in quotes
}

// text is the text of the cell of a line.
func (c cell) text(line string) string {
	from := c.at + c.size&1
	return line[from : from+c.size>>1]
}

// blockwise are the lines of a block that were parsed before they are read.
type blockwise struct {
	parsed []parsedLine                                // from the next line on
	found  []cell                                      // of parsed
	look   func(text []byte, _ []parsedLine, _ []cell) // at some lines before they are read; nil for none
	shown  int                                         // lines of parsed that look has seen
	own    parsedBlock                                 // to look at, where none is parsed ahead
}

// parsedLine is a line with its end.
type parsedLine struct {
	size   int // in bytes
	fields int // 0 for a blank line, a comment or a fault, which next reads again
}

// parse finds the cells of the lines by l, which reads nothing itself, and the numbers among them.
func (b *parsedBlock) parse(l *lines) {
	b.lines, b.cells = b.lines[:0], b.cells[:0]
	if len(b.Bytes) > mostAhead {
		return
	}
	for rest := b.Bytes; len(rest) > 0; {
		line, from := firstLine(rest), len(b.cells)
		rest = rest[len(line):]
		fields, err := l.fieldsOf(b.fields[:0], line)
		if err != nil || l.tooLong(line) || !b.keep(fields, line, l.sep) {
			b.cells = b.cells[:from]
		}
		if fields != nil {
			b.fields = fields
		}
		b.lines = append(b.lines, parsedLine{size: len(line), fields: len(b.cells) - from})
	}
}

// keep appends the cells of the fields of a line, unless the text of one does not stand in it, as that of doubled
// quotes.
func (b *parsedBlock) keep(fields []field, line []byte, sep byte) bool {
	for k := range fields {
		f := &fields[k]
		c := cell{at: uint32(f.col - 1), size: uint32(len(f.text)) << 1}
		if f.text != "" && line[c.at] == '"' {
			if c.size++; c.text(unsafe.String(&line[0], len(line))) != f.text {
				return false
			}
		}
		if sep != ';' { // where the rule of numbers depends on those before
			if x, finite := parseNumber(f.text); finite {
				c.x = x
			}
		}
		b.cells = append(b.cells, c)
	}
	return true
}

// firstLine is the first line of a text, with its end.
func firstLine(text []byte) []byte {
	if end := bytes.IndexByte(text, '\n'); end >= 0 {
		return text[:end+1]
	}
	return text
}

// load makes the next block of text the current one; the fields of the last one are not valid any more. It returns
// io.EOF after the last.
func (l *lines) load() error {
	var b *blocks.Text
	if l.ahead != nil {
		parsed, err := l.ahead.Next(context.Background())
		if err != nil {
			return err
		}
		b, l.parsed, l.found = &parsed.Text, parsed.lines, parsed.cells
		l.done = b.Done
	} else {
		b = &l.block
		if err := l.cutter.Cut(b); err != nil {
			return err
		}
		if l.source != nil {
			l.done = l.source.Done()
		}
	}
	l.text = b.Bytes
	l.loaded += len(b.Bytes)
	if l.shown = 0; l.look != nil && l.ahead == nil && l.known {
		l.own.Text = *b
		l.own.parse(&lines{name: l.name, sep: l.sep, known: true, most: l.most})
		l.parsed, l.found = l.own.lines, l.own.cells
	}
	return nil
}

// tooLong reports whether a line with its end is longer than a line may be.
func (l *lines) tooLong(line []byte) bool { return len(bytes.TrimSuffix(line, []byte("\n"))) > l.most }

// parseAhead lets all cores parse the text that follows, where it comes from a file that is read here alone, and the
// separator is known.
func (l *lines) parseAhead() {
	workers := parallel.Workers()
	if l.ahead != nil || workers == 1 || !l.known || !l.owned || len(l.block.Bytes) > mostAhead {
		return
	}
	l.ahead = blocks.Read(l.source, l.cutter, workers, func() *parsedBlock { return new(parsedBlock) },
		func(int) func(*parsedBlock) {
			own := &lines{name: l.name, sep: l.sep, known: true, most: l.most}
			return func(b *parsedBlock) { b.parse(own) }
		})
}

// looksAt is how many lines are looked at together: what they touch has to stay near, and so do the pages it is on.
const looksAt = 256

// close ends reading and closes the file, which is owned or is not read ahead.
func (l *lines) close() error {
	if l.ahead != nil {
		return l.ahead.Close()
	}
	return l.source.Close()
}

// nextParsed returns the fields of the next line of the block, where they are known.
func (l *lines) nextParsed() (fields []field, ok bool) {
	if len(l.parsed) == 0 {
		return nil, false
	}
	if l.look != nil {
		if l.shown == 0 {
			l.shown = min(len(l.parsed), looksAt)
			l.look(l.text, l.parsed[:l.shown], l.found)
		}
		l.shown--
	}
	line := l.parsed[0]
	l.parsed = l.parsed[1:]
	if line.fields == 0 {
		return nil, false
	}
	text := unsafe.String(&l.text[0], line.size)
	l.pass(line.size)
	l.fields = slices.Grow(l.fields[:0], line.fields)[:line.fields]
	for k, c := range l.found[:line.fields] {
		l.fields[k] = field{text: c.text(text), col: int(c.at) + 1, x: c.x}
	}
	l.found = l.found[line.fields:]
	return l.fields, true
}

// pass goes past a line of so many bytes, with its end.
func (l *lines) pass(size int) {
	l.text = l.text[size:]
	l.line += 1 + l.extra
	l.extra, l.record, l.begins = 0, nil, 0
	l.bytes += size
}

// read returns the next line with its end, io.EOF after the last. It is valid until the next call.
func (l *lines) read() ([]byte, error) {
	if len(l.text) == 0 {
		if err := l.load(); err != nil {
			return nil, err
		}
	}
	line := firstLine(l.text)
	if l.tooLong(line) {
		return nil, textline.LongLine(l.name, l.line+1, l.most)
	}
	l.pass(len(line))
	return line, nil
}

// expected estimates the total number of rows after so many, so that values need not be copied as
// they grow; 0 if it cannot.
func (l *lines) expected(rows int) int {
	if l.source == nil || l.source.Size() < 0 {
		return 0
	}
	done := float64(max(l.bytes, l.loaded-len(l.text))) // the rows of a document of JSON do not end with lines
	if l.source.Format() != codec.Plain {
		done *= float64(l.done-codec.BufferSize) / float64(l.loaded)
	}
	if done <= 0 {
		return 0
	}
	const margin = 1.1
	return int(float64(rows) * margin * max(1, float64(l.source.Size())/done))
}

// foreseen is how many rows are expected after so many, at the first power of two from minExpect on where that can be
// estimated; else 0.
func (l *lines) foreseen(rows int) int {
	if rows < minExpect || rows&(rows-1) != 0 {
		return 0
	}
	return l.expected(rows)
}

// minExpect is the number of rows from which the number of all is estimated.
const minExpect = 4096
