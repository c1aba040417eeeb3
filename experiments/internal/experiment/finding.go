package experiment

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Finding is one number of a paper beside ours.
type Finding struct {
	Paper  string  `json:"paper"` // its year
	Place  string  `json:"place"` // as "table 3, OHSUMED"
	What   string  `json:"what"`  // as "RankRLS, mean disagreement"
	Format string  `json:"format"`
	Theirs float64 `json:"theirs"`
	Ours   float64 `json:"ours"`
	// Within is how far the two may be apart by chance, and Of says what that is: as
	// "two standard errors over 106 queries". 0 where there is nothing of chance.
	Within float64 `json:"within"`
	Of     string  `json:"of"`
	// AtMost is set where the paper's number is a bound, as a time that may be shorter.
	AtMost bool `json:"at_most,omitempty"`
	// Reason is why the two differ, or what is not the paper's: the data, as a rule.
	Reason string `json:"reason,omitempty"`
}

// Agrees says whether ours is no farther from theirs than Within, or at most theirs
// where that is what is asked.
func (f Finding) Agrees() bool {
	if f.AtMost {
		return f.Ours <= f.Theirs+f.Within
	}
	// Numbers printed with so many digits are known to half a unit of the last.
	return math.Abs(f.Ours-f.Theirs) <= f.Within+f.half()
}

// half is half a unit of the last digit that the format shows.
func (f Finding) half() float64 {
	var decimals int
	if n, _ := fmt.Sscanf(strings.Replace(f.Format, "+", "", 1), "%%.%df", &decimals); n != 1 {
		return 0
	}
	return 0.5 * math.Pow(10, -float64(decimals))
}

// Findings is the table of findings, in the order of papers and places.
func Findings(all []Finding) *Table {
	t := NewTable("paper", "%s", "where", "%s", "what", "%s", "theirs", "%s", "ours", "%s", "agreement", "%s")
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b Finding) int { return cmp.Compare(a.Paper, b.Paper) })
	for _, f := range all {
		t.Row(f.Paper, f.Place, f.What, fmt.Sprintf(f.Format, f.Theirs), fmt.Sprintf(f.Format, f.Ours), f.agreement())
	}
	return t
}

// agreement is the last column of a finding.
func (f Finding) agreement() string {
	within := ""
	if f.Of != "" {
		within = ", " + fmt.Sprintf(f.Format, f.Within) + ", " + f.Of
	}
	verdict := "**no**: off by more than"
	switch {
	case f.Agrees() && f.AtMost:
		verdict, within = "at most theirs", ""
	case f.Agrees() && f.Of == "":
		verdict = "the same"
	case f.Agrees():
		verdict, within = "within", within[1:]
	case f.Of == "":
		verdict = "**no**"
	default:
		within = within[1:]
	}
	if f.Reason != "" {
		return verdict + within + ". " + f.Reason
	}
	return verdict + within
}
