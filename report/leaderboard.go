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
	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/format/table"
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
	PairWeights string        `json:"pair_weights,omitempty"` // equal where all pairs weigh the same
	Variance    string        `json:"variance,omitempty"`     // of the intervals: outcomes or annotators; "" has none
	Intervals   string        `json:"intervals,omitempty"`    // sandwich, jackknife or bootstrap
	Replicates  int           `json:"replicates,omitempty"`   // of the bootstrap
	Nu          Number        `json:"nu,omitzero"`            // of Davidson's ties
	Items       []BoardItem   `json:"items"`
	Top         int           `json:"top,omitempty"` // items that are not surely below another one
	Covariates  []BoardEffect `json:"covariates,omitempty"`
	Residual    Number        `json:"residual_share"`
	Cyclic      Number        `json:"cyclic_share"`
	HeldOut     *BoardHeldOut `json:"held_out,omitempty"`
	Versus      *BoardVersus  `json:"versus,omitempty"`
	Cycles      *BoardCycles  `json:"cycles,omitempty"`
	Raters      []BoardRater  `json:"by_annotator,omitempty"` // the most reliable first
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
	// AboveNext is the probability that it is above the next item of its component, NaN for the last; 0 where there
	// are no intervals.
	AboveNext Number `json:"above_next,omitzero"`
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
	// EqualPairs says that all pairs weigh the same.
	EqualPairs bool
	Versus     *[2]int            // two items, or nil
	Cycles     *comparison.Cycles // nil where it was not tested
	Raters     []comparison.Rater // nil without annotators
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
	if r.EqualPairs {
		d.PairWeights = "equal"
	}
	if v := r.Variance; v != nil {
		d.Variance, d.Intervals, d.Replicates = "outcomes", "sandwich", v.Replicates
		if v.Annotators > 0 {
			d.Variance, d.Intervals = "annotators", "jackknife"
		}
		if v.Replicates > 0 {
			d.Intervals = "bootstrap"
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
	r.aboveNext(d.Items, parts)
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
	if r.Versus != nil {
		d.Versus = r.versusOf(unit)
	}
	if r.Cycles != nil {
		d.Cycles = cyclesOf(p.Items, r.Cycles)
	}
	d.Raters = ratersOf(p, r.Raters)
	for _, n := range r.Next {
		d.Next = append(d.Next, BoardNext{p.Items[n.A], p.Items[n.B], Number(n.Fall)})
	}
	return d
}

// aboveNext fills in the probability of each item that it is above the next one of its component; with features all
// items are of one. items are in the order of the problem.
func (r *Rated) aboveNext(items []BoardItem, parts *data.Partition) {
	if r.Variance == nil {
		return
	}
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(items[j].Score, items[i].Score) })
	before := map[int32]int{} // the item above, of each component
	for _, i := range order {
		part := parts.Of()[i]
		if r.Problem.Features != nil {
			part = 0
		}
		items[i].AboveNext = Number(math.NaN())
		if k, is := before[part]; is {
			items[k].AboveNext = Number(r.Board.Above(r.Variance, k, i))
		}
		before[part] = i
	}
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
