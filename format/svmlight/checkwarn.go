package svmlight

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
)

// queryFacts is what Check keeps of a query.
type queryFacts struct {
	line    int // of its first row
	number  int // in order of first appearance
	rows    int
	label   float64 // of the first row
	mixed   bool    // another label was seen
	lastRow int     // number of its last row
	broken  bool    // rows of others stand between
}

// rowHash stands for the features of a row in a query. Two hashes of 64 bits
// make a chance hit in 10^9 rows less likely than 10^-19.
type rowHash struct{ a, b uint64 }

var hashSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// warning counts one kind of doubt.
type warning struct {
	count int
	line  int // of the first
	text  string
}

func (c *checker) count(kind string, line int, text string) {
	w := c.warnings[kind]
	if w == nil {
		w = &warning{line: line, text: text}
		c.warnings[kind] = w
	}
	w.count++
}

// checkQuery takes the row into its query.
func (c *checker) checkQuery() {
	row := &c.row
	q := c.queries[string(row.qid)]
	if q == nil {
		q = &queryFacts{line: c.line, number: len(c.queries), label: row.label, lastRow: c.sum.Rows}
		c.queries[string(row.qid)] = q
	} else if q.lastRow != c.sum.Rows-1 && !q.broken {
		q.broken = true
		c.count("broken", c.line, string(row.qid))
	}
	q.rows++
	q.lastRow = c.sum.Rows
	q.mixed = q.mixed || row.label != q.label

	text := binary.LittleEndian.AppendUint64(c.hashed[:0], uint64(q.number))
	for i, x := range row.vals {
		if x != 0 {
			text = binary.LittleEndian.AppendUint32(text, uint32(row.cols[i]))
			text = binary.LittleEndian.AppendUint64(text, math.Float64bits(x))
		}
	}
	c.hashed = text
	key := rowHash{maphash.Bytes(hashSeeds[0], text), maphash.Bytes(hashSeeds[1], text)}
	if _, again := c.seen[key]; again {
		c.count("equal", c.line, string(row.qid))
	}
	c.seen[key] = struct{}{}
}

// warn appends the warnings that the counts give rise to.
func (c *checker) warn() {
	single, equal := warning{}, warning{}
	for id, q := range c.queries {
		switch {
		case q.rows == 1:
			single.take(q.line, id)
		case !q.mixed:
			equal.take(q.line, id)
		}
	}
	var found []Problem
	switch {
	case c.sum.Rows == 1:
		found = append(found, c.place(0, "", "there is only one row, nothing to compare"))
	case c.sum.MinLabel == c.sum.MaxLabel:
		found = append(found, c.place(0, "", "all %d labels are %g, nothing to compare", c.sum.Rows, c.sum.MinLabel))
	}
	if c.sum.HasQID {
		if single.count > 0 {
			found = append(found, c.place(single.line, single.text, "%s one row, nothing to compare; first", several(single.count, "query has", "queries have")))
		}
		if equal.count > 0 {
			found = append(found, c.place(equal.line, equal.text, "%s one label in all rows; first", several(equal.count, "query has", "queries have")))
		}
		if w := c.warnings["broken"]; w != nil {
			found = append(found, c.place(w.line, w.text, "%s rows of others in between; first", several(w.count, "query has", "queries have")))
		}
	}
	if n, first := c.features.constant(c.sum.Rows, c.sum.Features); n > 0 {
		found = append(found, c.place(0, "", "%s the same value in all rows; first: index %d", several(n, "feature has", "features have"), int32(first)+c.grammar.base))
	}
	if w := c.warnings["equal"]; w != nil {
		found = append(found, c.place(w.line, w.text, "%s the features of an earlier one of the same query; first", several(w.count, "row has", "rows have")))
	}
	c.sum.Warnings = len(found)
	c.problems = append(c.problems, found...)
}

// take counts a query; the first is the one in the earliest line.
func (w *warning) take(line int, text string) {
	if w.count == 0 || line < w.line {
		w.line, w.text = line, text
	}
	w.count++
}

func several(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// featureFact is what Check keeps of a feature: its first value and whether all
// are the same.
type featureFact struct {
	rows   int
	first  float64
	varies bool
}

// featureFacts keeps facts by column: in a slice up to commonFeatures, then in
// a map, so that one large index does not take the memory for all below it.
type featureFacts struct {
	common []featureFact
	rare   map[int32]*featureFact
}

const commonFeatures = 1 << 20

func (f *featureFacts) add(j int32, x float64) {
	var fact *featureFact
	if j < commonFeatures {
		if int(j) >= len(f.common) {
			f.common = append(f.common, make([]featureFact, int(j)+1-len(f.common))...)
		}
		fact = &f.common[j]
	} else if fact = f.rare[j]; fact == nil {
		fact = &featureFact{}
		f.rare[j] = fact
	}
	if fact.rows == 0 {
		fact.first = x
	}
	fact.rows++
	fact.varies = fact.varies || x != fact.first
}

// constant returns how many of the features have the same value in all rows,
// those never seen included, and the first of their columns.
func (f *featureFacts) constant(rows, features int) (count, first int) {
	varying := 0
	first = -1
	varies := func(fact *featureFact) bool {
		return fact != nil && (fact.varies || fact.rows > 0 && fact.rows < rows && fact.first != 0)
	}
	for j := range min(features, commonFeatures) {
		if j < len(f.common) && varies(&f.common[j]) {
			varying++
		} else if first < 0 {
			first = j
		}
	}
	for _, fact := range f.rare {
		if varies(fact) {
			varying++
		}
	}
	if first < 0 {
		for j := commonFeatures; j < features && first < 0; j++ {
			if !varies(f.rare[int32(j)]) {
				first = j
			}
		}
	}
	return features - varying, first
}
