package figure

import "fmt"

// saying is the name of a mark or a rule, and where it stands.
type saying struct {
	text, classes string
	at            rect
	x, y          float64 // the place it names
	above         bool    // above the plot, where there is no room within
}

// say finds the places of the names of marks and rules: near them, on nothing that is drawn, and
// where the plot has no room above it.
func (f *frame) say(p *Plot) (said []saying) {
	d := f.drawn(p)
	right := f.left + f.x.length
	bounds := rect{f.left + 4, plotTop + 4, right - 4, f.bottom() - 4}
	above := f.wide - 4 // where the next name above the plot ends
	place := func(name, classes string, x, y, boldness float64) {
		if name == "" {
			return
		}
		name = clip(name, (bounds.x1-bounds.x0)*0.6/boldness)
		s := saying{text: name, classes: classes, x: x, y: y}
		wide, found := width(name)*boldness, false
		if s.at, found = d.nearest(bounds, x, y, wide); !found {
			s.text = clip(name, max(0, above-f.wide/4)/boldness)
			wide = width(s.text) * boldness
			s.above, s.at = true, textRect(above-wide, plotTop-10, wide)
			above = s.at.x0 - 12
		}
		d.areas = append(d.areas, s.at)
		said = append(said, s)
	}
	for _, m := range p.Marks {
		place(m.Name, "said", f.atX(m.X), f.atY(m.Y), bold)
	}
	for _, r := range p.Rules {
		if !r.Slope {
			place(r.Name, "soft", right, f.atY(r.Y), 1)
		}
	}
	return said
}

// drawn is everything the plot draws, except names and bands, on which letters stay legible.
func (f *frame) drawn(p *Plot) *drawn {
	d := &drawn{}
	for _, l := range p.Lines {
		xs, ys := f.points(l)
		d.polyline(xs, ys)
		if l.Says != nil {
			for k := range xs {
				d.areas = append(d.areas, square(xs[k], ys[k], dotSize))
			}
		}
	}
	for _, b := range p.Bars {
		x, y := f.atX(b.X), f.atY(b.Y)
		d.areas = append(d.areas, rect{f.atX(b.X - 0.5), min(y, f.atY(0)), 2*x - f.atX(b.X-0.5), max(y, f.atY(0))})
	}
	for _, r := range p.Rules {
		from, to := [2]float64{f.left, f.atY(r.Y)}, [2]float64{f.left + f.x.length, f.atY(r.Y)}
		if r.Slope {
			from, to = [2]float64{f.atX(0), f.atY(0)}, [2]float64{f.atX(1), f.atY(1)}
		}
		d.lines = append(d.lines, [4]float64{from[0], from[1], to[0], to[1]})
	}
	for _, m := range p.Marks {
		x, y := f.atX(m.X), f.atY(m.Y)
		d.areas = append(d.areas, square(x, y, ringSize))
		if m.Lo < m.Hi {
			d.areas = append(d.areas, rect{x - 5, f.atY(m.Hi), x + 5, f.atY(m.Lo)})
		}
	}
	return d
}

// square is the square around a point.
func square(x, y, half float64) rect { return rect{x, y, x, y}.wider(half) }

// said writes a name, with a thread to its place unless it stands next to it.
func (f *frame) said(s saying) {
	const far = 14
	x, y := min(max(s.x, s.at.x0), s.at.x1), min(max(s.y, s.at.y0), s.at.y1) // of the label, nearest
	if s.classes == "said" && (x-s.x)*(x-s.x)+(y-s.y)*(y-s.y) > far*far {
		f.path("thread", fmt.Sprintf("M%s %sL%s %s", places(s.x), places(s.y), places(x), places(y)), "")
	}
	if s.x > s.at.x1 { // the letters end where the thread does, however narrow they are
		f.label(s.classes+" end", s.at.x1, s.at.y1-descent, s.text)
		return
	}
	f.label(s.classes, s.at.x0, s.at.y1-descent, s.text)
}
