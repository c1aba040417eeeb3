package report

import (
	"fmt"
	"math"

	"pairrank/internal/figure"
	"pairrank/internal/spell"
)

// LearningCurve is the held-out error of training on parts of the data.
type LearningCurve struct {
	Of     string          `json:"of"` // query or row
	Points []LearningPoint `json:"points"`
}

// LearningPoint is the error of parts of one size.
type LearningPoint struct {
	Units     Number `json:"units"` // mean number of queries or rows
	Error     Number `json:"error"`
	Deviation Number `json:"deviation"` // between the parts; null for the whole data
	Repeats   int    `json:"repeats"`
}

// usable are the points that have a place on the axis and an error.
func (c *LearningCurve) usable() (points []LearningPoint) {
	for _, p := range c.Points {
		if n := float64(p.Units); n > 0 && !math.IsInf(n, 0) && !math.IsNaN(float64(p.Error)) {
			points = append(points, p)
		}
	}
	return points
}

// digits are those that the deviations leave, and more where an error would look like the one before.
func (c *LearningCurve) digits() int {
	var unsure []Number
	for _, p := range c.Points {
		unsure = append(unsure, p.Deviation)
	}
	digits := decimals(unsure...)
	for k := range c.Points[min(1, len(c.Points)):] {
		digits = apart(digits, c.Points[k].Error, c.Points[k+1].Error)
	}
	return digits
}

// figure adds the curve on one line, and returns its figure, nil if there is none.
func (c *LearningCurve) figure(v *View) *Figure {
	if c == nil {
		return nil
	}
	of, said := spell.Plural(2, c.Of)[2:], make([]string, len(c.Points))
	digits := c.digits()
	for k, p := range c.Points {
		said[k] = fmt.Sprintf("%s of %s", p.Error.to(digits), unitsText(p.Units))
	}
	v.fact(Detail, "learning", "error %s %s", spell.List(said), of)
	points := c.usable()
	if len(points) == 0 {
		return nil
	}
	t := listed("The error of parts of each size", of, "error", "deviation", "parts")
	line, band := figure.Line{}, figure.Band{}
	for _, p := range points {
		units, x, e, d := unitsText(p.Units), float64(p.Units), float64(p.Error), float64(p.Deviation)
		t.row(units, p.Error.to(digits), typeset(p.Deviation.to(digits)), fmt.Sprint(p.Repeats))
		line.X, line.Y, line.Says = append(line.X, x), append(line.Y, e), append(line.Says, units+": "+p.Error.to(digits))
		band.X, band.Lo, band.Hi = append(band.X, x), append(band.Lo, max(0, e-d)), append(band.Hi, min(1, e+d))
	}
	last := points[len(points)-1]
	f := &Figure{Title: fmt.Sprintf("From %s %s the error is %s", unitsText(last.Units), of, last.Error.to(digits)),
		Desc: "The held-out error over the number of " + of + ".", Table: t,
		Text: []string{"Each point is the mean estimate of random parts of the data, by the same method and with every " +
			"choice made again in each part. The deviation is between parts of one size. The parts are nested, and larger " +
			"parts overlap more."}}
	f.Body = &figure.Plot{
		X: figure.Axis{Label: of + ", trained on and held out in turn", Powers: true,
			Tick: func(v float64) string { return fmt.Sprintf("%.4g", v) }},
		Y:     figure.Axis{Label: "held-out error; band ± one standard deviation between parts", Within: &[2]float64{0, 1}},
		Lines: []figure.Line{line}, Bands: []figure.Band{band}}
	if n := len(points); n > 1 {
		before := points[n-2]
		f.Title = fmt.Sprintf("From %s to %s %s the error %s", unitsText(before.Units), unitsText(last.Units), of,
			change(before.Error.to(digits), last.Error.to(digits), last.Error > before.Error))
		f.Text = append(f.Text, "If the curve still falls at its end by more than the width of the band, more "+of+
			" may help. If it is level, other features or another kernel may help. How often either rule holds was not "+
			"measured.")
	}
	return f
}

// change is the text of the change from one number to another.
func change(from, to string, up bool) string {
	switch {
	case from == to:
		return "stays at " + to
	case up:
		return "rises from " + from + " to " + to
	}
	return "falls from " + from + " to " + to
}
