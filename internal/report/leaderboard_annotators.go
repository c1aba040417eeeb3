package report

import (
	"fmt"
	"io"
	"math"

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
}

// ratersOf is the part about annotators.
func ratersOf(p *comparison.Problem, raters []comparison.Rater) (out []BoardRater) {
	for _, r := range raters {
		out = append(out, BoardRater{ID: p.Annotators[r.Annotator], Reliability: Number(r.Reliability), SE: Number(r.SE),
			Right: Number(r.Right), Loss: Number(r.Loss), Expected: Number(r.Expected), Comparisons: Number(r.Comparisons)})
	}
	return out
}

// WriteAnnotators writes the annotators as a table with a header, the most reliable first; what is not known is empty.
func (d *Leaderboard) WriteAnnotators(w io.Writer, sep byte) error {
	head := []string{"reliability", "se", "right", "log_loss", "expected", "comparisons", "annotator"}
	return writeNamed(w, sep, head, len(d.Raters), func(k int) ([]string, string) {
		r := &d.Raters[k]
		return cellsOf(r.Reliability, r.SE, r.Right, r.Loss, r.Expected, r.Comparisons), r.ID
	})
}

// ratersShown is how many of the first annotators, and of the last, the text has.
const ratersShown = 10

// raters writes the first and the last annotators.
func (d *Leaderboard) raters(b *lines) {
	rows := d.Raters
	left := len(rows) - 2*ratersShown
	if left > 0 {
		rows = append(rows[:ratersShown:ratersShown], rows[len(rows)-ratersShown:]...)
	}
	b.line("annotators", "%s by reliability beside the board of the others: 1 judges as they do, 0 tosses a coin",
		spell.Plural(len(d.Raters), "annotator"))
	t := &textTable{rows: make([][]string, len(rows)), best: -1}
	t.add("reliability", 8, func(l int) string { return rows[l].ReliabilityText() })
	t.add("right", 6, func(l int) string { return shareText(rows[l].Right) })
	t.add(d.LossName(), 8, func(l int) string { return shareText(rows[l].Loss) })
	t.add("expected", 8, func(l int) string { return shareText(rows[l].Expected) })
	t.add("comparisons", 8, func(l int) string { return fmt.Sprint(float64(rows[l].Comparisons)) })
	t.add("annotator", 4, func(l int) string { return rows[l].ID })
	t.columns[len(t.columns)-1].left = true
	t.writeTo(b)
	if left > 0 {
		b.line("", "%s between the first %d and the last %d not shown", spell.Plural(left, "annotator"), ratersShown,
			ratersShown)
	}
}

// ReliabilityText is a reliability with its standard error.
func (r *BoardRater) ReliabilityText() string {
	return fmt.Sprintf("%.2f ± %.2f", float64(r.Reliability), float64(r.SE))
}

// shareText is a share or a loss with three digits, - for NaN.
func shareText(v Number) string {
	if math.IsNaN(float64(v)) {
		return "-"
	}
	return fmt.Sprintf("%.3f", float64(v))
}
