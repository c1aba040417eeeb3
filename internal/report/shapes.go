package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"pairrank/data"
	"pairrank/internal/figure"
	"pairrank/internal/spell"
	"pairrank/model"
	"pairrank/model/contribution"
)

// mostShapes is how many shapes a figure draws, and shapePoints how many points of a shape a line of the table has.
const mostShapes, shapePoints = 12, 8

// inspectShapes are the shapes of each output by falling importance, the top of each; 0 is all.
func inspectShapes(m *model.Model, top int) (all []contribution.Shape) {
	for o := range m.Outputs() {
		shapes, _ := contribution.Shapes(m.Output(o)) // of one output, and a sum of curves
		for k, s := range shapes[:min(cmp.Or(top, len(shapes)), len(shapes))] {
			if m.Outputs() > 1 {
				shapes[k].Output, s.Output = o+1, o+1
			}
			all = append(all, s)
		}
	}
	return all
}

// tellShapes adds the shapes of the first output, and returns their figure.
func (r *Inspection) tellShapes(v *View) *Figure {
	list := slices.DeleteFunc(slices.Clone(r.Shapes), func(s contribution.Shape) bool {
		at := len(s.X)
		if s.Levels != nil {
			at = len(s.Levels)
		}
		return s.Output > 1 || len(s.Adds) == 0 || len(s.Adds) != at // in a document that others have written
	})
	t := &Table{Caption: "Shapes by importance", Len: len(list)}
	t.features(func(l int) (int, string) { return list[l].Number, list[l].Name })
	t.add("importance", 0, func(l int) string { return fmt.Sprintf("%.4g", list[l].Importance) })
	c := t.add("adds to the score, at each end and knot", 0, func(l int) string { return shapeText(&list[l]) })
	c.Left, c.In = true, InText
	t.add("adds at least", 0, func(l int) string { return adds(slices.Min(numbersOf(&list[l]))) }).In = OnPage
	t.add("adds at most", 0, func(l int) string { return adds(slices.Max(numbersOf(&list[l]))) }).In = OnPage
	v.tell(t)
	if t.Len == 0 {
		return nil
	}
	f := &Figure{Table: t, Text: r.shapesText(list), Desc: "A curve for each feature, all over the same axis of scores.",
		Title: fmt.Sprintf("%s moves the score most: by %s, one standard deviation", t.name(0),
			figure.Short(list[0].Importance))}
	panels, cut := &figure.Panels{}, false
	f.More = listed("The shapes at their ends and knots", "feature", "value", "adds to the score", "standard error")
	for k := range list {
		if s := &list[k]; len(panels.Plots) < mostShapes && len(s.Adds) > 1 {
			plot, cuts := shapePlot(s)
			panels.Names, panels.Plots, cut = append(panels.Names, t.name(k)), append(panels.Plots, plot), cut || cuts
			f.More.shape(t.name(k), s)
		}
	}
	if cut {
		f.Text = append(f.Text, "An axis ends where few values are left: one distance of the outer deciles beyond them. The "+
			"curve goes on straight, to the ends that the table has.")
	}
	if n := t.Len - len(panels.Plots); n > 0 {
		f.Left = fmt.Sprintf("Not drawn: %s of less importance, which the table has.", spell.Plural(n, "feature"))
	}
	if f.Body = panels; len(panels.Plots) == 0 { // all features are constant
		return nil
	}
	return f
}

// adds is what a shape adds to a score.
func adds(v float64) string { return fmt.Sprintf("%+.3g", v) }

// shape adds the points of a shape to a table.
func (t *Table) shape(name string, s *contribution.Shape) {
	for k, y := range s.Adds {
		stderr := ""
		if k < len(s.StdErr) {
			stderr = fmt.Sprintf("%.2g", s.StdErr[k])
		}
		t.row(name, shapeAt(s, k), adds(y), stderr)
	}
	if s.Missing != nil {
		stderr := ""
		if s.MissingStdErr != nil {
			stderr = fmt.Sprintf("%.2g", *s.MissingStdErr)
		}
		t.row(name, missingLevel, adds(*s.Missing), stderr)
	}
}

// numbersOf are what a shape adds at its points, and for a missing value.
func numbersOf(s *contribution.Shape) []float64 {
	if s.Missing == nil {
		return s.Adds
	}
	return append(slices.Clip(s.Adds), *s.Missing)
}

// missingLevel is what the level of missing values is called.
const missingLevel = "missing"

// shapesText says how the shapes are read.
func (r *Inspection) shapesText(list []contribution.Shape) []string {
	text := []string{"A score is the sum of these curves, each read at the value of its feature, but for a constant. A " +
		"feature moves the order as far as its curve rises or falls, in any row and beside any other values.",
		"All curves have the same axis of scores. The importance is the standard deviation of a curve over the rows of " +
			"training, and 0 is its mean there. Dots are the knots, where the slope changes; strokes are the least value, the " +
			"deciles and the largest value."}
	some := func(is func(s contribution.Shape) bool) bool { return slices.ContainsFunc(list, is) }
	if some(func(s contribution.Shape) bool { return s.Missing != nil }) {
		text[0] += " A missing value has a number of its own: the point beside the curve."
	}
	if some(func(s contribution.Shape) bool { return s.Guessed }) {
		text[1] = "All curves have the same axis of scores. The model does not have the values of its rows: a curve ends a " +
			"little beyond its outer knots, and importance and mean are those of the values at ends and knots, the dots."
	}
	if r.Normalizer == data.NormalizeQueryMinMax {
		text = append(text, "The values are those of the normalised features, from 0 to 1 in each query.")
	}
	if r.Outputs > 1 {
		text = append(text, fmt.Sprintf("These are the curves of output 1 of %d; pairrank inspect --json has all.",
			r.Outputs))
	}
	if some(func(s contribution.Shape) bool { return s.StdErr != nil }) {
		return append(text, shapeBand)
	}
	return append(text, "There is no band: a model file does not keep how its curves vary between samples. The report of "+
		"its training has one, of one output and at least eight queries, groups, or rows of a single list.")
}

// shapeBand says what the band of a shape is.
const shapeBand = "The band is ± two standard errors, from trainings at the chosen λ on both halves of ten splits of " +
	"the data. It is for one point of a curve, and for the mean of the curves of many samples, not for the truth: in " +
	"simulations of least squares it had that mean in 93 to 97 % of the points."

// shapeText lists what a shape adds, at a few of its points.
func shapeText(s *contribution.Shape) string {
	var parts []string
	n := len(s.Adds)
	for k := range min(n, shapePoints) {
		at := k
		if s.Levels == nil && n > shapePoints { // ends and even steps between
			at = k * (n - 1) / (shapePoints - 1)
		}
		parts = append(parts, shapeAt(s, at)+": "+adds(s.Adds[at]))
	}
	if s.Levels != nil && n > shapePoints {
		parts = append(parts, fmt.Sprintf("%d more", n-shapePoints))
	}
	if s.Missing != nil {
		parts = append(parts, missingLevel+": "+adds(*s.Missing))
	}
	return strings.Join(parts, ", ")
}

// shapeAt is the value or the level at a point of a shape.
func shapeAt(s *contribution.Shape, k int) string {
	if s.Levels != nil {
		return strings.Map(printable, s.Levels[k])
	}
	return fmt.Sprintf("%.4g", s.X[k])
}

// shapePlot is a line with its knots and its band, or a point for each level or each of two values. cut says that the
// axis of x ends before the values do: a value far from all others would leave no room for the curve.
func shapePlot(s *contribution.Shape) (p *figure.Plot, cut bool) {
	p = &figure.Plot{Rules: []figure.Rule{{}}}
	points, band := s.Levels != nil || s.Two, figure.Band{}
	lo, hi := math.Inf(-1), math.Inf(1)
	if n := len(s.Rug); n > 2 && len(s.Knots) > 0 && len(s.Slopes) > 0 && s.Rug[n-2] > s.Rug[1] {
		lo, hi = 2*s.Rug[1]-s.Rug[n-2], 2*s.Rug[n-2]-s.Rug[1]
	}
	line := figure.Line{}
	for k := range s.Adds {
		m, se := shapeMark(s, k, lo, hi)
		cut = cut || s.Levels == nil && m.X != s.X[k]
		line.X, line.Y = append(line.X, m.X), append(line.Y, m.Y)
		band.X, band.Lo, band.Hi = line.X, append(band.Lo, m.Y-2*se), append(band.Hi, m.Y+2*se)
		switch {
		case points:
			m.Lo, m.Hi = m.Y-2*se, m.Y+2*se
			p.Marks = append(p.Marks, m)
		case slices.Contains(s.Knots, m.X):
			p.Marks = append(p.Marks, m)
		}
	}
	p.Marks = append(p.Marks, missingMarks(s, line.X)...)
	if points {
		p.X.Ticks = line.X
		room, last := (line.X[len(line.X)-1]-line.X[0])/float64(2*len(line.X)-2), p.Marks[len(p.Marks)-1].X
		p.X.Include = []float64{line.X[0] - room, last + room}
		p.X.Tick = func(v float64) string { return shapeAt(s, slices.Index(line.X, v)) }
		return p, false
	}
	p.Lines = []figure.Line{line}
	p.Rug = slices.DeleteFunc(slices.Clone(s.Rug), func(v float64) bool { return v < lo || v > hi })
	if s.StdErr != nil {
		p.Bands = []figure.Band{band}
	}
	return p, cut
}

// missingMarks is the point of a missing value, apart from the curve: beyond the right end of its places x; none
// where it has no level.
func missingMarks(s *contribution.Shape, x []float64) []figure.Mark {
	if s.Missing == nil {
		return nil
	}
	const apart = 0.08 // of the curve
	at := slices.Max(x) + max(apart*(slices.Max(x)-slices.Min(x)), math.SmallestNonzeroFloat64)
	if s.Two {
		at = 2*x[1] - x[0]
	}
	m := figure.Mark{X: at, Y: *s.Missing, Name: missingLevel, Says: missingLevel + ": " + adds(*s.Missing)}
	if s.MissingStdErr != nil {
		m.Lo, m.Hi = m.Y-2**s.MissingStdErr, m.Y+2**s.MissingStdErr
		m.Says += fmt.Sprintf(" ± %.2g", 2**s.MissingStdErr)
	}
	return []figure.Mark{m}
}

// shapeMark is point k of a shape with its standard error: of one beyond lo or hi the place where the axis ends.
func shapeMark(s *contribution.Shape, k int, lo, hi float64) (m figure.Mark, se float64) {
	y := s.Adds[k]
	m = figure.Mark{X: float64(k + 1), Y: y, Says: typeset(shapeAt(s, k) + ": " + adds(y))}
	if len(s.StdErr) == len(s.Adds) {
		se = s.StdErr[k]
		m.Says += fmt.Sprintf(" ± %.2g", 2*se)
	}
	if s.Levels != nil {
		return m, se
	}
	m.X = s.X[k]
	x := max(lo, min(hi, m.X))
	if x == m.X {
		return m, se
	}
	if m.Y = s.At(x); se > 0 { // a chord is not below a standard error, which is convex
		other := max(k-1, 0)
		if x > m.X {
			other = min(k+1, len(s.X)-1)
		}
		se += (s.StdErr[other] - se) * (x - m.X) / (s.X[other] - m.X)
	}
	m.X = x
	return m, se
}
