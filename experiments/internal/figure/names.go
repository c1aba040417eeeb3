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

// beside is the width that the names of the lines take at the right of a plot.
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
	type end struct {
		*Series
		x, y float64
	}
	var ends []end
	for k := range p.Series {
		s := &p.Series[k]
		if n := len(s.Points); n > 0 {
			ends = append(ends, end{s, x.at(s.Points[n-1][0]), plotHeight - y.at(s.Points[n-1][1])})
		}
	}
	slices.SortStableFunc(ends, func(a, b end) int { return cmp.Compare(a.y, b.y) })
	heights := make([]float64, len(ends))
	for k, e := range ends {
		heights[k] = e.y
	}
	spread(heights, nameLine, plotHeight)
	for k, e := range ends {
		fmt.Fprintf(b, "    <path class=\"line s%d\" style=\"stroke-width: 1; stroke-dasharray: 1 3\" d=\"M%.1f %.1fL%d %.1f\"/>", e.Style, e.x+5, e.y, plotWidth+nameGap-3, heights[k])
		fmt.Fprintf(b, "<text class=\"m%d\" x=\"%d\" y=\"%.1f\">%s</text>\n", e.Style, plotWidth+nameGap, heights[k]+4, html.EscapeString(e.Name))
	}
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
