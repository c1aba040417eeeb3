package figure

import (
	"fmt"
	"math"
)

// Heat is a matrix of shares, 0 to 1, as cells that are the fuller the greater they are.
// NaN is an empty cell.
type Heat struct {
	Rows, Cols []string
	Share      [][]float64
	Says       [][]string // tooltip of each cell
	Low, High  string     // labels of 0 and 1
}

func (h *Heat) draw(c *canvas) float64 {
	const mostRow, mostCol, legend = 120, 110, 34
	left, top := 10.0, 10.0
	for _, name := range h.Rows {
		left = max(left, min(mostRow, width(name))+10)
	}
	for _, name := range h.Cols {
		top = max(top, min(mostCol, width(name))+10)
	}
	top += legend
	h.legend(c)
	wide := (drawingWidth - left - 4) / float64(max(1, len(h.Cols)))
	tall := min(26, max(16, wide))
	for j, name := range h.Cols {
		x, y := left+wide*(float64(j)+0.5)+4, top-6
		fmt.Fprintf(c, "    <text class=\"soft\" transform=\"translate(%s %s) rotate(-90)\">%s</text>\n", places(x),
			places(y), escaped(clip(name, mostCol)))
	}
	for i, name := range h.Rows {
		y := top + tall*float64(i)
		c.label("end", left-6, y+tall/2+4, clip(name, mostRow))
		for j, share := range h.Share[i] {
			x := left + wide*float64(j)
			cell := box(x+0.5, y+0.5, x+wide-0.5, y+tall-0.5)
			if math.IsNaN(share) {
				c.path("none", cell, h.Says[i][j])
				continue
			}
			fmt.Fprintf(c, "    <path class=\"cell m0\" fill-opacity=\"%.2f\" d=\"%s\"><title>%s</title></path>\n",
				opacity(share), cell, escaped(h.Says[i][j]))
		}
	}
	return top + tall*float64(len(h.Rows)) + 8
}

// opacity keeps the least cell apart from the ground.
func opacity(share float64) float64 { return 0.08 + 0.92*min(1, max(0, share)) }

// legend is a row of cells from low to high.
func (h *Heat) legend(c *canvas) {
	const steps, wide = 8, 14
	low := clip(h.Low, 140)
	c.label("soft", 4, 17, low)
	x := 4 + width(low) + 8
	for k := range steps {
		fmt.Fprintf(c, "    <path class=\"cell m0\" fill-opacity=\"%.2f\" d=\"%s\"/>\n", opacity(float64(k)/(steps-1)),
			box(x, 6, x+wide-1, 20))
		x += wide
	}
	c.label("soft", x+6, 17, clip(h.High, drawingWidth-x-10))
}
