package report

import (
	"fmt"
	"math"

	"pairrank/comparison"
	"pairrank/internal/spell"
)

// BoardTrusted says what the votes of a judge add to those of people.
type BoardTrusted struct {
	Votes     Number `json:"n"`         // of people
	Share     Number `json:"share"`     // ω of the judge's votes
	Effective Number `json:"effective"` // votes of people alone that would say as much
	Paired    Number `json:"paired"`    // votes of people on comparisons that the judge voted on
	Judged    Number `json:"judge_votes"`
	First     string `json:"judge_first"`  // by the judge alone
	Width     Number `json:"judge_width"`  // of the judge's own intervals, beside those of the board
	Misses    int    `json:"judge_misses"` // scores outside of the judge's own intervals
}

// trustedOf is the part about votes of people and of a judge, nil without.
func trustedOf(items []string, t *comparison.Trusted) *BoardTrusted {
	if t == nil {
		return nil
	}
	return &BoardTrusted{Number(t.Votes), Number(t.Share), Number(t.Effective), Number(t.Paired), Number(t.Judged),
		items[t.First], Number(t.Width), t.Outside}
}

// facts adds what the judge adds, what it would have claimed alone, and what the correction is for.
func (t *BoardTrusted) facts(v *View, items int) {
	if t == nil {
		return
	}
	v.state("trusted", "%s of people, corrected by %.2f of %s of a judge: worth %.0f votes of people alone",
		spell.Plural(int(t.Votes), "vote"), float64(t.Share), spell.Plural(int(t.Judged), "vote"), float64(t.Effective))
	alone := fmt.Sprintf("the judge alone would name %s first", t.First)
	if !math.IsNaN(float64(t.Width)) {
		alone += fmt.Sprintf(", with intervals %.2f times as wide; %d of its %d intervals miss the score below",
			float64(t.Width), t.Misses, items)
	}
	v.fact(Finding, "", "%s", alone)
	v.fact(Detail, "", "trusted votes protect from what the judge gets wrong; what its votes add is the smaller part")
}
