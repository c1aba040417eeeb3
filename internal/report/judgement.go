package report

import (
	"math"

	"pairrank/comparison"
	"pairrank/eval/cv"
	"pairrank/internal/spell"
)

// Judgement is the document of how scores order the wins of comparisons.
type Judgement struct {
	Kind        Kind   `json:"kind"`
	Comparisons Number `json:"compared"`
	Ties        Number `json:"ties"`
	Items       int    `json:"items"`
	// Error is the share of the weight of wins in the wrong order, equal scores ½. StdErr and CI95 are over annotators
	// where there are two or more, else over pairs of items.
	Error  Number `json:"error"`
	StdErr Number `json:"stderr"`
	CI95   *Range `json:"ci95"`
	Units  int    `json:"units"`
	Of     string `json:"of"`
	Told
}

// NewJudgement is the document of scores that were judged by comparisons.
func NewJudgement(p *comparison.Problem, h *comparison.HeldOut) *Judgement {
	d := &Judgement{Kind: KindJudgement, Items: len(p.Items), Error: valueNumber(h.Error), StdErr: valueNumber(h.StdErr),
		Units: h.Independent, Of: h.Over}
	outcomes, ties := p.Outcomes()
	d.Comparisons, d.Ties = Number(outcomes), Number(ties)
	if h.StdErr.Defined && h.Independent >= 2 {
		d.CI95 = newRange(cv.ShareInterval(h.Error.Value, h.StdErr.Value*h.StdErr.Value, h.Independent))
	}
	return d
}

// View is the error.
func (d *Judgement) View() *View {
	v := &View{Keys: 11}
	v.state("data", "%s of %s, %s", countOf(d.Comparisons, "comparison"), spell.Plural(d.Items, "item"),
		countOf(d.Ties, "tie"))
	if math.IsNaN(float64(d.Error)) {
		v.state("error", "not defined: there are no wins")
		return v
	}
	units := spell.Plural(d.Units, d.Of)
	if d.Of == "pair" {
		units += " of items"
	}
	v.state("error", "%s, over %s with a win", estimated(d.Error, d.StdErr, d.CI95), units)
	return v
}
