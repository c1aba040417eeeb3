package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"pairrank/data"
	"pairrank/internal/figure"
	"pairrank/internal/spell"
	"pairrank/internal/survival"
)

// Survival is the share of rows without an event over time, for the rows with the lowest, the middle and the highest
// third of the scores of a ranking, within each query where there are several. A third without rows is left out: equal
// scores are in the same third.
type Survival struct {
	Score  string  `json:"ranking"`
	Thirds []Third `json:"thirds"`
	// Of is what the standard errors are over, rows, or empty where rows of a group or query are not independent.
	Of string `json:"of,omitempty"`
}

// Third is the Kaplan–Meier estimate of a third of the rows.
type Third struct {
	Name   string `json:"third"` // lowest, middle or highest
	Rows   int    `json:"rows"`
	Events int    `json:"events"`
	// Times are read off at round numbers, the same for each third. Steps are times of events with the survival from then
	// on; those too near to see apart are one. Last is the longest time, or where all curves end.
	Times []SurvivalTime `json:"times"`
	Steps [][2]Number    `json:"steps"`
	Last  Number         `json:"last"`
}

// SurvivalTime is the estimate at a time: rows of at least this time, events until then, and Greenwood's standard error
// with the 95 % interval on the scale of log(−log S).
type SurvivalTime struct {
	Time     Number     `json:"time"`
	AtRisk   int        `json:"at_risk"`
	Events   int        `json:"events"`
	Survival Number     `json:"survival"`
	StdErr   Number     `json:"standard_error"`
	CI95     *[2]Number `json:"ci95,omitempty"`
}

// mostTimes is the number of times, but for 0, at which the survival is read off. Curves end where fewer than one of
// fewAtRisk rows is left. A step of a figure is at least one of mostSteps parts of an axis.
const (
	mostTimes = 5
	fewAtRisk = 50
	mostSteps = 200
)

// NewSurvival estimates the survival by thirds of the scores of ranking k, whose set has censored times, in O(m log m).
func NewSurvival(set *data.Set, k int, scores []float64) Survival {
	queries := set.Queries
	if !set.HasQID {
		queries = data.OneList(len(scores))
	}
	var parts [][]int32
	for g := range queries.Len() {
		parts = append(parts, queries.Part(g))
	}
	times := slices.Sorted(slices.Values(set.Y))
	end := times[len(times)-max(1, len(times)/fewAtRisk)]
	s := Survival{Score: spell.Letter(k), Of: "row"}
	if set.Groups != nil || queries.Len() > 1 {
		s.Of = ""
	}
	ticks := figure.Ticks(end, mostTimes)
	for third, rows := range survival.Thirds(scores, parts) {
		if len(rows) == 0 {
			continue
		}
		c := survival.New(set.Y, set.Censored, rows)
		t := Third{Name: [3]string{"lowest", "middle", "highest"}[third], Rows: len(rows), Last: Number(min(c.Last(), end)),
			Events: c.At(math.Inf(1)).Events, Steps: seenSteps(c, end)}
		for _, at := range ticks {
			step := c.At(at)
			one := SurvivalTime{Number(at), c.AtRisk(at), step.Events, Number(step.Survival), Number(math.NaN()), nil}
			if one.AtRisk == 0 && step.Survival > 0 {
				one.Survival = Number(math.NaN()) // nobody tells
			} else if s.Of != "" {
				one.StdErr = Number(step.StdErr)
				if lo, hi, ok := step.Interval(); ok {
					one.CI95 = &[2]Number{Number(lo), Number(hi)}
				}
			}
			t.Times = append(t.Times, one)
		}
		s.Thirds = append(s.Thirds, t)
	}
	return s
}

// seenSteps are the steps of a curve until its end, those together that are too near to see apart.
func seenSteps(c *survival.Curve, end float64) [][2]Number {
	steps := [][2]Number{}
	time, share := 0.0, 1.0
	for k, s := range c.Steps {
		if s.Time > end {
			break
		}
		last := k == len(c.Steps)-1 || c.Steps[k+1].Time > end
		if last || k == 0 || share-s.Survival >= 1./mostSteps || s.Time-time >= end/mostSteps {
			time, share = s.Time, s.Survival
			steps = append(steps, [2]Number{Number(time), Number(share)})
		}
	}
	return steps
}

// table has a row for each third and time but 0.
func (s *Survival) table() *Table {
	t := listed("Survival by thirds of the score", "third", "time", "at risk", "events", "survival", "standard error",
		"95 % interval")
	t.Bare = true
	for _, third := range s.Thirds {
		for _, at := range third.Times {
			if at.Time == 0 {
				continue
			}
			digits := decimals(at.StdErr)
			t.row(third.Name, short(at.Time), strconv.Itoa(at.AtRisk), strconv.Itoa(at.Events), at.Survival.to(digits),
				at.StdErr.unsure(digits), (*Range)(at.CI95).to(digits))
		}
	}
	return t
}

// figure is the curves with the numbers at risk; of says of which ranking, if there are several.
func (s *Survival) figure(t *Table, of string) *Figure {
	if !s.drawable() {
		return nil
	}
	plot := &figure.Plot{X: figure.Axis{Label: "time", Include: []float64{0}, Within: &[2]float64{0, 0}},
		Y: shareAxis("share without an event"), Counted: "at risk"}
	for k, third := range s.Thirds {
		line := figure.Line{Style: k, Dashed: k == 1, X: []float64{0}, Y: []float64{1}}
		to := func(x, y float64) { line.X, line.Y = append(line.X, x), append(line.Y, y) }
		for _, step := range third.Steps {
			before := line.Y[len(line.Y)-1]
			to(float64(step[0]), before)
			to(float64(step[0]), float64(step[1]))
		}
		to(float64(third.Last), line.Y[len(line.Y)-1])
		plot.Lines = append(plot.Lines, line)
		count := figure.Count{Name: third.Name + " third", Line: line}
		plot.X.Ticks = nil
		for _, at := range third.Times {
			count.Of, plot.X.Ticks = append(count.Of, at.AtRisk), append(plot.X.Ticks, float64(at.Time))
		}
		plot.Below = append(plot.Below, count)
		plot.X.Within[1] = max(plot.X.Within[1], float64(third.Last))
	}
	f := &Figure{Title: s.title() + of, Table: t, Body: plot,
		Desc: "The Kaplan–Meier estimate of each third, with the number of rows at risk below the times.",
		Text: []string{"The share of rows that have had no event, by the Kaplan–Meier estimate, of the rows with the " +
			"lowest, the middle and the highest third of the scores, within each query. Below each time are the numbers " +
			"of rows at risk, whose time is not shorter. The curves end where fewer than one row of fifty is left."}}
	if s.Of != "" {
		f.Text = append(f.Text, "The standard errors are Greenwood's, of independent rows. An interval is that of its time "+
			"alone, on the scale of log(−log S).")
	} else {
		f.Text = append(f.Text, "Rows of a group or query are not independent: there are no standard errors.")
	}
	return f
}

// drawable reports whether there are curves with the same times, as of a document that nobody else wrote.
func (s *Survival) drawable() bool {
	for _, third := range s.Thirds {
		n := len(third.Times)
		if n < 2 || n != len(s.Thirds[0].Times) || !(third.Last >= 0) {
			return false
		}
		for k, at := range third.Times {
			if at.Time != s.Thirds[0].Times[k].Time || k > 0 && !(at.Time > third.Times[k-1].Time) {
				return false
			}
		}
		for _, step := range third.Steps {
			if math.IsNaN(float64(step[0])) {
				return false
			}
		}
	}
	return len(s.Thirds) > 0
}

// title compares the first and the last third at the last time that rows of all of them reach.
func (s *Survival) title() string {
	first, last := s.Thirds[0], s.Thirds[len(s.Thirds)-1]
	for k := len(first.Times) - 1; k > 0 && len(s.Thirds) > 1 && k < len(last.Times); k-- {
		if a, b := first.Times[k], last.Times[k]; a.AtRisk > 0 && b.AtRisk > 0 {
			return fmt.Sprintf("At time %s, %s of the %s third of the scores are without an event, and %s of the %s",
				short(a.Time), percent(float64(a.Survival)), first.Name, percent(float64(b.Survival)), last.Name)
		}
	}
	return "The share without an event by thirds of the scores"
}
