package report

import (
	"fmt"
	"io"
	"strings"
)

// lines writes lines of a key and a text.
type lines struct {
	strings.Builder
	width   int
	styled  bool // for a terminal that shows styles
	columns int  // of the terminal, 0 if unknown
}

// newLines starts lines for w, with keys of this width.
func newLines(w io.Writer, width int) *lines {
	s, styled := w.(Styled)
	return &lines{width: width, styled: styled, columns: s.Columns}
}

func (l *lines) line(key, format string, args ...any) {
	fmt.Fprintf(l, "%-*s %s\n", l.width, key, unmarked(fmt.Sprintf(format, args...)))
}
