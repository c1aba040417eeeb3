package doubt

import (
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strings"

	"pairrank/data"
	"pairrank/internal/equal"
	"pairrank/internal/gaps"
)

// Repeats returns the doubts about what is in several parts of apart, which are held out one without the others: names
// of rows, numbers that name subjects, and rows or whole queries that are equal, or equal but for rounding. x has
// the features, or a kernel matrix; nil skips equal rows. labels says that Y are the labels. A document that is
// twice in a query is a doubt in any case. It skips features that the schema accepts.
//
// Names repeat over queries in every collection of documents, so that they are compared within a query. Few values
// make equal rows ordinary; Copies says how that is told apart. It costs O(mn), and a sort of m rows.
func Repeats(s *data.Set, x data.Matrix, apart *data.Partition, labels bool) []Doubt {
	all := repeatedNames(s, apart)
	if s.X != nil && (x == nil || x == s.X) {
		all = append(all, subjects(s, apart)...)
	}
	if x == nil {
		return all
	}
	found := Copies(apart, x)
	if found == nil || found.Ordinary {
		return all
	}
	queries, rows := repeatedQueries(s, found, apart)
	if queries > 0 {
		all = append(all, Doubt{Kind: DoubtRepeatedQueries, Text: fmt.Sprintf("%d of %d queries have the same rows as "+
			"another query, and count as independent", queries, queriesOf(s).Len())})
	}
	if rows = found.spanning(rows); len(rows) > 0 {
		text := fmt.Sprintf("%d of %d rows equal another one, exactly or but for rounding, and count as independent, as %s "+
			"and %s", len(rows), len(found.first), s.Called(rows[0]), s.Called(found.other(rows[0], apart)))
		if n := found.otherLabels(rows, s.Y); labels && n > 0 {
			text += fmt.Sprintf(", %d of them one with another label", n)
		}
		all = append(all, Doubt{Kind: DoubtRepeatedRows, Text: text})
	}
	return all
}

// repeatedNames returns the doubts about names of rows.
func repeatedNames(s *data.Set, apart *data.Partition) []Doubt {
	if s.IDs == nil {
		return nil
	}
	seed, part, queries := maphash.MakeSeed(), apart.Of(), queriesOf(s)
	rows, first, other := 0, -1, -1
	within, document := 0, -1
	for g := range queries.Len() {
		known := make(map[uint64]int32, len(queries.Part(g)))
		for _, i := range queries.Part(g) {
			if gaps.IsMissing(strings.TrimSpace(s.IDs[i])) {
				continue
			}
			name := maphash.String(seed, s.IDs[i])
			before, is := known[name]
			switch {
			case !is:
				known[name] = i
			case part[before] != part[i]:
				if rows++; rows == 1 {
					first, other = int(before), int(i)
				}
			case queries.Len() > 1:
				if within++; within == 1 {
					document = int(i)
				}
			}
		}
	}
	column := ""
	if s.Schema != nil {
		column = s.Schema.ID
	}
	var all []Doubt
	if rows > 0 {
		what := "the names of rows repeat"
		if column != "" {
			what = fmt.Sprintf("the id column %q repeats", data.ClipText(column))
		}
		all = append(all, Doubt{Kind: DoubtRepeatedIDs, Column: column, Text: fmt.Sprintf("%s: %d of %d rows have the name "+
			"of an earlier one, as rows %d and %d (%q), and count as independent", what, rows, len(s.IDs), s.Number(first)+1,
			s.Number(other)+1, data.ClipText(s.IDs[first]))})
	}
	if within > 0 {
		all = append(all, Doubt{Kind: DoubtDocumentTwice, Column: column, Text: fmt.Sprintf("%d of %d rows have the name of "+
			"an earlier row of their query, the first %s: a run has a document once", within, len(s.IDs),
			s.Called(document))})
	}
	return all
}

// repeatedQueries returns how many queries have the same rows as another one, and the rows of the others.
func repeatedQueries(s *data.Set, found *Copied, apart *data.Partition) (repeated int, others []int) {
	queries := queriesOf(s)
	sum := func(g int) (h uint64) {
		for _, i := range queries.Part(g) {
			h += equal.Mixed(0x9e3779b97f4a7c15, uint64(found.first[i])) // in any order
		}
		return h
	}
	parts := map[uint64]int32{} // of the first query of a sum, −1 for several
	alone := queries.Len() == 1
	if !alone {
		for g := range queries.Len() {
			if rows := queries.Part(g); len(rows) > 1 {
				at := apart.Of()[rows[0]]
				if before, is := parts[sum(g)]; is && before != at {
					at = -1
				}
				parts[sum(g)] = at
			}
		}
	}
	for g := range queries.Len() {
		rows := queries.Part(g)
		if !alone && len(rows) > 1 && parts[sum(g)] == -1 {
			repeated++
			continue
		}
		for _, i := range rows {
			others = append(others, int(i))
		}
	}
	return repeated, others
}

// Names of columns that say whose a row is. Those in named are so only with an ending such as _id or _nr: alone they
// may be counts.
var (
	subjectNames = strings.Fields("subject subj participant person patient respondent volunteer animal mouse rat pig " +
		"donor student pupil user customer")
	namedSubjects = append(strings.Fields("session family household individual client player case record"),
		subjectNames...)
	subjectEnds = strings.Fields("id nr no num number code key")
)

// namesSubject reports whether a name is that of a column that numbers subjects; marked says that it ends as an id
// does.
func namesSubject(name string) (is, marked bool) {
	name = PlainName(name)
	for _, end := range subjectEnds {
		for _, subject := range namedSubjects {
			if name == subject+"_"+end || name == subject+end {
				return true, true
			}
		}
	}
	return slices.Contains(subjectNames, name), false
}

// Limits of what may number subjects. Codes of a few kinds, ratings and counts have fewer values, or more rows of one.
const (
	leastSubjects = 3    // below, a column says whether somebody is one
	leastNumbers  = 10   // of other ids, and of numbers in equal blocks
	mostOfSubject = 50   // rows of a subject whose column has no ending of an id
	mostOfNumber  = 1000 // rows of another id
)

// subjects returns the doubts about whole-numbered features that name subjects: by their names, or as 1, 1, 1, 2, 2, 2
// and so on, as long as one of at least ten numbers follows the other in blocks of the same length.
func subjects(s *data.Set, apart *data.Partition) (all []Doubt) {
	_, n := s.X.Dims()
	add := func(j int, kind DoubtKind, how string) { all = append(all, subject(s, j, kind, how)) }
	for j := range min(n, len(s.Names)) {
		is, marked := namesSubject(s.Names[j])
		if !is && !strings.HasSuffix(PlainName(s.Names[j]), "_id") || accepted(s, j) {
			continue
		}
		d, span := wholeValues(s, j, apart)
		mean := float64(len(s.Y)) / float64(max(d, 1))
		switch {
		case !span:
		case is && d >= leastSubjects && (marked || mean <= mostOfSubject):
			add(j, DoubtSubject, "is named like the number of a subject")
		case is || d < leastNumbers || mean > mostOfNumber:
		default: // of an item, a shop or a race, perhaps
			add(j, DoubtUnits, "is named like an id")
		}
	}
	if queriesOf(s).Len() <= 1 && isDense(s.X) {
		inBlocks(s, apart, all, add)
	}
	return all
}

// subject is the doubt about feature j, by how it is known.
func subject(s *data.Set, j int, kind DoubtKind, how string) Doubt {
	column := ""
	if j < len(s.Names) {
		column = s.Names[j]
	}
	return Doubt{Kind: kind, Features: []int{j}, Column: column, Text: fmt.Sprintf("%s %s, and rows with the same number "+
		"count as independent: a number that only names something tells nothing of a new one",
		listFeatures(s, []int{j}), how)}
}

// inBlocks tells add the features that number equal blocks of rows, apart from those of doubts that are known.
func inBlocks(s *data.Set, apart *data.Partition, all []Doubt, add func(j int, kind DoubtKind, how string)) {
	_, n := s.X.Dims()
	for j := range n {
		known := slices.ContainsFunc(all, func(d Doubt) bool { return d.Features[0] == j })
		if k := equalBlocks(s, j); k > 1 && !known && !accepted(s, j) {
			if _, span := wholeValues(s, j, apart); span {
				add(j, DoubtUnits, fmt.Sprintf("counts up in blocks of %d rows", k)) // or is a month
			}
		}
	}
}

// wholeValues returns the number of different values of feature j, 0 unless all are whole, and whether one is in
// several parts.
func wholeValues(s *data.Set, j int, apart *data.Partition) (different int, span bool) {
	part := apart.Of()
	known := map[float64]int32{}
	for i := range s.Y {
		v := entry(s.X, i, j)
		if v != math.Trunc(v) {
			return 0, false
		}
		if before, is := known[v]; !is {
			known[v] = part[i]
		} else if before != part[i] {
			span = true
		}
	}
	return len(known), span
}

// equalBlocks returns k where feature j is a, …, a, a+1, …, a+1 and so on with k rows each of at least leastNumbers
// numbers from a = 0 or 1, else 0. It looks at the first rows alone where these are otherwise.
func equalBlocks(s *data.Set, j int) int {
	m, _ := s.X.Dims()
	a := 0.0
	if m > 0 {
		a = entry(s.X, 0, j)
	}
	if a != 0 && a != 1 {
		return 0
	}
	k := 1
	for k < m && entry(s.X, k, j) == a {
		k++
	}
	if k < 2 || m%k != 0 || m/k < leastNumbers {
		return 0
	}
	for i := k; i < m; i++ {
		if entry(s.X, i, j) != a+float64(i/k) {
			return 0
		}
	}
	return k
}

// Apart is the parts of the rows that count as independent by default: the folds that are given, groups, queries or, in
// a single list, rows.
func Apart(s *data.Set) *data.Partition {
	switch {
	case s.Folds != nil:
		return s.Folds
	case s.Groups != nil:
		return s.Groups
	case queriesOf(s).Len() == 1:
		return data.Singletons(len(s.Y))
	}
	return queriesOf(s)
}

// queriesOf is the partition by query.
func queriesOf(s *data.Set) *data.Partition {
	if s.Queries != nil {
		return s.Queries
	}
	return data.OneList(len(s.Y))
}
