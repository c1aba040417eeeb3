package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"pairrank/comparison"
	"pairrank/internal/spell"
)

// WriteText writes the board as a table, and what is to be said of it.
func (d *Leaderboard) WriteText(w io.Writer) error {
	b := newLines(w, 11)
	b.line("loss", "%s", d.Way())
	b.line("data", "%s of %s, %s, %s", spell.Plural(int(d.Comparisons), "comparison"),
		spell.Plural(len(d.Items), "item"), spell.Plural(int(d.TiedOnes), "tie"),
		spell.Plural(d.Components, "component"))
	switch {
	case d.BiasReduced:
		b.line("scores", "bias-reduced (Firth), %s", d.Scale)
	default:
		b.line("scores", "lambda = %s, %s", spell.Power(float64(d.Lambda)), d.Scale)
	}
	if d.PairWeights == "equal" {
		b.line("weights", "every pair of items counts the same")
	}
	if len(d.Path) > 1 {
		d.path(b)
	}
	d.table(b)
	d.rest(b)
	_, err := io.WriteString(w, b.String())
	return err
}

// path writes the table of the values of λ.
func (d *Leaderboard) path(b *lines) {
	t := &textTable{rows: make([][]string, len(d.Path)), mark: "<- chosen", errors: make([]float64, len(d.Path))}
	for l, p := range d.Path {
		t.errors[l] = float64(p.Loss)
		if p.Chosen {
			t.best = l
		}
	}
	t.least, t.largest = slices.Min(t.errors), slices.Max(t.errors)
	t.add("lambda", 10, func(l int) string { return spell.Power(float64(d.Path[l].Lambda)) })
	t.add("error", 8, func(l int) string { return d.Path[l].Error.String() })
	t.add(d.LossName(), 8, func(l int) string { return d.Path[l].Loss.String() })
	t.writeTo(b)
}

// LossName is what the mean loss of an outcome is.
func (d *Leaderboard) LossName() string {
	if d.Loss == string(comparison.Squared) {
		return "squared error"
	}
	return "log-loss"
}

// table writes the items.
func (d *Leaderboard) table(b *lines) {
	t := &textTable{rows: make([][]string, len(d.Items)), best: -1}
	sets := d.Variance != "" && len(d.Items) > 0 && d.Items[0].RankLo > 0
	t.add("rank", 4, func(l int) string { return fmt.Sprint(d.Items[l].Rank) })
	if sets {
		t.add("ranks", 5, func(l int) string { return fmt.Sprintf("%d–%d", d.Items[l].RankLo, d.Items[l].RankHi) })
	}
	t.add("score", 8, func(l int) string { return d.ScoreText(d.Items[l].Score) })
	if d.Variance != "" {
		t.add("95 % interval", 8, func(l int) string { return d.RangeText(d.Items[l].Lo, d.Items[l].Hi) })
	}
	if d.Variance != "" {
		t.add("above next", 6, func(l int) string { return ChanceText(d.Items[l].AboveNext) })
	}
	t.add("comparisons", 8, func(l int) string { return fmt.Sprint(float64(d.Items[l].Comparisons)) })
	if d.Components > 1 {
		t.add("component", 8, func(l int) string { return fmt.Sprint(d.Items[l].Component) })
	}
	t.add("item", 4, func(l int) string { return d.Items[l].ID })
	t.columns[len(t.columns)-1].left = true
	t.writeTo(b)
}

// Way is the loss, and what a tie is in it.
func (d *Leaderboard) Way() string {
	return d.Loss + map[string]string{"half": ", a tie is half a win of either side", "drop": ", without ties",
		"davidson": ", ties by Davidson's model"}[d.Ties]
}

// ScoreText is a score or its end of an interval as it is shown, - for NaN.
func (d *Leaderboard) ScoreText(v Number) string {
	switch {
	case math.IsNaN(float64(v)):
		return "-"
	case d.Scale == "elo":
		return fmt.Sprintf("%.1f", float64(v))
	}
	if math.Abs(float64(v)) < 1e-12 { // the rest of rounding
		v = 0
	}
	return fmt.Sprintf("%.4g", float64(v))
}

// RangeText is an interval of scores, - where there is none.
func (d *Leaderboard) RangeText(lo, hi Number) string {
	if math.IsNaN(float64(lo)) {
		return "-"
	}
	return d.ScoreText(lo) + " to " + d.ScoreText(hi)
}

// IntervalsText says what the intervals are of.
func (d *Leaderboard) IntervalsText() string {
	switch {
	case d.Intervals == "bootstrap" && d.Variance == "annotators":
		return fmt.Sprintf("by a bootstrap of annotators, of %s; sets of ranks hold together",
			spell.Plural(d.Replicates, "sample"))
	case d.Intervals == "bootstrap":
		return fmt.Sprintf("by a bootstrap of outcomes, as if these were independent, of %s; sets of ranks hold together",
			spell.Plural(d.Replicates, "sample"))
	case d.Variance == "annotators":
		return fmt.Sprintf("by leaving out each of %s; sets of ranks hold together",
			spell.Plural(d.Annotators, "annotator"))
	case d.Variance == "outcomes":
		return "by a term for each outcome, as if these were independent; sets of ranks hold together"
	}
	return "none: penalised scores are drawn together, and intervals around them do not hold"
}

// TopText says how many items may be the first.
func (d *Leaderboard) TopText() string {
	return spell.Plural(d.Top, "item") + map[bool]string{true: " is", false: " are"}[d.Top == 1] +
		" not surely below another one"
}

// How says how the margins without what was left out are found.
func (h *BoardHeldOut) How() string {
	if h.Approximate {
		return "one Newton step from the board of all, not retrained"
	}
	return "exact, without retraining"
}

// rest writes covariates, shares, what was left out, and what to compare next.
func (d *Leaderboard) rest(b *lines) {
	for _, e := range d.Covariates {
		text := fmt.Sprintf("%.4g", float64(e.Estimate))
		if d.Variance != "" {
			text += fmt.Sprintf(", 95 %% interval %.4g to %.4g", float64(e.Lo), float64(e.Hi))
		}
		b.line("covariate", "%s %s", e.Name, text)
	}
	if d.Nu > 0 {
		b.line("nu", "%.4g, of ties", float64(d.Nu))
	}
	b.line("intervals", "%s", d.IntervalsText())
	if d.Top > 0 {
		b.line("first", "%s", d.TopText())
	}
	if d.Loss == string(comparison.Squared) {
		b.line("unexplained", "%.3f of the squares of outcomes, mostly the coin; %.3f of those of the means of pairs",
			float64(d.Residual), float64(d.Cyclic))
	}
	if h := d.HeldOut; h != nil {
		d.heldOut(b, h)
	}
	if d.Versus != nil {
		b.line("versus", "%s", d.VersusText())
	}
	if d.Cycles != nil {
		d.cycles(b)
	}
	if len(d.Raters) > 0 {
		d.raters(b)
	}
	for k, n := range d.Next {
		key := ""
		if k == 0 {
			key = "next"
		}
		b.line(key, "%s against %s: the variance of differences falls by %.3g %%", n.A, n.B, 100*float64(n.Fall))
	}
}

// heldOut writes what was left out.
func (d *Leaderboard) heldOut(b *lines, h *BoardHeldOut) {
	b.line("held out", "%s, %s", h.Method, h.How())
	b.line("", "%s", d.HeldOutText())
}

// HeldOutText is the error and the loss of what was left out, "" where nothing was.
func (d *Leaderboard) HeldOutText() string {
	h := d.HeldOut
	if h == nil {
		return ""
	}
	parts := []string{"error " + h.Error.String()}
	if !math.IsNaN(float64(h.StdErr)) {
		parts[0] += " ± " + h.StdErr.String()
	}
	if !math.IsNaN(float64(h.Loss)) {
		parts = append(parts, d.LossName()+" "+h.Loss.String())
	}
	parts = append(parts, "over "+spell.Plural(h.Sets, "set"))
	if h.Undetermined > 0 {
		parts = append(parts, fmt.Sprintf("%v outcomes are not determined by the others", float64(h.Undetermined)))
	}
	return strings.Join(parts, ", ")
}
