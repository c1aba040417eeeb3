package svmlight

import (
	"bytes"
	"math"

	"pairrank/data"
	"pairrank/internal/blocks"
)

// block is a piece of text that ends with a line, and the rows in it. Blocks
// are reused.
type block struct {
	blocks.Text

	lines   int // lines of the text, up to the fault if there is one
	labels  []float64
	ends    []int // values up to and with row i: cols[ends[i-1]:ends[i]]
	cols    []int32
	vals    []float64
	of      []int32     // row → query of this block
	runs    []run       // rows of one query that follow each other
	ids     []string    // names of the queries of this block
	texts   []byte      // the comments, one after the other
	textEnd []int       // comments up to and with row i
	notes   []data.Note // rows counted in this block
	width   int         // largest column + 1
	nonzero int
	missing bool // a value stands as NaN

	hasQID    bool // of the first row
	firstLine int  // line of the first row within the block, from 1
	mixed     *fault
	fault     *fault // at line `lines` of the block

	checked checkedBlock // by Check, instead of rows
}

// run is rows of one query that follow each other within a block.
type run struct {
	row, line, col int // of the first: its number and line in the block, and where its qid stands
	query          int32
	width, nonzero int // largest column + 1, and values that are not zero
}

// reset forgets the rows.
func (b *block) reset() {
	b.lines, b.width, b.nonzero, b.firstLine = 0, 0, 0, 0
	b.labels, b.ends, b.cols, b.vals = b.labels[:0], b.ends[:0], b.cols[:0], b.vals[:0]
	b.of, b.runs, b.texts, b.textEnd = b.of[:0], b.runs[:0], b.texts[:0], b.textEnd[:0]
	b.ids, b.notes, b.mixed, b.fault = nil, nil, nil, nil
	b.missing, b.hasQID = false, false
}

// parser turns blocks of text into rows; each goroutine has its own.
type parser struct {
	grammar grammar
	keep    bool
	notes   bool // keep comment lines
	row     fields
	number  map[string]int32 // names of the queries of the block
}

// cutLine returns the first line of a text and the rest after its end, nil where it has none.
func cutLine(text []byte) (line, rest []byte) {
	if end := bytes.IndexByte(text, '\n'); end >= 0 {
		return text[:end], text[end+1:]
	}
	return text, nil
}

// parse reads the rows of b up to the end of its text or the first fault.
func (p *parser) parse(b *block) {
	b.reset()
	clear(p.number)
	p.row.cols, p.row.vals = b.cols, b.vals
	for text := b.Bytes; len(text) > 0; {
		var line []byte
		line, text = cutLine(text)
		b.lines++
		if text == nil && b.Cut {
			b.fault = &fault{long: p.grammar.longest}
			break
		}
		line = trim(line)
		found, f := p.grammar.parse(line, &p.row)
		switch {
		case f == nil && found:
			f = p.add(b, line)
		case !found && p.notes:
			p.note(b, line)
		}
		if f != nil {
			b.fault = f
			break
		}
	}
	b.cols, b.vals = p.row.cols, p.row.vals
}

// add takes the row that grammar.parse has read into b.
func (p *parser) add(b *block, line []byte) *fault {
	has := p.row.qid != nil
	if len(b.labels) == 0 {
		b.hasQID, b.firstLine = has, b.lines
		b.mixed = mixedFault(line, &p.row)
	} else if has != b.hasQID {
		return mixedFault(line, &p.row)
	}
	start := 0
	if len(b.ends) > 0 {
		start = b.ends[len(b.ends)-1]
	}
	vals := p.row.vals[start:]
	if p.row.missing {
		if p.grammar.missing == data.MissingZero {
			zeroNaN(vals)
		} else {
			b.missing = true
		}
	}
	width, nonzero := 0, 0
	for _, x := range vals {
		if x != 0 {
			nonzero++
		}
	}
	if len(vals) > 0 {
		width = int(p.row.cols[len(p.row.cols)-1]) + 1
	}
	b.width, b.nonzero = max(b.width, width), b.nonzero+nonzero
	if has {
		p.takeQuery(b, width, nonzero)
	}
	b.labels = append(b.labels, p.row.label)
	b.ends = append(b.ends, len(p.row.cols))
	if p.keep {
		b.texts = append(b.texts, p.row.comment...)
		b.textEnd = append(b.textEnd, len(b.texts))
	}
	return nil
}

// note takes a line without a row, which is blank or a comment.
func (p *parser) note(b *block, line []byte) {
	if _, text, comment := bytes.Cut(line, []byte("#")); comment {
		b.notes = append(b.notes, data.Note{Row: len(b.labels), Text: string(text)})
	}
}

// takeQuery takes the row, the next of b, into its query.
func (p *parser) takeQuery(b *block, width, nonzero int) {
	g := p.query(b)
	if last := len(b.of) - 1; last < 0 || b.of[last] != g {
		b.runs = append(b.runs, run{row: len(b.of), line: b.lines, col: p.row.qidAt + 1, query: g})
	}
	r := &b.runs[len(b.runs)-1]
	r.width, r.nonzero = max(r.width, width), r.nonzero+nonzero
	b.of = append(b.of, g)
}

// query numbers the name of the row's query within the block.
func (p *parser) query(b *block) int32 {
	if last := len(b.of) - 1; last >= 0 && b.ids[b.of[last]] == string(p.row.qid) {
		return b.of[last]
	}
	g, known := p.number[string(p.row.qid)]
	if !known {
		g = int32(len(b.ids))
		id := string(p.row.qid)
		b.ids = append(b.ids, id)
		p.number[id] = g
	}
	return g
}

func zeroNaN(vals []float64) {
	for k, x := range vals {
		if math.IsNaN(x) {
			vals[k] = 0
		}
	}
}
