package cli

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"pairrank/internal/report"
)

// visible returns a text as a terminal may show it: control characters, which it
// would obey, as \u001b, and bytes that are not UTF-8 as \xff. Tabs and line ends
// stay.
func visible(text string) string {
	if strings.IndexFunc(text, hidden) < 0 && utf8.ValidString(text) {
		return text
	}
	shown, rest := visibly([]byte(text), false)
	for _, b := range rest {
		shown = fmt.Appendf(shown, `\x%02x`, b)
	}
	return string(shown)
}

// hidden tells the characters that a terminal obeys.
func hidden(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

// visibly is text made visible, with the sequences of styles for their marks if it is styled, but for the start of a
// character at its end, which it returns.
func visibly(text []byte, styled bool) (shown, rest []byte) {
	for len(text) > 0 {
		if !utf8.FullRune(text) {
			return shown, text
		}
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1:
			shown = fmt.Appendf(shown, `\x%02x`, text[0])
		case styled && report.IsMark(r):
			shown = append(shown, sequences[r]...)
		case hidden(r):
			shown = fmt.Appendf(shown, `\u%04x`, r)
		default:
			shown = append(shown, text[:size]...)
		}
		text = text[size:]
	}
	return shown, nil
}

// StandardOutput is standard output: it remembers an error, which those who print
// may not look at, and makes visible what goes to a terminal.
type StandardOutput struct {
	to     io.Writer
	shown  bool   // made visible
	styled bool   // marks become styles
	rest   []byte // the start of a character, to be made visible
	err    error
}

func NewStandardOutput(w io.Writer) *StandardOutput {
	return &StandardOutput{to: w, shown: isTerminal(w), styled: showsStyles(w)}
}

// Write writes text, all or with an error.
func (o *StandardOutput) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	text := p
	if o.shown {
		text, o.rest = visibly(append(o.rest, p...), o.styled)
	}
	if _, err := o.to.Write(text); err != nil {
		o.err = err
		return 0, err
	}
	return len(p), nil
}

// Stat describes the file below, if it is one.
func (o *StandardOutput) Stat() (fs.FileInfo, error) {
	if f, ok := o.to.(interface{ Stat() (fs.FileInfo, error) }); ok {
		return f.Stat()
	}
	return nil, fs.ErrInvalid
}

// closed reports whether the program was started with a standard output that is
// closed, as far as the system lets know.
func (o *StandardOutput) closed() bool {
	f, file := o.to.(*os.File)
	return file && closedStdout(f)
}

// End tells an error of writing that nobody has told.
func (o *StandardOutput) End() error {
	if len(o.rest) > 0 && o.err == nil {
		text := visible(string(o.rest))
		o.rest = nil
		_, o.err = io.WriteString(o.to, text)
	}
	return o.err
}
