package report

import (
	"io"
	"strings"
	"unicode/utf8"
)

// writeColumns prints a table: the first column to the left, the others, which
// are numbers, to the right, two blanks between them.
func writeColumns(w io.Writer, table [][]string) error {
	var widths []int
	for _, line := range table {
		for k, text := range line {
			if k == len(widths) {
				widths = append(widths, 0)
			}
			widths[k] = max(widths[k], utf8.RuneCountInString(text))
		}
	}
	var b strings.Builder
	for _, line := range table {
		b.Reset()
		for k, text := range line {
			pad := strings.Repeat(" ", widths[k]-utf8.RuneCountInString(text))
			switch {
			case k == 0 && len(line) == 1:
				b.WriteString(text)
			case k == 0:
				b.WriteString(text + pad)
			default:
				b.WriteString("  " + pad + text)
			}
		}
		b.WriteByte('\n')
		if _, err := io.WriteString(w, b.String()); err != nil {
			return err
		}
	}
	return nil
}
