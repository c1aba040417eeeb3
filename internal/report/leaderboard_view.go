package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/comparison"
	"pairrank/internal/spell"
)

// How many items the text has beside those that are asked about, and how many the table of a page has.
const mostShown, mostListed = 100, 2000

// View is the board and what is to be said of it.
func (d *Leaderboard) View() *View {
	v := &View{Title: "Leaderboard of " + spell.Plural(len(d.Items), "item"), Keys: 11}
	if len(d.Items) > 0 {
		v.fact(Headline, "highest", "%s", d.Items[0].ID)
	}
	v.state("loss", "%s", d.way())
	v.state("data", "%s of %s, %s, %s", countOf(d.Comparisons, "comparison"),
		spell.Plural(len(d.Items), "item"), countOf(d.TiedOnes, "tie"),
		spell.Plural(d.Components, "component"))
	if d.Components > 1 {
		v.state("", "scores of different components are not comparable")
	}
	scores := "bias-reduced (Firth)"
	if !d.BiasReduced {
		scores = "lambda = " + spell.Power(float64(d.Lambda))
		if d.Residual != 0 { // τ of the parts of items' own
			scores += ", residual = " + spell.Power(float64(d.Residual))
		}
	}
	v.state("scores", "%s, %s", scores, d.Scale)
	d.Trusted.facts(v, len(d.Items))
	if d.Solved != nil {
		v.state("solved", "by conjugate gradients, to a relative residual of %.1e", float64(d.Solved.Residual))
	}
	if d.Reference != "" {
		v.state("reference", "the mean over comparisons, each of both of its items")
	}
	if d.PairWeights == "equal" {
		v.state("weights", "every pair of items counts the same")
	}
	if len(d.Path) > 1 {
		v.tell(d.path())
	}
	d.factors(v)
	items, score := d.items()
	v.tell(items)
	if n := len(d.Items) - len(items.shown()); n > 0 {
		v.fact(Detail, "not shown", "%s: --json and -o FILE have all", spell.Plural(n, "more item"))
	}
	covariates := d.covariates(v)
	d.rest(v)
	v.draw(ScoresFigure, d.scoresFigure(items, covariates, score))
	v.draw(AnnotatorsFigure, d.annotators(v))
	if d.Cycles != nil {
		v.draw(TrianglesFigure, d.Cycles.figure())
	}
	for k, n := range d.Next {
		key := ""
		if k == 0 {
			key = "next"
		}
		v.state(key, "%s against %s: the variance of differences falls by %.3g %%", n.A, n.B, 100*float64(n.Fall))
	}
	return v
}

// way is the loss, and what a tie is in it.
func (d *Leaderboard) way() string {
	return d.Loss + map[string]string{"half": ", a tie is half a win of either side", "drop": ", without ties",
		"davidson": ", ties by Davidson's model"}[d.Ties]
}

// lossName is what the mean loss of an outcome is.
func (d *Leaderboard) lossName() string { return comparison.Loss(d.Loss).Mean() }

// path is the table of the values of λ.
func (d *Leaderboard) path() *Table {
	t := &Table{Len: len(d.Path), Path: true, Marked: "<- chosen"}
	t.Point = func(l int) Spot { return Spot{Value: float64(d.Path[l].Loss)} }
	several := false
	for l, p := range d.Path {
		if several = several || p.Residual != d.Path[0].Residual; p.Chosen {
			t.Mark = l + 1
		}
	}
	t.add("lambda", 10, func(l int) string { return spell.Power(float64(d.Path[l].Lambda)) }).Left = false
	if several {
		t.add("residual", 8, func(l int) string { return spell.Power(float64(d.Path[l].Residual)) })
	}
	t.add("error", 8, func(l int) string { return d.Path[l].Error.String() })
	t.chosenBy(d.lossName(), func(l int) Number { return d.Path[l].Loss })
	return t
}

// chosenBy adds a column of numbers by which the marked row was chosen.
func (t *Table) chosenBy(head string, of func(l int) Number) {
	digits := t.digits(func(l int) (n, unsure Number) { return of(l), 0 })
	t.add(head, 8, func(l int) string { return of(l).to(digits) })
}

// items is the table of the items, the best first, and the column of the scores with intervals. What is not there has
// no head, and is empty in a file.
func (d *Leaderboard) items() (t *Table, score int) {
	t = &Table{Caption: "The items by score", Len: len(d.Items), NameLast: true, Most: mostListed, Shown: d.shown()}
	t.Point = d.point
	sure, of := d.Variance != "", func(l int) BoardScore { return d.Items[l].sure() }
	text := d.scoreText
	if sure {
		text = t.sureText(of)
	}
	t.add("item", 4, func(l int) string { return d.Items[l].ID }).Files = []string{"id"}
	t.ranks(d.Top > 0, func(l int) int { return d.Items[l].Rank }, of)
	t.number("score", "score", text, func(l int) Number { return d.Items[l].Score })
	if d.Unpenalised != "" {
		t.number(d.sureName(), "unpenalised", text, func(l int) Number { return of(l).Score })
	}
	score = len(t.Columns) - 1
	t.interval(sure, text, of)
	if d.Unpenalised != "" && d.Top > 0 { // the text has them beside the scores that they are of
		t.Columns[2].In = OnPage
		t.add("ranks", 5, func(l int) string { return of(l).ranks() }).In = InText
	}
	if sure {
		t.add("above next", 6, func(l int) string { return chanceText(d.Items[l].AboveNext) })
	}
	t.number("comparisons", "comparisons", countText, func(l int) Number { return d.Items[l].Comparisons })
	if d.Components > 1 {
		t.add("component", 8, func(l int) string { return strconv.Itoa(d.Items[l].Component) })
	}
	return t, score
}

// number adds a column of numbers to a table of items, under a name in files.
func (t *Table) number(head, file string, text func(v Number) string, of func(l int) Number) *Column {
	c := t.add(head, 8, func(l int) string { return text(of(l)) })
	c.Files, c.File = []string{file}, func(l int) []string { return cellsOf(of(l)) }
	return c
}

// ranks adds the ranks, and the sets of ranks, which files alone have where sets is false.
func (t *Table) ranks(sets bool, rank func(l int) int, of func(l int) BoardScore) {
	c := t.add("rank", 4, func(l int) string { return strconv.Itoa(rank(l)) })
	c.Files, c.File = []string{"rank"}, func(l int) []string { return []string{whole(rank(l))} }
	c = t.add(headIf(sets, "ranks"), 5, func(l int) string { return of(l).ranks() })
	c.Files, c.File = []string{"rank_lo", "rank_hi"}, func(l int) []string {
		return []string{whole(of(l).RankLo), whole(of(l).RankHi)}
	}
}

// sureText writes scores to the digits that their intervals leave.
func (t *Table) sureText(of func(l int) BoardScore) func(v Number) string {
	digits := t.digits(func(l int) (n, unsure Number) { return of(l).Score, of(l).Hi - of(l).Lo })
	most := digits + 1
	for l := range t.Len - 1 { // one more where neighbours would look alike
		digits = min(apart(digits, of(l).Score, of(l+1).Score), most)
	}
	return func(v Number) string { return v.to(digits) }
}

// interval adds the intervals of scores, which files alone have where is is false.
func (t *Table) interval(is bool, text func(v Number) string, of func(l int) BoardScore) {
	c := t.add(headIf(is, "95 % interval"), 8, func(l int) string { return rangeOf(of(l).Lo, of(l).Hi, text) })
	c.Files, c.File = []string{"se", "lo", "hi"}, func(l int) []string { return cellsOf(of(l).SE, of(l).Lo, of(l).Hi) }
}

// headIf is the head of a column that files alone have where is is false.
func headIf(is bool, head string) string {
	if is {
		return head
	}
	return ""
}

// whole is a rank in a file, "" for 0.
func whole(k int) string {
	if k == 0 {
		return ""
	}
	return strconv.Itoa(k)
}

// countOf counts things, of which there may be parts: 12.5 comparisons.
func countOf(n Number, what string) string {
	if whole := int(n); Number(whole) == n {
		return spell.Plural(whole, what)
	}
	return countText(n) + " " + what + "s"
}

// shown are the first items, and those that are asked about; nil is all.
func (d *Leaderboard) shown() (some []int) {
	return shownOf(len(d.Items), func(k int) bool { return slices.Contains(d.About, d.Items[k].ID) })
}

// shownOf are the first of n items, and those that are asked about; nil is all.
func shownOf(n int, about func(k int) bool) (some []int) {
	for k := range n {
		if n > mostShown && (k < mostShown || about(k)) {
			some = append(some, k)
		}
	}
	return some
}

// sure is the score that the interval is of: the unpenalised one where there is one beside.
func (i *BoardItem) sure() BoardScore {
	if i.Unpenalised != nil {
		return *i.Unpenalised
	}
	return BoardScore{i.Score, i.SE, i.Lo, i.Hi, i.Rank, i.RankLo, i.RankHi}
}

// ranks is the set of ranks as a range, - where there is none.
func (s BoardScore) ranks() string {
	if s.RankHi == 0 {
		return "-"
	}
	return fmt.Sprintf("%d–%d", s.RankLo, s.RankHi)
}

// sureName is the head of the column of these scores.
func (d *Leaderboard) sureName() string {
	switch d.Unpenalised {
	case "":
		return "score"
	case comparison.FreeReduced:
		return d.Unpenalised
	}
	return "unpenalised"
}

// scoreText is a score or its end of an interval as it is shown, - for NaN.
func (d *Leaderboard) scoreText(v Number) string {
	if x := float64(v); d.Scale == "elo" && !math.IsNaN(x) && !math.IsInf(x, 0) {
		return fmt.Sprintf("%.1f", x)
	}
	return plainText(v)
}

// rangeOf is an interval, - where there is none.
func rangeOf(lo, hi Number, text func(v Number) string) string {
	if math.IsNaN(float64(lo)) {
		return "-"
	}
	return text(lo) + " to " + text(hi)
}

// covariates are the facts about the covariates of comparisons, and their table, nil without any.
func (d *Leaderboard) covariates(v *View) *Table {
	if len(d.Covariates) == 0 {
		return nil
	}
	sure := d.Variance != ""
	t := &Table{Caption: "The covariates of comparisons", Len: len(d.Covariates)}
	t.add("covariate", 0, func(l int) string { return d.Covariates[l].Name })
	ci := func(l int) *Range { return &Range{d.Covariates[l].Lo, d.Covariates[l].Hi} }
	t.add("estimate", 0, func(l int) string { return d.Covariates[l].Estimate.to(decimals(ci(l).width())) })
	if sure {
		t.add("95 % interval", 0, func(l int) string { return ci(l).to(decimals(ci(l).width())) })
	}
	for _, e := range d.Covariates {
		text := plainText(e.Estimate)
		if !math.IsNaN(float64(e.SE)) {
			text = within(e.Estimate, &Range{e.Lo, e.Hi})
		}
		v.fact(Detail, "covariate", "%s %s", e.Name, text)
	}
	return t
}

// rest are shares, what was left out, and what was asked.
func (d *Leaderboard) rest(v *View) {
	if d.Nu > 0 {
		v.state("nu", "%.4g, of ties", float64(d.Nu))
	}
	v.state("intervals", "%s", d.intervalsText())
	if t := d.FeatureTest; t != nil {
		v.state("features", "p = %.2g that they alone explain the scores: χ² = %.4g over %s of freedom, as if outcomes "+
			"were independent", float64(t.P), float64(t.Statistic), spell.Plural(t.Freedom, "degree"))
	}
	if d.Top > 0 {
		of := ""
		if len(d.About) > 0 {
			of = " of those asked about"
		}
		v.fact(Finding, "first", "%s%s %s not surely below another one", spell.Plural(d.Top, "item"), of, isAre(d.Top))
	}
	if d.Loss == string(comparison.Squared) && !math.IsNaN(float64(d.Unexplained+d.Cyclic)) {
		v.state("unexplained", "%.3f of the squares of outcomes, mostly the coin; %.3f of those of the means of pairs",
			float64(d.Unexplained), float64(d.Cyclic))
	}
	if h := d.HeldOut; h != nil {
		v.state("held out", "%s, %s", h.Method, h.how())
		v.fact(Finding, "", "%s", d.heldOutText())
	}
	if d.Versus != nil {
		v.state("versus", "%s", d.versusText())
	}
	if d.Cycles != nil {
		d.Cycles.facts(v)
	}
}

// isAre is the verb of so many.
func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// intervalsText says what the intervals are of, and how they are made.
func (d *Leaderboard) intervalsText() string {
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
	units := spell.Plural(d.Units, strings.TrimSuffix(d.Variance, "s")) + effectiveText(d.Effective, d.Units)
	switch {
	case d.Intervals == "bootstrap" && d.Units > 0:
		return of + fmt.Sprintf("by a bootstrap of %s, of %s", units, spell.Plural(d.Replicates, "sample")) + ranks
	case d.Intervals == "bootstrap":
		return of + fmt.Sprintf("by a bootstrap of outcomes, as if these were independent, of %s",
			spell.Plural(d.Replicates, "sample")) + ranks
	case d.Units > 0 && d.Scaling != nil && d.Scaling.Spread > 0:
		return of + "by training again, with factors, without each of " + units + ranks
	case d.Units > 0: // 10 annotators (2.0 effective)
		return of + "by leaving out each of " + units + ranks
	case d.Variance == "outcomes":
		return of + "by a term for each outcome, as if these were independent" + ranks
	case d.NoIntervals != "":
		return "none: " + d.NoIntervals
	case d.Lambda == 0:
		return "none: a board of this size has those of the items that --about names"
	}
	return "none: " + drawnTogether
}

// drawnTogether is why penalised scores have no intervals.
const drawnTogether = "penalised scores are drawn together, and intervals around them do not hold"

// effectiveText is a number of effective units behind that of all, "" where they are many or of about one size.
func effectiveText(n Number, all int) string {
	if n == 0 || !(float64(n) < 0.9*float64(all)) {
		return ""
	}
	return fmt.Sprintf(" (%.1f effective)", float64(n))
}

// how says how the margins without what was left out are found.
func (h *BoardHeldOut) how() string {
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

// heldOutText is the error and the loss of what was left out.
func (d *Leaderboard) heldOutText() string {
	h := d.HeldOut
	text := "error " + estimated(h.Error, h.StdErr, nil)
	if !math.IsNaN(float64(h.Loss)) {
		text += ", " + d.lossName() + " " + h.Loss.String()
	}
	unit, _, _ := strings.Cut(h.Method, ":")
	if unit == "kfold" {
		unit = "fold"
	}
	text += ", over " + spell.Plural(h.Sets, unit) + ", each left out"
	if h.Over != "" && h.Over != h.Method && !math.IsNaN(float64(h.StdErr)) {
		text += ", ± over " + spell.Plural(h.Units, h.Over) + effectiveText(h.Effective, h.Units)
	}
	if h.ChosenOf > 1 {
		text += fmt.Sprintf(", the least of %d: that of new comparisons is larger", h.ChosenOf)
	}
	if h.Undetermined > 0 {
		text += fmt.Sprintf(", %v outcomes are not determined by the others", float64(h.Undetermined))
	}
	return text
}
