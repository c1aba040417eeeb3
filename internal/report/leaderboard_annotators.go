package report

import (
	"fmt"
	"math"
	"slices"

	"pairrank/comparison"
	"pairrank/internal/spell"
)

// BoardRater is an annotator beside the board of the others, the most reliable first.
type BoardRater struct {
	ID          string `json:"id"`
	Reliability Number `json:"reliability"`
	SE          Number `json:"se"`
	Right       Number `json:"right"`    // the share of its wins that the others' board orders rightly
	Loss        Number `json:"log_loss"` // for the squared loss the squared error
	Expected    Number `json:"expected"` // of an annotator who judges as the others' board says
	Comparisons Number `json:"comparisons"`
	Scale       Number `json:"scale,omitzero"` // the factor, with factors of annotators
	ScaleSE     Number `json:"scale_se,omitzero"`
}

// BoardScaling says how factors of annotators were chosen.
type BoardScaling struct {
	Spread    Number `json:"spread"`    // τ, 0 for no factors
	Shrinkage Number `json:"shrinkage"` // γ, null for no factors
	Loss      Number `json:"log_loss"`  // held out, for the squared loss the squared error
	Without   Number `json:"log_loss_without"`
	Change    Number `json:"change"`
	StdErr    Number `json:"stderr"` // of Change, over annotators
	Folds     int    `json:"folds"`
	Of        string `json:"of"` // lines or clusters
	Path      []struct {
		Spread Number `json:"spread"`
		Error  Number `json:"error"`
		Loss   Number `json:"log_loss"` // null where no scores are the best
	} `json:"path"`
}

// scalingOf is the part about the choice of factors, nil without.
func scalingOf(s *comparison.Scaling) *BoardScaling {
	if s == nil {
		return nil
	}
	d := &BoardScaling{Spread: Number(s.Spread), Shrinkage: Number(s.Shrink), Loss: Number(s.With()),
		Without: Number(s.Without()), Change: valueNumber(s.Change), StdErr: valueNumber(s.StdErr), Folds: s.Folds, Of: s.Of}
	d.Path = slices.Grow(d.Path, len(s.Tried))[:len(s.Tried)]
	for k, t := range s.Tried {
		d.Path[k].Spread, d.Path[k].Error, d.Path[k].Loss = Number(t.Spread), Number(t.Error), Number(t.Loss)
	}
	return d
}

// factors says what is known of factors of annotators.
func (d *Leaderboard) factors(v *View) {
	s := d.Scaling
	if s == nil {
		return
	}
	t := &Table{Len: len(s.Path), Path: true, Marked: "<- chosen"}
	t.Point = func(l int) Spot { return Spot{Value: float64(s.Path[l].Loss)} }
	for l, p := range s.Path {
		if p.Spread == s.Spread {
			t.Mark = l + 1
		}
	}
	t.add("spread", 10, func(l int) string { return fmt.Sprint(float64(s.Path[l].Spread)) }).Left = false
	t.add("error", 8, func(l int) string { return s.Path[l].Error.String() })
	t.chosenBy(d.lossName(), func(l int) Number { return s.Path[l].Loss })
	held := fmt.Sprintf("%d held-out folds of %s", s.Folds, s.Of)
	if s.Spread == 0 {
		v.state("factors", "of annotators do not help, by %s: the board is the one without", held)
	} else {
		v.state("factors", "of annotators, of spread %v about 1, change the %s by %s, by %s", float64(s.Spread),
			d.lossName(), estimated(s.Change, s.StdErr, nil), held)
		v.state("", "scores are those of the mean annotator, whose factor is 1, as that of annotators that are left out")
	}
	v.tell(t)
}

// ratersOf is the part about annotators.
func ratersOf(ranking *comparison.Ranking) (out []BoardRater) {
	for _, r := range ranking.Raters {
		d := BoardRater{ID: ranking.Problem.Annotators[r.Annotator], Reliability: Number(r.Reliability), SE: Number(r.SE),
			Right: Number(r.Right), Loss: Number(r.Loss), Expected: Number(r.Expected), Comparisons: Number(r.Comparisons)}
		if s := ranking.Board.Scaling; s != nil {
			d.Scale, d.ScaleSE = Number(s.Factors[r.Annotator]), Number(s.SE[r.Annotator])
		}
		out = append(out, d)
	}
	return out
}

// How many of the first annotators, and of the last, the text and the figure have.
const ratersShown, endsShown = 10, 15

// raters is the table of the annotators, the most reliable first.
func (d *Leaderboard) raters() *Table {
	t := &Table{Caption: "The annotators by reliability", Len: len(d.Raters), NameLast: true, Most: mostListed,
		Shown: ends(len(d.Raters), ratersShown)}
	t.add("annotator", 4, func(l int) string { return d.Raters[l].ID }).Files = []string{"annotator"}
	add := func(head, file string, text func(v Number) string, of func(r *BoardRater) Number) *Column {
		c := t.number(head, file, text, func(l int) Number { return of(&d.Raters[l]) })
		c.Width = 6
		return c
	}
	fixed := func(decimals int) func(v Number) string {
		return func(v Number) string { return v.to(decimals) }
	}
	digits := t.digits(func(l int) (n, unsure Number) { return d.Raters[l].Reliability, d.Raters[l].SE })
	add("reliability", "reliability", fixed(digits), func(r *BoardRater) Number { return r.Reliability })
	add("stderr", "se", fixed(digits), func(r *BoardRater) Number { return r.SE }).Page = "standard error"
	add("right", "right", fixed(3), func(r *BoardRater) Number { return r.Right })
	add(d.lossName(), "log_loss", fixed(3), func(r *BoardRater) Number { return r.Loss })
	add("expected", "expected", fixed(3), func(r *BoardRater) Number { return r.Expected })
	if d.Scaling != nil {
		add("scale", "scale", fixed(2), func(r *BoardRater) Number { return r.Scale })
		add("its stderr", "scale_se", fixed(2), func(r *BoardRater) Number { return r.ScaleSE }).Page = "its standard error"
	}
	add("comparisons", "comparisons", countText, func(r *BoardRater) Number { return r.Comparisons })
	t.Point = func(l int) Spot {
		r := &d.Raters[l]
		p := Spot{Value: float64(r.Reliability)}
		if half := 1.96 * float64(r.SE); !math.IsInf(half, 0) {
			p.Lo, p.Hi = p.Value-half, p.Value+half
		}
		if p.Hi < 1 {
			p.Style = 1
		}
		return p
	}
	return t
}

// annotators adds what is known of the annotators, and returns the figure of their reliability, nil without any.
func (d *Leaderboard) annotators(v *View) *Figure {
	all := len(d.Raters)
	if all == 0 {
		return nil
	}
	v.state("annotators", "%s by reliability beside the board of the others: 1 judges as they do, 0 tosses a coin",
		spell.Plural(all, "annotator"))
	t := d.raters()
	v.tell(t)
	if left := all - 2*ratersShown; left > 0 {
		v.fact(Detail, "", "%s between the first %d and the last %d not shown", spell.Plural(left, "annotator"), ratersShown,
			ratersShown)
	}
	f := &Figure{Title: "Annotators beside the board of the others", Table: t,
		Desc: "A point for each annotator, the most reliable first.",
		Rows: &Rows{Label: "reliability, ± 1.96 standard errors", Rules: []float64{0, 1}, Some: ends(all, endsShown)},
		Text: []string{"Reliability is the slope of an annotator's outcomes on the margins of the board of all others: 1 " +
			"for who judges as they do, 0 for who tosses a coin, negative for who judges the other way. Who compared " +
			"little is drawn towards 1. The second colour is of annotators who are surely below 1, each by itself.",
			"Right is the share of the annotator's wins that the others' board orders rightly; expected is the loss of " +
				"an annotator who judges as that board says."}}
	if all > 2*endsShown {
		f.Left = fmt.Sprintf("The figure has the first %d and the last %d of %s.", endsShown, endsShown,
			spell.Plural(all, "annotator"))
	}
	if all > mostListed {
		f.Left += fmt.Sprintf(" The table has the first %d; --annotators FILE writes all.", mostListed)
	}
	return f
}
