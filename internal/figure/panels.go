package figure

import (
	"fmt"
	"math"
)

// Panels are small plots in two columns, with names above them and the same axis of y, so that their heights compare.
// Their lines, marks and rules have no names.
type Panels struct {
	Names []string // of the plots, none of them ""
	Plots []*Plot
}

const panelColumns = 2

// draw draws the plots.
func (p *Panels) draw(c *canvas) float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, plot := range p.Plots {
		_, ys := plot.values()
		for _, y := range ys {
			if !math.IsNaN(y) {
				lo, hi = min(lo, y), max(hi, y)
			}
		}
	}
	tall := 0.0
	for k, plot := range p.Plots {
		one := *plot
		if one.panel = p.Names[k]; lo <= hi {
			one.Y.Include = []float64{lo, hi}
		}
		c.shift = float64(k%panelColumns) * drawingWidth / panelColumns
		fmt.Fprintf(c, "    <g transform=\"translate(%s %s)\">\n", places(c.shift), places(float64(k/panelColumns)*tall))
		tall = one.draw(c)
		c.WriteString("    </g>\n")
	}
	c.shift = 0
	return math.Ceil(float64(len(p.Plots))/panelColumns) * tall
}
