package report

import (
	"fmt"
	"strconv"

	"pairrank/internal/spell"
)

// LearningCurve is the held-out error of training on parts of the data.
type LearningCurve struct {
	Of     string          `json:"of"` // query or row
	Points []LearningPoint `json:"points"`
}

// LearningPoint is the error of parts of one size.
type LearningPoint struct {
	Units     Number `json:"units"` // mean number of queries or rows
	Error     Number `json:"error"`
	Deviation Number `json:"deviation"` // between the parts; null for the whole data
	Repeats   int    `json:"repeats"`
}

// text is the curve on one line.
func (c *LearningCurve) text() string {
	text := "error"
	for k, p := range c.Points {
		switch {
		case k > 0 && k == len(c.Points)-1:
			text += " and"
		case k > 0:
			text += ","
		}
		text += fmt.Sprintf(" %s of %s", p.Error, UnitsText(p.Units))
	}
	return text + " " + spell.Plural(2, c.Of)[2:]
}

// UnitsText is a mean number of queries or rows, with a half if sizes differ by one.
func UnitsText(n Number) string { return strconv.FormatFloat(float64(n), 'f', -1, 64) }
