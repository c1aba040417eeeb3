package svmlight

import (
	"fmt"
	"strings"
)

// SyntaxError is a place in the text that is not in the format.
type SyntaxError struct {
	File string // name of the input
	Line int    // 1-based; 0 when the error is about the whole input
	Col  int    // 1-based, in bytes
	Text string // the offending text, at most 60 bytes of it
	Msg  string // what is wrong with it
}

// Error returns `file:line:col: msg: "text"`, or `file: msg` when the error is
// about the whole input.
func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Msg
	}
	if e.Text == "" {
		return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s: %q", e.File, e.Line, e.Col, e.Msg, e.Text)
}

// fault is a SyntaxError within a line.
type fault struct {
	col  int
	text string
	msg  string
}

func (f *fault) at(file string, line int) *SyntaxError {
	return &SyntaxError{File: file, Line: line, Col: f.col, Text: f.text, Msg: f.msg}
}

// maxText is the number of bytes of the offending text that an error repeats.
const maxText = 60

// faultAt is about the text line[from:to].
func faultAt(line []byte, from, to int, msg string) *fault {
	text := line[from:to]
	if len(text) > maxText {
		text = text[:maxText]
	}
	return &fault{col: from + 1, text: strings.ToValidUTF8(string(text), "\ufffd"), msg: msg}
}

// noRows is the error for an input without a row.
func noRows(file string, lines int) error {
	if lines == 0 {
		return &SyntaxError{File: file, Msg: "the input is empty"}
	}
	return &SyntaxError{File: file, Msg: fmt.Sprintf("no rows: all %d lines are blank or comments", lines)}
}
