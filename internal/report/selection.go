package report

import (
	"fmt"
	"math"
	"slices"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/ratio"
	"pairrank/internal/spell"
)

// Choice is a chosen λ, or for boosting a chosen number of rounds.
type Choice struct {
	Lambda Number `json:"lambda"` // null for rounds, and if outputs have different ones
	Rounds int    `json:"rounds,omitempty"`
	// Selected is the number of selected features; 0 if none are selected.
	Selected int `json:"selected,omitempty"`
}

// newChoice converts a candidate of an estimate, a λ or a number of rounds.
func newChoice(candidate float64, of cv.Parameter) Choice {
	if of == cv.Rounds {
		return Choice{Lambda: Number(math.NaN()), Rounds: int(candidate)}
	}
	return Choice{Lambda: Number(candidate)}
}

// choiceOf converts the candidate of a point.
func choiceOf(p cv.Point, of cv.Parameter) Choice {
	if of == cv.Features {
		return Choice{Lambda: Number(p.Lambda), Selected: p.Features}
	}
	return newChoice(p.Candidate, of)
}

// Place is λ or the number of rounds, as a number.
func (c Choice) Place() float64 {
	if c.Rounds > 0 {
		return float64(c.Rounds)
	}
	return float64(c.Lambda)
}

// same reports whether two choices are equal.
func (c Choice) same(o Choice) bool {
	return (c.Rounds > 0) == (o.Rounds > 0) && c.Place() == o.Place() && c.Selected == o.Selected
}

// of is the parameter that was chosen.
func (c Choice) of() cv.Parameter {
	if c.Rounds > 0 {
		return cv.Rounds
	}
	return cv.Lambda
}

// at is the text of the chosen value.
func (c Choice) at() string { return c.of().Text(c.Place()) }

// words are the choice in a sentence.
func (c Choice) words() string {
	if c.Rounds > 0 {
		return spell.Plural(c.Rounds, "round")
	}
	if c.Selected > 0 {
		return spell.Plural(c.Selected, "feature") + ", lambda " + c.at()
	}
	return "lambda " + c.at()
}

// Selection is a choice with its held-out error, for rows and for edges.
type Selection struct {
	Choice
	Error  Number `json:"error"`
	StdErr Number `json:"stderr"` // for edges see Relation.Over
	Pairs  int64  `json:"pairs"`
	// Effective is the number of units that StdErr is over, by their pairs, where it is small: see ratio.Weighs.
	Effective *Number `json:"effective_units,omitempty"`
	// Over counts the units that StdErr is over, "" without one and for edges.
	Over string `json:"stderr_over,omitempty"`
}

// overUnits counts the units of a standard error, "" where there is none.
func overUnits(stderr metric.Value, over metric.Over) string {
	if !stderr.Defined || over.N == 0 {
		return ""
	}
	return ratio.Text(over)
}

// behindError is what a standard error is over, before the number of pairs, as " over 12 groups, ".
func behindError(over string) string {
	if over == "" {
		return " over "
	}
	return " over " + over + ", "
}

// newEffective is the effective number of units of a point, nil where they are many.
func newEffective(p cv.Point) *Number {
	if !ratio.Weighs(p.Over) {
		return nil
	}
	return new(Number(p.Over.Effective))
}

// newSelection converts a point of an estimate.
func newSelection(p cv.Point, of cv.Parameter) Selection {
	return Selection{choiceOf(p, of), Number(p.Error), valueNumber(p.StdErr), p.Pairs, newEffective(p),
		overUnits(p.StdErr, p.Over)}
}

// Drawing is the number of sampled pairs, 0 if all were left out, and the standard error that sampling adds to
// the error.
type Drawing struct {
	Drawn   int64   `json:"drawn,omitempty"`
	DrawErr *Number `json:"draw_stderr,omitempty"`
}

func newDrawing(p cv.Point) Drawing {
	if p.Drawn == 0 {
		return Drawing{}
	}
	return Drawing{p.Drawn, new(valueNumber(p.DrawErr))}
}

func (d *Drawing) drawing() *Drawing { return d }

// drawn returns the largest number of pairs that were sampled for a point, and the largest standard error of
// sampling.
func drawn[T any, P interface {
	*T
	drawing() *Drawing
}](points []T) (most int64, worst float64) {
	for k := range points {
		d := P(&points[k]).drawing()
		if most = max(most, d.Drawn); d.DrawErr != nil && float64(*d.DrawErr) > worst {
			worst = float64(*d.DrawErr)
		}
	}
	return most, worst
}

// Candidate is the estimate for one λ, or for one number of rounds.
type Candidate struct {
	Selection
	Value *Number `json:"value,omitempty"` // of the metric
	Drawing
	// Residual and ScoreError are the accuracy that conjugate gradients reached in the trainings on folds.
	Residual   *Number `json:"residual,omitempty"`
	ScoreError *Number `json:"score_error,omitempty"` // without a tolerance
	Chosen     bool    `json:"chosen,omitempty"`      // the best of its kernel
}

// newCandidates converts the points of an estimate, for λ or for rounds.
func newCandidates(e *cv.Estimate, of cv.Parameter, m *metric.Metric) []Candidate {
	out := make([]Candidate, len(e.Points))
	for l, p := range e.Points {
		out[l] = newCandidate(p, of, m)
	}
	out[e.Best].Chosen = true
	return out
}

// newCandidate converts one point of an estimate, for λ or for rounds.
func newCandidate(p cv.Point, of cv.Parameter, m *metric.Metric) Candidate {
	c := Candidate{Selection: newSelection(p, of), Drawing: newDrawing(p)}
	if p.Residual != 0 {
		c.Residual = new(Number(p.Residual))
	}
	if p.ScoreError != 0 {
		c.ScoreError = new(Number(p.ScoreError))
	}
	if m != nil {
		c.Value = new(valueNumber(p.Metric))
	}
	return c
}

// howHeldOut says how some candidates were estimated; best is the index of the best, or -1.
func howHeldOut(again bool, points []Candidate, best int) string {
	if !again {
		return exactly(points)
	}
	bound, residual := 0.0, 0.0
	for _, p := range points {
		bound = max(bound, known(p.ScoreError))
	}
	if best >= 0 {
		residual = known(points[best].Residual)
	}
	switch {
	case residual == 0:
		return "retrained for each fold"
	case bound == 0:
		return fmt.Sprintf("retrained for each fold, the best to a relative residual of %.2g", residual)
	}
	return fmt.Sprintf("retrained for each fold, to score differences within %.2g of their mean: "+
		"relative residual of the best %.2g", bound, residual)
}

// exactly says how estimates without retraining were made.
func exactly(points []Candidate) string {
	most, worst := drawn(points)
	if most == 0 {
		return "exact, without retraining"
	}
	return fmt.Sprintf("without retraining, from at most %s drawn for each lambda: standard error of drawing "+
		"at most %.2g", spell.Plural(int(most), "pair"), worst)
}

// known is a number that a document may lack, then 0.
func known(n *Number) float64 {
	if n == nil {
		return 0
	}
	return float64(*n)
}

// chosen is the index of the chosen candidate, or -1. Documents of earlier versions mark it only by the choice.
func chosen(points []Candidate, of Choice) int {
	if k := slices.IndexFunc(points, func(c Candidate) bool { return c.Chosen }); k >= 0 {
		return k
	}
	return slices.IndexFunc(points, func(c Candidate) bool { return c.same(of) })
}
