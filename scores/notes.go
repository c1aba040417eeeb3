package scores

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pairrank/event"
	"pairrank/internal/journal"
	"pairrank/internal/pick"
	"pairrank/internal/spell"
)

// fewestApart is the fewest units by which systems can be told apart: one pattern of signs of 2⁵ is less than 5 %.
const fewestApart = 6

// doubts are the notes of a ranking, which the monitor receives.
func (r *Ranking) doubts(monitor event.Monitor) []event.Note {
	told := &journal.Journal{Monitor: monitor}
	if lonely := r.Problem.Y.Rows - r.fit.items; lonely > 0 {
		told.Note("left-out", "%s with a score of fewer than two systems left out: nothing is compared there",
			spell.Plural(lonely, "item"))
	}
	if math.IsNaN(r.Problem.Repeats) {
		told.Note("repeats-share", "the share of repeats in the variance is not known on this scale: "+
			"scores as they are have it")
	}
	if r.NoIntervals != "" {
		return told.Notes()
	}
	if r.Units < fewestApart {
		told.Warn("few-units", "of %s no two systems can be told apart: %d are the fewest",
			spell.Plural(r.Units, r.Problem.UnitName()), fewestApart)
	}
	flat := 0
	for _, s := range r.Systems {
		if math.IsNaN(s.SE) {
			flat++
		}
	}
	if flat > 0 {
		told.Note("board-interval", "%s without an interval: every %s gives the same score less the mean of the others",
			spell.Plural(flat, "system"), r.Problem.UnitName())
	}
	if r.Units >= fewestApart && r.fit.skewness() > mostSkewed*float64(r.Units) {
		told.Warn("skewed-scores", "the scores are skewed for %s: in simulations of such tables intervals of single scores "+
			"held in 85–93 %%, not 95 %%; sets of ranks in 94 %% or more", spell.Plural(r.Units, r.Problem.UnitName()))
	}
	return told.Notes()
}

// mostSkewed bounds the skewness for each unit without a note. In 400 tables of each of 140 kinds, 3 … 30 systems on
// 6 … 500 items, it told 69–100 % of the tables of the kinds whose intervals held in less than 93 % (10 and 30 systems,
// exponential scores on 6–20 items, log-normal ones on 6–100), and of normal scores 3–12 % on 10 items, 1 % on 20.
const mostSkewed = 0.05

// skewness is the mean over systems of the square of the skewness of what blocks of units contribute, less what it
// would be of normal contributions, 6 G (G − 1) / ((G − 2) (G + 1) (G + 3)), where nothing is skewed 0 in the mean.
func (f *fit) skewness() float64 {
	sum, g := 0.0, float64(f.parts.Rows)
	for k := range f.worth {
		second, third := 0.0, 0.0
		for b := range f.parts.Rows {
			x := f.parts.Row(b)[k]
			second += x * x
		}
		for b := range f.parts.Rows {
			x := f.parts.Row(b)[k] / math.Sqrt(second) // whose powers are no powers of huge scores
			third += x * x * x
		}
		if second > 0 {
			sum += third * third * g
		}
	}
	of := g * (g - 1) / ((g - 2) * (g - 2))
	return of*sum/float64(len(f.worth)) - 6*g*(g-1)/((g-2)*(g+1)*(g+3))
}

// UnitName is what a unit is called: item, where Unit is empty.
func (p *Problem) UnitName() string {
	if p.Unit == "" {
		return "item"
	}
	return p.Unit
}

// noErrors is why a fit has no errors.
func (f *fit) noErrors(p *Problem) string {
	if f.essential >= 0 {
		return fmt.Sprintf("without the %s of item %q the systems fall apart", p.UnitName(), p.Items[f.essential])
	}
	return fmt.Sprintf("%s: an error is over three or more", spell.Plural(f.units, p.UnitName()))
}

// apart names the parts of a table that falls apart.
func (p *Problem) apart(parts [][]int) string {
	var names []string
	for _, part := range parts[:min(len(parts), 5)] {
		of := pick.Rows(p.Systems, part)
		slices.Sort(of)
		names = append(names, spell.First(of))
	}
	if more := len(parts) - len(names); more > 0 {
		names = append(names, spell.Plural(more, "more part"))
	}
	return fmt.Sprintf("the systems fall apart into %d parts that have no item in common: %s", len(parts),
		strings.Join(names, "; "))
}
