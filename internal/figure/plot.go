package figure

import (
	"fmt"
	"math"
)

// Plot has lines, bands, bars and points over two axes. Values that are NaN are left out.
type Plot struct {
	X, Y    Axis
	Bands   []Band
	Bars    []Bar
	Rules   []Rule
	Lines   []Line
	Marks   []Mark
	Below   []Count // below the axis of x, where Counted says of what
	Counted string
	Rug     []float64 // values of x that are marked at the axis

	panel string // the name of a plot of Panels, else ""
}

// Count has a number for each tick of the axis of x, below it, behind the name of a line.
type Count struct {
	Line
	Name string
	Of   []int
}

// Line is a line through points. Its style, 0 to 4, is its colour. If several lines have names, the
// names stand at their right ends.
type Line struct {
	Name   string
	Style  int
	X, Y   []float64
	Says   []string // tooltip of each point; nil draws no points
	Dashed bool
}

// Band is an area between two values at each x.
type Band struct {
	Style     int
	X, Lo, Hi []float64
}

// Bar is a bar from 0 to a value at one x, which is as wide as the distance 1 of the axis
// allows.
type Bar struct {
	X, Y  float64
	Style int
	Says  string
}

// Rule is a line across: at y, or with Slope from (0,0) to (1,1).
type Rule struct {
	Y     float64
	Name  string
	Slope bool
}

// Mark is a point with its name, and an interval where Lo < Hi.
type Mark struct {
	X, Y   float64
	Lo, Hi float64
	Name   string
	Style  int
	Ring   bool // around a point of a line, not a further point
	Says   string
}

// The place of the axes of a Plot: above is room for a name over the highest point.
const (
	plotTop, plotTall = 26, 236
	plotBelow         = 44 // of the axis of x
	panelTall         = 120
	panelBelow        = 30
	countLine         = 18
	countName         = 34 // where the name of a count begins, behind a piece of its line
)

// draw draws the plot.
func (p *Plot) draw(c *canvas) float64 {
	xs, ys := p.values()
	wide, tall, below, most := p.size()
	y := p.Y.newScale(ys, tall, most)
	leftWidth := 8.0
	for _, text := range y.texts {
		leftWidth = max(leftWidth, width(text)+12)
	}
	for _, c := range p.Below {
		leftWidth = max(leftWidth, countName+width(c.Name)+width(fmt.Sprint(c.Of[0]))/2+8)
	}
	rightWidth, named := 14.0, p.named()
	const mostName = 150
	if len(named) > 1 {
		for _, l := range named {
			rightWidth = max(rightWidth, min(mostName, width(l.Name))+nameGap+4)
		}
	}
	x := p.X.newScale(xs, wide-leftWidth-rightWidth, most)
	for p.crowded(&x) && most > 1 {
		most--
		x = p.X.newScale(xs, wide-leftWidth-rightWidth, most)
	}
	inner := &frame{canvas: c, x: x, y: y, left: leftWidth, wide: wide}
	said := inner.say(p)
	inner.axes(p, said)
	for _, b := range p.Bands {
		inner.band(b)
	}
	inner.bars(p.Bars)
	for _, r := range p.Rules {
		inner.rule(r)
	}
	for _, l := range p.Lines {
		inner.line(l)
	}
	if len(named) > 1 {
		inner.names(named, mostName)
	}
	for _, m := range p.Marks {
		inner.mark(m)
	}
	for _, s := range said {
		inner.said(s)
	}
	bottom := plotTop + tall + below
	if len(p.Below) > 0 {
		inner.label("soft", 4, bottom-8, p.Counted)
	}
	for _, c := range p.Below {
		inner.counts(c, bottom+countLine/2)
		bottom += countLine
	}
	return bottom
}

// size is that of the plot, the room below it, and how many ticks an axis has at most.
func (p *Plot) size() (wide, tall, below float64, most int) {
	if p.panel != "" {
		return drawingWidth/panelColumns - 4, panelTall, panelBelow, 4
	}
	return drawingWidth, plotTall, plotBelow, mostLabels
}

// crowded reports whether a panel has fewer ticks than it asks for, since their labels meet.
func (p *Plot) crowded(x *scale) bool { return p.panel != "" && p.X.Ticks == nil && x.crowded() }

// counts writes the numbers below the ticks, with their name at the left.
func (f *frame) counts(c Count, y float64) {
	f.path(c.classes(), fmt.Sprintf("M4 %sh%d", places(y-4), countName-10), "")
	f.label(fmt.Sprintf("m%d", c.Style), countName, y, c.Name)
	for k, v := range f.x.ticks {
		f.label(fmt.Sprintf("m%d mid", c.Style), f.left+f.x.place(v), y, fmt.Sprint(c.Of[k]))
	}
}

// values are all that is drawn.
func (p *Plot) values() (xs, ys []float64) {
	for _, b := range p.Bands {
		xs, ys = append(xs, b.X...), append(append(ys, b.Lo...), b.Hi...)
	}
	for _, l := range p.Lines {
		xs, ys = append(xs, l.X...), append(ys, l.Y...)
	}
	for _, b := range p.Bars {
		xs, ys = append(xs, b.X-0.5, b.X+0.5), append(ys, b.Y, 0)
	}
	for _, m := range p.Marks {
		xs, ys = append(xs, m.X), append(ys, m.Y)
		if m.Lo < m.Hi {
			ys = append(ys, m.Lo, m.Hi)
		}
	}
	for _, r := range p.Rules {
		if !r.Slope {
			ys = append(ys, r.Y)
		}
	}
	return xs, ys
}

// named are the lines that have a name and a point.
func (p *Plot) named() (lines []Line) {
	for _, l := range p.Lines {
		if l.Name != "" && len(l.X) > 0 {
			lines = append(lines, l)
		}
	}
	return lines
}

// frame is the canvas of a plot and its scales.
type frame struct {
	*canvas
	x, y scale
	left float64
	wide float64 // of the whole plot
}

func (f *frame) atX(v float64) float64 { return f.left + f.x.at(v) }
func (f *frame) atY(v float64) float64 { return f.bottom() - f.y.at(v) }
func (f *frame) bottom() float64       { return plotTop + f.y.length }

// axes draws the grid, the ticks and the labels of the axes.
func (f *frame) axes(p *Plot, said []saying) {
	right, bottom := f.left+f.x.length, f.bottom()
	for k, v := range f.y.ticks {
		at := bottom - f.y.place(v)
		f.path("grid", fmt.Sprintf("M%s %sH%s", places(f.left), places(at), places(right)), "")
		f.label("soft end", f.left-6, at+4, f.y.texts[k])
	}
	for k, v := range f.x.ticks {
		at := f.left + f.x.place(v)
		f.path("grid", fmt.Sprintf("M%s %sv5", places(at), places(bottom)), "")
		text := f.x.texts[k]
		if p.panel != "" && p.X.Ticks != nil {
			text = clip(text, f.x.length/float64(len(f.x.ticks))-6)
		}
		wide := width(text) / 2
		f.label("soft mid", min(max(at, wide), f.wide-wide), bottom+18, text)
	}
	for _, v := range p.Rug {
		f.path("thread", fmt.Sprintf("M%s %sv-7", places(f.atX(v)), places(bottom)), "")
	}
	f.path("frame", box(f.left, plotTop, right, bottom), "")
	if p.panel != "" {
		f.label("said", 4, plotTop-9, clip(p.panel, (f.wide-8)/bold))
		return
	}
	f.label("soft end", right, bottom+36, clip(p.X.Label, right))
	room := f.wide - 8
	for _, s := range said {
		if s.above {
			room = min(room, s.at.x0-12)
		}
	}
	f.label("soft", 4, plotTop-10, clip(p.Y.Label, room))
}

func (f *frame) band(b Band) {
	var xs, ys []float64
	flush := func() {
		n := len(xs)
		for k := n - 1; k >= 0; k-- {
			xs, ys = append(xs, xs[k]), append(ys, b.Lo[int(ys[k])])
		}
		for k := range n {
			ys[k] = b.Hi[int(ys[k])]
		}
		for k := range xs {
			xs[k], ys[k] = f.atX(xs[k]), f.atY(ys[k])
		}
		if n > 1 {
			f.path(fmt.Sprintf("band m%d", b.Style), polyline(xs, ys)+"z", "")
		}
		xs, ys = nil, nil
	}
	for k := range b.X { // ys are numbers of points until they are flushed
		if math.IsNaN(b.Lo[k]) || math.IsNaN(b.Hi[k]) {
			flush()
			continue
		}
		xs, ys = append(xs, b.X[k]), append(ys, float64(k))
	}
	flush()
}

func (f *frame) bars(bars []Bar) {
	for _, b := range bars {
		if math.IsNaN(b.Y) {
			continue
		}
		half := 0.4
		if f.x.length/(f.x.hi-f.x.lo) < 6 {
			half = 0.5 // no gaps between thin bars
		}
		f.path(fmt.Sprintf("m%d", b.Style), box(f.atX(b.X-half), f.atY(0), f.atX(b.X+half), f.atY(b.Y)), b.Says)
	}
}

func (f *frame) rule(r Rule) {
	if r.Slope {
		f.path("rule", fmt.Sprintf("M%s %sL%s %s", places(f.atX(0)), places(f.atY(0)),
			places(f.atX(1)), places(f.atY(1))), "")
		return
	}
	f.path("rule", fmt.Sprintf("M%s %sH%s", places(f.left), places(f.atY(r.Y)), places(f.left+f.x.length)), r.Name)
}

func (f *frame) line(l Line) {
	xs, ys := f.points(l)
	f.path(l.classes(), polyline(xs, ys), "")
	for k, says := range l.Says {
		if !math.IsNaN(ys[k]) {
			f.path(fmt.Sprintf("m%d", l.Style), fmt.Sprintf("M%s %s%s", places(xs[k]), places(ys[k]), dot), says)
		}
	}
}

// classes are those of the path of the line.
func (l Line) classes() string {
	if l.Dashed {
		return fmt.Sprintf("line s%d dashed", l.Style)
	}
	return fmt.Sprintf("line s%d", l.Style)
}

// points returns the places of the points of a line.
func (f *frame) points(l Line) (xs, ys []float64) {
	xs, ys = make([]float64, len(l.X)), make([]float64, len(l.X))
	for k := range l.X {
		xs[k], ys[k] = f.atX(l.X[k]), f.atY(l.Y[k])
	}
	return xs, ys
}

// dot and ring are circles around a point, of a radius of at most dotSize and ringSize.
const (
	dotSize, ringSize = 4, 8

	dot  = "m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z"
	ring = "m-6.5 0a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0-13 0z"
)

// names writes the name of each line where it ends, in its colour, with a thread to it.
func (f *frame) names(lines []Line, most float64) {
	ends := make([]lineEnd, 0, len(lines))
	for _, l := range lines {
		last := len(l.X) - 1
		for last > 0 && math.IsNaN(l.Y[last]) {
			last--
		}
		if !math.IsNaN(l.Y[last]) {
			ends = append(ends, lineEnd{l.Name, l.Style, f.atX(l.X[last]), f.atY(l.Y[last])})
		}
	}
	right := f.left + f.x.length
	for k, at := range settled(ends, nameLine, f.bottom()) {
		e := ends[k]
		f.path(fmt.Sprintf("thin s%d", e.style), fmt.Sprintf("M%s %sL%s %s", places(e.x+4), places(e.y),
			places(right+nameGap-3), places(at)), "")
		f.label(fmt.Sprintf("m%d", e.style), right+nameGap, at+4, clip(e.name, most))
	}
}

// mark draws a point and its interval.
func (f *frame) mark(m Mark) {
	x, y := f.atX(m.X), f.atY(m.Y)
	if m.Lo < m.Hi {
		f.path(fmt.Sprintf("bar s%d", m.Style), fmt.Sprintf("M%s %sV%sm-5 0h10M%s %sh10", places(x),
			places(f.atY(m.Hi)), places(f.atY(m.Lo)), places(x-5), places(f.atY(m.Hi))), "")
	}
	if m.Ring {
		f.path(fmt.Sprintf("ring s%d", m.Style), fmt.Sprintf("M%s %s%s", places(x), places(y), ring), m.Says)
	} else {
		f.path(fmt.Sprintf("m%d", m.Style), fmt.Sprintf("M%s %s%s", places(x), places(y), dot), m.Says)
	}
}
