package data

import (
	"fmt"
	"io"
	"strings"
)

// Note is a line of text that holds a comment and no row.
type Note struct {
	Row  int    // that it stands before; m behind the last one
	Text string // without the '#'
}

// WriteNotes writes the comment lines that stand before row i or earlier, each
// with its '#', and returns the others.
func WriteNotes(w io.Writer, notes []Note, i int) (rest []Note, err error) {
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

// CheckComment refuses a comment that would not read back as the end of one line.
func CheckComment(text string) error {
	if strings.Contains(text, "\n") || strings.HasSuffix(text, "\r") {
		return fmt.Errorf("comment with a line end cannot be written: %q", text)
	}
	return nil
}
