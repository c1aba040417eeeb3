// Package textline has what readers and writers of lines of text share: limits, comments, and names that lost digits.
package textline

import (
	"fmt"
	"io"
	"strings"

	"pairrank/data"
)

// LongLine is the error of a line of more than limit bytes.
func LongLine(file string, line, limit int) *data.SyntaxError {
	return &data.SyntaxError{File: file, Line: line, Col: limit + 1,
		Msg: fmt.Sprintf("the line is longer than %d bytes", limit), Err: data.ErrLongLine}
}

// InnerReturn is the message about a carriage return within a line.
const InnerReturn = `carriage return within a line: where all line ends are CR alone, tr '\r' '\n' makes them LF`

// WriteNotes writes to w the comment lines that stand before row i or earlier, each with
// its '#', and returns the others. It costs O(1) when there are none. It returns the
// error of CheckComment, with the notes that are left, and that of w.
func WriteNotes(w io.Writer, notes []data.Note, i int) (rest []data.Note, err error) {
	for rest = notes; len(rest) > 0 && rest[0].Row <= i; rest = rest[1:] {
		if err := CheckComment(rest[0].Text); err != nil {
			return rest, err
		}
		if _, err := fmt.Fprintf(w, "#%s\n", rest[0].Text); err != nil {
			return rest, err
		}
	}
	return rest, nil
}

// CheckComment returns an error for a comment that would not read back as the end of one
// line: one with a line feed, or with a carriage return at its end. Cost O(len(text)).
func CheckComment(text string) error {
	if strings.Contains(text, "\n") || strings.HasSuffix(text, "\r") {
		return fmt.Errorf("comment with a line end cannot be written: %q", text)
	}
	return nil
}
