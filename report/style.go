package report

import (
	"io"
	"strings"
)

// Styled is a writer to a terminal that shows styles: WriteText writes marks to it,
// from Strong to Plain, which the terminal's side turns into what the terminal
// obeys. They are noncharacters of Unicode, which are for use within a program
// (The Unicode Standard, section 23.7), and what is told of data has none of them.
type Styled struct{ io.Writer }

// The marks of styles.
const (
	Strong = '\uFDD0' // what was chosen
	Bar    = '\uFDD1' // how large a number beside it is
	Plain  = '\uFDD2' // ends either
)

// IsMark tells the marks of styles.
func IsMark(r rune) bool { return r >= Strong && r <= Plain }

// unmarked is a text without marks, for texts that hold names of data.
func unmarked(text string) string {
	if strings.IndexFunc(text, IsMark) < 0 {
		return text
	}
	return strings.Map(func(r rune) rune {
		if IsMark(r) {
			return '\uFFFD'
		}
		return r
	}, text)
}

// barCells is the width of a bar in columns; each has eight steps.
const barCells = 16

// barText is a bar for a share of its width from 0 to 1, of eighths of a column.
func barText(share float64) string {
	eighths := int(share*8*barCells + 0.5)
	bar := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		bar += string(rune('█' + 8 - rest)) // ▉ (7 eighths) to ▏ (1)
	}
	return bar
}
