package data

import (
	"fmt"
	"sort"
	"strings"

	"pairrank/internal/pick"
)

// Set is m rows of features with their labels and queries. A slice has length m unless its comment
// says otherwise.
type Set struct {
	X           Matrix
	Y           []float64    // m labels, or times where Censored is not nil
	Censored    []bool       // rows that had no event until their time Y; nil where labels are no times
	Weights     []float64    // how many rows each counts as, at least 0 and not all 0; nil where each counts once
	Absent      []int        // the rows that the input has besides these, of weight 0, by their number in it; ascending
	Queries     *Partition   // the rows by query; one part without a name, or nil, when the input names no queries
	HasQID      bool         // the input names queries
	IDs         []string     // names of the rows; nil where they have none
	Groups      *Partition   // rows left out together, such as samples of one patient; nil where each stands alone
	Folds       *Partition   // the folds that are given; nil where none are
	Comments    []string     // per row, without the '#'; nil when not kept
	Names       []string     // feature names, length n, or nil
	Notes       []Note       // comment lines, in their order; nil when not kept
	Schema      *Schema      // the table that the rows come from; nil for other rows
	Substitutes *Substitutes // for missing values; nil where nothing stands for them
	ZeroBased   bool         // the rows come from text of index:value whose indices start at 0
}

// Schema says what the columns of a table are: by name, or by number from 1 where the table has no
// header. A model keeps it, so that the columns of other tables are found again by name.
type Schema struct {
	Label    string   `json:"label,omitempty"`    // "" where there are no labels
	Positive string   `json:"positive,omitempty"` // the text that is label 1; "" where labels are numbers
	Negative string   `json:"negative,omitempty"` // the other text, which is label 0
	Query    string   `json:"query,omitempty"`    // "" where no queries are named
	ID       string   `json:"id,omitempty"`       // the names of the rows; "" where they have none
	Group    string   `json:"group,omitempty"`    // rows that are left out together
	Fold     string   `json:"fold,omitempty"`     // the folds of cross-validation
	Time     string   `json:"time,omitempty"`     // times until an event or its censoring, in the place of labels
	Event    string   `json:"event,omitempty"`    // whether the event was seen; Positive is its text then
	Weight   string   `json:"weight,omitempty"`   // how much each row counts
	Factors  []Factor `json:"factors,omitempty"`  // columns of texts that are features
	Ignored  []string `json:"ignored,omitempty"`  // columns that are left out
	Filled   []Filled `json:"filled,omitempty"`   // features with missing values, in the order of the table
	Accepted []string `json:"accepted,omitempty"` // features that the user chose one by one, whatever they look like
	Commas   bool     `json:"commas,omitempty"`   // numbers had decimal commas
	Decimal  string   `json:"decimal,omitempty"`  // point or comma where the user said what points in numbers are
	Selected bool     `json:"-"`                  // the user chose the features, by names, ranges or patterns
}

// Factor is a column of texts that stands for one feature a level, named COLUMN=LEVEL: 1 where the
// text is the level, else 0. It may be the column of the names of the rows.
type Factor struct {
	Column string   `json:"column"`
	Levels []string `json:"levels"` // ascending
	// Open says that other texts have none of the features; else they are an error.
	Open bool `json:"open,omitempty"`
}

// Filled is a feature of which values were missing.
type Filled struct {
	Column string `json:"column"`
	Rows   int    `json:"rows"` // that lack a value
	By     string `json:"by"`   // zero, mean or min
}

// FeatureName is the name of the feature of a level.
func (f *Factor) FeatureName(level string) string { return f.Column + "=" + level }

// Subset returns a copy of the given rows, in that order, with their labels, queries, names,
// groups, folds and comments, but no comment lines. Rows, queries, groups and folds are numbered anew, the last three
// in order of first appearance; the feature names are shared. It costs O(n) a row, or its stored values. It panics when
// a row is not in [0,m), or the matrix does not fit.
func (s *Set) Subset(rows []int) *Set {
	Check("data: Set.Subset: X", s.X)
	sub := &Set{X: Select(s.X, rows), Y: pick.Rows(s.Y, rows), Censored: pick.Rows(s.Censored, rows),
		Weights: pick.Rows(s.Weights, rows), HasQID: s.HasQID, IDs: pick.Rows(s.IDs, rows),
		Comments: pick.Rows(s.Comments, rows), Names: s.Names, Schema: s.Schema, Substitutes: s.Substitutes,
		ZeroBased: s.ZeroBased}
	if s.HasQID || s.Queries != nil && s.Queries.Len() > 1 {
		sub.Queries = s.Queries.subset(rows)
	} else {
		sub.Queries = OneList(len(rows))
	}
	if s.Groups != nil {
		sub.Groups = s.Groups.subset(rows)
	}
	if s.Folds != nil {
		sub.Folds = s.Folds.subset(rows)
	}
	return sub
}

// queries is the partition by query.
func (s *Set) queries() *Partition {
	if s.Queries != nil {
		return s.Queries
	}
	rows, _ := s.X.Dims()
	return OneList(rows)
}

// DocID returns the name of row i; where the rows have none, the document name in its comment,
// which the LETOR files write as "docid = X", alone or before other fields, and files of texts before a tab, as in
// "X<tab>text"; "" when there is none. It costs O(length of the comment), and panics when i is not in [0,m) and there
// are names or comments.
func (s *Set) DocID(i int) string {
	if s.IDs != nil {
		return s.IDs[i]
	}
	if s.Comments == nil {
		return ""
	}
	return docID(s.Comments[i])
}

// Number is the number of row i in the input, from 0. It counts rows of weight 0, which are not in the set. It costs
// O(log(len(Absent))).
func (s *Set) Number(i int) int {
	return i + sort.Search(len(s.Absent), func(k int) bool { return s.Absent[k]-k > i })
}

// Called names row i in a sentence: its number in the input from 1 and, where it has one, its name, as in row 3
// ("p17"). It costs and panics as DocID does.
func (s *Set) Called(i int) string {
	if id := s.DocID(i); id != "" {
		return fmt.Sprintf("row %d (%q)", s.Number(i)+1, ClipText(id))
	}
	return fmt.Sprintf("row %d", s.Number(i)+1)
}

func docID(comment string) string {
	const key = "docid"
	for rest := comment; ; {
		at := strings.Index(rest, key)
		if at < 0 {
			return tabbedID(comment)
		}
		starts := at == 0 || rest[at-1] == ' ' || rest[at-1] == '\t'
		rest = rest[at+len(key):]
		value, found := strings.CutPrefix(strings.TrimLeft(rest, " \t"), "=")
		if !starts || !found {
			continue
		}
		if fields := strings.Fields(value); len(fields) > 0 {
			return fields[0]
		}
		return ""
	}
}

// tabbedID is the name in a comment of the form "name<tab>text", as SVMlight files of texts have it; "" in another one.
func tabbedID(comment string) string {
	name, _, is := strings.Cut(comment, "\t")
	if name = strings.TrimSpace(name); !is || strings.ContainsAny(name, " =") {
		return ""
	}
	return name
}

// Binarize sets every label to 1 where y ≥ threshold, else to 0, in place, in O(m) for y
// of length m. NaN becomes 0.
func Binarize(y []float64, threshold float64) {
	for i, label := range y {
		if label >= threshold {
			y[i] = 1
		} else {
			y[i] = 0
		}
	}
}
