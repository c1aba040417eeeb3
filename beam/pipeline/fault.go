package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"pairrank/fault"
	"pairrank/internal/memory"
)

// Beam hands an error over as the text of a trace with the names of bundles and
// transforms. said stand around ours in it, so that Cause finds it again, and its kind
// follows for Kind.
const saidBegin, saidEnd = "pairrank: ⟦", "⟧"

// kindNames are the kinds of faults as they are said.
var kindNames = map[fault.Kind]string{fault.Data: "data", fault.Numerical: "numerical"}

// say marks an error for Cause and Kind.
func say(err error) error {
	var known *fault.Error
	kind := ""
	if errors.As(err, &known) {
		kind = kindNames[known.Kind]
	}
	return fmt.Errorf("%s%w%s%s", saidBegin, err, saidEnd, kind)
}

// Cause extracts from the error of a job the fault of the data or files, without the bundles and
// transforms that Beam lists, or "" where the error is not one of ours.
func Cause(err error) string {
	text, _ := said(err)
	return text
}

// Kind classifies the error of a job: fault.Data, fault.Numerical, or 0 for any other.
func Kind(err error) fault.Kind {
	_, after := said(err)
	for kind, name := range kindNames {
		if strings.HasPrefix(after, name) {
			return kind
		}
	}
	return 0
}

// said returns our part of the error of a job, and the text after it.
func said(err error) (text, after string) {
	_, rest, _ := strings.Cut(err.Error(), saidBegin)
	text, after, _ = strings.Cut(rest, saidEnd)
	return text, after
}

// contentError marks an error of reading as a fault of the data, unless the file system, memory or
// the end of the job caused it.
func contentError(err error) error {
	var path *fs.PathError
	var lack *memory.Lack
	if err == nil || errors.As(err, &path) || errors.As(err, &lack) || errors.Is(err, context.Canceled) {
		return err
	}
	return fault.As(fault.Data, "", err)
}
