package page

import (
	"fmt"
	"math"

	"pairrank/internal/figure"
	"pairrank/internal/report"
	"pairrank/internal/spell"
)

// learningItem is a learning curve, nil if there is none.
func learningItem(c *report.LearningCurve) *item {
	if c == nil {
		return nil
	}
	of := spell.Plural(2, c.Of)[2:]
	plot := &figure.Plot{
		X: figure.Axis{Label: of + ", trained on and held out in turn", Powers: true,
			Tick: func(v float64) string { return fmt.Sprintf("%.4g", v) }},
		Y: figure.Axis{Label: "held-out error; band ± one standard deviation between parts", Within: &[2]float64{0, 1}},
	}
	line, band := figure.Line{}, figure.Band{}
	t := table{caption: "The error of parts of each size", head: []string{of, "error", "deviation", "parts"}}
	var usable []report.LearningPoint
	for _, p := range c.Points {
		if n := float64(p.Units); !(n > 0) || math.IsInf(n, 0) || math.IsNaN(float64(p.Error)) {
			continue
		}
		usable = append(usable, p)
		units := report.UnitsText(p.Units)
		t.rows = append(t.rows, []string{units, number(p.Error), number(p.Deviation), fmt.Sprint(p.Repeats)})
		line.X, line.Y = append(line.X, float64(p.Units)), append(line.Y, float64(p.Error))
		line.Says = append(line.Says, units+": "+number(p.Error))
		e, d := float64(p.Error), float64(p.Deviation)
		band.X, band.Lo, band.Hi = append(band.X, float64(p.Units)), append(band.Lo, max(0, e-d)),
			append(band.Hi, min(1, e+d))
	}
	if len(usable) == 0 {
		return nil
	}
	plot.Lines, plot.Bands = []figure.Line{line}, []figure.Band{band}
	last := usable[len(usable)-1]
	i := &item{table: t, text: []string{
		"Each point is the mean estimate of random parts of the data, by the same method and with every choice made " +
			"again in each part. The deviation is between parts of one size. The parts are nested, and larger parts " +
			"overlap more.",
	}}
	i.Title = fmt.Sprintf("From %s %s the error is %s", report.UnitsText(last.Units), of, number(last.Error))
	if n := len(usable); n > 1 {
		before := usable[n-2]
		i.Title = fmt.Sprintf("From %s to %s %s the error %s", report.UnitsText(before.Units),
			report.UnitsText(last.Units), of, change(number(before.Error), number(last.Error),
				last.Error > before.Error))
		i.text = append(i.text, "If the curve still falls at its end by more than the width of the band, more "+of+
			" may help. If it is level, other features or another kernel may help. "+
			"How often either rule holds was not measured.")
	}
	i.Desc, i.Body = "The held-out error over the number of "+of+". "+t.caption+".", plot
	return i
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

// ofCalibration is the section about how often pairs are in the right order, by the difference of their scores.
func ofCalibration(d *report.Calibration) *section {
	s := &section{title: "Calibration of score differences"}
	s.fact("model", "%s", d.Model)
	s.add("", calibrationItem(d))
	if len(s.figures) == 0 {
		s.notes = append(s.notes, "No two rows of a query have different labels, so there is no pair to compare.")
	}
	return s
}

func calibrationItem(d *report.Calibration) *item {
	if len(d.Bins) == 0 {
		return nil
	}
	plot := &figure.Plot{
		X: figure.Axis{Label: "mean score difference of the pairs in a bin", Include: []float64{0},
			Within: &[2]float64{0, math.Inf(1)}},
		Y: figure.Axis{Label: "share of pairs in the right order", Include: []float64{1},
			Within: &[2]float64{0, 1}},
		Rules: []figure.Rule{{Y: 0.5, Name: "chance"}},
	}
	line := figure.Line{}
	t := table{caption: "Pairs by the difference of their scores",
		head: []string{"difference", "mean", "pairs", "right", "standard error"}}
	for _, b := range d.Bins {
		mean, right, name := float64(b.Mean), float64(b.Right), short(b.Lo)+" to "+short(b.Hi)
		t.rows = append(t.rows, []string{name, short(b.Mean), fmt.Sprint(b.Pairs), number(b.Right), number(b.StdErr)})
		line.X, line.Y = append(line.X, mean), append(line.Y, right)
		mark := figure.Mark{X: mean, Y: right, Says: name + ": " + number(b.Right)}
		if half := 1.96 * float64(b.StdErr); !math.IsNaN(half) {
			mark.Lo, mark.Hi = max(0, right-half), min(1, right+half)
		}
		plot.Marks = append(plot.Marks, mark)
	}
	plot.Lines = []figure.Line{line}
	first, last := d.Bins[0], d.Bins[len(d.Bins)-1]
	i := &item{table: t}
	i.Title = fmt.Sprintf("%s of the pairs with the smallest score differences are in the right order, %s of "+
		"those with the largest", percent(float64(first.Right)), percent(float64(last.Right)))
	if len(d.Bins) == 1 {
		i.Title = percent(float64(first.Right)) + " of the pairs are in the right order"
	}
	i.Desc, i.Body = "The share of pairs in the right order over the difference of their scores, and the line of "+
		"chance at 0.5. "+t.caption+".", plot
	count := fmt.Sprintf("All %s with different labels", spell.Plural(int(d.Pairs), "pair"))
	if d.Drawn > 0 {
		count = fmt.Sprintf("%s with different labels, drawn at random,", spell.Plural(d.Drawn, "pair"))
		i.left = "The data have more pairs. These were sampled uniformly, with seed 0."
	}
	i.text = []string{
		fmt.Sprintf("%s of %s are in bins of about equal size, by the difference of their scores; a tie counts one "+
			"half. Where the line rises, larger differences are more reliable.",
			count, spell.Plural(d.Queries, "query")),
		"The vertical lines are ± 1.96 standard errors of a ratio over independent queries; a bin with pairs of a " +
			"single query has none. They take the model as given, and their coverage was not measured.",
	}
	return i
}
