package source

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"pairrank/export/internal/plain"
	"pairrank/model"
)

// ranker is a model in one of two forms; the other one is nil.
type ranker struct {
	linear *plain.Linear
	steps  *plain.Steps
	levels []int // features whose missing values have one: the last features are theirs
}

func newRanker(target string, m *model.Model) (r ranker, err error) {
	r.levels, _ = plain.Levels(m)
	if _, is := m.Scorer.(*model.Stumps); is {
		r.steps, err = plain.NewSteps(target, m)
	} else {
		r.linear, err = plain.NewCurves(target, m)
	}
	return r, err
}

func (r ranker) features() int {
	if r.steps != nil {
		return r.steps.Features
	}
	return len(r.linear.Weights)
}

func (r ranker) names() []string {
	if r.steps != nil {
		return r.steps.Names
	}
	return r.linear.Names
}

// given is how many features a row has, those of levels not among them.
func (r ranker) given() int { return r.features() - len(r.levels) }

// called are the names of the features of a row, or nil.
func (r ranker) called() []string {
	if r.names() == nil {
		return nil
	}
	return r.names()[:r.given()]
}

// missing are the values that stand for missing ones, NaN for a feature whose missing values are refused; nil where
// those of all are.
func (r ranker) missing() []float64 {
	if r.steps != nil {
		return r.steps.Missing
	}
	return r.linear.Missing
}

// about describes the model in a line.
func (r ranker) about() string {
	if r.steps != nil {
		return fmt.Sprintf("%d steps over %d features: the sum of the weights of those whose feature is above their "+
			"threshold", len(r.steps.Terms), r.features())
	}
	kind, bends := "linear model", ""
	if len(r.linear.Bends) > 0 {
		kind, bends = "spline", ", and what bends add above their knots"
	}
	if r.linear.Scale != nil {
		return fmt.Sprintf("a %s of %d features: the sum of w (x - shift) scale%s", kind, r.features(), bends)
	}
	return fmt.Sprintf("a %s of %d features: the sum of w x%s", kind, r.features(), bends)
}

// facts are the lines of a comment on where the model is from. They have no character that
// ends a comment of any language, or a script in a page.
func facts(m *model.Model) []string {
	lines := []string{"learner " + m.Info.Learner}
	if m.Info.Objective != "" {
		lines = append(lines, "objective "+m.Info.Objective)
	}
	if m.Info.Lambda != 0 {
		lines = append(lines, "lambda "+number(m.Info.Lambda))
	}
	for k, line := range lines {
		lines[k] = strings.Map(func(r rune) rune {
			if !unicode.IsPrint(r) || r == '<' {
				return '?'
			}
			return r
		}, line)
	}
	return lines
}

// number is the shortest text that reads back as v.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// rowsOf writes values in rows of a width that reads well, each followed by a comma.
func rowsOf(b *strings.Builder, indent string, count int, value func(k int) string) {
	const most = 100
	width := most
	for k := range count {
		text := value(k) + ","
		if width+1+len(text) > most {
			if k > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(indent)
			width = len(indent)
		} else {
			b.WriteByte(' ')
			width++
		}
		b.WriteString(text)
		width += len(text)
	}
	if count > 0 {
		b.WriteByte('\n')
	}
}

// list is rowsOf numbers.
func list(b *strings.Builder, indent string, values []float64) {
	rowsOf(b, indent, len(values), func(k int) string { return number(values[k]) })
}
