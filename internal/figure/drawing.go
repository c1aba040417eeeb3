package figure

import (
	"fmt"
	"strings"
)

// Drawing is one figure of a report; its title states the finding.
type Drawing struct {
	Title string // in a sentence
	Desc  string // for screen readers
	Body  Body
}

// Body is the content of a drawing: a *Plot, *Rows or *Heat.
type Body interface {
	// draw draws below 0 of a canvas, and returns the height.
	draw(c *canvas) float64
}

// drawingWidth is the width of every drawing: at 400 points of a screen its letters are
// still read.
const drawingWidth = 480

// SVG returns the drawing as a file, with title and style, for light and dark backgrounds.
func (d *Drawing) SVG() string {
	const line, above = 19, 6
	lines := wrap(d.Title, (drawingWidth-8)*letterSize/15/bold)
	c := &canvas{}
	fmt.Fprintf(&c.Builder, "  <g transform=\"translate(0 %d)\">\n", above+line*len(lines))
	height := d.Body.draw(c) + float64(above+line*len(lines))
	c.WriteString("  </g>\n")
	var b strings.Builder
	fmt.Fprintf(&b,
		`<svg xmlns="http://www.w3.org/2000/svg" class="figure" viewBox="0 0 %d %.0f" role="img" `+
			`aria-labelledby="title description">`+"\n", drawingWidth, height)
	d.describe(&b, "title", "description")
	b.WriteString("  <style>\n" + Style() + grounds(".figure ") + "  </style>\n" + ground)
	for k, text := range lines {
		fmt.Fprintf(&b, "  <text class=\"title\" x=\"4\" y=\"%d\">%s</text>\n", 16+k*line, escaped(text))
	}
	b.WriteString(c.String())
	b.WriteString("</svg>\n")
	return b.String()
}

// Inline returns the drawing for a page that has Style and writes the title as text. id, of letters
// and digits and unique in the page, begins the ids of the drawing.
func (d *Drawing) Inline(id string) string {
	c := &canvas{}
	height := d.Body.draw(c)
	var b strings.Builder
	fmt.Fprintf(&b,
		`<svg class="figure" viewBox="0 0 %d %.0f" role="img" aria-labelledby="%s-title `+
			`%s-description">`+"\n", drawingWidth, height, id, id)
	d.describe(&b, id+"-title", id+"-description")
	b.WriteString(c.String())
	b.WriteString("</svg>\n")
	return b.String()
}

func (d *Drawing) describe(b *strings.Builder, title, description string) {
	fmt.Fprintf(b, "  <title id=\"%s\">%s</title>\n", title, escaped(d.Title))
	fmt.Fprintf(b, "  <desc id=\"%s\">%s</desc>\n", description, escaped(d.Desc))
}

// Style returns the style sheet that the drawings of a page share.
func Style() string {
	return `    .figure text { font: 13px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328 }
    .figure .title { font-size: 15px; font-weight: 600 }
    .figure .soft { fill: #59636e }
    .figure .end { text-anchor: end }
    .figure .mid { text-anchor: middle }
    .figure .said { font-weight: 600; paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round }
    .figure .grid { fill: none; stroke: #d1d9e0 }
    .figure .frame { fill: none; stroke: #8c959f }
    .figure .rule { fill: none; stroke: #59636e; stroke-dasharray: 4 4 }
    .figure .line { fill: none; stroke-width: 2; stroke-linejoin: round }
    .figure .thin { fill: none; stroke-width: 1 }
    .figure .bar { fill: none; stroke-width: 2 }
    .figure .thread { fill: none; stroke: #59636e; stroke-width: 1 }
    .figure .band { fill-opacity: 0.18 }
    .figure .ring { fill: none; stroke-width: 2.5 }
    .figure .cell { stroke: none }
    .figure .none { fill: none; stroke: #d1d9e0 }
    .figure .dashed { stroke-dasharray: 5 4 }
` + colours("    ", ".figure ", light) + `    @media (prefers-color-scheme: dark) {
      .figure text { fill: #f0f6fc }
      .figure .soft { fill: #9198a1 }
      .figure .said { stroke: #0d1117 }
      .figure .grid, .figure .none { stroke: #30363d }
      .figure .frame { stroke: #656c76 }
      .figure .rule, .figure .thread { stroke: #9198a1 }
` + colours("      ", ".figure ", dark) + "    }\n"
}
