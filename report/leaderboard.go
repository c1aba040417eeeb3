package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/comparison"
	"pairrank/eval/metric"
	"pairrank/format/table"
	"pairrank/internal/spell"
)

// Leaderboard is the document of a ranking of named items by comparisons.
type Leaderboard struct {
	Kind        Kind          `json:"kind"`
	File        string        `json:"file"`
	Loss        string        `json:"loss"`
	Ties        string        `json:"ties_as,omitempty"` // half, drop or davidson, in the logistic loss
	BiasReduced bool          `json:"bias_reduced,omitempty"`
	Lambda      Number        `json:"lambda"`
	Path        []BoardPoint  `json:"path,omitempty"` // of several λ, which were chosen from
	Scale       string        `json:"scale"`          // raw or elo
	Anchor      string        `json:"anchor,omitempty"`
	Comparisons Number        `json:"comparisons"`
	TiedOnes    Number        `json:"ties"`
	Components  int           `json:"components"`
	Annotators  int           `json:"annotators,omitempty"`
	Variance    string        `json:"variance,omitempty"` // of the intervals: outcomes or annotators; "" has none
	Nu          Number        `json:"nu,omitzero"`        // of Davidson's ties
	Items       []BoardItem   `json:"items"`
	Top         int           `json:"top,omitempty"` // items that are not surely below another one
	Covariates  []BoardEffect `json:"covariates,omitempty"`
	Residual    Number        `json:"residual_share"`
	Cyclic      Number        `json:"cyclic_share"`
	HeldOut     *BoardHeldOut `json:"held_out,omitempty"`
	Next        []BoardNext   `json:"next,omitempty"`
}

// BoardItem is an item of a leaderboard, the best first.
type BoardItem struct {
	ID          string `json:"id"`
	Score       Number `json:"score"`
	SE          Number `json:"se"` // NaN where there is none, as Lo and Hi
	Lo          Number `json:"lo"`
	Hi          Number `json:"hi"`
	Rank        int    `json:"rank"`
	RankLo      int    `json:"rank_lo,omitempty"` // 0 where there are no sets
	RankHi      int    `json:"rank_hi,omitempty"`
	Comparisons Number `json:"comparisons"`
	Component   int    `json:"component,omitempty"` // from 1, where there are several
}

// BoardEffect is the coefficient of a covariate.
type BoardEffect struct {
	Name     string `json:"name"`
	Estimate Number `json:"estimate"`
	SE       Number `json:"se"`
	Lo       Number `json:"lo"`
	Hi       Number `json:"hi"`
}

// BoardPoint is the held-out error at one λ.
type BoardPoint struct {
	Lambda Number `json:"lambda"`
	Error  Number `json:"error"`
	Loss   Number `json:"log_loss"`
	Chosen bool   `json:"chosen,omitempty"`
}

// BoardHeldOut says how well the board predicts what it has not seen.
type BoardHeldOut struct {
	Method       string `json:"method"`
	Sets         int    `json:"sets"`
	Error        Number `json:"error"`
	StdErr       Number `json:"stderr"`
	Loss         Number `json:"log_loss"` // for the squared loss the squared error
	Undetermined Number `json:"undetermined,omitempty"`
	Approximate  bool   `json:"approximate,omitempty"`
}

// BoardNext is a pair to compare.
type BoardNext struct {
	A    string `json:"a"`
	B    string `json:"b"`
	Fall Number `json:"fall"`
}

// Rated is what a leaderboard is made of.
type Rated struct {
	File     string
	Problem  *comparison.Problem
	Options  comparison.Options
	Board    *comparison.Board
	Variance *comparison.Covariance // nil for penalised scores
	Ranks    *comparison.Ranks      // nil likewise
	Path     []BoardPoint
	HeldOut  *comparison.HeldOut // nil where nothing was left out
	Next     []comparison.Next
	// Elo gives scores 400/ln 10 times the size and mean 1000; Anchor, where it is not negative, is the item whose
	// score is At.
	Elo    bool
	Anchor int
	At     float64
}

// SetScale reads the scale, raw, elo, or auto for that of the loss, and the anchor NAME=SCORE, "" for none.
func (r *Rated) SetScale(scale, anchor string) error {
	r.Elo = scale == "elo" || scale == "auto" && r.Options.Loss == comparison.Logistic
	r.Anchor = -1
	if anchor == "" {
		return nil
	}
	at := strings.LastIndex(anchor, "=")
	if at < 0 {
		return fmt.Errorf("an anchor is NAME=SCORE, not %q", anchor)
	}
	score, err := strconv.ParseFloat(anchor[at+1:], 64)
	if err != nil || math.IsNaN(score) || math.IsInf(score, 0) {
		return fmt.Errorf("an anchor is NAME=SCORE, not %q", anchor)
	}
	if r.Anchor = slices.Index(r.Problem.Items, anchor[:at]); r.Anchor < 0 {
		return fmt.Errorf("no item is called %q", anchor[:at])
	}
	r.At = score
	return nil
}

// WriteTable writes the items as a table with a header, the best first; what is not there is empty.
func (d *Leaderboard) WriteTable(w io.Writer, sep byte) error {
	head := []string{"rank", "rank_lo", "rank_hi", "score", "se", "lo", "hi", "comparisons", "id"}
	if _, err := io.WriteString(w, strings.Join(head, string(sep))+"\n"); err != nil {
		return err
	}
	number := func(v Number) string {
		if math.IsNaN(float64(v)) {
			return ""
		}
		return strconv.FormatFloat(float64(v), 'g', -1, 64)
	}
	whole := func(k int) string {
		if k == 0 {
			return ""
		}
		return strconv.Itoa(k)
	}
	for _, i := range d.Items {
		line := []byte(strings.Join([]string{whole(i.Rank), whole(i.RankLo), whole(i.RankHi), number(i.Score), number(i.SE),
			number(i.Lo), number(i.Hi), number(i.Comparisons)}, string(sep)) + string(sep))
		line, err := table.AppendField(line, i.ID, sep)
		if err != nil {
			return err
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// NewLeaderboard returns the document. Cost O(N² + C).
func NewLeaderboard(r *Rated) *Leaderboard {
	p, o := r.Problem, &r.Options
	d := &Leaderboard{Kind: KindLeaderboard, File: r.File, Loss: string(o.Loss), BiasReduced: o.BiasReduced,
		Lambda: Number(o.Lambda), Path: r.Path, Scale: "raw", Annotators: len(p.Annotators), Nu: Number(r.Board.Nu)}
	if o.Loss == comparison.Logistic {
		d.Ties = string(o.Ties)
	}
	residual, cyclic := r.Board.Shares()
	d.Residual, d.Cyclic = Number(residual), Number(cyclic)
	seen := make([]float64, len(p.Items))
	for c := range p.Lines {
		l := &p.Lines[c]
		n := l.Wins + l.Losses + l.Ties
		d.Comparisons += Number(n)
		d.TiedOnes += Number(l.Ties)
		seen[l.Left] += n
		seen[l.Right] += n
	}
	parts := p.Components()
	d.Components = parts.Len()
	if v := r.Variance; v != nil {
		d.Variance = "outcomes"
		if v.Annotators > 0 {
			d.Variance = "annotators"
		}
	}
	unit, shift := r.scale(d)
	for i, id := range p.Items {
		item := BoardItem{ID: id, Score: Number(unit*r.Board.Scores[i] + shift), Rank: 1, Comparisons: Number(seen[i])}
		item.SE, item.Lo, item.Hi = r.interval(item.Score, unit, i, r.Anchor)
		if parts.Len() > 1 {
			item.Component = int(parts.Of()[i]) + 1
		}
		for _, s := range r.Board.Scores {
			if s > r.Board.Scores[i] {
				item.Rank++
			}
		}
		if r.Ranks != nil {
			item.Rank, item.RankLo, item.RankHi = r.Ranks.Rank[i], r.Ranks.Lo[i], r.Ranks.Hi[i]
		}
		d.Items = append(d.Items, item)
	}
	if r.Ranks != nil {
		d.Top = len(r.Ranks.Top)
	}
	slices.SortStableFunc(d.Items, func(a, b BoardItem) int { return cmp.Compare(b.Score, a.Score) })
	for j, name := range p.Covariates {
		e := BoardEffect{Name: name, Estimate: Number(unit * r.Board.Gamma[j])}
		e.SE, e.Lo, e.Hi = r.interval(e.Estimate, unit, len(p.Items)+j, -1)
		d.Covariates = append(d.Covariates, e)
	}
	if h := r.HeldOut; h != nil {
		d.HeldOut = &BoardHeldOut{Method: h.Unit.String(), Sets: h.Sets, Error: valueOf(h.Error), StdErr: valueOf(h.StdErr),
			Loss: valueOf(h.Loss), Undetermined: Number(h.Undetermined), Approximate: h.Approximate}
	}
	for _, n := range r.Next {
		d.Next = append(d.Next, BoardNext{p.Items[n.A], p.Items[n.B], Number(n.Fall)})
	}
	return d
}

// scale returns how scores are shown, unit times the score plus shift.
func (r *Rated) scale(d *Leaderboard) (unit, shift float64) {
	unit = 1
	if r.Elo {
		d.Scale, unit, shift = "elo", 400/math.Ln10, 1000
	}
	if r.Anchor >= 0 {
		d.Anchor = r.Problem.Items[r.Anchor]
		shift = r.At - unit*r.Board.Scores[r.Anchor]
	}
	return unit, shift
}

// interval is the standard error of entry i, of its difference to another where that is not negative, and the
// 95 % interval.
func (r *Rated) interval(at Number, unit float64, i, other int) (se, lo, hi Number) {
	if r.Variance == nil {
		none := Number(math.NaN())
		return none, none, none
	}
	se = Number(unit * r.Variance.Of(i, other))
	half := Number(r.Variance.Quantile) * se
	return se, at - half, at + half
}

// valueOf is a value, NaN where it is not defined.
func valueOf(v metric.Value) Number {
	if !v.Defined {
		return Number(math.NaN())
	}
	return Number(v.Value)
}

// WriteText writes the board as a table, and what is to be said of it.
func (d *Leaderboard) WriteText(w io.Writer) error {
	b := newLines(w, 11)
	way := d.Loss
	if d.Ties != "" {
		way += map[string]string{"half": ", a tie is half a win of either side", "drop": ", without ties",
			"davidson": ", ties by Davidson's model"}[d.Ties]
	}
	b.line("loss", "%s", way)
	b.line("data", "%s of %s, %s, %s", spell.Plural(int(d.Comparisons), "comparison"),
		spell.Plural(len(d.Items), "item"), spell.Plural(int(d.TiedOnes), "tie"),
		spell.Plural(d.Components, "component"))
	switch {
	case d.BiasReduced:
		b.line("scores", "bias-reduced (Firth), %s", d.Scale)
	default:
		b.line("scores", "lambda = %s, %s", spell.Power(float64(d.Lambda)), d.Scale)
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
	t.add(d.lossName(), 8, func(l int) string { return d.Path[l].Loss.String() })
	t.writeTo(b)
}

// lossName is what the mean loss of an outcome is.
func (d *Leaderboard) lossName() string {
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
	short := func(v Number) string { return fmt.Sprintf("%.4g", float64(v)) }
	if d.Scale == "elo" {
		short = func(v Number) string { return fmt.Sprintf("%.1f", float64(v)) }
	}
	t.add("score", 8, func(l int) string { return short(d.Items[l].Score) })
	if d.Variance != "" {
		t.add("95 % interval", 8, func(l int) string { return short(d.Items[l].Lo) + " to " + short(d.Items[l].Hi) })
	}
	t.add("comparisons", 8, func(l int) string { return fmt.Sprint(float64(d.Items[l].Comparisons)) })
	if d.Components > 1 {
		t.add("component", 8, func(l int) string { return fmt.Sprint(d.Items[l].Component) })
	}
	t.add("item", 4, func(l int) string { return d.Items[l].ID })
	t.columns[len(t.columns)-1].left = true
	t.writeTo(b)
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
	switch d.Variance {
	case "annotators":
		b.line("intervals", "by leaving out each of %s; sets of ranks hold together", spell.Plural(d.Annotators, "annotator"))
	case "outcomes":
		b.line("intervals", "by a term for each outcome, as if these were independent; sets of ranks hold together")
	default:
		b.line("intervals", "none: penalised scores are drawn together, and intervals around them do not hold")
	}
	if d.Top > 0 {
		b.line("first", "%s not surely below another one", spell.Plural(d.Top, "item")+map[bool]string{true: " is",
			false: " are"}[d.Top == 1])
	}
	if d.Loss == string(comparison.Squared) {
		b.line("unexplained", "%.3f of the squares of outcomes, mostly the coin; %.3f of those of the means of pairs",
			float64(d.Residual), float64(d.Cyclic))
	}
	if h := d.HeldOut; h != nil {
		d.heldOut(b, h)
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
	how := "exact, without retraining"
	if h.Approximate {
		how = "one Newton step from the board of all, not retrained"
	}
	text := fmt.Sprintf("%s, %s", h.Method, how)
	b.line("held out", "%s", text)
	parts := []string{"error " + h.Error.String()}
	if !math.IsNaN(float64(h.StdErr)) {
		parts[0] += " ± " + h.StdErr.String()
	}
	if !math.IsNaN(float64(h.Loss)) {
		parts = append(parts, d.lossName()+" "+h.Loss.String())
	}
	parts = append(parts, "over "+spell.Plural(h.Sets, "set"))
	if h.Undetermined > 0 {
		parts = append(parts, fmt.Sprintf("%v outcomes are not determined by the others", float64(h.Undetermined)))
	}
	b.line("", "%s", strings.Join(parts, ", "))
}
