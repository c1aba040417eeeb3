// Package figure draws SVG without scripts, legible on light and dark backgrounds.
//
//   - [Figure] has panels of lines over logarithmic and linear axes, for the pages of papers and checks.
//   - [Drawing] is one figure of a report, whose title states the finding: a [Plot], [Rows] or a
//     [Heat] map.
//
// gonum.org/v1/plot v0.17.0 would save some 870 lines, and add nine modules and 7.3 MB to a program, in place of 0.2.
// It has one set of colours, so that text vanishes on dark backgrounds, writes a transparent background as an invalid
// colour, cuts labels off at the edge, and has no titles of points for screen readers.
package figure

import (
	"fmt"
	"html"
	"strings"
)

// Figure is a grid of panels with so many in a row; 0 puts all in one row.
type Figure struct {
	Title   string
	Panels  []Panel
	Columns int
}

// Panel has its unit above at the right and the label of the x axis below. Both axes are
// logarithmic, unless y is linear.
type Panel struct {
	Title, Unit, Below string
	X, Y               Tick // the labels of the axes
	Series             []Series
	Linear             bool // the axis of y
	Bare               bool // no markers: there are too many points
	Direct             bool // names at the ends of the lines, instead of a legend below
}

// Series is a line. Its style, 0 to 5, is colour and marker.
type Series struct {
	Name   string
	Style  int
	Dashed bool
	Points [][2]float64 // both positive, but for y on a linear axis
}

// A plot is plotWidth × plotHeight below top, and its legend below that; further
// rows of panels begin below heading.
const (
	top, heading          = 66, 34
	left                  = 66 // of a plot in its panel
	plotWidth, plotHeight = 330, 232
	panelWidth            = plotWidth + left + 14
	legendLine            = 20
)

// styles returns the style sheet of a figure.
func styles() string {
	return `  <style>
    text { font: 12px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328 }
    .title { font-size: 15px; font-weight: 600 }
    .head { font-weight: 600 }
    .soft { fill: #59636e }
    .end { text-anchor: end }
    .mid { text-anchor: middle }
    .grid { fill: none; stroke: #d1d9e0 }
    .frame { fill: none; stroke: #8c959f }
    .line { fill: none; stroke-width: 2; stroke-linejoin: round }
    .dashed { stroke-dasharray: 5 4 }
` + colours("    ", "", light) + `    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc }
      .soft { fill: #9198a1 }
      .grid { stroke: #30363d }
      .frame { stroke: #656c76 }
` + colours("      ", "", dark) + "    }\n" + grounds("") + "  </style>\n" + ground
}

// light and dark are the colours of the styles on light and on dark ground.
var (
	light = [...]string{"#0969da", "#cf222e", "#9a6700", "#1a7f37", "#8250df", "#59636e"}
	dark  = [...]string{"#4493f8", "#ff7b72", "#d29922", "#3fb950", "#ab7df8", "#9198a1"}
)

// ground is what a figure stands on in a file of its own: what shows the file may be light where the letters are for
// dark, and the reverse.
const ground = "  <rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n"

// grounds are the rules for it.
func grounds(scope string) string {
	return "    " + scope + ".ground { fill: #ffffff }\n    @media (prefers-color-scheme: dark) { " + scope +
		".ground { fill: #0d1117 } }\n"
}

// colours are rules for lines, .s0, and areas, .m0, of every style.
func colours(indent, scope string, of [6]string) string {
	var b strings.Builder
	for k, colour := range of {
		fmt.Fprintf(&b, "%s%s.s%d { stroke: %s } %s.m%d { fill: %s }\n", indent, scope, k, colour, scope, k, colour)
	}
	return b.String()
}

// markers are the shapes of the styles around a point.
var markers = []string{
	"m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", // circle
	"m-3.5-3.5h7v7h-7z",                  // square
	"m0-5 4.5 8h-9z",                     // triangle
	"m0-5 5 5-5 5-5-5z",                  // diamond
	"m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0z", // dot
	"m0 5 4.5-8h-9z",                     // triangle on its tip
}

// SVG is the drawing.
func (f *Figure) SVG() string {
	lines, beside := 0, 0
	for _, p := range f.Panels {
		if p.Direct {
			beside = max(beside, p.beside())
		} else {
			lines = max(lines, len(p.Series))
		}
	}
	columns := f.Columns
	if columns == 0 {
		columns = max(1, len(f.Panels))
	}
	rows := (len(f.Panels) + columns - 1) / columns
	width, below := panelWidth+beside, plotHeight+52+lines*legendLine
	var b strings.Builder
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-labelledby="title `+
			`description">`+"\n", width*columns, top+rows*below+(rows-1)*heading)
	fmt.Fprintf(&b, "  <title id=\"title\">%s</title>\n", html.EscapeString(f.Title))
	fmt.Fprintf(&b, "  <desc id=\"description\">%s</desc>\n", html.EscapeString(f.described()))
	b.WriteString(styles())
	fmt.Fprintf(&b, "  <text class=\"title\" x=\"14\" y=\"24\">%s</text>\n", html.EscapeString(f.Title))
	for k, p := range f.Panels {
		fmt.Fprintf(&b, "  <g transform=\"translate(%d %d)\">\n", k%columns*width+left, top+k/columns*(below+heading))
		p.draw(&b)
		b.WriteString("  </g>\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// described says the last point of every line.
func (f *Figure) described() string {
	var parts []string
	for _, p := range f.Panels {
		for _, s := range p.Series {
			if n := len(s.Points); n > 0 {
				last := s.Points[n-1]
				parts = append(parts, fmt.Sprintf("%s, %s: %s at %s", p.Title, s.Name, p.Y(last[1]), p.X(last[0])))
			}
		}
	}
	return strings.Join(parts, "; ") + "."
}

func mark(b *strings.Builder, style int, x, y float64) {
	fmt.Fprintf(b, "<path class=\"m%d\" d=\"M%.1f %.1f%s\"/>", style, x, y, markers[style])
}

// draw draws one plot, whose upper left corner is 0 0.
func (p Panel) draw(b *strings.Builder) {
	var xs, ys []float64
	for _, s := range p.Series {
		for _, q := range s.Points {
			xs, ys = append(xs, q[0]), append(ys, q[1])
		}
	}
	if len(xs) == 0 {
		return
	}
	x, y := newAxis(xs, plotWidth, p.Bare), newLinear(ys, plotHeight)
	if !p.Linear {
		y = newAxis(ys, plotHeight, true)
	}
	fmt.Fprintf(b, "    <text class=\"head\" x=\"0\" y=\"-10\">%s</text>", html.EscapeString(p.Title))
	fmt.Fprintf(b, "<text class=\"soft end\" x=\"%d\" y=\"-10\">%s</text>\n", plotWidth, html.EscapeString(p.Unit))
	for _, v := range y.ticks {
		at := plotHeight - y.at(v)
		fmt.Fprintf(b,
			"    <path class=\"grid\" d=\"M0 %.1fh%d\"/><text class=\"soft end\" x=\"-7\" "+
				"y=\"%.1f\">%s</text>\n", at, plotWidth, at+4, p.Y(v))
	}
	for _, v := range x.ticks {
		at := x.at(v)
		fmt.Fprintf(b,
			"    <path class=\"grid\" d=\"M%.1f 0v%d\"/><text class=\"soft mid\" x=\"%.1f\" "+
				"y=\"%d\">%s</text>\n", at, plotHeight, at, plotHeight+17, p.X(v))
	}
	fmt.Fprintf(b, "    <path class=\"frame\" d=\"M0 0h%dv%dh-%dz\"/>\n", plotWidth, plotHeight, plotWidth)
	fmt.Fprintf(b, "    <text class=\"soft mid\" x=\"%d\" y=\"%d\">%s</text>\n", plotWidth/2,
		plotHeight+36, html.EscapeString(p.Below))
	for k, s := range p.Series {
		p.line(b, s, x, y)
		if p.Direct {
			continue
		}
		at := plotHeight + 58 + k*legendLine
		fmt.Fprintf(b, "    <path class=\"line s%d%s\" d=\"M0 %dh30\"/>", s.Style, s.dashes(), at-4)
		mark(b, s.Style, 15, float64(at-4))
		fmt.Fprintf(b, "<text x=\"36\" y=\"%d\">%s</text>\n", at, html.EscapeString(s.Name))
	}
	if p.Direct {
		p.names(b, x, y)
	}
}

func (p Panel) line(b *strings.Builder, s Series, x, y axis) {
	fmt.Fprintf(b, "    <path class=\"line s%d%s\" d=\"", s.Style, s.dashes())
	for i, q := range s.Points {
		fmt.Fprintf(b, "%c%.1f %.1f", "ML"[min(i, 1)], x.at(q[0]), plotHeight-y.at(q[1]))
	}
	b.WriteString("\"/>")
	for _, q := range s.Points {
		if !p.Bare {
			mark(b, s.Style, x.at(q[0]), plotHeight-y.at(q[1]))
		}
	}
	b.WriteString("\n")
}

// dashes is the class of a dashed line.
func (s Series) dashes() string {
	if s.Dashed {
		return " dashed"
	}
	return ""
}
