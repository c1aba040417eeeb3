package report

import (
	"fmt"
	"strings"

	"pairrank/data"
	"pairrank/internal/spell"
	"pairrank/internal/student"
)

// Columns says what the columns of a table are, but for the features.
type Columns struct {
	data.Schema
	Weights *RowWeights `json:"weights,omitempty"` // of a weight column, else nil
}

// RowWeights are how much rows with weights count: as many of equal weight would be as precise. Absent ones have weight
// 0 and are left out, with their scores.
type RowWeights struct {
	Effective float64 `json:"effective_rows"`
	Absent    int     `json:"absent"`
}

// ColumnsOf are the columns of a set, nil if it is not from a table.
func ColumnsOf(s *data.Set) *Columns {
	if s.Schema == nil {
		return nil
	}
	c := &Columns{Schema: *s.Schema}
	if s.Weights != nil {
		var all student.Effective
		for _, w := range s.Weights {
			all.Add(w)
		}
		c.Weights = &RowWeights{all.Rows(), len(s.Absent)}
	}
	return c
}

// String says how many rows count, and how many are absent.
func (w *RowWeights) String() string {
	text := fmt.Sprintf("rows count as %.4g of equal weight", w.Effective)
	if w.Absent > 0 {
		text += fmt.Sprintf(", %d of weight 0 left out", w.Absent)
	}
	return text
}

// become is what missing values are.
func become(values int, by string) string {
	if by != data.MissingOwn.String() { // a level, or a score of an item
		return by
	}
	return "with a number of " + map[bool]string{true: "its", false: "their"}[values == 1] + " own"
}

// String lists the columns.
func (c *Columns) String() string {
	label, query := "no labels", "no queries"
	if c.Time != "" {
		label = fmt.Sprintf("time %q, event %q", c.Time, c.Event)
	}
	if c.Label != "" {
		label = fmt.Sprintf("label %q", c.Label)
	}
	if c.Positive != "" {
		label += fmt.Sprintf(" (%q is 1, %q is 0)", c.Positive, c.Negative)
	}
	if c.Query != "" {
		query = fmt.Sprintf("query %q", c.Query)
	}
	parts := []string{label, query}
	for _, one := range []struct{ what, name string }{{"id", c.ID}, {"group", c.Group}, {"fold", c.Fold},
		{"weight", c.Weight}} {
		if one.name != "" {
			parts = append(parts, fmt.Sprintf("%s %q", one.what, one.name))
		}
	}
	if c.Weights != nil {
		parts[len(parts)-1] += fmt.Sprintf(" (%s)", c.Weights)
	}
	for _, f := range c.Factors {
		parts = append(parts, fmt.Sprintf("factor %q of %s", f.Column, spell.Plural(len(f.Levels), "level")))
	}
	parts = append(parts, FilledTexts(c.Filled)...)
	if len(c.Ignored) > 0 {
		names := make([]string, min(len(c.Ignored), mostNamed))
		for k := range names {
			names[k] = fmt.Sprintf("%q", c.Ignored[k])
		}
		text := "ignored " + strings.Join(names, ", ")
		if n := len(c.Ignored) - len(names); n > 0 {
			text += fmt.Sprintf(" and %d more", n)
		}
		parts = append(parts, text)
	}
	if c.Commas {
		parts = append(parts, "decimal commas")
	}
	return strings.Join(parts, ", ")
}

// FilledTexts say of each feature how many values were missing, and what became of them.
func FilledTexts(filled []data.Filled) (texts []string) {
	for k, f := range filled {
		if k == mostNamed {
			return append(texts, fmt.Sprintf("%d more with missing values", len(filled)-k))
		}
		texts = append(texts, fmt.Sprintf("%q: %s missing, %s", f.Column, spell.Plural(f.Rows, "value"),
			become(f.Rows, f.By)))
	}
	return texts
}

// mostNamed is how many columns of a kind a line names.
const mostNamed = 8
