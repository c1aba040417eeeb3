// Package features compares the features of rows or nodes to be scored with those of the training,
// by name where both have names, else by number.
package features

import (
	"fmt"
	"slices"

	"pairrank/internal/pick"
)

// Error says that the rows to be scored do not have the features of the model.
type Error struct {
	Rows, Model int    // features of the rows and of the model
	Feature     int    // 1-based, the first whose name differs; 0 when there are too many
	Name, Want  string // its name in the rows, "" when they lack it, and in the model
	Extra       bool   // the rows have features that training never saw, which WithoutExtra leaves out
}

// Error returns the difference.
func (e *Error) Error() string {
	if e.Feature == 0 {
		return fmt.Sprintf("the rows have %d features, more features than in training: %d", e.Rows, e.Model)
	}
	if e.Name == "" {
		return fmt.Sprintf("feature %d, %q in training, is missing", e.Feature, e.Want)
	}
	return fmt.Sprintf("feature %d is %q but was %q in training", e.Feature, e.Name, e.Want)
}

// Hint says what the user can do.
func (e *Error) Hint() string {
	if e.Feature == 0 || e.Extra {
		return "score rows with the features of the training data, in the same order"
	}
	return "bring the columns into the order of the training data"
}

// Check compares cols columns, with names or nil, with the n features of the training, with names
// or nil. It returns an *Error where they differ.
func Check(cols int, names []string, n int, wanted []string) error {
	if cols > n {
		return &Error{Rows: cols, Model: n, Extra: true}
	}
	if wanted == nil || names == nil {
		return nil
	}
	for j, want := range wanted {
		name := ""
		if j < len(names) {
			name = names[j]
		}
		if name != want {
			extra := name != "" && !slices.Contains(wanted, name)
			return &Error{Rows: cols, Model: n, Feature: j + 1, Name: name, Want: want, Extra: extra}
		}
	}
	return nil
}

// Known returns which of the cols columns, with names or nil, are among the n features of the
// training, with names wanted or nil.
func Known(cols int, names []string, n int, wanted []string) []int {
	var keep []int
	if names == nil || wanted == nil {
		for j := range min(cols, n) {
			keep = append(keep, j)
		}
		return keep
	}
	trained := make(map[string]bool, len(wanted))
	for _, name := range wanted {
		trained[name] = true
	}
	for j, name := range names {
		if trained[name] {
			keep = append(keep, j)
		}
	}
	return keep
}

// Names returns the names of the kept columns; nil for nil.
func Names(names []string, keep []int) []string {
	return pick.Rows(names, keep)
}
