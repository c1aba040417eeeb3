package serve

import (
	"bytes"
	"fmt"
	"net/http"

	"pairrank/data"
	"pairrank/model"
)

var comma, bracket, brace = []byte{','}, []byte{'['}, []byte{'{'}

// takeMatrix makes room for the matrix of a body: 8 bytes a number and row, beyond the memory of
// the job.
func (j *job) takeMatrix() *Problem {
	m := &j.matrix
	numbers, rows := bytes.Count(j.body, comma)+1, bytes.Count(j.body, bracket)
	more := max(0, numbers-cap(m.Data)) + max(0, rows-cap(m.Ends))
	if p := j.take(8 * int64(more)); p != nil {
		return p
	}
	if numbers > cap(m.Data) {
		m.Data = make([]float64, 0, numbers)
	}
	if rows > cap(m.Ends) {
		m.Ends = make([]int, 0, rows)
	}
	return nil
}

// takeFields counts the memory of a body that is no matrix alone: a text or two of each row, and
// its numbers with their places, twice where rows have names that must be ordered.
func (j *job) takeFields(rows int) *Problem {
	const texts, number, ordered = 64, 12, 20
	elements := bytes.Count(j.body, comma) + 1
	each := number
	if bytes.Count(j.body, brace) > 1 {
		each += ordered
	}
	return j.take(int64(len(j.body) + texts*min(elements, rows) + each*elements))
}

// takeScores counts the scores of a request, the memory to compute them, and their answer, for
// which it makes room.
func (j *job) takeScores(l *loaded, q *request, ranked bool) *Problem {
	rows, v := q.count(), l.outputs()
	field := "rows"
	if l.pairs != nil {
		field = "pairs"
		if q.given != nil {
			field, rows = "given", len(l.nodes.cols.ids)
		}
	}
	work := 8 * float64(rows) * float64(v)
	if l.pairs != nil {
		work += l.nodes.scratch(rows, q.given != nil)
	} else {
		work += scratch(l.rows, q.set)
	}
	if ranked {
		work += 8 * float64(max(0, rows-cap(j.order)))
	}
	answer := l.longest(q, rows, ranked)
	if p := j.take(int64(min(work+max(0, answer-float64(cap(j.out))), 1<<62))); p != nil {
		if p.Status == http.StatusRequestEntityTooLarge {
			p.Detail = fmt.Sprintf("%d rows of %d outputs: %s", rows, v, p.Detail)
		}
		return p.at(field)
	}
	if cap(j.out) < int(answer) {
		j.out = make([]byte, 0, int(answer))
	}
	return nil
}

// longest is the greatest length in bytes of an answer of so many rows. The longest number is one
// such as -2.2250738585072014e-308 or -0.0000012345678901234567, plus a comma and, with several
// outputs, brackets.
func (l *loaded) longest(q *request, rows int, ranked bool) float64 {
	const number, brackets, place, rest = 26, 3, 8, 1 << 10
	size := rest + float64(rows)*float64(number*l.outputs()+brackets)
	for _, id := range q.ids {
		size += float64(mostQuoted(id))
	}
	if q.given != nil {
		size += float64(mostQuoted(*q.given) + l.nodes.cols.quoted)
	}
	if ranked {
		places := rows
		if q.top > 0 {
			places = min(rows, q.top)
		}
		size += float64(l.outputs()) * float64(place*(places+1))
	}
	return size
}

// mostQuoted is the most bytes of a text in quotes, with a comma: six for a character that
// JSON escapes.
func mostQuoted(text string) int { return 6*len(text) + 3 }

// scratch is the number of bytes to score rows, besides the scores: copies of normalised rows, a
// panel of kernel values, and the transposed weights of several outputs.
func scratch(m *model.Model, set *data.Set) float64 {
	rows, _ := set.X.Dims()
	size := 0.0
	if m.Normalizer != nil {
		size += float64(data.Stored(set.X))
	}
	width := 0
	switch s := m.Scorer.(type) {
	case *model.Kernel:
		width = s.Coef.Rows
		if s.Support != nil { // rows and support rows, made ready for their product
			size += float64(data.Stored(set.X) + data.Stored(s.Support))
		}
	case *model.Fourier:
		width = s.Kernel.Features
	}
	const panel, least = 1 << 21, 64 // as package model has them
	size += min(float64(rows)*float64(width), max(panel, least*float64(width)))
	if _, sparse := set.X.(*data.CSR); m.Outputs() > 1 && (sparse || m.Precomputed()) {
		size += float64(m.Features()) * float64(m.Outputs())
	}
	return 8 * size
}

// scratch is the number of bytes to score so many pairs: the values of their nodes, those of one
// end again, and a block of all of these where most are asked for.
func (n *nodes) scratch(pairs int, given bool) float64 {
	r, c := float64(len(n.rows.ids)), float64(len(n.cols.ids))
	rows, cols := min(r, float64(pairs)), min(c, float64(pairs))
	if given {
		rows = 1
	}
	const block = 8 // entries for each pair, at most
	size := min(rows*n.cols.width, cols*n.rows.width) + min(rows*cols, block*float64(pairs)) + r + c + 2*float64(pairs)
	if rows < r {
		size += rows * n.rows.width
	}
	if cols < c {
		size += cols * n.cols.width
	}
	return 8 * size
}

// takeParts counts the memory of an explanation: the parts of one score or difference, as values
// all, as text the listed ones; the rows once more; and the names in the answer.
func (j *job) takeParts(l *loaded, q *request) *Problem {
	const part, listed = 600, 800
	parts, size := 0.0, 0.0
	if p := l.pairs; p != nil {
		switch {
		case p.Weights != nil:
			parts = float64(p.Weights.Rows) * float64(p.Weights.Cols)
		case p.Edges != nil:
			parts = float64(len(p.Edges.Value))
		case p.Coef != nil:
			parts = float64(p.Coef.Rows) * float64(p.Coef.Cols)
		}
		parts = min(parts, float64(q.topParts())) // others are not kept
		size = l.nodes.scratch(q.count(), false)
	} else {
		rows, n := q.set.X.Dims()
		stored := float64(data.Stored(q.set.X))
		parts = min(float64(n), stored)
		switch m := l.rows.Scorer.(type) {
		case *model.Kernel:
			parts = float64(m.Coef.Rows)
		case *model.Stumps:
			parts += float64(len(m.Terms))
		}
		size = 3*8*min(stored, float64(min(rows, 2*mostExplained)+2)*float64(n)) + scratch(l.rows, q.set)
	}
	size += part*parts + listed*min(parts, float64(q.topParts()))
	for _, id := range q.ids {
		size += float64(mostQuoted(id))
	}
	return j.take(int64(min(size, 1<<62)))
}
