package report

import (
	"fmt"
	"strings"

	"pairrank/data"
)

// Columns are the columns of a table that are not features.
type Columns struct {
	Label   string   `json:"label,omitempty"` // "" if there are no labels
	Query   string   `json:"query,omitempty"` // "" if the rows are one list
	Ignored []string `json:"ignored,omitempty"`
}

// ColumnsOf are the columns of a set, nil if it is not from a table.
func ColumnsOf(s *data.Set) *Columns {
	if s.Schema == nil {
		return nil
	}
	return &Columns{s.Schema.Label, s.Schema.Query, s.Schema.Ignored}
}

// String lists the columns.
func (c *Columns) String() string {
	label, query := "no labels", "no queries"
	if c.Label != "" {
		label = fmt.Sprintf("label %q", c.Label)
	}
	if c.Query != "" {
		query = fmt.Sprintf("query %q", c.Query)
	}
	text := label + ", " + query
	if len(c.Ignored) > 0 {
		text += fmt.Sprintf(", ignored %q", c.Ignored)
		text = strings.NewReplacer("[", "", "]", "", `" "`, `", "`).Replace(text)
	}
	return text
}
