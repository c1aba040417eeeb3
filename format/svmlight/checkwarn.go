package svmlight

import (
	"fmt"

	"pairrank/internal/doubt"
)

// queryFacts are the facts that Check keeps of a query, in a block or in the file. Lines and rows
// count from the beginning of that.
type queryFacts struct {
	id         string
	line       int // of its first row
	rows       int
	label      float64 // of the first row
	mixed      bool    // another label was seen
	firstRow   int     // place of its first row
	lastRow    int     // and of its last
	broken     bool    // rows of others stand between
	brokenLine int     // that of the first row after others
}

// warning counts one kind of doubt.
type warning struct {
	count int
	line  int // of the first
	text  string
}

// count counts a doubt; the first is the one in the earliest line.
func (c *checker) count(kind string, line int, text string) {
	w := c.warnings[kind]
	if w == nil {
		w = &warning{}
		c.warnings[kind] = w
	}
	w.take(line, text)
}

// takeQuery takes in a query of the next block.
func (c *checker) takeQuery(next queryFacts) {
	next.line += c.line
	next.brokenLine += c.line
	next.firstRow += c.sum.Rows
	next.lastRow += c.sum.Rows
	q := c.queries[next.id]
	if q == nil {
		if q = &next; q.broken {
			c.count("broken", q.brokenLine, q.id)
		}
		c.queries[q.id] = q
		return
	}
	switch {
	case q.broken:
	case q.lastRow != next.firstRow-1:
		q.broken = true
		c.count("broken", next.line, q.id)
	case next.broken:
		q.broken = true
		c.count("broken", next.brokenLine, q.id)
	}
	q.rows += next.rows
	q.lastRow = next.lastRow
	q.mixed = q.mixed || next.mixed || next.label != q.label
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
	if text := doubt.AllText(c.sum.Rows, c.sum.MinLabel, c.sum.MaxLabel); text != "" {
		found = append(found, c.place(0, "", "%s", text))
	}
	add := func(f doubt.Finding, w *warning) {
		if w != nil && w.count > 0 && c.sum.HasQID {
			found = append(found, c.place(w.line, w.text, "%s", f.Text(w.count)))
		}
	}
	add(doubt.FindSingles, &single)
	add(doubt.FindOneLabel, &equal)
	add(doubt.FindApart, c.warnings["broken"])
	add(doubt.FindEqual, c.warnings["equal"])
	if n, first := c.features.constant(c.sum.Rows, c.sum.Features); n > 0 {
		p := c.place(0, "", "%s the same value in all rows; first: index %d",
			several(n, "feature has", "features have"), int32(first)+c.grammar.base)
		p.Features = true
		found = append(found, p)
	}
	c.sum.Warnings = len(found)
	c.problems = append(c.problems, found...)
}

// take counts a doubt; the first is the one in the earliest line.
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

// featureFact is the first value of a feature and whether all values equal it.
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

func newFeatureFacts() featureFacts { return featureFacts{rare: map[int32]*featureFact{}} }

func (f *featureFacts) add(j int32, x float64) {
	var fact *featureFact
	if int(j) < len(f.common) { // but for the first rows
		fact = &f.common[j]
	} else {
		fact = f.of(j)
	}
	if fact.rows == 0 {
		fact.first = x
	}
	fact.rows++
	if x != fact.first {
		fact.varies = true
	}
}

// merge adds the facts of other rows, before or after these: a first value says something
// only where all are the same.
func (f *featureFacts) merge(other featureFacts) {
	for j, fact := range other.common {
		if fact.rows > 0 {
			f.of(int32(j)).merge(fact)
		}
	}
	for j, fact := range other.rare {
		f.of(j).merge(*fact)
	}
}

func (f *featureFact) merge(other featureFact) {
	if f.rows == 0 {
		*f = other
		return
	}
	f.rows += other.rows
	f.varies = f.varies || other.varies || other.first != f.first
}

// of is the facts of column j.
func (f *featureFacts) of(j int32) *featureFact {
	if j < commonFeatures {
		if int(j) >= len(f.common) {
			f.common = append(f.common, make([]featureFact, int(j)+1-len(f.common))...)
		}
		return &f.common[j]
	}
	fact := f.rare[j]
	if fact == nil {
		fact = &featureFact{}
		f.rare[j] = fact
	}
	return fact
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
