package table

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pairrank/data"
	"pairrank/internal/cellfault"
)

// interned are rows of texts by their numbers.
type interned struct {
	of []int32
	dictionary
}

// add appends a text. It copies texts that it keeps.
func (n *interned) add(text string) {
	if k := len(n.of); k > 0 && n.ids[n.of[k-1]] == text { // usual: the next row of a query
		n.of = append(n.of, n.of[k-1])
		return
	}
	g, is := n.find(text)
	if !is {
		g = n.dictionary.add(text)
	}
	n.of = append(n.of, g)
}

// count is the number of rows of a text.
func (n *interned) count(text string) int {
	g, is := n.find(text)
	if !is {
		return 0
	}
	return n.counts()[g]
}

// counts are the numbers of rows of each text.
func (n *interned) counts() []int {
	counts := make([]int, len(n.ids))
	for _, g := range n.of {
		counts[g]++
	}
	return counts
}

// TextLabelsError is wrapped by the error of ReadSet about labels that are texts where no option
// says which text counts as 1.
type TextLabelsError struct {
	Column string
	Levels []string // ascending
	Rows   []int    // with each level
}

// Unwrap returns that the labels are texts.
func (e *TextLabelsError) Unwrap() error { return cellfault.New(cellfault.Labels, e.listed()) }

// Error lists the levels.
func (e *TextLabelsError) Error() string {
	return fmt.Sprintf("the labels in column %s are %s", quotedID(e.Column), e.listed())
}

// listed is the levels with their rows.
func (e *TextLabelsError) listed() string {
	return listedFew(len(e.Levels), few, ", ", func(k int) string {
		return fmt.Sprintf("%s (%d)", quotedID(e.Levels[k]), e.Rows[k])
	})
}

// few is how many levels of labels an error lists.
const few = 8

// unread is a label that nobody looks at: 0 where the text is no label of the training, as that of a new patient.
func (g *gathered) unread(text string) float64 {
	if x, ok := g.number(text); ok {
		return x
	}
	if positive, _ := g.positive(); text == positive && positive != "" {
		return 1
	}
	return 0
}

// textLabels returns the labels of texts: 1 where the text is that of opts.Positive or of the
// model, 0 where it is the other one. It sets both in the schema. Labels that are all 0 or 1 are those
// numbers if only a model has the texts.
func (l *layout) textLabels(file string, texts *interned) ([]float64, error) {
	wrong := &TextLabelsError{Column: l.schema.Label, Levels: slices.Clone(texts.ids)}
	slices.Sort(wrong.Levels)
	wrong.Levels = slices.DeleteFunc(wrong.Levels, func(level string) bool { return level == "" }) // of a check
	counts := texts.counts()
	for _, level := range wrong.Levels {
		g, _ := texts.find(level)
		wrong.Rows = append(wrong.Rows, counts[g])
	}
	positive, negative := l.positive()
	if y := zeroOne(texts); y != nil && l.opts.Positive == "" && positive != "0" && positive != "1" {
		return y, nil
	}
	negative, why := negativeOf(wrong.Levels, positive, negative)
	if why != "" {
		return nil, &data.SyntaxError{File: file, Msg: wrong.Error() + ": " + why, Err: wrong}
	}
	l.schema.Positive, l.schema.Negative = positive, negative
	y := make([]float64, len(texts.of))
	for i, g := range texts.of {
		switch texts.ids[g] {
		case positive:
			y[i] = 1
		case "":
			y[i] = math.NaN()
		}
	}
	return y, nil
}

// negativeOf is the text that is label 0 beside the one that is label 1: the one that a model knows, else the other of
// two levels. why says why levels are not these labels.
func negativeOf(levels []string, positive, known string) (negative, why string) {
	negative = known
	switch {
	case positive == "" && len(levels) == 2:
		return "", "which one is the positive label is not said"
	case positive == "":
		return "", "labels are numbers, or two texts of which one is the positive label"
	case known != "":
	case !slices.Contains(levels, positive):
		return "", fmt.Sprintf("none is %q", positive)
	case len(levels) != 2:
		return "", "labels that are texts are two"
	case levels[0] != positive:
		negative = levels[0]
	default:
		negative = levels[1]
	}
	for _, level := range levels {
		if level != positive && level != negative {
			return "", fmt.Sprintf("%q is not among the labels of the training, %q and %q", level, positive, negative)
		}
	}
	return negative, ""
}

// zeroOne returns the labels of texts that are all 0 or 1, else nil.
func zeroOne(texts *interned) []float64 {
	other := func(text string) bool { return text != "0" && text != "1" }
	if slices.ContainsFunc(texts.ids, other) {
		return nil
	}
	y := make([]float64, len(texts.of))
	for i, g := range texts.of {
		if texts.ids[g] == "1" {
			y[i] = 1
		}
	}
	return y
}

// positive is the text that is label 1, and the other one where a model knows it; "" where labels
// are numbers.
func (l *layout) positive() (one, other string) {
	s := l.opts.Schema
	switch {
	case l.opts.Positive != "" && s != nil && s.Positive == l.opts.Positive:
		return s.Positive, s.Negative
	case l.opts.Positive != "":
		return l.opts.Positive, ""
	case s != nil:
		return s.Positive, s.Negative
	}
	return "", ""
}

// truth reads the booleans of Python, R and Parquet.
func truth(text string) (x float64, ok bool) {
	switch text {
	case "true", "True", "TRUE":
		return 1, true
	case "false", "False", "FALSE":
		return 0, true
	}
	return 0, false
}

// isDate reports whether a text looks like 2024-01-31 or 31.1.2024, also with a time behind it.
func isDate(text string) bool {
	day, _, _ := strings.Cut(strings.Replace(text, "T", " ", 1), " ")
	for _, sep := range []string{"-", "/", "."} {
		parts := strings.Split(day, sep)
		if len(parts) != 3 {
			continue
		}
		years := 0
		for _, p := range parts {
			if p == "" || len(p) > 4 || strings.Trim(p, "0123456789") != "" {
				return false
			}
			if len(p) == 4 {
				years++
			}
		}
		return years == 1
	}
	return false
}

// partition is the rows by text; nil where there are none.
func (n *interned) partition() *data.Partition {
	if n.of == nil {
		return nil
	}
	return data.NewQueries(n.of, n.ids)
}
