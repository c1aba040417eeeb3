package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"pairrank/internal/spell"
	"pairrank/model/contribution"
)

// Explanation is the document of the reasons why rows have their scores, or stand above others.
type Explanation struct {
	Kind      Kind        `json:"kind"`
	Explained []Explained `json:"explained"`
	// LeftOut counts the queries that are not explained, and Alone those of them that have a single row and so
	// nothing to compare.
	LeftOut int `json:"left_out"`
	Alone   int `json:"alone"`
	// Columns are the columns of a table of rows, else nil.
	Columns *Columns `json:"columns,omitempty"`
	Told
}

// Explained is one score, or the difference of two, in parts.
type Explained struct {
	Query string         `json:"query,omitempty"`
	Given string         `json:"given,omitempty"` // id of the row node for which column nodes are compared
	Of    []ExplainedRow `json:"of"`              // A, and B if there are two
	*contribution.Sum
}

// ExplainedRow is a row or a column node whose score is explained.
type ExplainedRow struct {
	Row int    `json:"row,omitempty"` // from 1; 0 for nodes
	ID  string `json:"id,omitempty"`  // of a node or document, if it has one
}

// name is the name of a row in a sentence; short, below, is its name in the head of a column.
func (r ExplainedRow) name() string {
	switch id := strings.Map(printable, r.ID); {
	case r.Row == 0:
		return id
	case id != "":
		return fmt.Sprintf("row %d (%s)", r.Row, id)
	}
	return fmt.Sprintf("row %d", r.Row)
}

// A long name would make the column wide, and a name that another row has, too, would not tell them apart.
func (r ExplainedRow) short(among []ExplainedRow) string {
	const widest = 24
	id := strings.Map(printable, r.ID)
	other := func(of ExplainedRow) bool { return of.ID == r.ID && of.Row != r.Row }
	switch {
	case r.Row == 0:
		return id
	case id != "" && utf8.RuneCountInString(id) <= widest && !slices.ContainsFunc(among, other):
		return id
	}
	return fmt.Sprintf("row %d", r.Row)
}

// View is for each score a headline and a table of its parts.
func (e *Explanation) View() *View {
	v := &View{}
	for k, x := range e.Explained {
		if k > 0 {
			v.line("")
		}
		x.tell(v)
	}
	if e.LeftOut > 0 {
		text := spell.Plural(e.LeftOut, "more query") + " not shown"
		if e.Alone > 0 {
			text += fmt.Sprintf(", %d with a single row", e.Alone)
		}
		v.line("")
		v.line("%s", text)
	}
	return v
}

func (x *Explained) tell(v *View) {
	if x.Sum == nil || len(x.Of) == 0 || len(x.Scores) < len(x.Of) { // in a document that others have written
		return
	}
	v.line("%s", x.headline())
	v.line("")
	t := listed("", x.head()...)
	t.Bare = true
	for _, p := range x.Parts {
		t.row(x.line(p)...)
	}
	if x.Left > 0 {
		t.row("  "+spell.Plural(x.Left, "other"), shortNumber(x.Rest))
	}
	t.row("  sum", shortNumber(x.Total))
	v.tell(t)
}

// headline names the score or the difference.
func (x *Explained) headline() string {
	where := ""
	if x.Query != "" {
		where = "query " + strings.Map(printable, x.Query) + ": "
	}
	if x.Given != "" {
		where = "given " + strings.Map(printable, x.Given) + ": "
	}
	a := x.Of[0].name()
	if len(x.Of) == 1 {
		return fmt.Sprintf("%s%s scores %s", where, a, shortNumber(x.Total))
	}
	b, scores := x.Of[1].name(), fmt.Sprintf("%s and %s", shortNumber(x.Scores[0]), shortNumber(x.Scores[1]))
	switch {
	case x.Total > 0:
		return fmt.Sprintf("%s%s stands %s above %s: %s", where, a, shortNumber(x.Total), b, scores)
	case x.Total < 0:
		return fmt.Sprintf("%s%s stands %s below %s: %s", where, a, shortNumber(-x.Total), b, scores)
	}
	return fmt.Sprintf("%s%s is level with %s: %s", where, a, b, scores)
}

// head names the columns of the parts.
func (x *Explained) head() []string {
	head := []string{"  " + string(x.Kind), "adds"}
	if x.weighted() {
		head = append(head, weightName(x.Kind))
	}
	if x.Kind == contribution.FeaturePair {
		head = append(head, "given")
	}
	value := ""
	switch x.Kind {
	case contribution.SupportRow, contribution.TrainingRow, contribution.Edge:
		value = "kernel "
	}
	for _, r := range x.Of {
		head = append(head, value+r.short(x.Of))
	}
	if x.normalized() {
		for range x.Of {
			head = append(head, "normalised")
		}
	}
	if x.steps() {
		head = append(head, "thresholds")
	}
	return head
}

func weightName(k contribution.Kind) string {
	switch k {
	case contribution.Feature, contribution.FeaturePair:
		return "weight"
	}
	return "coefficient"
}

func (x *Explained) some(f func(p contribution.Part) bool) bool {
	for _, p := range x.Parts {
		if f(p) {
			return true
		}
	}
	return false
}

func (x *Explained) weighted() bool {
	return x.some(func(p contribution.Part) bool { return p.Weight != 0 })
}
func (x *Explained) normalized() bool {
	return x.some(func(p contribution.Part) bool { return p.Normalized != nil })
}
func (x *Explained) steps() bool {
	return x.some(func(p contribution.Part) bool { return p.Steps != nil })
}

// line is the cells of a part.
func (x *Explained) line(p contribution.Part) []string {
	line := []string{"  " + partName(x.Kind, p), shortNumber(p.Contribution)}
	if x.weighted() {
		line = append(line, shortNumber(p.Weight))
	}
	for _, v := range p.Values {
		line = append(line, shortNumber(v))
	}
	for _, v := range p.Normalized {
		line = append(line, shortNumber(v))
	}
	if x.steps() {
		line = append(line, stepsText(p.Steps))
	}
	return line
}

// partName is the name of a part.
func partName(kind contribution.Kind, p contribution.Part) string {
	name := strings.Map(printable, p.Name)
	switch kind {
	case contribution.Edge, contribution.RowNode, contribution.ColumnNode:
		if p.ColumnNumber > 0 {
			name += " – " + strings.Map(printable, p.ColumnName)
		}
		return name
	case contribution.FeaturePair:
		return cmp.Or(name, strconv.Itoa(p.Number)) + " × " +
			cmp.Or(strings.Map(printable, p.ColumnName), strconv.Itoa(p.ColumnNumber))
	}
	if name == "" {
		return strconv.Itoa(p.Number)
	}
	return strconv.Itoa(p.Number) + " " + name
}

// stepsText lists a few thresholds with the score that passing them adds.
func stepsText(steps []contribution.Step) string {
	const most = 3
	var b strings.Builder
	for k, s := range steps {
		if k == most {
			fmt.Fprintf(&b, ", %d more", len(steps)-most)
			break
		}
		if k > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s: %s", shortNumber(s.Threshold), shortNumber(s.Weight))
	}
	return b.String()
}
