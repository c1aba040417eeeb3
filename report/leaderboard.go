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
)

// Leaderboard is the document of a ranking of named items by comparisons.
type Leaderboard struct {
	Kind        Kind          `json:"kind"`
	File        string        `json:"file"`
	Loss        string        `json:"loss"`
	Ties        string        `json:"ties_as,omitempty"` // half, drop or davidson, in the logistic loss
	BiasReduced bool          `json:"bias_reduced,omitempty"`
	Lambda      Number        `json:"lambda"`
	Residual    Number        `json:"residual,omitzero"` // τ of the parts of items' own beside features
	Path        []BoardPoint  `json:"path,omitempty"`    // of several λ and τ, which were chosen from
	Scale       string        `json:"scale"`             // raw or elo
	Anchor      string        `json:"anchor,omitempty"`
	Comparisons Number        `json:"comparisons"`
	TiedOnes    Number        `json:"ties"`
	Components  int           `json:"components"` // sets of items whose scores are comparable
	Annotators  int           `json:"annotators,omitempty"`
	Variance    string        `json:"variance,omitempty"`    // of the intervals: outcomes or annotators; "" has none
	Nu          Number        `json:"nu,omitzero"`           // of Davidson's ties
	Solved      *BoardSolved  `json:"solved,omitempty"`      // of a large board
	Unpenalised string        `json:"unpenalised,omitempty"` // scores beside penalised ones: lambda 0 or bias-reduced
	Items       []BoardItem   `json:"items"`
	About       []string      `json:"about,omitempty"` // items that sets of ranks are about; none is all
	Top         int           `json:"top,omitempty"`   // items that are not surely below another one
	Covariates  []BoardEffect `json:"covariates,omitempty"`
	Unexplained Number        `json:"residual_share"`
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
	// Unpenalised is the score without the penalty, of which there are intervals; nil where Score is one.
	Unpenalised *BoardScore `json:"unpenalised,omitempty"`
}

// BoardScore is a score with its interval and set of ranks.
type BoardScore struct {
	Score  Number `json:"score"`
	SE     Number `json:"se"`
	Lo     Number `json:"lo"`
	Hi     Number `json:"hi"`
	Rank   int    `json:"rank"`
	RankLo int    `json:"rank_lo"`
	RankHi int    `json:"rank_hi"`
}

// BoardSolved says how the scores of a large board were found, and how near to the optimum.
type BoardSolved struct {
	Iterations int    `json:"iterations"` // steps of the loss
	Residual   Number `json:"residual"`   // the gradient over that at scores of 0
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
	Lambda   Number `json:"lambda"`
	Residual Number `json:"residual,omitzero"`
	Error    Number `json:"error"`
	Loss     Number `json:"log_loss"`
	Chosen   bool   `json:"chosen,omitempty"`
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
	Retrained    bool   `json:"retrained,omitempty"`
	// Distance is that of Approximate margins from training again, beside what leaving out changes, of so many sets; 0 of
	// none.
	Distance     Number `json:"distance,omitzero"`
	DistanceSets int    `json:"distance_sets,omitempty"`
}

// BoardNext is a pair to compare.
type BoardNext struct {
	A    string `json:"a"`
	B    string `json:"b"`
	Fall Number `json:"fall"`
}

// Rated is what a leaderboard is made of.
type Rated struct {
	File    string
	Problem *comparison.Problem
	Options comparison.Options
	Board   *comparison.Board
	// Free is the board without a penalty, of which there are intervals: Board itself, another one where that is
	// penalised, or nil. FreeBy says what the other one is: FreeZero or FreeReduced.
	Free     *comparison.Board
	FreeBy   string
	Variance *comparison.Covariance // of Free; nil without it, and of large boards where no items are asked about
	Ranks    *comparison.Ranks      // likewise
	About    []int                  // items that sets of ranks and Next are about; nil is all
	Path     []BoardPoint
	HeldOut  *comparison.HeldOut // nil where nothing was left out
	Distance comparison.Distance // of HeldOut from training again; zero where it is exact
	Next     []comparison.Next
	// Elo gives scores 400/ln 10 times the size and mean 1000; Anchor, where it is not negative, is the item whose
	// score is At.
	Elo    bool
	Anchor int
	At     float64
}

// What the board without a penalty is, beside a penalised one.
const (
	FreeZero    = "lambda 0"
	FreeReduced = "bias-reduced"
)

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
	if d.Unpenalised != "" {
		head = slices.Insert(head, 4, "unpenalised")
	}
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
		of := i.Sure()
		cells := []string{whole(i.Rank), whole(of.RankLo), whole(of.RankHi), number(i.Score), number(of.SE), number(of.Lo),
			number(of.Hi), number(i.Comparisons)}
		if d.Unpenalised != "" {
			cells = slices.Insert(cells, 4, number(of.Score))
		}
		line := []byte(strings.Join(cells, string(sep)) + string(sep))
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

// NewLeaderboard returns the document. Cost O(N log N + C).
func NewLeaderboard(r *Rated) *Leaderboard {
	p, o := r.Problem, &r.Options
	d := &Leaderboard{Kind: KindLeaderboard, File: r.File, Loss: string(o.Loss), BiasReduced: o.BiasReduced,
		Lambda: Number(o.Lambda), Path: r.Path, Annotators: len(p.Annotators), Nu: Number(r.Board.Nu)}
	if o.Loss == comparison.Logistic {
		d.Ties = string(o.Ties)
	}
	residual, cyclic := r.Board.Shares()
	d.Unexplained, d.Cyclic = Number(residual), Number(cyclic)
	d.Residual = Number(p.Residual)
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
	if d.Components = parts.Len(); p.Features != nil {
		d.Components = 1 // features make all scores comparable
	}
	if v := r.Variance; v != nil {
		d.Variance = "outcomes"
		if v.Annotators > 0 {
			d.Variance = "annotators"
		}
	}
	if r.Board.Large() {
		d.Solved = &BoardSolved{r.Board.Iterations, Number(r.Board.Residual)}
	}
	unit, _ := r.scale(r.Board)
	if d.Scale = "raw"; r.Elo {
		d.Scale = "elo"
	}
	if r.Anchor >= 0 {
		d.Anchor = p.Items[r.Anchor]
	}
	var free []BoardScore
	if r.Free != nil && r.Free != r.Board {
		d.Unpenalised, free = r.FreeBy, r.scores(r.Free)
	}
	if p.Residual > 0 { // the board without a penalty has no features, which would score items never compared
		none := Number(math.NaN())
		for i := range free {
			if seen[i] == 0 {
				free[i] = BoardScore{Score: none, SE: none, Lo: none, Hi: none}
			}
		}
	}
	own := r.scores(r.Board)
	for i, id := range p.Items {
		b := &own[i]
		item := BoardItem{ID: id, Score: b.Score, SE: b.SE, Lo: b.Lo, Hi: b.Hi, Rank: b.Rank, RankLo: b.RankLo,
			RankHi: b.RankHi, Comparisons: Number(seen[i])}
		if d.Components > 1 {
			item.Component = int(parts.Of()[i]) + 1
		}
		if free != nil {
			item.Unpenalised = &free[i]
		}
		d.Items = append(d.Items, item)
	}
	if r.Ranks != nil {
		d.Top = len(r.Ranks.Top)
	}
	slices.SortStableFunc(d.Items, func(a, b BoardItem) int { return cmp.Compare(b.Score, a.Score) })
	for _, i := range r.About {
		d.About = append(d.About, p.Items[i])
	}
	for j, name := range p.Covariates {
		e := BoardEffect{Name: name, Estimate: Number(unit * r.Board.Gamma[j])}
		e.SE, e.Lo, e.Hi = r.interval(r.Board, e.Estimate, unit, len(p.Items)+j, -1)
		d.Covariates = append(d.Covariates, e)
	}
	if h := r.HeldOut; h != nil {
		d.HeldOut = &BoardHeldOut{Method: h.Unit.String(), Sets: h.Sets, Error: valueOf(h.Error),
			StdErr: valueOf(h.StdErr), Loss: valueOf(h.Loss), Undetermined: Number(h.Undetermined),
			Approximate: h.Approximate, Retrained: h.Retrained}
		if v := r.Distance.Share; v.Defined {
			d.HeldOut.Distance, d.HeldOut.DistanceSets = Number(v.Value), r.Distance.Sets
		}
	}
	for _, n := range r.Next {
		d.Next = append(d.Next, BoardNext{p.Items[n.A], p.Items[n.B], Number(n.Fall)})
	}
	return d
}

// scale returns how the scores of a board are shown, unit times the score plus shift.
func (r *Rated) scale(b *comparison.Board) (unit, shift float64) {
	unit = 1
	if r.Elo {
		unit, shift = 400/math.Ln10, 1000
	}
	if r.Anchor >= 0 {
		shift = r.At - unit*b.Scores[r.Anchor]
	}
	return unit, shift
}

// scores are those of a board as they are shown, with the intervals and ranks of Free. Cost O(N log N).
func (r *Rated) scores(b *comparison.Board) []BoardScore {
	unit, shift := r.scale(b)
	out, order := make([]BoardScore, len(b.Scores)), make([]int, len(b.Scores))
	for i, v := range b.Scores {
		order[i] = i
		s := &out[i]
		s.Score = Number(unit*v + shift)
		s.SE, s.Lo, s.Hi = r.interval(b, s.Score, unit, i, r.Anchor)
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(b.Scores[j], b.Scores[i]) })
	for k, i := range order {
		if out[i].Rank = k + 1; k > 0 && b.Scores[i] == b.Scores[order[k-1]] {
			out[i].Rank = out[order[k-1]].Rank
		}
	}
	if r.Ranks == nil || b != r.Free {
		return out
	}
	for i := range out {
		out[i].Rank, out[i].RankLo, out[i].RankHi = r.Ranks.Rank[i], r.Ranks.Lo[i], r.Ranks.Hi[i]
	}
	return out
}

// interval is the standard error of entry i of a board, of its difference to another where that is not negative, and
// the 95 % interval.
func (r *Rated) interval(b *comparison.Board, at Number, unit float64, i, other int) (se, lo, hi Number) {
	if r.Variance == nil || b != r.Free {
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

// NewBoardPoint is the point of a candidate.
func NewBoardPoint(c comparison.Candidate, chosen bool) BoardPoint {
	return BoardPoint{Lambda: Number(c.Lambda), Residual: Number(c.Residual), Error: valueOf(c.HeldOut.Error),
		Loss: valueOf(c.HeldOut.Loss), Chosen: chosen}
}
