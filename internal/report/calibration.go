package report

import (
	"fmt"
	"math"

	"pairrank/internal/calibration"
	"pairrank/internal/figure"
	"pairrank/internal/spell"
)

// Calibration is how often a model puts pairs in the right order, by the difference of their scores.
type Calibration struct {
	Kind  Kind             `json:"kind"`
	Model string           `json:"model"` // the file
	Bins  []CalibrationBin `json:"bins"`  // by rising difference
	Pairs Number           `json:"pairs"` // of a query with different labels; null if they were sampled
	Drawn int              `json:"drawn,omitempty"`
	// Queries is the number of queries with such a pair.
	Queries int `json:"queries"`
}

// CalibrationBin has the pairs whose scores differ by Lo to Hi.
type CalibrationBin struct {
	Lo     Number `json:"lo"`
	Hi     Number `json:"hi"`
	Mean   Number `json:"mean"`
	Pairs  int    `json:"pairs"`
	Right  Number `json:"right"` // the share in the order of the labels, ties ½
	StdErr Number `json:"stderr"`
}

// NewCalibration is the document of the calibration of the model in a file.
func NewCalibration(model string, c *calibration.Calibration) *Calibration {
	d := &Calibration{Kind: KindCalibration, Model: model, Pairs: Number(c.Pairs), Drawn: c.Drawn, Queries: c.Queries,
		Bins: []CalibrationBin{}}
	for _, b := range c.Bins {
		d.Bins = append(d.Bins, CalibrationBin{Number(b.Lo), Number(b.Hi), Number(b.Mean), b.Pairs, Number(b.Right),
			valueNumber(b.StdErr)})
	}
	return d
}

// View is how often pairs are in the right order, by the difference of their scores.
func (d *Calibration) View() *View {
	v := &View{Title: "Calibration of score differences"}
	v.state("model", "%s", d.Model)
	if len(d.Bins) == 0 {
		v.Notes = []string{"No two rows of a query have different labels, so there is no pair to compare."}
		return v
	}
	t := listed("Pairs by the difference of their scores", "difference", "mean", "pairs", "right", "standard error")
	line := figure.Line{}
	plot := &figure.Plot{
		X: figure.Axis{Label: "mean score difference of the pairs in a bin", Include: []float64{0},
			Within: &[2]float64{0, math.Inf(1)}},
		Y: figure.Axis{Label: "share of pairs in the right order", Include: []float64{1},
			Within: &[2]float64{0, 1}},
		Rules: []figure.Rule{{Y: 0.5, Name: "chance"}},
	}
	for _, b := range d.Bins {
		mean, right, name := float64(b.Mean), float64(b.Right), short(b.Lo)+" to "+short(b.Hi)
		t.row(name, short(b.Mean), fmt.Sprint(b.Pairs), number(b.Right, b.StdErr),
			typeset(b.StdErr.unsure(decimals(b.StdErr))))
		line.X, line.Y = append(line.X, mean), append(line.Y, right)
		mark := figure.Mark{X: mean, Y: right, Says: name + ": " + number(b.Right, b.StdErr)}
		if half := 1.96 * float64(b.StdErr); !math.IsNaN(half) {
			mark.Lo, mark.Hi = max(0, right-half), min(1, right+half)
		}
		plot.Marks = append(plot.Marks, mark)
	}
	plot.Lines = []figure.Line{line}
	first, last := percent(float64(d.Bins[0].Right)), percent(float64(d.Bins[len(d.Bins)-1].Right))
	f := &Figure{Title: fmt.Sprintf("%s of the pairs with the smallest score differences are in the right order, %s of "+
		"those with the largest", first, last), Table: t, Body: plot,
		Desc: "The share of pairs in the right order over the difference of their scores, and the line of chance at 0.5."}
	if len(d.Bins) == 1 {
		f.Title = first + " of the pairs are in the right order"
	}
	count := fmt.Sprintf("All %s with different labels", spell.Plural(int(d.Pairs), "pair"))
	if d.Drawn > 0 {
		count = fmt.Sprintf("%s with different labels, drawn at random,", spell.Plural(d.Drawn, "pair"))
		f.Left = "The data have more pairs. These were sampled uniformly, with seed 0."
	}
	f.Text = []string{
		fmt.Sprintf("%s of %s are in bins of about equal size, by the difference of their scores; a tie counts one "+
			"half. Where the line rises, larger differences are more reliable.", count, spell.Plural(d.Queries, "query")),
		"The vertical lines are ± 1.96 standard errors of a ratio over independent queries; a bin with pairs of a " +
			"single query has none. They take the model as given, and their coverage was not measured.",
	}
	v.draw("", f)
	return v
}
