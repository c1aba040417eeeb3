package report

import (
	"fmt"
	"math"

	"pairrank/internal/spell"
)

// mostItems is the number of items in the figure of a leaderboard.
const mostItems = 40

// scoresFigure is the figure of the scores in a column of the items, the best first, nil without items.
func (d *Leaderboard) scoresFigure(items, covariates *Table, score int) *Figure {
	if len(d.Items) == 0 {
		return nil
	}
	f := &Figure{Title: d.scoresTitle(), Desc: "A point for each item, the first at the top.", Table: items,
		More: covariates, Rows: &Rows{Label: d.sureName(), Column: score, Some: firstRows(len(d.Items), mostItems)}}
	switch {
	case d.Variance != "":
		f.Rows.Label += ", with its 95 % interval"
		f.Text = append(f.Text, "The lines are 95 % intervals of single scores. That two of them overlap does not say "+
			"that their items may be equal: the sets of ranks compare all items, and hold together in 95 % of samples.",
			"Above next is the probability that an item is above the one below it in the list.")
	case d.Lambda > 0:
		f.Text = append(f.Text, "P"+drawnTogether[1:]+": λ = 0 and bias-reduced scores have intervals.")
	}
	if d.coloured() && d.Top < len(d.Items) {
		f.Text = append(f.Text, "The colour of the first item is that of all items that are not surely below another one.")
	}
	f.Left = leftItems(len(d.Items), "item")
	return f
}

// leftItems is what the figure of so many items leaves out.
func leftItems(n int, what string) string {
	switch {
	case n > mostListed:
		return fmt.Sprintf("The figure has the first %d of %d %ss, the table the first %d; leaderboard --json prints "+
			"all.", mostItems, n, what, mostListed)
	case n > mostItems:
		return fmt.Sprintf("The figure has the first %d of %d %ss; the table has all.", mostItems, n, what)
	}
	return ""
}

// coloured reports whether colours tell items that are not surely below another one.
func (d *Leaderboard) coloured() bool { return d.Top > 0 && len(d.About) == 0 }

// point is where an item is drawn.
func (d *Leaderboard) point(l int) Spot {
	return d.Items[l].sure().spot(d.Variance != "", d.coloured())
}

// spot is where a score is drawn, with its interval where it has one, in a second colour where it is surely below
// another one.
func (s BoardScore) spot(interval, coloured bool) Spot {
	p := Spot{Value: float64(s.Score)}
	if lo, hi := float64(s.Lo), float64(s.Hi); interval && !math.IsInf(hi-lo, 0) {
		p.Lo, p.Hi = lo, hi
	}
	if coloured && s.RankLo > 1 {
		p.Style = 1
	}
	return p
}

// scoresTitle says which item is the first, and how many share its place.
func (d *Leaderboard) scoresTitle() string {
	first := d.Items[0].ID
	switch {
	case d.Unpenalised != "":
		return first + " has the highest penalised score"
	case d.Components > 1:
		return fmt.Sprintf("%s has the highest score, in one of %d components", first, d.Components)
	case len(d.About) > 0: // of which the first item may not be one
		return first + " has the highest score"
	}
	return firstOf(first, "highest", d.Top, "item")
}

// firstOf says which item is the first, with the highest score or the lowest, and how many share its place, unless top
// is 0.
func firstOf(first, highest string, top int, what string) string {
	switch {
	case top == 1:
		return first + " is surely the first"
	case top > 1:
		return fmt.Sprintf("%s has the %s score, and %s %s not surely below it", first, highest,
			spell.Plural(top-1, "other "+what), isAre(top-1))
	}
	return first + " has the " + highest + " score"
}
