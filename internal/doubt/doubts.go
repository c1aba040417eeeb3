// Package doubt finds what looks wrong in a set of rows: features that look like numbers of rows, ids or labels, and
// rows, queries and names that repeat.
package doubt

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"pairrank/data"
	"pairrank/internal/pick"
)

// DoubtKind says what is doubtful about features.
type DoubtKind int

const (
	DoubtRowNumbers      DoubtKind = iota // whole numbers that ascend throughout, or each of a range once
	DoubtIDs                              // another whole number in each row, and a name like an id
	DoubtLeak                             // one value for each label
	DoubtSameNames                        // features with the same name
	DoubtConstant                         // one value in all rows
	DoubtTotals                           // the last row has a name like "Total"
	DoubtRepeatedIDs                      // names of rows that are held out apart
	DoubtDocumentTwice                    // names of rows of a query
	DoubtSubject                          // numbers of subjects whose rows are held out apart
	DoubtRepeatedRows                     // equal rows that are held out apart
	DoubtRepeatedQueries                  // equal queries that are held out apart
	DoubtUnits                            // numbers that may name what rows belong to, and are held out apart
	DoubtLabelOrder                       // a label with the name of one that is least for the best
	DoubtMeaning                          // names of columns that are seldom features
	DoubtTime                             // names of times until an event, and of whether it was seen
	DoubtWeight                           // names of how much rows count
	DoubtSentinel                         // a number that stands for a missing value
	DoubtDates                            // dates written as numbers
)

// String is the kind in few words.
func (k DoubtKind) String() string {
	return [...]string{"like row numbers", "like an id", "tells the label", "same name", "constant",
		"a row of totals", "ids repeat", "a document twice", "like a subject", "equal rows", "equal queries",
		"like a group", "least may be best", "may be no feature", "may be no feature", "may be no feature",
		"-999 may be missing", "dates as numbers"}[k]
}

// Doubt is a warning about a set: its features are probably not meant, or not as they are.
type Doubt struct {
	Kind     DoubtKind
	Features []int // ascending, from 0
	Text     string
	Column   string // of the names or numbers that repeat, "" where it has no name
}

// Doubts returns FeatureDoubts, and Repeats of Apart.
func Doubts(s *data.Set) []Doubt { return append(FeatureDoubts(s), Repeats(s, s.X, Apart(s), true)...) }

// FeatureDoubts returns the doubts about the features and names of a set, m×n, one Doubt a kind, and in DoubtMeaning
// one a meaning. It skips features that the schema accepts, except in DoubtSameNames. In few rows values may agree with
// a label or ascend by chance, so sets of fewer than ten rows have no DoubtLeak, and sets of fewer than five no
// DoubtRowNumbers. NaN is an unknown value.
//
// It costs O(m log m + n), or the values of two rows of a sparse matrix instead of n, O(m log n) for each doubtful
// feature, and O(mn) for a dense matrix whose features have names.
func FeatureDoubts(s *data.Set) []Doubt {
	var all []Doubt
	add := func(kind DoubtKind, features []int, one, many string) {
		if kind != DoubtSameNames {
			features = slices.DeleteFunc(features, func(j int) bool { return accepted(s, j) })
		}
		if len(features) == 0 {
			return
		}
		text := listFeatures(s, features) + " " + one
		if len(features) > 1 {
			text = listFeatures(s, features) + " " + many
		}
		all = append(all, Doubt{Kind: kind, Features: features, Text: text})
	}
	const continues = ", like row numbers: new rows continue the numbers, so that nothing learnt from the feature " +
		"holds for them"
	ascending := rowNumbers(s.X)
	add(DoubtRowNumbers, ascending, "is whole-numbered and ascends throughout"+continues,
		"are whole-numbered and ascend throughout"+continues)
	ids, ranges := likeIDs(s, ascending)
	const shuffled = " each number of a range once, like shuffled row numbers, which tell nothing of new rows"
	add(DoubtRowNumbers, ranges, "has"+shuffled, "have"+shuffled)
	add(DoubtIDs, ids, "has another whole number in each row, and a name like an id: an id tells nothing of new rows",
		"have another whole number in each row, and names like ids: ids tell nothing of new rows")
	add(DoubtLeak, leaks(s),
		"has one value for each label, as if it were made from the label: new rows may not have it",
		"have one value for each label, as if they were made from the label: new rows may not have them")
	add(DoubtSameNames, sameNames(s), "", "have the same names: columns are found by their names in other tables")
	add(DoubtConstant, constants(s), "has one value in all rows, and tells nothing",
		"have one value in all rows, and tell nothing")
	if m := len(s.IDs); m > 1 && isTotal(s.IDs[m-1]) {
		all = append(all, Doubt{Kind: DoubtTotals, Text: fmt.Sprintf("the last row is named %q: a sum or mean of the others "+
			"is no row", s.IDs[m-1])})
	}
	return append(all, meanings(s)...)
}

// accepted reports whether the user chose a feature by its name.
func accepted(s *data.Set, j int) bool {
	return s.Schema != nil && s.Schema.Accepted != nil && j < len(s.Names) &&
		slices.Contains(s.Schema.Accepted, s.Names[j])
}

// listFeatures names features.
func listFeatures(s *data.Set, features []int) string {
	const most = 8
	var b strings.Builder
	b.WriteString("feature")
	if len(features) > 1 {
		b.WriteByte('s')
	}
	for k, j := range features[:min(len(features), most)] {
		if k > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " %d", j+1)
		if j < len(s.Names) && s.Names[j] != "" {
			fmt.Fprintf(&b, " (%q)", data.ClipText(s.Names[j]))
		}
	}
	if n := len(features) - most; n > 0 {
		fmt.Fprintf(&b, " and %d more", n)
	}
	return b.String()
}

// fewRows is the number of rows from which values are no longer likely to agree by chance.
const fewRows = 10

// likeIDs returns the features, but for those given, that have another whole number in each row: ids
// are those with names like ids, and ranges have each number of a range once.
func likeIDs(s *data.Set, but []int) (ids, ranges []int) {
	const few = 5 // as of rowNumbers
	m, _ := s.X.Dims()
	if m < few {
		return nil, nil
	}
	for _, j := range candidates(s.X, 0, 1) { // others are 0 twice
		if _, found := slices.BinarySearch(but, j); found {
			continue
		}
		least, most, different := differentWhole(s, j)
		switch {
		case !different:
		case j < len(s.Names) && LikeID(s.Names[j]):
			ids = append(ids, j)
		case m >= fewRows && most-least == float64(m-1):
			ranges = append(ranges, j)
		}
	}
	return ids, ranges
}

// differentWhole returns the range of feature j, and whether it has another whole number in each row.
func differentWhole(s *data.Set, j int) (least, most float64, different bool) {
	m, _ := s.X.Dims()
	if entry(s.X, 0, j) == entry(s.X, 1, j) { // usual for sparse features
		return 0, 0, false
	}
	const usual = 64 // rows of which two are usually equal, or one has a fraction
	known := make(map[float64]bool, min(m, usual))
	least, most = math.Inf(1), math.Inf(-1)
	for i := range m {
		v := entry(s.X, i, j)
		if v != math.Trunc(v) || known[v] { // NaN, too
			return least, most, false
		}
		known[v] = true
		least, most = min(least, v), max(most, v)
	}
	return least, most, true
}

// leaks returns the features that have one value for each label. Where more than half of the labels
// are alone, as in regression, the values must also ascend or descend with the labels.
func leaks(s *data.Set) []int {
	order := make([]int, 0, len(s.Y))
	for i, y := range s.Y {
		if !math.IsNaN(y) {
			order = append(order, i)
		}
	}
	if len(order) < fewRows {
		return nil
	}
	another := slices.IndexFunc(order, func(i int) bool { return s.Y[i] != s.Y[order[0]] })
	if another < 0 {
		return nil
	}
	// Other features are 0 for both labels. Usually two of a few rows show that a feature is none of these.
	const usual = 16
	left := candidates(s.X, order[0], order[another])
	left = slices.DeleteFunc(left, func(j int) bool { return unlike(s, j, order[:min(usual, len(order))]) })
	if len(left) == 0 {
		return nil
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(s.Y[a], s.Y[b]), a-b) })
	var first []int // rows in order where a label begins
	for k, i := range order {
		if k == 0 || s.Y[i] != s.Y[order[k-1]] {
			first = append(first, k)
		}
	}
	monotone := 2*len(first) > len(order)
	return slices.DeleteFunc(left, func(j int) bool {
		return !differ(s, j, order, first, monotone) ||
			!agree(s, j, order)
	})
}

// unlike reports whether two of some rows have one label and two values of feature j, or one value and two labels.
func unlike(s *data.Set, j int, rows []int) bool {
	for k, a := range rows {
		for _, b := range rows[:k] {
			if (s.Y[a] == s.Y[b]) != (entry(s.X, a, j) == entry(s.X, b, j)) {
				return true
			}
		}
	}
	return false
}

// differ reports whether feature j has another value for each label, in the rows where one begins.
func differ(s *data.Set, j int, order, first []int, monotone bool) bool {
	if entry(s.X, order[first[0]], j) == entry(s.X, order[first[1]], j) { // usual for sparse features
		return false
	}
	known := make(map[float64]bool, 2)
	last, up := 0.0, false
	for g, k := range first {
		v := entry(s.X, order[k], j)
		if v != v || known[v] {
			return false
		}
		known[v] = true
		switch {
		case g == 1:
			up = v > last
		case g > 1 && monotone && up != (v > last):
			return false
		}
		last = v
	}
	return true
}

// agree reports whether feature j has the same value in all rows of a label.
func agree(s *data.Set, j int, order []int) bool {
	for k := 1; k < len(order); k++ {
		a, b := order[k-1], order[k]
		if s.Y[a] == s.Y[b] && entry(s.X, a, j) != entry(s.X, b, j) {
			return false
		}
	}
	return true
}

// sameNames returns the features whose names others have, too.
func sameNames(s *data.Set) []int {
	count := make(map[string]int, len(s.Names))
	for _, name := range s.Names {
		count[name]++
	}
	var found []int
	for j, name := range s.Names {
		if name != "" && count[name] > 1 {
			found = append(found, j)
		}
	}
	return found
}

// constants returns the features with one value, but for values that are not known; of a sparse matrix
// those with another value than 0, since numbers of features may be left out.
func constants(s *data.Set) []int {
	m, _ := s.X.Dims()
	if m < 2 {
		return nil
	}
	var found []int
	for _, j := range candidates(s.X, 0, 0) {
		first, same := math.NaN(), true
		for i := 0; i < m && same; i++ {
			v := entry(s.X, i, j)
			switch {
			case v != v:
			case first != first:
				first = v
			default:
				same = v == first
			}
		}
		if same && first == first {
			found = append(found, j)
		}
	}
	return found
}

// candidates are the features that are not 0 in both of two rows; of a dense matrix all.
func candidates(x data.Matrix, a, b int) []int {
	var some []int
	if _, n := x.Dims(); isDense(x) {
		return pick.All[int](n)
	}
	for _, i := range []int{a, b} {
		data.Each(x, i, func(j int, _ float64) { some = append(some, j) })
	}
	slices.Sort(some)
	return slices.Compact(some)
}

func isDense(x data.Matrix) bool {
	_, is := x.(*data.Dense)
	return is
}

// isTotal reports whether a name is that of a row that sums up others.
func isTotal(name string) bool {
	switch strings.Trim(PlainName(name), "_:") {
	case "total", "totals", "grand_total", "sum", "subtotal", "mean", "average", "median", "summe", "gesamt",
		"mittelwert", "somme", "moyenne", "suma", "totale":
		return true
	}
	return false
}

// idNames are the names, as PlainName writes them, of columns that name rows.
var idNames = []string{"id", "sample", "sample_id", "sampleid", "patient", "patient_id", "patientid", "subject",
	"subject_id", "doc_id", "docid", "document_id", "item_id", "row_id", "rowid", "row_names", "rownames", "name"}

// numberNames are names of columns that number rows. They may also be names of features.
var numberNames = []string{"index", "idx", "row", "rownum", "row_number", "number", "no", "nr", "num", "key", "uid",
	"uuid", "guid", "mrn", "case", "record", "serial", "code", "barcode", "zip", "zipcode", "plz", "phone"}

// NamesRows reports whether a column of this name names the rows of a table, as id and sample do.
func NamesRows(name string) bool { return slices.Contains(idNames, PlainName(name)) }

// LikeID reports whether a feature has the name of a column that may number or name rows, as
// visit_no does.
func LikeID(name string) bool {
	name = PlainName(name)
	if slices.Contains(idNames, name) || slices.Contains(numberNames, name) {
		return true
	}
	for _, end := range []string{"id", "no", "nr", "num", "number", "key", "uid", "code"} {
		if strings.HasSuffix(name, "_"+end) || strings.HasPrefix(name, end+"_") {
			return true
		}
	}
	return false
}

// PlainName is a name in small letters, with '_' for blanks, points and dashes, and between a small
// and a capital letter.
func PlainName(name string) string {
	var b strings.Builder
	small := false
	for _, r := range strings.TrimSpace(name) {
		switch {
		case r == ' ' || r == '.' || r == '-':
			r = '_'
		case small && unicode.IsUpper(r):
			b.WriteByte('_')
		}
		small = unicode.IsLower(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
