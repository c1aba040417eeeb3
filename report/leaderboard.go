package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank"
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
	Reference   string        `json:"reference,omitempty"` // comparisons where scores refer to their mean over these
	Comparisons Number        `json:"comparisons"`
	TiedOnes    Number        `json:"ties"`
	Components  int           `json:"components"` // sets of items whose scores are comparable
	Annotators  int           `json:"annotators,omitempty"`
	PairWeights string        `json:"pair_weights,omitempty"`   // equal where all pairs weigh the same
	Variance    string        `json:"variance,omitempty"`       // what intervals take as independent
	Units       int           `json:"units,omitempty"`          // of Variance, which are left out or weighed
	Effective   Number        `json:"effective_units,omitzero"` // that have as many comparisons each, below 5
	NoIntervals string        `json:"no_intervals,omitempty"`   // why there are none
	Intervals   string        `json:"intervals,omitempty"`      // sandwich, jackknife or bootstrap
	Replicates  int           `json:"replicates,omitempty"`     // of the bootstrap
	Nu          Number        `json:"nu,omitzero"`              // of Davidson's ties
	Solved      *BoardSolved  `json:"solved,omitempty"`         // of a large board
	Unpenalised string        `json:"unpenalised,omitempty"`    // scores beside penalised ones: lambda 0 or bias-reduced
	Items       []BoardItem   `json:"items"`
	About       []string      `json:"about,omitempty"` // items that sets of ranks are about; none is all
	Top         int           `json:"top,omitempty"`   // items that are not surely below another one
	Covariates  []BoardEffect `json:"covariates,omitempty"`
	Unexplained Number        `json:"residual_share"`
	Cyclic      Number        `json:"cyclic_share"`
	HeldOut     *BoardHeldOut `json:"held_out,omitempty"`
	Versus      *BoardVersus  `json:"versus,omitempty"`
	Cycles      *BoardCycles  `json:"cycles,omitempty"`
	Raters      []BoardRater  `json:"by_annotator,omitempty"` // the most reliable first
	Next        []BoardNext   `json:"next,omitempty"`
	// FeatureTest is whether the features explain the scores; nil without them.
	FeatureTest *BoardFeatures `json:"feature_test,omitempty"`
	Told
}

// BoardFeatures is the test of features against scores of items' own: by χ², or with Rest degrees of freedom of the
// variance of the squared loss by F.
type BoardFeatures struct {
	Statistic Number `json:"statistic"`
	Freedom   int    `json:"df"`
	Rest      int    `json:"rest_df,omitempty"`
	P         Number `json:"p_value"`
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
	// Unpenalised is the score without the penalty, which has intervals; nil where Score is one.
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

// BoardHeldOut measures how well the board predicts comparisons that were left out.
type BoardHeldOut struct {
	Method       string `json:"method"`
	Sets         int    `json:"sets"`
	Error        Number `json:"error"`
	StdErr       Number `json:"stderr"`
	Loss         Number `json:"log_loss"`                 // for the squared loss the squared error
	Over         string `json:"over,omitempty"`           // what StdErr takes as independent
	Units        int    `json:"units,omitempty"`          // how many of these have a win
	Effective    Number `json:"effective_units,omitzero"` // that have as many wins each, below 5
	ChosenOf     int    `json:"chosen_of,omitempty"`      // how many λ and τ the least loss was chosen from
	Undetermined Number `json:"undetermined,omitempty"`
	Approximate  bool   `json:"approximate,omitempty"`
	Retrained    bool   `json:"retrained,omitempty"`
	// Distance is the error of Approximate margins as a share of the change by leaving out, over DistanceSets sets that
	// were left out by training again.
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
	// Free is the board without a penalty, which has intervals: Board itself, another one where that is
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
	// EqualPairs says that all pairs weigh the same.
	EqualPairs bool
	// NoIntervals says why there is no variance, "" where that is known. Effective is the number of units of Variance that
	// have as many comparisons each. Notes are about the data and the variance.
	NoIntervals string
	Effective   float64
	Notes       []pairrank.Note
	// Features is the test of the features, nil without one. ByComparisons says that scores refer to the mean over
	// comparisons.
	Features      *comparison.FeatureTest
	ByComparisons bool
	Versus        *[2]int            // two items, or nil
	Cycles        *comparison.Cycles // nil where it was not tested
	Raters        []comparison.Rater // nil without annotators
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

// SetScale sets the scale, raw, elo, or auto for that of the loss, and the item whose score is at, "" for none.
func (r *Rated) SetScale(scale, anchor string, at float64) error {
	r.Elo = scale == "elo" || scale == "auto" && r.Options.Loss == comparison.Logistic
	r.Anchor = -1
	if anchor == "" {
		return nil
	}
	if r.Anchor = slices.Index(r.Problem.Items, anchor); r.Anchor < 0 {
		return fmt.Errorf("no item is called %q", anchor)
	}
	r.At = at
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
	parts := r.Board.Components()
	d.Components = parts.Len()
	if r.EqualPairs {
		d.PairWeights = "equal"
	}
	if v := r.Variance; v != nil {
		d.Variance, d.Intervals, d.Replicates = "outcomes", "sandwich", v.Replicates
		if v.Units > 0 {
			d.Variance, d.Units, d.Intervals = v.Unit+"s", v.Units, "jackknife"
			d.Effective = fewUnits(r.Effective)
		}
		if v.Replicates > 0 {
			d.Intervals = "bootstrap"
		}
	}
	if r.ByComparisons {
		d.Reference = "comparisons"
	}
	if t := r.Features; t != nil {
		d.FeatureTest = &BoardFeatures{Number(t.Statistic), t.Freedom, t.Rest, Number(t.P)}
	}
	d.NoIntervals = r.NoIntervals
	d.Told = newTold(r.Notes)
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
	r.addItems(d, seen, parts)
	for _, i := range r.About {
		d.About = append(d.About, p.Items[i])
	}
	for j, name := range p.Covariates {
		e := BoardEffect{Name: name, Estimate: Number(unit * r.Board.Gamma[j])}
		e.SE, e.Lo, e.Hi = r.interval(r.Board, e.Estimate, unit, len(p.Items)+j, -1)
		d.Covariates = append(d.Covariates, e)
	}
	d.HeldOut = r.heldOut()
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

// heldOut is the part about what was left out, nil where nothing was.
func (r *Rated) heldOut() *BoardHeldOut {
	h := r.HeldOut
	if h == nil {
		return nil
	}
	out := &BoardHeldOut{Method: h.Unit.String(), Sets: h.Sets, Error: valueOf(h.Error), StdErr: valueOf(h.StdErr),
		Over: h.Over, Units: h.Independent, Effective: fewUnits(h.Effective), Loss: valueOf(h.Loss),
		Undetermined: Number(h.Undetermined), Approximate: h.Approximate, Retrained: h.Retrained}
	if n := len(r.Path); n > 1 {
		out.ChosenOf = n
	}
	if v := r.Distance.Share; v.Defined {
		out.Distance, out.DistanceSets = Number(v.Value), r.Distance.Sets
	}
	return out
}

// fewUnits is a number of effective units below that of which intervals hold, else 0.
func fewUnits(effective float64) Number {
	if effective >= comparison.FewUnits {
		return 0
	}
	return Number(effective)
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
