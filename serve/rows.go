package serve

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/internal/jsonrows"
	"pairrank/internal/spell"
)

// setOfMatrix makes a set of the rows that the job's matrix holds.
func (l *loaded) setOfMatrix(j *job, rules rowRules) (*data.Set, *Problem) {
	m := &j.matrix
	if len(m.Ends) > l.limits.rows {
		return nil, l.tooMany("rows")
	}
	n := l.given
	i := m.Ragged(n)
	if i < 0 {
		j.dense = data.Dense{Rows: len(m.Ends), Cols: n, Stride: n, Data: m.Data}
		j.seen.outside = l.ranges.outside(&j.dense)
		return &data.Set{X: &j.dense}, nil
	}
	if l.rows.Precomputed() {
		return nil, l.wrongWidth(i, len(m.Row(i)))
	}
	b := newBuilder(n, len(m.Data), len(m.Ends))
	if p := j.take(b.size()); p != nil {
		return nil, p
	}
	for i := range m.Ends {
		row := m.Row(i)
		if p := l.checkWidth(i, len(row), rules); p != nil {
			return nil, p
		}
		for k, v := range row[:min(n, len(row))] {
			b.add(k, v)
		}
		j.seen.lengths(len(row), n)
		b.end()
	}
	return b.set(l, j)
}

// wrongWidth refuses a row that has not a number for each feature.
func (l *loaded) wrongWidth(i, width int) *Problem {
	n := l.given
	if l.rows.Precomputed() {
		return unfit("wrong-width",
			"the row has %d numbers, but the model takes the %d kernel values with the training rows", width, n).
			at("rows", i)
	}
	p := unfit("wrong-width", "the row has %d numbers, but the model has %d features", width, n).at("rows", i)
	if width > n {
		return p.hint(`"extra_features":"ignore" leaves out those after the last feature of the training`)
	}
	if l.filled.Of(width) != data.MissingError {
		return p.hint("null stands for a missing value")
	}
	return p.hint(`"missing":"zero" takes the missing ones for 0`)
}

// checkWidth refuses a row of another number of values than there are features, but for extra ones that are left out,
// and lacking ones that are 0.
func (l *loaded) checkWidth(i, width int, rules rowRules) *Problem {
	n := l.given
	if width > n && !rules.ignore || width < n && rules.missing != data.MissingZero ||
		width != n && l.rows.Precomputed() {
		return l.wrongWidth(i, width)
	}
	for k := width; k < n; k++ {
		if _, p := l.substitute(k, rules); p != nil {
			return p.at("rows", i)
		}
	}
	return nil
}

// givenRows are the rows of a list, with NaN for missing values that have a level.
func (l *loaded) givenRows(j *job, q *request, list []byte, rules rowRules) (*data.Set, *Problem) {
	if j.matrix.ReadRows(list) {
		return l.setOfMatrix(j, rules)
	}
	if !jsonrows.IsList(list) {
		return nil, malformed("must be a list of rows").at("rows")
	}
	b := newBuilder(l.given, bytes.Count(list, comma)+1, 0) // which takeFields has counted
	for i, row := range jsonrows.Elements(list) {
		if i == l.limits.rows {
			return nil, l.tooMany("rows")
		}
		var p *Problem
		switch {
		case jsonrows.IsObject(row):
			p = l.namedRow(j, b, i, row, rules)
		case jsonrows.IsList(row):
			p = l.listedRow(j, b, i, row, rules)
		default:
			p = malformed("a row must be a list of numbers or an object of named features").at("rows", i)
		}
		if p != nil {
			return nil, p
		}
		b.end()
	}
	b.takeIDs(q)
	return b.set(l, j)
}

// listedRow reads the numbers of a row; null is a missing one.
func (l *loaded) listedRow(j *job, b *builder, i int, row []byte, rules rowRules) *Problem {
	width := 0
	for k, value := range jsonrows.Elements(row) {
		width++
		if k >= b.n && rules.ignore && !l.rows.Precomputed() {
			continue
		}
		v, p := l.number(j, k, value, rules)
		if p != nil {
			return p.at("rows", i, k)
		}
		if k < b.n && (v != 0 || string(value) != "null") {
			b.add(k, v)
		}
	}
	if p := l.checkWidth(i, width, rules); p != nil {
		return p
	}
	j.seen.lengths(width, b.n)
	return nil
}

// number reads the value of feature k: a number, or null, for which it returns what stands for it.
func (l *loaded) number(j *job, k int, value []byte, rules rowRules) (v float64, p *Problem) {
	if string(value) == "null" {
		j.seen.missing++
		return l.substitute(k, rules)
	}
	v, is := jsonrows.Number(value)
	if !is {
		return 0, malformed("%s is not a double-precision number", clip(string(value)))
	}
	return v, nil
}

// namedRow reads an object of features by their names or, where the model has none, by
// their numbers from 1, as SVMlight text and exports have them: those that it leaves out are then 0.
func (l *loaded) namedRow(j *job, b *builder, i int, row []byte, rules rowRules) *Problem {
	if l.rows.Precomputed() {
		return unfit("wrong-kind", "the model takes kernel values with the training rows, as a list").at("rows", i)
	}
	for name, value := range jsonrows.Fields(row) {
		k, known := l.place(name)
		if levels, factor := l.factors[name]; !known && factor {
			if p := l.level(j, b, levels, value, rules); p != nil {
				return p.at("rows", i, name)
			}
			l.columns.takes(b, name, value) // it may name the rows, too
			continue
		}
		if !known && l.columns.takes(b, name, value) {
			continue
		}
		if !known {
			if rules.ignore {
				j.seen.unknown++
				continue
			}
			return l.unknownFeature(name).at("rows", i, name)
		}
		v, p := l.number(j, k, value, rules)
		if p != nil {
			return p.at("rows", i, name)
		}
		if v == 0 && string(value) == "null" {
			b.gaps = append(b.gaps, k)
		} else {
			b.add(k, v)
		}
	}
	if k := b.twice(); k >= 0 {
		return malformed("the feature appears twice").at("rows", i, l.featureName(k))
	}
	if l.places == nil {
		return nil // absent features are 0, as in SVMlight text
	}
	return l.addAbsent(j, b, i, rules)
}

// addAbsent adds to the present row, which is in order, what stands for the features that it lacks.
func (l *loaded) addAbsent(j *job, b *builder, i int, rules rowRules) *Problem {
	at, present := b.start(), len(b.col)
	j.seen.missing += b.n - (present - at) - len(b.gaps)
	if l.filled == nil && rules.missing == data.MissingZero {
		return nil
	}
	for k := range b.n {
		if at < present && int(b.col[at]) == k {
			at++
			continue
		}
		if _, gap := slices.BinarySearch(b.gaps, k); gap {
			continue
		}
		v, p := l.substitute(k, rules)
		if p != nil {
			p.Detail = fmt.Sprintf("feature %d, %q: %s", k+1, clip(l.called[k]), p.Detail)
			return p.at("rows", i, l.called[k])
		}
		if v != 0 {
			b.add(k, v)
		}
	}
	b.twice()       // which brings them into order
	const each = 24 // bytes of a number with its place, and room to grow
	return j.take(each * int64(len(b.col)-present))
}

// level reads the text of a factor: its feature is 1, and those of the other texts are 0.
func (l *loaded) level(j *job, b *builder, of levels, value []byte, rules rowRules) *Problem {
	text, missing := jsonrows.Text(value), string(value) == "null"
	one, known := of.at[text]
	switch {
	case missing:
		if _, p := l.number(j, of.first(), value, rules); p != nil {
			return p
		}
	case len(value) == 0 || value[0] != '"':
		return malformed("%s is not a text, as in training", clip(string(value)))
	case !known && !of.open && !rules.ignore:
		p := unfit("unknown-level", "the training has no text %q in this column", clip(text))
		return p.hint(`"extra_features":"ignore" takes it for none of those in training`)
	case !known && !of.open:
		j.seen.unknown++
	}
	for _, k := range of.at { // namedRow brings them into order
		v := 0.0
		if known && !missing && k == one {
			v = 1
		}
		b.add(k, v)
	}
	return nil
}

// place returns the position of a feature. Features of a model without names are called by number, as in the text of
// the training, or, as in exports, by f and the number from 1.
func (l *loaded) place(name string) (int, bool) {
	if l.places != nil {
		j, known := l.places[name]
		return j, known
	}
	digits, f := strings.CutPrefix(name, "f")
	first := 1
	if !f {
		first = l.rows.Info.First()
	}
	j, err := strconv.Atoi(digits)
	if j -= first; err != nil || j < 0 || j >= l.given || strconv.Itoa(j+first) != digits {
		return 0, false
	}
	return j, true
}

func (l *loaded) featureName(j int) string {
	if l.places != nil {
		return l.called[j]
	}
	return strconv.Itoa(j + l.rows.Info.First())
}

// unknownFeature refuses a feature unknown to the training.
func (l *loaded) unknownFeature(name string) *Problem {
	if l.places == nil {
		return unfit("unknown-feature",
			"there is no feature %q: the model has no names, and its %d features are called by their numbers from %d, "+
				"or f1, f2, …", clip(name), l.given, l.rows.Info.First())
	}
	p := unfit("unknown-feature", "the training has no feature %q", clip(name))
	const many = 1000 // names to compare with
	if near := ""; len(l.called) <= many && len(name) < many {
		if near = spell.Nearest(name, l.called); near != "" {
			return p.hint(`did you mean %q? "extra_features":"ignore" leaves out features unknown to the training`,
				near)
		}
	}
	return p.hint(`"extra_features":"ignore" leaves out features unknown to the training`)
}

// builder collects rows by their stored values.
type builder struct {
	n    int
	col  []int32
	val  []float64
	ptr  []int
	gaps []int    // features of the present row that are there without a value, and 0
	id   string   // of the present row
	ids  []string // of the rows
}

// newBuilder has room for so many values and rows.
func newBuilder(n, values, rows int) *builder {
	return &builder{n: n, col: make([]int32, 0, values), val: make([]float64, 0, values), ptr: append(make([]int, 0,
		rows+1), 0)}
}

// size is the number of bytes collected.
func (b *builder) size() int64 { return int64(4*cap(b.col) + 8*cap(b.val) + 8*cap(b.ptr)) }

func (b *builder) add(j int, v float64) { b.col, b.val = append(b.col, int32(j)), append(b.val, v) }

// start is where the present row begins.
func (b *builder) start() int { return b.ptr[len(b.ptr)-1] }

// end ends a row, which has its features in order from then on.
func (b *builder) end() {
	b.ptr, b.gaps = append(b.ptr, len(b.col)), b.gaps[:0]
	b.endID()
}

// twice brings the features of the present row into order, and returns one that stands
// twice, or -1.
func (b *builder) twice() int {
	lo := b.start()
	cols := b.col[lo:]
	if !slices.IsSorted(cols) {
		order := make([]int, len(cols))
		for k := range order {
			order[k] = lo + k
		}
		slices.SortFunc(order, func(x, y int) int { return cmp.Compare(b.col[x], b.col[y]) })
		col, val := make([]int32, len(order)), make([]float64, len(order))
		for k, from := range order {
			col[k], val[k] = b.col[from], b.val[from]
		}
		copy(cols, col)
		copy(b.val[lo:], val)
	}
	for k := 1; k < len(cols); k++ {
		if cols[k] == cols[k-1] {
			return int(cols[k])
		}
	}
	slices.Sort(b.gaps)
	for k, j := range b.gaps {
		_, valued := slices.BinarySearch(cols, int32(j))
		if valued || k > 0 && b.gaps[k-1] == j {
			return j
		}
	}
	return -1
}

// sparseShare is the share of stored values, one in so many, from which rows are dense.
const sparseShare = 4

// set is the rows, dense or sparse.
func (b *builder) set(l *loaded, j *job) (*data.Set, *Problem) {
	rows := len(b.ptr) - 1
	cells := float64(rows) * float64(b.n)
	stored := &data.CSR{Rows: rows, Cols: b.n, Ptr: b.ptr, Col: b.col, Val: b.val}
	j.seen.outside = l.ranges.outside(stored)
	if !l.rows.NeedsDense() && cells > sparseShare*float64(len(b.val)) && b.n <= math.MaxInt32 {
		return &data.Set{X: stored}, nil
	}
	if cells > float64(l.limits.cells) {
		return nil, problem(413, "too-many-values", "%d rows of %d features are more than %d numbers, missing ones too",
			rows, b.n, l.limits.cells).at("rows").
			hint(inSeveral)
	}
	if p := j.take(8 * int64(cells)); p != nil {
		return nil, p.at("rows")
	}
	x := data.NewDense(rows, b.n, nil)
	for i := range rows {
		row := x.Row(i)
		for k := b.ptr[i]; k < b.ptr[i+1]; k++ {
			row[b.col[k]] = b.val[k]
		}
	}
	return &data.Set{X: x}, nil
}
