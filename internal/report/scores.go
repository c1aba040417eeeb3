package report

import (
	"io"
	"math"
	"strings"

	"pairrank/internal/spell"
	"pairrank/scores"
)

// Scores is the document of a ranking of systems by a table of their scores on the same items. It is not a Leaderboard:
// of that document's forty parts losses, ties, penalties, components, cycles and annotators have no place here, and
// means, letters, differences to a baseline and gates have none there. What both have is named and drawn alike.
type Scores struct {
	Kind        Kind         `json:"kind"`
	File        string       `json:"file"`
	Scale       string       `json:"scale"` // raw, standardized or ranks
	Lower       bool         `json:"lower_is_better,omitempty"`
	Cells       int          `json:"scores"`
	Missing     int          `json:"missing"`
	TableItems  int          `json:"table_items"` // that have the scores
	Variance    string       `json:"variance"`    // the units, which intervals take as independent: items, or clusters
	Units       int          `json:"units"`
	NoIntervals string       `json:"no_intervals,omitempty"` // why there are none
	Residual    Number       `json:"residual"`               // variance around systems and items
	Repeats     Number       `json:"repeats_share,omitzero"` // the part of it that repeats have
	Critical    Number       `json:"critical"`               // t, from which two systems are told apart
	Draws       int          `json:"draws"`                  // of signs
	Exact       bool         `json:"exact"`                  // these are all signs
	Top         int          `json:"top,omitempty"`          // systems that are not surely below another one
	Groups      int          `json:"groups,omitempty"`       // that letters are of
	Against     string       `json:"against,omitempty"`
	Items       []ScoredItem `json:"items"`
	More        []MoreUnits  `json:"more_units,omitempty"`
	Gates       Gates        `json:"gates,omitempty"`
	Told
}

// The scales of scores.
const (
	rawScale      = "raw"
	StandardScale = "standardized"
	RankScale     = "ranks"
)

// ScoredItem is a system, the best first.
type ScoredItem struct {
	ID       string   `json:"id"`
	Mean     Number   `json:"mean"`
	Score    Number   `json:"score"`
	SE       Number   `json:"se"` // NaN where there is none, as Lo and Hi
	Lo       Number   `json:"lo"`
	Hi       Number   `json:"hi"`
	Rank     int      `json:"rank"`
	RankLo   int      `json:"rank_lo,omitempty"` // 0 where there are no sets
	RankHi   int      `json:"rank_hi,omitempty"`
	Cells    int      `json:"scores"`
	TiedWith []string `json:"tied_with,omitempty"`
	Letters  string   `json:"letters,omitempty"`
	Gap      *Gap     `json:"gap,omitempty"` // of all but the baseline
}

// Gap is a score less that of the baseline. The intervals of all systems hold together.
type Gap struct {
	Value  Number `json:"value"`
	Lo     Number `json:"lo"`
	Hi     Number `json:"hi"`
	Better bool   `json:"better,omitempty"`
	Lesser bool   `json:"lesser,omitempty"`
}

// MoreUnits is how many more units would tell two systems apart in 80 % of samples.
type MoreUnits struct {
	A    string `json:"a"`
	B    string `json:"b"`
	More Number `json:"more"`
}

// mostMore is the number of systems of which it is said what would tell them from the first.
const mostMore = 3

// NewScores returns the document of a ranking of the scores in a file, which are on a scale, "" for that of the table.
func NewScores(file, scale string, r *scores.Ranking) *Scores {
	p := r.Problem
	d := &Scores{Kind: KindScores, File: file, Scale: scale, Lower: p.Lower, Missing: r.Missing, TableItems: p.Y.Rows,
		Cells: len(p.Y.Data) - r.Missing, Variance: p.UnitName() + "s", Units: r.Units, NoIntervals: r.NoIntervals,
		Residual: Number(r.Residual), Critical: Number(r.Critical), Draws: r.Draws, Exact: r.Exact, Top: r.Top,
		Groups: len(r.Groups), Gates: NewGates(r.Gates)}
	if d.Scale == "" {
		d.Scale = rawScale
	}
	if !math.IsNaN(r.Repeats) {
		d.Repeats = Number(r.Repeats)
	}
	groups := make([][]int, len(r.Systems))
	for g, of := range r.Groups {
		for _, at := range of {
			groups[at] = append(groups[at], g)
		}
	}
	for at, s := range r.Systems {
		item := ScoredItem{ID: s.Name, Mean: Number(s.Mean), Score: Number(s.Score), SE: Number(s.SE), Lo: Number(s.Lo),
			Hi: Number(s.Hi), Rank: s.Rank, RankLo: s.RankLo, RankHi: s.RankHi, Cells: s.Cells,
			Letters: groupLetters(groups[at])}
		for _, with := range r.TiedWith(at) {
			item.TiedWith = append(item.TiedWith, r.Systems[with].Name)
		}
		if r.Against >= 0 && at != r.Against {
			item.Gap = &Gap{Number(s.Gap), Number(s.GapLo), Number(s.GapHi), s.Better, s.Lesser}
		}
		d.Items = append(d.Items, item)
	}
	if r.Against >= 0 {
		d.Against = r.Systems[r.Against].Name
	}
	for at := 1; at < len(r.Systems) && r.Against < 0 && len(d.More) < mostMore; at++ {
		if more := r.Needed(0, at); more > 0 && !math.IsInf(more, 0) {
			d.More = append(d.More, MoreUnits{r.Systems[0].Name, r.Systems[at].Name, Number(more)})
		}
	}
	return d
}

// units counts units.
func (d *Scores) units(n int, more string) string {
	return spell.Plural(n, more+strings.TrimSuffix(d.Variance, "s"))
}

// WriteTable writes the systems as a table with a header, the best first; what is not there is empty.
func (d *Scores) WriteTable(w io.Writer, sep byte) error { return d.items().WriteTable(w, sep) }

// score is what is known of the score of an item.
func (i *ScoredItem) score() BoardScore {
	return BoardScore{i.Score, i.SE, i.Lo, i.Hi, i.Rank, i.RankLo, i.RankHi}
}
