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
		b.line("scores", "lambda = %s%s, %s", spell.Power(float64(d.Lambda)), d.residualText(), d.Scale)
	}
	if d.Solved != nil {
		b.line("solved", "%s", d.SolvedText())
	}
	if d.Reference != "" {
		b.line("reference", "the mean over comparisons, each of both of its items")
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
	if slices.ContainsFunc(d.Path, func(p BoardPoint) bool { return p.Residual != d.Path[0].Residual }) {
		t.add("residual", 8, func(l int) string { return spell.Power(float64(d.Path[l].Residual)) })
	}
	t.add("error", 8, func(l int) string { return d.Path[l].Error.String() })
	t.add(d.LossName(), 8, func(l int) string { return d.Path[l].Loss.String() })
	t.writeTo(b)
}

// residualText is the τ of the parts of items' own.
func (d *Leaderboard) residualText() string {
	if d.Residual == 0 {
		return ""
	}
	return ", residual = " + spell.Power(float64(d.Residual))
}

// LossName is what the mean loss of an outcome is.
func (d *Leaderboard) LossName() string { return comparison.Loss(d.Loss).Mean() }

// mostShown is the number of items in the text, beside those that are asked about.
const mostShown = 100

// shown are the first items, and those that are asked about.
func (d *Leaderboard) shown() []BoardItem {
	if len(d.Items) <= mostShown {
		return d.Items
	}
	about := map[string]bool{}
	for _, id := range d.About {
		about[id] = true
	}
	out := slices.Clone(d.Items[:mostShown])
	for _, i := range d.Items[mostShown:] {
		if about[i.ID] {
			out = append(out, i)
		}
	}
	return out
}

// table writes the items.
func (d *Leaderboard) table(b *lines) {
	items := d.shown()
	t := &textTable{rows: make([][]string, len(items)), best: -1}
	of := func(l int) BoardScore { return items[l].Sure() }
	t.add("rank", 4, func(l int) string { return fmt.Sprint(items[l].Rank) })
	ranks := func() {
		if d.HasRanks() {
			t.add("ranks", 5, func(l int) string { return of(l).Ranks() })
		}
	}
	if d.Unpenalised != "" {
		t.add("score", 8, func(l int) string { return d.ScoreText(items[l].Score) })
	} else {
		ranks()
	}
	t.add(d.SureName(), 8, func(l int) string { return d.ScoreText(of(l).Score) })
	if d.Variance != "" {
		t.add("95 % interval", 8, func(l int) string { return d.RangeText(of(l).Lo, of(l).Hi) })
	}
	if d.Unpenalised != "" {
		ranks()
	}
	if d.Variance != "" {
		t.add("above next", 6, func(l int) string { return ChanceText(items[l].AboveNext) })
	}
	t.add("comparisons", 8, func(l int) string { return fmt.Sprint(float64(items[l].Comparisons)) })
	if d.Components > 1 {
		t.add("component", 8, func(l int) string { return fmt.Sprint(items[l].Component) })
	}
	t.add("item", 4, func(l int) string { return items[l].ID })
	t.columns[len(t.columns)-1].left = true
	t.writeTo(b)
	if n := len(d.Items) - len(items); n > 0 {
		b.line("not shown", "%s: --json and -o FILE have all", spell.Plural(n, "more item"))
	}
}

// SolvedText says how near the scores of a large board are to the optimum.
func (d *Leaderboard) SolvedText() string {
	return fmt.Sprintf("by conjugate gradients, to a relative residual of %.1e", float64(d.Solved.Residual))
}

// Sure is the score that the interval is of: the unpenalised one where there is one beside.
func (i *BoardItem) Sure() BoardScore {
	if i.Unpenalised != nil {
		return *i.Unpenalised
	}
	return BoardScore{i.Score, i.SE, i.Lo, i.Hi, i.Rank, i.RankLo, i.RankHi}
}

// HasRanks reports whether there are sets of ranks.
func (d *Leaderboard) HasRanks() bool { return d.Top > 0 }

// Ranks is the set of ranks as a range, - where there is none.
func (s BoardScore) Ranks() string {
	if s.RankHi == 0 {
		return "-"
	}
	return fmt.Sprintf("%d–%d", s.RankLo, s.RankHi)
}

// SureName is the head of the column of these scores.
func (d *Leaderboard) SureName() string {
	switch d.Unpenalised {
	case "":
		return "score"
	case comparison.FreeReduced:
		return d.Unpenalised
	}
	return "unpenalised"
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

// IntervalsText says what the intervals are of, and how they are made.
func (d *Leaderboard) IntervalsText() string {
	of, ranks := "", "; sets of ranks hold together"
	switch d.Unpenalised {
	case comparison.FreeZero:
		of = "of the scores at λ = 0, "
	case comparison.FreeReduced:
		of = "of bias-reduced scores, "
	}
	if n := len(d.About); n > 0 {
		ranks = fmt.Sprintf("; ranks among the %s asked about hold together", spell.Plural(n, "item"))
	}
	switch {
	case d.Intervals == "bootstrap" && d.Units > 0:
		return of + fmt.Sprintf("by a bootstrap of %s, of %s", d.UnitsText(), spell.Plural(d.Replicates, "sample")) + ranks
	case d.Intervals == "bootstrap":
		return of + fmt.Sprintf("by a bootstrap of outcomes, as if these were independent, of %s",
			spell.Plural(d.Replicates, "sample")) + ranks
	case d.Units > 0:
		return of + "by leaving out each of " + d.UnitsText() + ranks
	case d.Variance == "outcomes":
		return of + "by a term for each outcome, as if these were independent" + ranks
	case d.NoIntervals != "":
		return "none: " + d.NoIntervals
	case d.Lambda == 0:
		return "none: a board of this size has those of the items that --about names"
	}
	return "none: penalised scores are drawn together, and intervals around them do not hold"
}

// Text is the result of the test.
func (t *BoardFeatures) Text() string {
	return fmt.Sprintf("p = %.2g that they alone explain the scores: χ² = %.4g over %s, as if outcomes were "+
		"independent", float64(t.P), float64(t.Statistic), spell.Plural(t.Freedom, "degree")+" of freedom")
}

// UnitsText is what the intervals take as independent: 10 annotators (2.0 effective).
func (d *Leaderboard) UnitsText() string {
	return spell.Plural(d.Units, strings.TrimSuffix(d.Variance, "s")) + effectiveText(d.Effective, d.Units)
}

// effectiveText is a number of effective units behind that of all, "" where they are many or of about one size.
func effectiveText(n Number, all int) string {
	if n == 0 || !(float64(n) < 0.9*float64(all)) {
		return ""
	}
	return fmt.Sprintf(" (%.1f effective)", float64(n))
}

// TopText says how many items may be the first.
func (d *Leaderboard) TopText() string {
	of := ""
	if len(d.About) > 0 {
		of = " of those asked about"
	}
	return spell.Plural(d.Top, "item") + of + map[bool]string{true: " is", false: " are"}[d.Top == 1] +
		" not surely below another one"
}

// How says how the margins without what was left out are found.
func (h *BoardHeldOut) How() string {
	switch {
	case h.Distance > 0:
		return fmt.Sprintf("by one Newton step, which misses %.2g %% of what leaving out changes (%s trained again)",
			100*float64(h.Distance), spell.Plural(h.DistanceSets, "set"))
	case h.Approximate:
		return "by one Newton step from the board of all, not trained again"
	case h.Retrained:
		return "by training again without each"
	}
	return "exact, without retraining"
}

// rest writes covariates, shares, what was left out, and what to compare next.
func (d *Leaderboard) rest(b *lines) {
	for _, e := range d.Covariates {
		text := fmt.Sprintf("%.4g", float64(e.Estimate))
		if !math.IsNaN(float64(e.SE)) {
			text += fmt.Sprintf(", 95 %% interval %.4g to %.4g", float64(e.Lo), float64(e.Hi))
		}
		b.line("covariate", "%s %s", e.Name, text)
	}
	if d.Nu > 0 {
		b.line("nu", "%.4g, of ties", float64(d.Nu))
	}
	b.line("intervals", "%s", d.IntervalsText())
	if d.FeatureTest != nil {
		b.line("features", "%s", d.FeatureTest.Text())
	}
	if d.Top > 0 {
		b.line("first", "%s", d.TopText())
	}
	if d.Loss == string(comparison.Squared) && !math.IsNaN(float64(d.Unexplained+d.Cyclic)) {
		b.line("unexplained", "%.3f of the squares of outcomes, mostly the coin; %.3f of those of the means of pairs",
			float64(d.Unexplained), float64(d.Cyclic))
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
	unit, _, _ := strings.Cut(h.Method, ":")
	if unit == "kfold" {
		unit = "fold"
	}
	parts = append(parts, "over "+spell.Plural(h.Sets, unit)+", each left out")
	if h.Over != "" && h.Over != h.Method && !math.IsNaN(float64(h.StdErr)) {
		parts = append(parts, "± over "+spell.Plural(h.Units, h.Over)+effectiveText(h.Effective, h.Units))
	}
	if h.ChosenOf > 1 {
		parts = append(parts, fmt.Sprintf("the least of %d: that of new comparisons is larger", h.ChosenOf))
	}
	if h.Undetermined > 0 {
		parts = append(parts, fmt.Sprintf("%v outcomes are not determined by the others", float64(h.Undetermined)))
	}
	return strings.Join(parts, ", ")
}
