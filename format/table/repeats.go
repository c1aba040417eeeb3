package table

import (
	"hash/maphash"
	"slices"
	"strings"

	"pairrank/data"
)

// Repeats says which lines of comparisons are not independent of others, as far as their columns tell.
type Repeats struct {
	// Distinct is how many lines differ in a column. Repeated is how many are equal to an earlier one in all columns,
	// where chance explains a third of their pairs at most. A column that says nothing of a comparison may be equal by
	// chance: pairs of equal lines are expected as often as the items and outcomes of two lines are equal, times as
	// often as all other columns are. Without other columns equal lines are ordinary, unless every line is there the
	// same number of times, Copies.
	Distinct, Repeated, Copies int
	// Again is how many lines are votes of one annotator on the items and the question, or match, of an earlier line,
	// where chance explains a third of their pairs at most; By are the columns of these, besides the items.
	Again int
	By    []string
	// Subjects are further columns that are named like ids of questions or matches, and whose values repeat.
	Subjects []Subject
	// Header has the names of all columns, and Said those of the ones that name the items and the winner.
	Header, Said []string
}

// Subject is a column of ids that repeat: Values on all lines.
type Subject struct {
	Column string
	Values int
}

// repeats finds lines that are equal in all columns, or say the same, and columns of ids that repeat.
type repeats struct {
	names         [2][]string // of all columns, and of those that say something
	seed          maphash.Seed
	says          []bool   // whether a column names the items or the winner
	pairs         []uint64 // hashes of the two items in any order, where there are columns of ids
	said, further []uint64 // of the columns that say this, and of the others, where there are any
	hasFurther    bool
	counted       bool       // lines are equal where they count the same outcome of the same items: none is kept
	columns       []idColumn // named like ids of questions or matches, and at last that of annotators, if there is one
	annotators    bool
}

// idColumn is a column of ids, with the hashes of its lines.
type idColumn struct {
	name  string
	at    int
	lines []uint64
}

// mixer mixes hashes.
const mixer = 0x9e3779b97f4a7c15

// begin takes the columns of a header, of which some name the items and the winner, some have a role, and one, unless
// it is negative, names annotators.
func (r *repeats) begin(first []field, says, taken []bool, annotators int) {
	r.seed, r.says, r.hasFurther = maphash.MakeSeed(), says, slices.Contains(says, false)
	for k, f := range first {
		name := strings.Clone(f.text)
		if r.names[0] = append(r.names[0], name); says[k] {
			r.names[1] = append(r.names[1], name)
		}
		if !taken[k] && isSubject(plain(f.text)) {
			r.columns = append(r.columns, idColumn{name: name, at: k})
		}
	}
	if r.annotators = annotators >= 0; r.annotators {
		r.columns = append(r.columns, idColumn{name: r.names[0][annotators], at: annotators})
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
	if r.counted {
		return
	}
	r.said = append(r.said, (uint64(left)<<32^uint64(right)<<2^uint64(outcome+1))*mixer)
	if r.hasFurther {
		further := uint64(0)
		for k := range fields {
			if !r.says[k] {
				further = mixed(further, maphash.String(r.seed, fields[k].text))
			}
		}
		r.further = append(r.further, further)
	}
	for k := range r.columns {
		c := &r.columns[k]
		c.lines = append(c.lines, maphash.String(r.seed, fields[c.at].text))
	}
	if len(r.columns) > 0 {
		r.pairs = append(r.pairs, uint64(min(left, right))<<32|uint64(max(left, right)))
	}
}

// reserve sets memory aside for so many lines in all.
func (r *repeats) reserve(l *lines, all int) error {
	if r.counted {
		return nil
	}
	lists := []*[]uint64{&r.said}
	if r.hasFurther {
		lists = append(lists, &r.further)
	}
	for k := range r.columns {
		lists = append(lists, &r.columns[k].lines)
	}
	if len(r.columns) > 0 {
		lists = append(lists, &r.pairs)
	}
	for _, list := range lists {
		if err := reserve(l, list, all); err != nil {
			return err
		}
	}
	return nil
}

// mixed is a hash of two hashes.
func mixed(a, b uint64) uint64 {
	a = (a ^ b) * mixer
	return a ^ a>>29
}

// end returns what repeats of the lines as they were added up. Cost O(C log C).
func (r *repeats) end(added *data.Comparisons) Repeats {
	out := Repeats{Header: r.names[0], Said: r.names[1]}
	if r.counted {
		out.countedIn(added)
		return out
	}
	ids := r.ids(&out)
	n := len(r.said)
	lines := r.said // of all columns
	if r.hasFurther {
		lines = make([]uint64, n)
		for l, said := range r.said {
			lines[l] = (r.further[l]^said)*mixer ^ said>>31
		}
	}
	slices.Sort(lines)
	distinct, equal, times := runs(lines)
	if out.Distinct = distinct; !r.hasFurther {
		out.ofCopies(n, times)
	} else if distinct < n && unlikely(equal, r.said, r.further) {
		out.Repeated = n - distinct
	}
	if out.Subjects == nil {
		out.By = nil
		return out
	}
	votes := make([]uint64, n)
	for l, h := range ids {
		votes[l] = mixed(h, r.pairs[l])
	}
	slices.Sort(votes)
	if different, same, _ := runs(votes); different < n && unlikely(same, r.pairs, ids) {
		out.Again = n - different
	}
	return out
}

// countedIn fills in what repeats of lines whose outcomes were added up.
func (out *Repeats) countedIn(added *data.Comparisons) {
	lines, times := 0, 0
	var l data.Comparison
	for c := range added.Len() {
		added.LineTo(&l, c)
		for _, n := range l.Counts() {
			if n > 0 {
				out.Distinct, lines, times = out.Distinct+1, lines+int(n), divisor(times, int(n))
			}
		}
	}
	out.ofCopies(lines, times)
}

// ofCopies fills in that each distinct one of so many lines is there a multiple of times.
func (out *Repeats) ofCopies(lines, times int) {
	const enough = 8 // distinct lines whose numbers have a divisor by chance once in 2⁸
	if times > 1 && out.Distinct >= enough {
		out.Repeated, out.Copies = lines-out.Distinct, times
	}
}

// divisor is the greatest common divisor of two numbers.
func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// ids are the hashes of the lines by the columns of ids whose values repeat, and of annotators. It fills in
// Subjects and By.
func (r *repeats) ids(out *Repeats) []uint64 {
	if len(r.columns) == 0 {
		return nil
	}
	n := len(r.said)
	ids := make([]uint64, n)
	for k, c := range r.columns {
		if !r.annotators || k < len(r.columns)-1 {
			values, _, _ := runs(slices.Sorted(slices.Values(c.lines)))
			if values == 1 || values == n {
				continue
			}
			out.Subjects = append(out.Subjects, Subject{c.name, values})
		}
		out.By = append(out.By, c.name)
		for l, h := range c.lines {
			ids[l] = mixed(ids[l], h)
		}
	}
	return ids
}

// unlikely reports whether chance explains a third of so many pairs of lines at most, which are equal in two ways that
// do not depend on one another. It sorts these.
func unlikely(pairs float64, one, other []uint64) bool {
	slices.Sort(one)
	slices.Sort(other)
	_, a, _ := runs(one)
	_, b, _ := runs(other)
	n := float64(len(one))
	return pairs >= 3*a*b/(n*(n-1)/2)
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
		distinct, pairs, times = distinct+1, pairs+float64(n)*float64(n-1)/2, divisor(times, n)
		lo = hi
	}
	return distinct, pairs, times
}
