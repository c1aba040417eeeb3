package report

import (
	"io"
	"strconv"

	"pairrank/comparison"
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
	Trusted     *BoardTrusted `json:"trusted,omitempty"`
	Versus      *BoardVersus  `json:"versus,omitempty"`
	Cycles      *BoardCycles  `json:"cycles,omitempty"`
	Raters      []BoardRater  `json:"by_annotator,omitempty"` // the most reliable first
	Next        []BoardNext   `json:"next,omitempty"`
	Scaling     *BoardScaling `json:"annotator_scale,omitempty"` // of factors of annotators
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

// WriteTable writes the items as a table with a header, the best first; what is not there is empty.
func (d *Leaderboard) WriteTable(w io.Writer, sep byte) error {
	items, _ := d.items()
	return items.WriteTable(w, sep)
}

// WriteAnnotators writes the annotators as a table with a header, the most reliable first; what is not known is empty.
func (d *Leaderboard) WriteAnnotators(w io.Writer, sep byte) error {
	return d.raters().WriteTable(w, sep)
}

// cellsOf are numbers as cells, "" for NaN.
func cellsOf(values ...Number) []string {
	cells := make([]string, len(values))
	for k, v := range values {
		if v == v {
			cells[k] = strconv.FormatFloat(float64(v), 'g', -1, 64)
		}
	}
	return cells
}

// NewLeaderboard returns the document of a ranking of the comparisons in a file. Cost O(N log N + C).
func NewLeaderboard(file string, r *comparison.Ranking) *Leaderboard {
	p, o, parts := r.Problem, &r.Options, r.Board.Components()
	d := &Leaderboard{Kind: KindLeaderboard, File: file, Loss: string(o.Loss), BiasReduced: o.BiasReduced,
		Lambda: Number(o.Lambda), Residual: Number(p.Residual), Scale: comparison.RawScale, Components: parts.Len(),
		Annotators: len(p.Annotators), Nu: Number(r.Board.Nu), NoIntervals: r.NoIntervals,
		Unexplained: Number(r.Unexplained), Cyclic: Number(r.Cyclic), Told: newTold(r.Notes)}
	if o.Loss == comparison.Logistic {
		d.Ties = string(o.Ties)
	}
	for k, c := range r.Tried {
		d.Path = append(d.Path, BoardPoint{Number(c.Lambda), Number(c.Residual), valueNumber(c.HeldOut.Error),
			valueNumber(c.HeldOut.Loss), k == r.Best})
	}
	outcomes, ties := p.Outcomes()
	d.Comparisons, d.TiedOnes = Number(outcomes), Number(ties)
	if r.EqualPairs {
		d.PairWeights = "equal"
	}
	if v := r.Variance; v != nil {
		d.Variance, d.Intervals, d.Replicates = "outcomes", comparison.BySandwich, v.Replicates
		if v.Units > 0 {
			d.Variance, d.Units, d.Intervals = v.Unit+"s", v.Units, comparison.ByJackknife
			d.Effective = fewUnits(r.Effective)
		}
		if v.Replicates > 0 {
			d.Intervals = comparison.ByBootstrap
		}
	}
	if r.ByComparisons {
		d.Reference = "comparisons"
	}
	if t := r.Features; t != nil {
		d.FeatureTest = &BoardFeatures{Number(t.Statistic), t.Freedom, t.Rest, Number(t.P)}
	}
	if r.Board.Large() {
		d.Solved = &BoardSolved{r.Board.Iterations, Number(r.Board.Residual)}
	}
	if r.Elo {
		d.Scale = comparison.EloScale
	}
	if r.Anchor >= 0 {
		d.Anchor = p.Items[r.Anchor]
	}
	d.addItems(r)
	d.HeldOut = boardHeldOut(r)
	d.addAsked(r)
	return d
}

// addItems adds the items, the best first, and the covariates.
func (d *Leaderboard) addItems(r *comparison.Ranking) {
	if r.Free != nil && r.Free != r.Board {
		d.Unpenalised = r.FreeBy
	}
	items := r.Items()
	d.Items = make([]BoardItem, 0, len(items))
	for _, i := range items {
		b := boardScore(i.Score)
		item := BoardItem{ID: i.Name, Score: b.Score, SE: b.SE, Lo: b.Lo, Hi: b.Hi, Rank: b.Rank, RankLo: b.RankLo,
			RankHi: b.RankHi, Comparisons: Number(i.Comparisons), Component: i.Component, AboveNext: Number(i.AboveNext)}
		if i.Unpenalised != nil {
			free := boardScore(*i.Unpenalised)
			item.Unpenalised = &free
		}
		d.Items = append(d.Items, item)
	}
	if r.Ranks != nil {
		d.Top = len(r.Ranks.Top)
	}
	for j, name := range r.Problem.Covariates {
		e := r.Covariate(j)
		d.Covariates = append(d.Covariates, BoardEffect{name, Number(e.Estimate), Number(e.SE), Number(e.Lo), Number(e.Hi)})
	}
}

func boardScore(s comparison.Score) BoardScore {
	return BoardScore{Number(s.Value), Number(s.SE), Number(s.Lo), Number(s.Hi), s.Rank, s.RankLo, s.RankHi}
}

// addAsked adds what was asked of the ranking.
func (d *Leaderboard) addAsked(r *comparison.Ranking) {
	items := r.Problem.Items
	for _, i := range r.About {
		d.About = append(d.About, items[i])
	}
	d.Trusted = trustedOf(items, r.Board.Trusted)
	if r.Versus != nil {
		d.Versus = versusOf(r)
	}
	if r.Cycles != nil {
		d.Cycles = cyclesOf(items, r.Cycles)
	}
	d.Raters, d.Scaling = ratersOf(r), scalingOf(r.Board.Scaling)
	for _, n := range r.Next {
		d.Next = append(d.Next, BoardNext{items[n.A], items[n.B], Number(n.Fall)})
	}
}

// boardHeldOut is the part about what was left out, nil where nothing was.
func boardHeldOut(r *comparison.Ranking) *BoardHeldOut {
	h := r.HeldOut
	if h == nil {
		return nil
	}
	out := &BoardHeldOut{Method: h.Unit.String(), Sets: h.Sets, Error: valueNumber(h.Error), StdErr: valueNumber(h.StdErr),
		Over: h.Over, Units: h.Independent, Effective: fewUnits(h.Effective), Loss: valueNumber(h.Loss),
		ChosenOf: len(r.Tried), Undetermined: Number(h.Undetermined), Approximate: h.Approximate, Retrained: h.Retrained}
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
