package experiment

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"pairrank/internal/student"
)

// Finding is one number of a paper and ours.
type Finding struct {
	Paper  string `json:"paper"` // its year
	Place  string `json:"place"` // as "table 3, OHSUMED"
	What   string `json:"what"`  // as "RankRLS, mean disagreement"
	Format string `json:"format"`
	// Theirs is the number that the paper prints. Where it prints none, Says is what it says
	// instead, as "a couple of hundred", and Theirs is what that comes to.
	Theirs float64 `json:"theirs"`
	Says   string  `json:"says,omitempty"`
	Ours   float64 `json:"ours"`
	// Within is half the 95 % interval of the difference by chance, and Of says what it is
	// made of: as "t over 5 folds". 0 where there is nothing of chance.
	Within float64 `json:"within"`
	Of     string  `json:"of"`
	// Margin is the difference up to which the two say the same. 0 where there is no such:
	// what has an error by chance can then differ, but not agree.
	Margin float64 `json:"margin,omitempty"`
	// AtMost is set where the paper's number is a bound, as a share of a time that may be less.
	AtMost bool `json:"at_most,omitempty"`
	// Unlike is what is not the paper's, such as the machine, so that the numbers can neither
	// agree nor differ.
	Unlike string `json:"unlike,omitempty"`
	// Reason is why the two differ, or what is not the paper's: the data, as a rule.
	Reason string `json:"reason,omitempty"`
}

// Verdict is whether a number agrees with the paper's.
type Verdict string

// The verdicts. No: the two differ by more than chance. Yes: chance included, they do not
// differ by more than what says the same. CannotTell is all between.
const (
	Yes        Verdict = "yes"
	No         Verdict = "no"
	CannotTell Verdict = "cannot tell"
)

// Verdict is whether ours agrees with theirs.
func (f Finding) Verdict() Verdict {
	apart, sure := math.Abs(f.Ours-f.Theirs), f.Within+f.half()
	most := f.Margin - sure // so far apart they agree in spite of chance
	if f.Within == 0 {
		sure = max(sure, f.Margin)
		most = sure
	}
	if f.AtMost {
		apart, most = f.Ours-f.Theirs, f.Margin-f.Within
	}
	switch {
	case f.Unlike != "":
		return CannotTell
	case apart > sure:
		return No
	case apart <= most:
		return Yes
	}
	return CannotTell
}

// half is half a unit of the last digit that the format shows, to which numbers that are
// printed are known.
func (f Finding) half() float64 {
	var decimals int
	if n, _ := fmt.Sscanf(strings.Replace(f.Format, "+", "", 1), "%%.%df", &decimals); n != 1 || f.Says != "" {
		return 0
	}
	return 0.5 * math.Pow(10, -float64(decimals))
}

// HalfRange is half of what lies between the least and the greatest number, those of the
// learners of a table: the best and the worst of them keep their order where each of them
// is off by less. It is the margin of numbers of such a table.
func HalfRange(v ...float64) float64 { return (slices.Max(v) - slices.Min(v)) / 2 }

// HalfInterval is half the 95 % interval of a number with a standard error that has df
// degrees of freedom, by Student's t.
func HalfInterval(stderr float64, df int) float64 { return student.Quantile975(df) * stderr }

// Summary counts the findings by their verdict, lists them, and says why below, each reason once.
func Summary(all []Finding) string {
	table, reasons := Findings(all)
	parts := []string{Verdicts(all).Markdown(), table.Markdown()}
	var list strings.Builder
	for k, reason := range reasons {
		list.WriteString(wrap(fmt.Sprintf("%d. %s", k+1, reason)))
	}
	return strings.Join(append(parts, list.String()), "\n")
}

// Findings is the table of findings, in the order of papers and places, and the reasons whose numbers, from 1, stand in
// its last column.
func Findings(all []Finding) (t *Table, reasons []string) {
	t = NewTable("paper", "%s", "where", "%s", "what", "%s", "theirs", "%s", "ours", "%s", "ours less theirs", "%s",
		"± by chance", "%.3g", "agree up to", "%.3g", "agree", "%s", "why", "%.0f")
	for _, f := range sorted(all) {
		row := f.row()
		var number any
		if why := f.why(); why != "" {
			k := slices.Index(reasons, why)
			if k < 0 {
				k = len(reasons)
				reasons = append(reasons, why)
			}
			number = k + 1
		}
		t.Row(append(row, number)...)
	}
	return t, reasons
}

// Verdicts counts the findings of each paper by their verdict.
func Verdicts(all []Finding) *Table {
	t := NewTable("paper", "%s", "numbers", "%.0f", string(Yes), "%.0f", string(No), "%.0f", string(CannotTell), "%.0f")
	all = sorted(all)
	count := func(name string, of []Finding) {
		n := map[Verdict]int{}
		for _, f := range of {
			n[f.Verdict()]++
		}
		t.Row(name, len(of), n[Yes], n[No], n[CannotTell])
	}
	for rest := all; len(rest) > 0; {
		end := slices.IndexFunc(rest, func(f Finding) bool { return f.Paper != rest[0].Paper })
		if end < 0 {
			end = len(rest)
		}
		count(rest[0].Paper, rest[:end])
		rest = rest[end:]
	}
	count("all", all)
	return t
}

// sorted has the findings in the order of papers; those of one stay in theirs.
func sorted(all []Finding) []Finding {
	return slices.SortedStableFunc(slices.Values(all), func(a, b Finding) int { return cmp.Compare(a.Paper, b.Paper) })
}

// row is the line of a finding, but for why.
func (f Finding) row() []any {
	theirs := fmt.Sprintf(f.Format, f.Theirs)
	switch {
	case f.Says != "":
		theirs = f.Says
	case f.AtMost:
		theirs = "at most " + theirs
	}
	var difference, within, margin any
	if !f.AtMost {
		difference = fmt.Sprintf("%+"+strings.TrimLeft(f.Format, "%+"), f.Ours-f.Theirs)
	}
	if f.Within != 0 {
		within = f.Within
	}
	if f.Margin != 0 {
		margin = f.Margin
	}
	verdict := string(f.Verdict())
	if f.Verdict() == No {
		verdict = "**no**"
	}
	ours := fmt.Sprintf(f.Format, f.Ours)
	return []any{f.Paper, f.Place, f.What, theirs, ours, difference, within, margin, verdict}
}

// why says what the chance of a finding is of, and gives the reasons, as sentences; "" where there is nothing to say.
func (f Finding) why() string {
	var all []string
	for _, text := range []string{f.Of, f.Unlike, f.Reason} {
		if text != "" {
			all = append(all, strings.TrimSuffix(text, ".")+".")
		}
	}
	return strings.Join(all, " ")
}
