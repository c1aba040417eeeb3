package report

import (
	"io"
	"strings"
)

// Styled is a writer to a terminal that shows styles. WriteText writes marks to it, from Strong to Plain, and
// the caller translates them for the terminal. The marks are noncharacters of Unicode, which are for use within
// a program (The Unicode Standard, section 23.7). Texts of data contain none.
type Styled struct {
	io.Writer
	Columns int // of the terminal; 0 if unknown
}

// The marks of styles.
const (
	Strong = '\uFDD0' // the choice
	Point  = '\uFDD1' // a number on a scale
	Plain  = '\uFDD2' // ends either
)

// IsMark reports whether r is a mark of a style.
func IsMark(r rune) bool { return r >= Strong && r <= Plain }

// unmarked removes the marks from a text with names of data.
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

// pointCells is the width of the scale of a table in columns.
const pointCells = 24

// pointText is a point at a share of the scale, from 0 to 1.
func pointText(share float64) string {
	return strings.Repeat(" ", int(share*(pointCells-1)+0.5)) + "●"
}
