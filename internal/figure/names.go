package figure

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"
	"unicode/utf8"
)

// Names at the ends of lines stand nameGap to the right of the plot, nameLine
// apart at least; a letter is at most nameLetter wide.
const (
	nameGap, nameLine = 16, 15
	nameLetter        = 7
)

// beside is the width of the names of the lines at the right of a plot.
func (p Panel) beside() int {
	letters := 0
	for _, s := range p.Series {
		letters = max(letters, utf8.RuneCountInString(s.Name))
	}
	return nameGap + letters*nameLetter
}

// names writes the name of every line where it ends, in its colour, with a dotted
// thread to it.
func (p Panel) names(b *strings.Builder, x, y axis) {
	var ends []lineEnd
	for _, s := range p.Series {
		if n := len(s.Points); n > 0 {
			ends = append(ends, lineEnd{s.Name, s.Style, x.at(s.Points[n-1][0]), plotHeight - y.at(s.Points[n-1][1])})
		}
	}
	for k, at := range settled(ends, nameLine, plotHeight) {
		e := ends[k]
		fmt.Fprintf(b,
			"    <path class=\"line s%d\" style=\"stroke-width: 1; stroke-dasharray: 1 3\" d=\"M%.1f %.1fL%d "+
				"%.1f\"/>", e.style, e.x+5, e.y, plotWidth+nameGap-3, at)
		fmt.Fprintf(b, "<text class=\"m%d\" x=\"%d\" y=\"%.1f\">%s</text>\n", e.style, plotWidth+nameGap,
			at+4, html.EscapeString(e.name))
	}
}

// lineEnd is where a line ends.
type lineEnd struct {
	name  string
	style int
	x, y  float64
}

// settled orders ends from above, and says where their names stand, at least a distance
// apart and no lower than a limit.
func settled(ends []lineEnd, distance, limit float64) []float64 {
	slices.SortStableFunc(ends, func(a, b lineEnd) int { return cmp.Compare(a.y, b.y) })
	heights := make([]float64, len(ends))
	for k, e := range ends {
		heights[k] = e.y
	}
	spread(heights, distance, limit)
	return heights
}

// spread moves increasing numbers apart, to at least a distance, the last of them
// to at most a limit.
func spread(at []float64, distance, limit float64) {
	for k := 1; k < len(at); k++ {
		at[k] = max(at[k], at[k-1]+distance)
	}
	for k := len(at) - 1; k >= 0; k-- {
		if at[k] = min(at[k], limit); k+1 < len(at) {
			at[k] = min(at[k], at[k+1]-distance)
		}
	}
}
