package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// enumFlag is a flag that takes one of the known names, completes them in the
// shell and refuses others with the list.
func enumFlag(cmd *cobra.Command, target *string, name, value string, known []string, usage string) {
	*target = value
	cmd.Flags().Var(&enum{target, known}, name, usage+": "+strings.Join(known, ", "))
	// the flag was defined on the line above, so that this cannot go wrong
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(known, cobra.ShellCompDirectiveNoFileComp))
}

type enum struct {
	target *string
	known  []string
}

func (e *enum) String() string { return *e.target }
func (e *enum) Type() string   { return "NAME" }
func (e *enum) Set(text string) error {
	if !slices.Contains(e.known, text) {
		if near := nearest(text, e.known); near != "" {
			return fmt.Errorf("unknown value, did you mean %s? known are %s", near, strings.Join(e.known, ", "))
		}
		return fmt.Errorf("unknown value: known are %s", strings.Join(e.known, ", "))
	}
	*e.target = text
	return nil
}

// nearest returns the known name within two edits of text, or that text
// begins; "" when there is none.
func nearest(text string, known []string) string {
	best, least := "", 3
	for _, name := range known {
		if d := editDistance(text, name); d < least {
			best, least = name, d
		}
	}
	if best == "" && len(text) >= 2 {
		for _, name := range known {
			if strings.HasPrefix(name, text) {
				return name
			}
		}
	}
	return best
}

// editDistance is the number of insertions, deletions, changes and swaps of
// neighbours that turn a into b.
func editDistance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			change := 1
			if a[i] == b[j] {
				change = 0
			}
			row[j+1] = min(last[j]+change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
