package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/internal/doubt"
	"pairrank/internal/spell"
)

// CheckColumn is a column of a table.
type CheckColumn struct {
	Column   int          `json:"column"` // from 1
	Name     string       `json:"name"`
	Role     string       `json:"role"`
	Feature  int          `json:"feature,omitempty"` // from 1
	Type     string       `json:"type"`
	Missing  int          `json:"missing"`
	Faults   int          `json:"faults"`
	Distinct int          `json:"distinct"`
	More     bool         `json:"more,omitempty"` // there are more distinct values than that
	Min      *Number      `json:"min,omitempty"`
	Max      *Number      `json:"max,omitempty"`
	Levels   []CheckLevel `json:"levels,omitempty"` // the commonest texts
	Warnings []string     `json:"warnings,omitempty"`
}

// CheckLevel is a text of a column with the number of its rows.
type CheckLevel struct {
	Text string `json:"text"`
	Rows int    `json:"rows"`
}

// CheckKind counts the errors of a kind.
type CheckKind struct {
	Kind   string   `json:"kind"`
	Errors int      `json:"errors"` // all, listed or not
	Listed int      `json:"listed"`
	Hints  []string `json:"hints,omitempty"`
}

// CheckQueries are the numbers of rows of queries.
type CheckQueries struct {
	Least int `json:"least"`
	Most  int `json:"most"`
}

// SetTable adds the columns of a table, what is doubtful about them, and its queries.
func (d *Check) SetTable(columns []CheckColumn, doubts []doubt.Doubt, set *data.Set) {
	d.Table = columns
	at := map[int]int{} // columns by feature
	for k, c := range columns {
		if c.Feature > 0 {
			at[c.Feature-1] = k
		}
	}
	for _, doubt := range doubts {
		for _, j := range doubt.Features {
			if k, is := at[j]; is {
				d.Table[k].Warnings = append(d.Table[k].Warnings, doubt.Kind.String())
			}
		}
	}
	if set == nil {
		return
	}
	d.Columns = ColumnsOf(set)
	if set.HasQID {
		q := &CheckQueries{Least: math.MaxInt}
		for g := range set.Queries.Len() {
			n := len(set.Queries.Part(g))
			q.Least, q.Most = min(q.Least, n), max(q.Most, n)
		}
		d.QueryRows = q
	}
	rows := map[float64]int{}
	for _, y := range set.Y {
		if !math.IsNaN(y) {
			rows[y]++
		}
	}
	d.DistinctLabels, d.Labels = len(rows), nil
	for y, n := range rows {
		d.Labels = append(d.Labels, LabelRows{y, n})
	}
	slices.SortFunc(d.Labels, func(a, b LabelRows) int {
		if a.Label < b.Label {
			return -1
		}
		return 1
	})
	d.Labels = d.Labels[:min(len(d.Labels), mostLabels)]
}

// mostLabels is how many labels are listed.
const mostLabels = 20

// labels says how many labels there are and, of few labels of a table, with how many rows.
func (d *Check) labels() string {
	text := spell.Plural(d.DistinctLabels, "distinct label")
	const few = 6
	if d.Table == nil || len(d.Labels) != d.DistinctLabels || len(d.Labels) == 0 || len(d.Labels) > few {
		return text
	}
	each := make([]string, len(d.Labels))
	for k, l := range d.Labels {
		each[k] = fmt.Sprintf("%v: %d", l.Label, l.Rows)
	}
	return text + " (" + strings.Join(each, ", ") + ")"
}

// Of a wide table the first and last columns are shown, and those about which there is something to say.
const (
	widest    = 60
	shownEnds = 10
	mostNoted = 40
)

// tellTable adds the columns.
func (d *Check) tellTable(v *View) {
	t := &Table{Bare: true}
	for _, head := range []string{"column", "name", "role", "type", "missing", "distinct", "values", "warnings"} {
		t.Columns = append(t.Columns, Column{Head: head, Left: true})
	}
	noted, left, cut := 0, 0, false
	flush := func() {
		if left > 0 {
			t.row("…", fmt.Sprintf("%d more", left), "", "", "", "", "", "")
		}
		left = 0
	}
	for k := range d.Table {
		c := &d.Table[k]
		row := c.row()
		if n := len(d.Table); n > widest && k >= shownEnds && k < n-shownEnds {
			if row[len(row)-1] == "" && c.Role == "feature" || noted >= mostNoted {
				left++
				cut = true
				continue
			}
			noted++
		}
		flush()
		t.row(row...)
	}
	v.tell(t)
	if cut {
		v.line("%s; --json lists them all", spell.Plural(len(d.Table), "column"))
	}
	if q := d.QueryRows; q != nil {
		least := fmt.Sprintf("%d to ", q.Least)
		if q.Least == q.Most {
			least = ""
		}
		v.line("%s of %s%s", spell.Plural(d.Queries, "query"), least, spell.Plural(q.Most, "row"))
	}
	v.line("")
}

// row is the column as texts.
func (c *CheckColumn) row() []string {
	distinct := strconv.Itoa(c.Distinct)
	if c.More {
		distinct = "> " + distinct
	}
	var values []string
	if c.Min != nil {
		values = append(values, fmt.Sprintf("%.6g … %.6g", float64(*c.Min), float64(*c.Max)))
	}
	for k, l := range c.Levels {
		if k == 3 {
			values = append(values, "…")
			break
		}
		values = append(values, fmt.Sprintf("%s (%d)", strings.Map(printable, data.ClipText(l.Text)), l.Rows))
	}
	warnings := slices.Clone(c.Warnings)
	if c.Faults > 0 {
		warnings = append(warnings, spell.Plural(c.Faults, "faulty value"))
	}
	name := strings.Map(printable, data.ClipText(c.Name))
	return []string{strconv.Itoa(c.Column), name, c.Role, c.Type, strconv.Itoa(c.Missing), distinct,
		strings.Join(values, ", "), strings.Join(warnings, ", ")}
}
