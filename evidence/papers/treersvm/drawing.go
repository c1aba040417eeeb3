package main

import (
	"fmt"
	"slices"

	"pairrank/evidence/papers/experiment"
	"pairrank/internal/figure"
)

// kind is a figure of the trainings: its quantity and its learners.
type kind struct {
	file, title, alt, unit string
	tick                   figure.Tick
	learners               []int
	value                  func(*trained) float64
	matrix                 bool // the matrix alone is drawn, too
}

// kinds are figures 2, 3 and 4.
var kinds = []kind{
	{"treersvm-training.svg", "A training: what loops over pairs is quadratic, the others are nearly linear",
		"Time of a whole training as the rows double",
		"time, log scale", figure.Seconds, []int{byDefault, byTree, byPairs, squared, keptPairs},
		func(t *trained) float64 { return t.Seconds }, false},
	{"treersvm-memory.svg", "With many rows memory is that of the matrix, but for PRSVM, which keeps the pairs",
		"Peak memory of a process that reads the rows and trains, as the rows double",
		"log scale", figure.Bytes, []int{byDefault, byTree, squared, keptPairs},
		func(t *trained) float64 { return float64(t.Peak) }, true},
	{"treersvm-error.svg", "PRSVM has the test errors of the squared hinge; of many rows the hinge has more at the " +
		"same λ", "Wrong pairs of test rows as the rows double",
		"part of the pairs, log scale", figure.Plain, []int{byDefault, squared, keptPairs},
		func(t *trained) float64 { return t.Wrong }, false},
}

// drawTrainings draws figures 2 to 4, and the times of all on one axis.
func drawTrainings(found *experiment.Result, all []scaling) {
	for _, kind := range kinds {
		drawing := figure.Figure{Title: kind.title}
		for _, l := range all {
			drawing.Panels = append(drawing.Panels, kind.panel(l))
		}
		found.Draw(kind.file, kind.alt, drawing.SVG())
	}
	hours := figure.Figure{Title: "For 512,000 rows SVMrank took 83 hours in 2011; a loop over pairs takes hours " +
		"today, and counting seconds"}
	for _, l := range all {
		hours.Panels = append(hours.Panels, l.besidePeers())
	}
	found.Draw("treersvm-hours.svg",
		"Time of a whole training here, and of SVMrank and the paper's programs, on one axis", hours.SVG())
}

// panel is one collection.
func (kind kind) panel(l scaling) figure.Panel {
	p := newPanel(l.collection, kind.unit, kind.tick)
	for _, learner := range kind.learners {
		p.Series = append(p.Series,
			l.line(learner, lineName(learner, slices.Contains(kind.learners, byTree)), kind.value))
	}
	if kind.matrix {
		line := l.line(byDefault, "the matrix alone", func(t *trained) float64 { return float64(t.Matrix) })
		line.Style, line.Dashed = another, true
		p.Series = append(p.Series, line)
	}
	return p
}

// line is that of a learner over the rows.
func (l scaling) line(learner int, name string, value func(*trained) float64) figure.Series {
	line := figure.Series{Name: name, Style: learner}
	for _, r := range l.rows {
		if t := r.trained[learner]; t != nil && value(t) > 0 {
			line.Points = append(line.Points, [2]float64{float64(r.rows), value(t)})
		}
	}
	return line
}

// lineName is that of a learner, where one counter is drawn or several are.
func lineName(learner int, counters bool) string {
	switch {
	case learner >= squared:
		return learners[learner].name
	case !counters:
		return "hinge"
	}
	return "hinge, " + learners[learner].name
}

// besidePeers has the points of the paper, or what SVMrank took on a machine of today,
// beside the lines here.
func (l scaling) besidePeers() figure.Panel {
	p := newPanel(l.collection, "time of a training, log scale", figure.Seconds)
	for _, learner := range []int{byPairs, keptPairs, byTree, byDefault} {
		p.Series = append(p.Series,
			l.line(learner, lineName(learner, true), func(t *trained) float64 { return t.Seconds }))
	}
	point := func(name string, style int, rows int, seconds float64) {
		p.Series = append(p.Series,
			figure.Series{Name: name, Style: style, Points: [][2]float64{{float64(rows), seconds}}})
	}
	for _, m := range measured {
		if m.data == l.name {
			point("SVMrank, today: "+figure.Seconds(m.seconds), another, m.rows, m.seconds)
		}
	}
	if l.largest() == paperRows {
		looped := p.Series[0].Points
		last := looped[len(looped)-1]
		p.Series = append(p.Series, figure.Series{Name: "all pairs, if quadratic", Style: byPairs, Dashed: true,
			Points: [][2]float64{last, {paperRows, quadratic(last[1], int(last[0]), paperRows)}}})
		point("2011, all pairs: 122 hours", byPairs, paperRows, pairTraining)
		point("2011, SVMrank: 83 hours", another, paperRows, svmrankSeconds)
		point("2011, tree: 18 minutes", byTree, paperRows, treeTraining)
	}
	return p
}

// besidePaper is the table of the paper's times and those here, with what they say.
func besidePaper(found *experiment.Result, l scaling) {
	t := experiment.NewTable("a whole training, s", "%s", "the paper, 512,000 rows of RCV1", "%.0f",
		"here, rows of "+l.name, "%.0f", "s", "digits", "for 512,000, if quadratic", "%.0f")
	last := [numLearners]float64{}
	rowOf := func(name string, paper any, learner int, grows bool) {
		rows := 0
		for _, r := range l.rows {
			if r.trained[learner] != nil {
				rows, last[learner] = r.rows, r.trained[learner].Seconds
			}
		}
		row := []any{name, paper, rows, last[learner], nil}
		if grows {
			last[learner] = quadratic(last[learner], rows, paperRows)
			row[4] = last[learner]
		}
		t.Row(row...)
	}
	rowOf("hinge, default", nil, byDefault, false)
	rowOf("hinge, red-black tree: TreeRSVM", treeTraining, byTree, false)
	rowOf("hinge, all pairs: PairRSVM", pairTraining, byPairs, true)
	t.Row("hinge, SVMrank", svmrankSeconds, nil, nil, nil)
	rowOf("squared hinge", nil, squared, false)
	rowOf("squared hinge, pairs kept: PRSVM", nil, keptPairs, true)
	found.Add(t)
	if l.largest() != paperRows {
		return
	}
	theirs, half := quotient(pairTraining, treeTraining, minute)
	f := find("figure 2, RCV1", "a training with 512,000 rows: all pairs over the tree", "%.0f",
		theirs, last[byPairs]/last[byTree], half, "half a minute of the paper's 18", otherRatio)
	f.Says = fmt.Sprintf("122 h over 18 min: %.0f", theirs)
	found.Find(f)
	for _, time := range []struct {
		what, format  string
		seconds, unit float64
		learner       int
	}{
		{"hours of a training with 512,000 rows: SVMrank, here the default", "%.4f", svmrankSeconds, hour, byDefault},
		{"minutes of a training with 512,000 rows: TreeRSVM, here the red-black tree", "%.2f",
			treeTraining, minute, byTree},
	} {
		f := find("figure 2, RCV1", time.what, time.format, time.seconds/time.unit, last[time.learner]/time.unit,
			0, "", "")
		f.Says, f.AtMost, f.Unlike = fmt.Sprint(time.seconds/time.unit), true, otherMachine
		found.Find(f)
	}
}

// peersTable is what SVMrank took on a machine of today.
func peersTable(found *experiment.Result) {
	t := experiment.NewTable("SVMrank, today", "%s", "rows", "%.0f", "s", "%.0f")
	for _, m := range measured {
		t.Row(m.data, m.rows, m.seconds)
	}
	found.Add(t)
}
