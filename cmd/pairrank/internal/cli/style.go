package cli

import (
	"io"
	"os"

	"pairrank/internal/report"
)

// sequences are what a terminal obeys for each mark of a style (ECMA-48, SGR): bold,
// cyan and neither.
var sequences = map[rune]string{
	report.Strong: "\x1b[1m",
	report.Point:  "\x1b[36m",
	report.Plain:  "\x1b[0m",
}

// The colours of what is said on standard error.
const (
	redBold = "\x1b[1;31m"
	yellow  = "\x1b[33m"
	reset   = "\x1b[0m"
)

// showsStyles reports whether w is a terminal that shows bold and colour, and its user
// wants them: NO_COLOR, not empty, says no (no-color.org), and so does TERM=dumb.
func showsStyles(w io.Writer) bool {
	if os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" || !isTerminal(w) {
		return false
	}
	f, file := w.(*os.File)
	return file && obeysSequences(f)
}

// styled is w with styles, where it leads to a terminal that shows them.
func (a *App) styled(w io.Writer) io.Writer {
	if o, ok := a.Out.(*StandardOutput); ok && o.styled {
		return report.Styled{Writer: w, Columns: terminalColumns(a.Out)}
	}
	return w
}

// coloured is a word for standard error, in a colour where it shows styles.
func (a *App) coloured(word, colour string) string {
	if !showsStyles(a.Err) {
		return word
	}
	return colour + word + reset
}
