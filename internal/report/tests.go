package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pairrank/eval/cv"
	"pairrank/internal/spell"
)

// Tests are the parts of an estimate besides its errors, for rows and for edges: how its intervals were made,
// the error of the whole procedure, and the test against permuted labels. Each is nil if it was not requested.
type Tests struct {
	Interval    *Interval    `json:"interval,omitempty"`
	Nested      *Nested      `json:"nested,omitempty"`
	Permutation *Permutation `json:"permutation,omitempty"`
}

func newTests(h *cv.Halves, n *Nested, t *cv.PermutationTest) Tests {
	tests := Tests{newInterval(h), n, nil}
	if t != nil {
		tests.Permutation = &Permutation{t.N, t.Below, Number(t.Error), Number(t.P)}
	}
	return tests
}

// Interval says how the intervals were made.
type Interval struct {
	Method string `json:"method"`
	Splits int    `json:"splits"`
	Units  int    `json:"units"`
	Of     string `json:"of"`
}

// byStdErr is the method of intervals from a standard error alone.
const byStdErr = "standard-error"

// newInterval describes intervals from half-samples, nil if there are none.
func newInterval(h *cv.Halves) *Interval {
	if h == nil {
		return nil
	}
	return &Interval{"half-samples", h.Splits, h.Units, h.Of}
}

// text says how intervals were made, and where their variances come from, each source once.
func (i *Interval) text(variances ...cv.VarianceSource) string {
	if i.Method == byStdErr {
		return fmt.Sprintf("from the standard error over %s, with the trained models as given", spell.Plural(i.Units, i.Of))
	}
	text := fmt.Sprintf("from %d random splits of the %s into halves, with every choice made again in each",
		i.Splits, spell.Plural(i.Units, i.Of))
	link := "; variance "
	for k, v := range variances {
		if about := aboutVariance[v]; about != "" && !slices.Contains(variances[:k], v) {
			text, link = text+link+about, " or "
		}
	}
	return text
}

// aboutVariance describes the sources of variances.
var aboutVariance = map[cv.VarianceSource]string{
	cv.VarianceHalves: "from the halves",
	cv.VarianceGiven:  "from the standard error, which is larger",
}

// Nested is the error of the whole procedure.
type Nested struct {
	Outer  string `json:"outer"`
	Error  Number `json:"error"`
	StdErr Number `json:"stderr"`
	Pairs  int64  `json:"pairs"`
	// Effective is as in Selection.
	Effective *Number `json:"effective_units,omitempty"`
	Over      string  `json:"stderr_over,omitempty"`
	// Times is how often the outer folds were drawn, and All the number of pairs in the data. CI95 is the 95 %
	// interval of the error, or of the AUC if there is one; only for rows.
	Times int    `json:"times,omitempty"`
	All   int64  `json:"all_pairs,omitempty"`
	CI95  *Range `json:"ci95,omitempty"`
	AUC   *AUC   `json:"auc,omitempty"`
	// CIndex is that of censored times.
	CIndex *AUC `json:"c_index,omitempty"`
	// Halves says what was made again on the half-samples of the interval: HalvesOfNest or HalvesOfEstimate.
	Halves string `json:"ci95_halves_of,omitempty"`
	// Chosen is what the outer rounds chose, and how often.
	Chosen []NestedChosen `json:"chosen,omitempty"`
}

// What is made again on half-samples for the interval of a nested error: the whole nest, or the estimate.
const (
	HalvesOfNest     = "nest"
	HalvesOfEstimate = "estimate"
)

// NestedChosen is a choice of outer rounds: a λ or a number of rounds of boosting, of a kernel, and how often.
type NestedChosen struct {
	Kernel   string `json:"kernel,omitempty"`
	Lambda   Number `json:"lambda,omitzero"`
	Rounds   int    `json:"rounds,omitempty"`
	Features int    `json:"features,omitempty"`
	Times    int    `json:"times"`
}

// order are the choices, the most frequent first, and the number of outer rounds.
func (n *Nested) order() (order []NestedChosen, rounds int) {
	order = slices.Clone(n.Chosen)
	slices.SortStableFunc(order, func(a, b NestedChosen) int { return cmp.Compare(b.Times, a.Times) })
	for _, c := range order {
		rounds += c.Times
	}
	return order, rounds
}

// chosenText lists the most frequent choices.
func (n *Nested) chosenText() string {
	const most = 3
	order, total := n.order()
	kernels := slices.ContainsFunc(order, func(c NestedChosen) bool { return c.Kernel != order[0].Kernel })
	var parts []string
	for _, c := range order[:min(most, len(order))] {
		text := "lambda " + spell.Power(float64(c.Lambda))
		if c.Rounds > 0 {
			text = spell.Plural(c.Rounds, "round")
		}
		if c.Features > 0 {
			text = spell.Plural(c.Features, "feature") + ", " + text
		}
		if kernels {
			text = c.Kernel + ", " + text
		}
		parts = append(parts, fmt.Sprintf("%s in %d", text, c.Times))
	}
	if more := len(order) - most; more > 0 {
		parts = append(parts, spell.Plural(more, "other choice")+" in the rest")
	}
	return fmt.Sprintf("%s of %s", strings.Join(parts, "; "), spell.Plural(total, "outer round"))
}

// text is the error with its interval on one line.
func (n *Nested) text() string {
	text, area := errorAnd(n.Error, n.StdErr, n.CI95, n.AUC, n.CIndex)
	text = "error " + text
	if n.Over != "" {
		text += " over " + n.Over
	}
	text += area + " of choosing and training, over " + spell.Plural(int(n.Pairs), "held-out pair")
	switch {
	case n.Times > 1:
		return text + fmt.Sprintf(" of %d draws of %s; the data has %d", n.Times, n.Outer, n.All)
	case n.Pairs < n.All:
		return text + fmt.Sprintf(" of %s; the data has %d", n.Outer, n.All)
	}
	return text + " of " + n.Outer
}

// Permutation is the test against permuted labels.
type Permutation struct {
	N     int    `json:"n"`
	Below int    `json:"below"`
	Error Number `json:"error"`
	P     Number `json:"p"`
}

// interval adds how intervals were made, with the sources of their variances.
func (t *Tests) interval(v *View, variances ...cv.VarianceSource) {
	if t.Interval != nil {
		v.state("interval", "%s", t.Interval.text(variances...))
	}
}

// nested adds the nested error, the number to report, before all others, and reports whether there is one. The error
// that chose is the next, and is called optimistic.
func (t *Tests) nested(v *View) bool {
	n := t.Nested
	if n == nil {
		return false
	}
	v.fact(Finding, "nested", "%s", n.text())
	if len(n.Chosen) > 1 {
		v.fact(Detail, "", "chosen: %s", n.chosenText())
	}
	return true
}

// bestKey is the key of the error that chose.
func bestKey(n *Nested) string {
	if n != nil {
		return "optimistic"
	}
	return "best"
}

// permutation adds the permutation test.
func (t *Tests) permutation(v *View) {
	if t.Permutation != nil {
		v.state("permutation", "%s", t.Permutation.text())
	}
}

// text is the outcome of the test.
func (t *Permutation) text() string {
	return fmt.Sprintf("p = %s: %d of %d permutations are as good", pText(t.P), t.Below, t.N)
}

// optimistic says what choosing by errors does to the least of them, "" for one alone. metric is the name of the metric
// that chose, or ""; interval says that there is one, and nested that there is a nested error.
func optimistic(tried int, metric string, interval, nested bool) string {
	if tried < 2 {
		return ""
	}
	text := fmt.Sprintf("the least of %d errors, too low by the choice", tried)
	if metric != "" {
		text = fmt.Sprintf("the best of %d by %s, too good by the choice; stderr is that of the error", tried, metric)
	}
	if interval {
		text += ", as is the interval"
	}
	if nested {
		return text + "; the nested error is not"
	}
	return text + "; a nested estimate is not"
}

// choices is the figure of what outer rounds chose, nil unless they chose different things.
func (n *Nested) choices() *Figure {
	if n == nil || len(n.Chosen) < 2 {
		return nil
	}
	order, rounds := n.order()
	head := "choice"
	if order[0].Features > 0 {
		head = "features at λ"
	}
	t := listed("What the outer rounds chose", head, "rounds")
	kernels := slices.ContainsFunc(order, func(c NestedChosen) bool { return c.Kernel != order[0].Kernel })
	for _, c := range order[:min(len(order), mostWeights)] {
		name := candidate(Choice{Lambda: c.Lambda, Rounds: c.Rounds, Selected: c.Features})
		if kernels {
			name = c.Kernel + ", " + name
		}
		if c.Features > 0 { // as the head of the column says
			name = fmt.Sprintf("%d at λ = %s", c.Features, lambda(c.Lambda))
		}
		t.drawn(Spot{Value: float64(c.Times)}, name, fmt.Sprint(c.Times))
	}
	f := &Figure{Title: fmt.Sprintf("The most frequent choice came up in %d of %s", order[0].Times,
		spell.Plural(rounds, "outer round")), Desc: "A point for each choice between 0 and the number of rounds.", Table: t,
		Rows: &Rows{Label: fmt.Sprintf("%s; outer rounds that chose it, of %d", head, rounds),
			Rules: []float64{0, float64(rounds)}},
		Text: []string{"Each outer round chose from the rows that it did not hold out. If rounds choose differently, the " +
			"data do not determine the choice; the nested error includes that."}}
	if left := len(order) - t.Len; left > 0 {
		f.Left = fmt.Sprintf("Not shown: %s; the JSON document has all.", spell.Plural(left, "rarer choice"))
	}
	return f
}
