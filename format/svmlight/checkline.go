package svmlight

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math"
	"sync"

	"pairrank/data"
)

// lineChecker checks the lines of blocks on one goroutine. Facts that depend on the order of the
// rows go into the block, with lines and rows counted from its beginning; lineChecker counts the
// rest over all its blocks.
type lineChecker struct {
	name     string
	grammar  grammar
	limit    int
	first    *firstRow
	known    bool // whether the first row of the file has a qid
	hasQID   bool
	sum      Summary // but for rows and errors
	labels   map[float64]int
	features featureFacts

	row    fields
	block  *block
	number map[string]int32 // names of the queries of the block
	hashed []byte
}

func newLineChecker(c *checker) *lineChecker {
	return &lineChecker{name: c.name, grammar: c.grammar, limit: c.limit, first: c.first,
		sum: newTally(c.opts), labels: map[float64]int{},
		features: newFeatureFacts(), number: map[string]int32{}}
}

// checkedBlock is what Check keeps of a block.
type checkedBlock struct {
	errors   int       // all, also those that are not listed
	problems []Problem // up to the limit
	queries  []queryFacts
	rows     []checkedRow
}

// checkedRow is a row without a fault.
type checkedRow struct {
	hash  rowHash
	line  int
	query int32 // of those of the block
}

// check checks the lines of a block.
func (c *lineChecker) check(b *block) {
	c.block = b
	found := &b.checked
	found.errors, found.problems, found.queries, found.rows = 0, found.problems[:0], found.queries[:0], found.rows[:0]
	b.lines = 0
	clear(c.number)
	for text := b.Bytes; len(text) > 0; {
		var line []byte
		line, text = cutLine(text)
		b.lines++
		c.checkLine(trim(line))
	}
}

// checkLine reads one line past every fault in it.
func (c *lineChecker) checkLine(line []byte) {
	row := &c.row
	row.qid, row.comment, row.missing = nil, nil, false
	row.cols, row.vals = row.cols[:0], row.vals[:0]
	if f := c.grammar.inside(line, 0); f != nil {
		c.fault(f)
		return
	}
	i := skipBlanks(line, 0)
	if i == len(line) || line[i] == '#' {
		return
	}
	before := c.block.checked.errors
	i, f := c.grammar.label(line, i, row)
	if f != nil {
		c.fault(f)
		if next := skipBlanks(line, i); next < len(line) && bytes.HasPrefix(line[next:], qidPrefix) {
			if i = fieldEnd(line, next); i > next+len(qidPrefix) {
				row.qid, row.qidAt = line[next+len(qidPrefix):i], next
			}
		}
	}
	last := int32(-1)
	for {
		var end int
		if end, f = c.grammar.values(line, i, last, row); f == nil {
			break
		}
		c.fault(f)
		if n := len(row.cols); n > 0 {
			last = row.cols[n-1]
		}
		i = end
	}
	if c.block.checked.errors == before {
		c.checkRow(line)
	}
}

func (c *lineChecker) fault(f *fault) {
	found := &c.block.checked
	found.errors++
	if c.limit <= 0 || len(found.problems) < c.limit {
		found.problems = append(found.problems, Problem{Severity: Error, SyntaxError: *f.at(c.name, c.block.lines)})
	}
}

// checkRow counts a row without a fault.
func (c *lineChecker) checkRow(line []byte) {
	row := &c.row
	if !c.known {
		c.known, c.hasQID = true, c.first.ask(c.block.Number, row.qid != nil)
	}
	if c.hasQID != (row.qid != nil) {
		c.fault(mixedFault(line, row))
		return
	}
	c.sum.MinLabel, c.sum.MaxLabel = min(c.sum.MinLabel, row.label), max(c.sum.MaxLabel, row.label)
	c.labels[row.label]++
	c.sum.Values += len(row.vals)
	if n := len(row.cols); n > 0 {
		c.sum.Features = max(c.sum.Features, int(row.cols[n-1])+1)
	}
	for k, j := range row.cols {
		c.checkValue(j, row.vals[k])
	}
	found := &c.block.checked
	found.rows = append(found.rows, checkedRow{hash: c.hash(), line: c.block.lines, query: c.query()})
}

func (c *lineChecker) checkValue(j int32, x float64) {
	if math.IsNaN(x) {
		c.sum.Missing++
		if c.grammar.missing != data.MissingZero {
			return
		}
		x = 0
	}
	if x != 0 {
		c.sum.Nonzero++
	}
	c.sum.MinValue, c.sum.MaxValue = min(c.sum.MinValue, x), max(c.sum.MaxValue, x)
	c.features.add(j, x)
}

// query takes the row into its query, and returns the number of that in the block.
func (c *lineChecker) query() int32 {
	found, row := &c.block.checked, &c.row
	at := len(found.rows) // the place of the row in the block
	n, known := int32(0), false
	if at > 0 && found.queries[found.rows[at-1].query].id == string(row.qid) {
		n, known = found.rows[at-1].query, true
	} else {
		n, known = c.number[string(row.qid)]
	}
	if !known {
		n = int32(len(found.queries))
		id := string(row.qid)
		c.number[id] = n
		found.queries = append(found.queries, queryFacts{id: id, line: c.block.lines,
			label: row.label, firstRow: at, lastRow: at})
	}
	q := &found.queries[n]
	if known && q.lastRow != at-1 && !q.broken {
		q.broken, q.brokenLine = true, c.block.lines
	}
	q.rows++
	q.lastRow = at
	q.mixed = q.mixed || row.label != q.label
	return n
}

// rowHash identifies the features of a row within a query. With two 64-bit hashes a collision among
// 10^9 rows is less likely than 10^-19.
type rowHash struct{ a, b uint64 }

var hashSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// hash returns the hash of the query and the features of the row.
func (c *lineChecker) hash() rowHash {
	row := &c.row
	text := binary.LittleEndian.AppendUint64(c.hashed[:0], uint64(len(row.qid)))
	text = append(text, row.qid...)
	for i, x := range row.vals {
		if x != 0 {
			text = binary.LittleEndian.AppendUint32(text, uint32(row.cols[i]))
			text = binary.LittleEndian.AppendUint64(text, math.Float64bits(x))
		}
	}
	c.hashed = text
	return rowHash{maphash.Bytes(hashSeeds[0], text), maphash.Bytes(hashSeeds[1], text)}
}

// firstRow tells all blocks whether the first row of the file has a qid, and so whether all rows
// must.
type firstRow struct {
	mu     sync.Mutex
	news   *sync.Cond
	known  bool
	hasQID bool
	passed int // the blocks before it have been checked
}

func newFirstRow() *firstRow {
	f := &firstRow{}
	f.news = sync.NewCond(&f.mu)
	return f
}

// ask returns whether the first row of the file has a qid. hasQID says so of the first row of the
// block, which is the first of the file if no earlier block has a row: ask waits until that is
// known.
func (f *firstRow) ask(block int, hasQID bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for !f.known && f.passed < block {
		f.news.Wait()
	}
	if !f.known {
		f.known, f.hasQID = true, hasQID
		f.news.Broadcast()
	}
	return f.hasQID
}

// pass records that a block and all before it have been checked.
func (f *firstRow) pass(block int) {
	f.mu.Lock()
	f.passed = block + 1
	f.mu.Unlock()
	f.news.Broadcast()
}
