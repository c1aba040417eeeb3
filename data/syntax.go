package data

import (
	"errors"
	"fmt"
	"strings"
)

// MaxLine is the default limit on the bytes of a line in readers of text. A limit is needed because
// the content of a line is in memory several times over.
const MaxLine = 16 << 20

// ErrLongLine is wrapped by a SyntaxError about a line beyond the limit.
var ErrLongLine = errors.New("the line is too long")

// SyntaxError says what is wrong with a text, and where. The packages that read data return it.
type SyntaxError struct {
	File string // name of the input
	Line int    // 1-based; 0 when the error is about the whole input
	Col  int    // 1-based, in bytes
	Text string // the offending text, at most 60 bytes of it
	Msg  string // what is wrong with it
	Err  error  // for errors.Is: ErrLongLine, ErrExtraFeatures, or nil
}

// ErrExtraFeatures is wrapped by a SyntaxError about rows with features that a model
// does not have.
var ErrExtraFeatures = errors.New("features that the model does not have")

// Unwrap returns Err.
func (e *SyntaxError) Unwrap() error { return e.Err }

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

// maxText is the number of bytes of the offending text that an error repeats.
const maxText = 60

// ClipText returns a copy of an offending text as a SyntaxError repeats it: at most 60
// bytes, and valid UTF-8.
func ClipText(text string) string {
	if len(text) > maxText {
		text = text[:maxText]
	}
	return strings.Clone(strings.ToValidUTF8(text, "\ufffd"))
}
