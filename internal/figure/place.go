package figure

import "math"

// rect is a rectangle, from its upper left corner to its lower right one.
type rect struct{ x0, y0, x1, y1 float64 }

// A label reaches ascent above its base line and descent below; clearance is its least distance to
// anything drawn.
const (
	ascent, descent = 12, 4
	clearance       = 3
)

// textRect is where a text of a width stands that begins at a point of its base line.
func textRect(x, y, wide float64) rect { return rect{x, y - ascent, x + wide, y + descent} }

// wider is r and so much around it.
func (r rect) wider(by float64) rect { return rect{r.x0 - by, r.y0 - by, r.x1 + by, r.y1 + by} }

// meets reports whether two rectangles have a point in common.
func (r rect) meets(s rect) bool { return r.x0 <= s.x1 && s.x0 <= r.x1 && r.y0 <= s.y1 && s.y0 <= r.y1 }

// crosses reports whether a straight line between two points meets r: whether anything remains
// after clipping at each side of r (Liang and Barsky, ACM Transactions on Graphics 3, 1984).
func (r rect) crosses(x0, y0, x1, y1 float64) bool {
	from, to := 0.0, 1.0
	dx, dy := x1-x0, y1-y0
	for _, side := range [4][2]float64{{-dx, x0 - r.x0}, {dx, r.x1 - x0}, {-dy, y0 - r.y0}, {dy, r.y1 - y0}} {
		towards, room := side[0], side[1]
		switch {
		case towards == 0 && room < 0:
			return false
		case towards < 0:
			from = max(from, room/towards)
		case towards > 0:
			to = min(to, room/towards)
		}
	}
	return from <= to
}

// drawn is everything that labels must avoid: lines, and areas as rectangles.
type drawn struct {
	lines [][4]float64
	areas []rect
}

// polyline adds the lines between points, so far as they are finite.
func (d *drawn) polyline(xs, ys []float64) {
	for k := range xs {
		if k > 0 && !math.IsNaN(ys[k-1]) && !math.IsNaN(ys[k]) {
			d.lines = append(d.lines, [4]float64{xs[k-1], ys[k-1], xs[k], ys[k]})
		}
	}
}

// free reports whether a label may stand at r.
func (d *drawn) free(r rect) bool {
	r = r.wider(clearance)
	for _, a := range d.areas {
		if r.meets(a) {
			return false
		}
	}
	for _, l := range d.lines {
		if r.crosses(l[0], l[1], l[2], l[3]) {
			return false
		}
	}
	return true
}

// nearest returns the free place within bounds, for a text of some width, whose rectangle is
// nearest to a point: first among those that begin or end next to it, then among all. It compares
// some thousand places with everything drawn.
func (d *drawn) nearest(bounds rect, x, y, wide float64) (at rect, found bool) {
	const step, beside, tall = 4, 11, ascent + descent
	least := math.Inf(1)
	try := func(x0, y0 float64) {
		r := rect{x0, y0, x0 + wide, y0 + tall}
		if r.x0 < bounds.x0 || r.x1 > bounds.x1 || r.y0 < bounds.y0 || r.y1 > bounds.y1 {
			return
		}
		dx, dy := max(0, r.x0-x, x-r.x1), max(0, r.y0-y, y-r.y1)
		if far := dx*dx + dy*dy; far < least && d.free(r) {
			at, least, found = r, far, true
		}
	}
	for dy := 0.0; dy < bounds.y1-bounds.y0; dy += step {
		for _, y0 := range [2]float64{y + dy - tall/2, y - dy - tall/2} {
			try(x+beside, y0)
			try(x-beside-wide, y0)
			for x0 := bounds.x0; x0+wide <= bounds.x1; x0 += step {
				try(x0, y0)
			}
		}
	}
	return at, found
}
