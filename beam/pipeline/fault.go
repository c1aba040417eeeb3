package pipeline

import (
	"fmt"
	"strings"
)

// Beam hands an error over as the text of a trace with the names of bundles and
// transforms. said stand around ours in it, so that Cause finds it again.
const saidBegin, saidEnd = "pairrank: ⟦", "⟧"

// say marks an error of the data for Cause.
func say(err error) error { return fmt.Errorf("%s%w%s", saidBegin, err, saidEnd) }

// Cause is what is wrong with the data or the files in the error of a job, without what
// Beam tells of bundles and transforms, or "" where it is none of ours.
func Cause(err error) string {
	_, rest, found := strings.Cut(err.Error(), saidBegin)
	if !found {
		return ""
	}
	text, _, _ := strings.Cut(rest, saidEnd)
	return text
}
