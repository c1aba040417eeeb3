package svmlight

import (
	"fmt"

	"pairrank/data"
	"pairrank/internal/textline"
)

// fault is a data.SyntaxError within a line.
type fault struct {
	col  int
	text string
	msg  string
	long int   // the limit of a line that is beyond it, else 0
	err  error // wrapped by data.SyntaxError, or nil
}

func (f *fault) at(file string, line int) *data.SyntaxError {
	if f.long > 0 {
		return textline.LongLine(file, line, f.long)
	}
	return &data.SyntaxError{File: file, Line: line, Col: f.col, Text: f.text, Msg: f.msg, Err: f.err}
}

// faultAt is about the text line[from:to].
func faultAt(line []byte, from, to int, msg string) *fault {
	return &fault{col: from + 1, text: data.ClipText(string(line[from:to])), msg: msg}
}

// noRows is the error for an input without a row.
func noRows(file string, lines int) error {
	if lines == 0 {
		return &data.SyntaxError{File: file, Msg: "the input is empty"}
	}
	return &data.SyntaxError{File: file, Msg: fmt.Sprintf("no rows: all %d lines are blank or comments", lines)}
}
