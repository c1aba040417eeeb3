package figure

import (
	"fmt"
	"math"
)

// Rows has a line for each name: a bar from 0, or a point with an interval, and the value next to
// it.
type Rows struct {
	Label string // of the values
	Rows  []Row
	Bars  bool      // from 0; else points
	Rules []float64 // lines across
	Axis  bool      // with ticks
}

// Row is a name with its value.
type Row struct {
	Name   string
	Value  float64
	Lo, Hi float64 // an interval where Lo < Hi
	Text   string  // the value as written
	Style  int
}

// The height of a row, and the widest name and text of values.
const (
	rowTall            = 26
	mostName, mostText = 170, 180
)

func (r *Rows) draw(c *canvas) float64 {
	left, right := 10.0, 10.0
	var values []float64
	for _, row := range r.Rows {
		left = max(left, min(mostName, width(row.Name))+10)
		right = max(right, min(mostText, width(row.Text))+12)
		values = append(values, row.Value)
		if row.Lo < row.Hi {
			values = append(values, row.Lo, row.Hi)
		}
	}
	values = append(values, r.Rules...)
	axis := Axis{}
	if r.Bars {
		axis.Include = []float64{0}
	}
	x := axis.newScale(values, drawingWidth-left-right, 5)
	if r.Bars && x.lo < 0 && minOf(values) >= 0 {
		axis.Within = &[2]float64{0, math.Inf(1)}
		x = axis.newScale(values, drawingWidth-left-right, 5)
	}
	top := 24.0
	bottom := top + rowTall*float64(len(r.Rows))
	at := func(v float64) float64 { return left + x.at(v) }
	c.label("soft", 4, 14, clip(r.Label, drawingWidth-8))
	if r.Axis {
		for k, v := range x.ticks {
			where := left + x.place(v)
			c.path("grid", fmt.Sprintf("M%s %sV%s", places(where), places(top), places(bottom)), "")
			half := width(x.texts[k]) / 2
			c.label("soft mid", min(max(where, half), drawingWidth-half), bottom+17, x.texts[k])
		}
	}
	for _, v := range r.Rules {
		c.path("rule", fmt.Sprintf("M%s %sV%s", places(at(v)), places(top), places(bottom)), "")
	}
	for k, row := range r.Rows {
		r.row(c, row, top+rowTall*float64(k), left, at)
	}
	if r.Axis {
		return bottom + 26
	}
	return bottom + 6
}

// row draws one line at a height.
func (r *Rows) row(c *canvas, row Row, top, left float64, at func(float64) float64) {
	middle := top + rowTall/2
	c.label("end", left-8, middle+4, clip(row.Name, mostName))
	c.label("soft end", drawingWidth-4, middle+4, clip(row.Text, mostText))
	if math.IsNaN(row.Value) {
		return
	}
	says := row.Name + ": " + row.Text
	if r.Bars {
		c.path(fmt.Sprintf("m%d", row.Style), box(at(0), top+5, at(row.Value), top+rowTall-5), says)
	}
	if row.Lo < row.Hi {
		c.path(fmt.Sprintf("bar s%d", row.Style), fmt.Sprintf("M%s %sH%sm0-5v10M%s %sv10", places(at(row.Lo)),
			places(middle), places(at(row.Hi)), places(at(row.Lo)), places(middle-5)), "")
	}
	if !r.Bars {
		c.path(fmt.Sprintf("m%d", row.Style), fmt.Sprintf("M%s %s%s", places(at(row.Value)), places(middle), dot), says)
	}
}

func minOf(values []float64) float64 {
	least := math.Inf(1)
	for _, v := range values {
		if v < least { // NaN is not
			least = v
		}
	}
	return least
}
