package figure

import (
	"fmt"
	"math"
	"strings"
)

// canvas is the drawing so far, and how far its texts reach to the left and right.
type canvas struct {
	strings.Builder
	left, right float64
	shift       float64 // of what is drawn to the right
}

// label writes a text at a point; the classes end and mid say where the text stands relative to the
// point.
func (c *canvas) label(classes string, x, y float64, text string) {
	from, wide := x, width(text)
	if strings.Contains(classes, "said") {
		wide *= bold
	}
	switch {
	case strings.Contains(classes, "end"):
		from -= wide
	case strings.Contains(classes, "mid"):
		from -= wide / 2
	}
	c.left, c.right = min(c.left, c.shift+from), max(c.right, c.shift+from+wide)
	if classes != "" {
		classes = ` class="` + classes + `"`
	}
	fmt.Fprintf(c, "    <text%s x=\"%s\" y=\"%s\">%s</text>\n", classes, places(x), places(y), escaped(text))
}

// path draws a path, with a tooltip unless says is empty.
func (c *canvas) path(classes, d, says string) {
	if says == "" {
		fmt.Fprintf(c, "    <path class=\"%s\" d=\"%s\"/>\n", classes, d)
		return
	}
	fmt.Fprintf(c, "    <path class=\"%s\" d=\"%s\"><title>%s</title></path>\n", classes, d, escaped(says))
}

// box is the path of a rectangle between two corners.
func box(x0, y0, x1, y1 float64) string {
	return fmt.Sprintf("M%s %sH%sV%sH%sz", places(x0), places(y0), places(x1), places(y1), places(x0))
}

// polyline is the path through points, so far as they are finite: it begins again behind
// those that are not.
func polyline(xs, ys []float64) string {
	var b strings.Builder
	begun := false
	for k, x := range xs {
		if math.IsNaN(ys[k]) {
			begun = false
			continue
		}
		command := byte('L')
		if !begun {
			command = 'M'
		}
		begun = true
		fmt.Fprintf(&b, "%c%s %s", command, places(x), places(ys[k]))
	}
	return b.String()
}

// places is a coordinate with at most one decimal.
func places(v float64) string {
	text := fmt.Sprintf("%.1f", v)
	text = strings.TrimSuffix(text, ".0")
	if text == "-0" {
		return "0"
	}
	return text
}
