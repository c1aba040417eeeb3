package table

import (
	"hash/maphash"
	"slices"
	"strings"
)

// repeats finds lines that are equal in all columns, and columns of ids that repeat.
type repeats struct {
	seed          maphash.Seed
	says          []bool   // whether a column names the items or the winner
	lines         []uint64 // hashes of all columns
	said, further []uint64 // of the columns that say this, and of the others
	hasFurther    bool
	columns       []subjectColumn
}

// subjectColumn is a column that is named like ids of questions or matches.
type subjectColumn struct {
	name   string
	at     int
	values map[uint64]struct{}
}

// begin takes the columns of a header, of which some name the items and the winner, and some have a role.
func (r *repeats) begin(first []field, says, taken []bool) {
	r.seed, r.says, r.hasFurther = maphash.MakeSeed(), says, slices.Contains(says, false)
	for k, f := range first {
		if !taken[k] && isSubject(plain(f.text)) {
			r.columns = append(r.columns, subjectColumn{strings.Clone(f.text), k, map[uint64]struct{}{}})
		}
	}
}

// isSubject reports whether a column is named like ids of questions or matches.
func isSubject(name string) bool {
	known := []string{"question", "prompt", "match", "game", "session", "conversation", "query", "task", "user", "rater",
		"voter", "participant", "instruction"}
	if base, is := strings.CutSuffix(name, "_id"); is {
		name = base
	} else if base, is := strings.CutSuffix(name, "id"); is {
		name = base
	}
	return slices.Contains(known, name)
}

// see takes a line by the items and the outcome that it says, −1 for counts.
func (r *repeats) see(fields []field, left, right int, outcome int8) {
	const factor = 0x9e3779b97f4a7c15
	further := uint64(0)
	for k := range fields {
		if !r.says[k] {
			further = (further ^ maphash.String(r.seed, fields[k].text)) * factor
			further ^= further >> 29
		}
	}
	said := (uint64(left)<<32 ^ uint64(right)<<2 ^ uint64(outcome+1)) * factor
	r.lines, r.further = append(r.lines, (further^said)*factor^said>>31), append(r.further, further)
	r.said = append(r.said, said)
	for _, c := range r.columns {
		c.values[maphash.String(r.seed, fields[c.at].text)] = struct{}{}
	}
}

// end returns Comparisons.Repeated, Copies and Subjects. Cost O(C log C).
func (r *repeats) end() (repeated, copies int, subjects []Subject) {
	n := len(r.lines)
	for _, c := range r.columns {
		if v := len(c.values); v > 1 && v < n {
			subjects = append(subjects, Subject{c.name, v})
		}
	}
	slices.Sort(r.lines)
	distinct, pairs, times := runs(r.lines)
	switch {
	case distinct == n:
		return 0, 0, subjects
	case !r.hasFurther:
		const enough = 8 // distinct lines whose numbers have a divisor by chance once in 2⁸
		if times > 1 && distinct >= enough {
			return n - distinct, times, subjects
		}
		return 0, 0, subjects
	}
	slices.Sort(r.said)
	slices.Sort(r.further)
	_, said, _ := runs(r.said)
	_, further, _ := runs(r.further)
	if all := float64(n) * float64(n-1) / 2; pairs >= 3*said*further/all {
		repeated = n - distinct
	}
	return repeated, 0, subjects
}

// runs are how many distinct values there are of sorted ones, how many pairs of equal ones, and the greatest common
// divisor of how often they are there.
func runs(sorted []uint64) (distinct int, pairs float64, times int) {
	for lo := 0; lo < len(sorted); {
		hi := lo + 1
		for hi < len(sorted) && sorted[hi] == sorted[lo] {
			hi++
		}
		n := hi - lo
		distinct, pairs = distinct+1, pairs+float64(n)*float64(n-1)/2
		for a, b := times, n; ; a, b = b, a%b {
			if b == 0 {
				times = a
				break
			}
		}
		lo = hi
	}
	return distinct, pairs, times
}
