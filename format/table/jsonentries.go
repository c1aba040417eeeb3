package table

import (
	"cmp"
	"math"

	"pairrank/internal/jsonrows"
	"pairrank/internal/memory"
)

// keep keeps the text of a value of a plain member.
func (j *objects) keep(m *member, value []byte) {
	row := len(j.lineOf)
	for len(m.texts) < row-1 {
		m.texts = append(m.texts, "")
	}
	if k := len(m.texts); k > 0 && sameText(value, m.texts[k-1]) { // usual: the next row of a query
		m.texts = append(m.texts, m.texts[k-1])
		return
	}
	text := scalar(value)
	j.kept += len(text)
	m.texts = append(m.texts, text)
}

// sameText reports whether a value has a text, in the usual case that it has no escapes.
func sameText(value []byte, text string) bool {
	if value[0] == '"' {
		value = value[1 : len(value)-1]
	}
	return string(value) == text && simple(value)
}

// scalar is the text of a value: a string without its quotes, anything else as it stands.
func scalar(value []byte) string {
	if value[0] == '"' {
		return jsonrows.Text(value)
	}
	return string(value)
}

// entry appends the value of a slot to those of the row.
func (j *objects) entry(slot int, value []byte) error {
	if !j.varied && slot != len(j.vals)-j.begin {
		if err := j.vary(); err != nil {
			return err
		}
	}
	x, text := math.NaN(), false
	switch value[0] {
	case 'n':
	case 't':
		x = 1
	case 'f':
		x = 0
	case '"', '{', '[':
		text = true
	default:
		v, ok := jsonrows.Number(value)
		if x, text = v, !ok || math.IsInf(v, 0); text {
			x = math.NaN()
		}
	}
	if text {
		if j.others == nil {
			j.others = map[int]string{}
		}
		j.others[len(j.vals)] = scalar(value)
		j.kept += len(value)
	}
	j.vals = append(j.vals, x)
	if j.varied {
		j.slot = append(j.slot, int32(slot))
	}
	return nil
}

// vary writes down the slots of all entries, where a row does not have those of the first one.
func (j *objects) vary() error {
	rows := len(j.lineOf) - 1
	if err := memory.Ask(4*float64(cap(j.vals))+8*float64(rows), memory.Rows(rows)); err != nil {
		return j.lack(err)
	}
	j.varied, j.slot, j.until = true, make([]int32, 0, cap(j.vals)), make([]int, 0, cap(j.lineOf))
	for range rows {
		for k := range j.wide {
			j.slot = append(j.slot, int32(k))
		}
		j.until = append(j.until, len(j.slot))
	}
	for k := range len(j.vals) - j.begin {
		j.slot = append(j.slot, int32(k))
	}
	return nil
}

// endRow ends the row.
func (j *objects) endRow() error {
	j.open = false
	width := len(j.vals) - j.begin
	switch {
	case len(j.lineOf) == 1 && j.g == nil:
		j.wide = width
	case !j.varied && width != j.wide:
		if err := j.vary(); err != nil {
			return err
		}
	}
	if j.varied {
		j.until = append(j.until, len(j.vals))
	}
	if err := j.lines.asked.Read(j.kept, len(j.lineOf)); err != nil {
		return j.lack(err)
	}
	return j.reserve()
}

// reserve sets memory aside for all rows where their number can be estimated.
func (j *objects) reserve() error {
	if j.some || len(j.lineOf) != minExpect {
		return nil
	}
	all := j.expected(minExpect)
	return cmp.Or(reserve(j.lines, &j.lineOf, all), reserve(j.lines, &j.vals, all*(len(j.vals)/minExpect)))
}

// row returns where the entries of row i begin and end.
func (j *objects) row(i int) (lo, hi int) {
	switch {
	case !j.varied:
		return i * j.wide, (i + 1) * j.wide
	case i > 0:
		lo = j.until[i-1]
	}
	return lo, j.until[i]
}

// slotOf is the slot of entry e, of a row whose entries begin at lo.
func (j *objects) slotOf(e, lo int) int {
	if j.varied {
		return int(j.slot[e])
	}
	return e - lo
}
