// Package features compares the features of rows or nodes to be scored with those of the training,
// by name where both have names, else by number.
package features

import (
	"slices"

	"pairrank/fault"
	"pairrank/internal/pick"
)

// Check compares cols columns, with names or nil, with the n features of the training, with names
// or nil. It returns a *fault.FeatureError where they differ.
func Check(cols int, names []string, n int, wanted []string) error {
	if cols > n {
		return &fault.FeatureError{Rows: cols, Model: n, Extra: true}
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
			return &fault.FeatureError{Rows: cols, Model: n, Feature: j + 1, Name: name, Want: want, Extra: extra}
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
