package table

import (
	"fmt"
	"slices"
	"strings"
)

// compared is what a column of a file of comparisons is.
type compared int

// The columns of a file of comparisons.
const (
	leftItem compared = iota
	rightItem
	winner
	loser
	winsLeft
	winsRight
	ties
	tiesBad
	weight
	magnitude
	annotator
	stratum
	comparedRoles // how many there are
)

// comparedNames are what the columns are called, and the names by which they are found, in the form of plain.
var comparedNames = [comparedRoles]struct {
	noun  string
	names []string
}{
	leftItem:  {"left", []string{"left", "model_a", "a", "item_a", "home", "player_a", "player1", "player_1"}},
	rightItem: {"right", []string{"right", "model_b", "b", "item_b", "away", "player_b", "player2", "player_2"}},
	winner:    {"winner", []string{"winner", "result", "outcome", "preference"}},
	loser:     {"loser", []string{"loser"}},
	winsLeft: {"wins of the left",
		[]string{"wins_a", "wins_left", "left_wins", "home_wins", "win1", "wins1"}},
	winsRight: {"wins of the right",
		[]string{"wins_b", "wins_right", "right_wins", "away_wins", "win2", "wins2"}},
	ties:      {"ties", []string{"ties", "draws", "tie", "draw"}},
	tiesBad:   {"ties, both bad", []string{"ties_both_bad", "ties_bothbad", "both_bad"}},
	weight:    {"weight", []string{"weight"}},
	magnitude: {"magnitude", []string{"magnitude"}},
	annotator: {"annotator", []string{"annotator", "worker", "judge"}},
	stratum:   {"stratum", []string{"stratum"}},
}

// given are the columns that the options name.
func (o *ComparisonsOptions) given() [comparedRoles]string {
	return [comparedRoles]string{leftItem: o.Left, rightItem: o.Right, winner: o.Winner, loser: o.Loser,
		winsLeft: o.WinsLeft, winsRight: o.WinsRight, ties: o.Ties, weight: o.Weight, magnitude: o.Magnitude,
		annotator: o.Annotator, stratum: o.Stratum}
}

// columns finds the columns of a header: first those that the options name, then the others by their names.
func (r *comparisonReader) columns(first []field, o *ComparisonsOptions) error {
	for k := range r.at {
		r.at[k] = -1
	}
	h := &heading{count: len(first), at: map[string]int{}, names: make([]string, len(first))}
	for k, f := range slices.Backward(first) {
		h.at[f.text], h.names[k] = k, f.text
	}
	h.fault = func(k int, _ error, format string, args ...any) error {
		if k < 0 {
			return r.fault(field{col: 1}, "%s: the columns are %s", fmt.Sprintf(format, args...), headerTexts(first))
		}
		return r.fault(first[k], format, args...)
	}
	taken := make([]bool, len(first))
	take := func(which string) (int, error) {
		k, err := h.one(which)
		if err != nil {
			return 0, err
		}
		if taken[k] {
			return 0, r.fault(first[k], "this column has two roles")
		}
		taken[k] = true
		return k, nil
	}
	given := o.given()
	for role, which := range given {
		if which == "" {
			continue
		}
		k, err := take(which)
		if err != nil {
			return err
		}
		r.at[role] = k
	}
	for _, which := range o.Covariates {
		k, err := take(which)
		if err != nil {
			return err
		}
		r.covariates = append(r.covariates, k)
		r.out.Covariates = append(r.out.Covariates, strings.Clone(first[k].text))
	}
	if err := r.byName(first, taken); err != nil {
		return err
	}
	if err := r.checkColumns(first, given); err != nil {
		return err
	}
	for k, f := range first {
		for role, at := range r.at {
			if at == k {
				r.out.Columns = append(r.out.Columns, fmt.Sprintf("%s %q", comparedNames[role].noun, f.text))
			}
		}
	}
	return nil
}

// byName finds columns that are not taken by their names.
func (r *comparisonReader) byName(first []field, taken []bool) error {
	for role, known := range comparedNames {
		if r.at[role] >= 0 {
			continue
		}
		for k, f := range first {
			if taken[k] || !slices.Contains(known.names, plain(f.text)) {
				continue
			}
			if at := r.at[role]; at >= 0 {
				return r.fault(f, "columns %d and %d may both be the %s: the columns are %s", at+1, k+1, known.noun,
					headerTexts(first))
			}
			r.at[role], taken[k] = k, true
		}
	}
	return nil
}

// checkColumns refuses columns that say no outcome, or say it twice. It forgets those that the others have no use for,
// unless they are given.
func (r *comparisonReader) checkColumns(first []field, given [comparedRoles]string) error {
	has := func(roles ...compared) bool {
		return !slices.ContainsFunc(roles, func(k compared) bool { return r.at[k] < 0 })
	}
	counts := has(winsLeft, winsRight)
	var unused []compared
	switch sides := has(leftItem, rightItem); {
	case sides && counts && has(winner):
		return r.fault(first[r.at[winner]], "a winner beside counts of wins: a line has one of them")
	case sides && counts:
		r.out.Counts, unused = true, []compared{loser}
	case sides && has(winner):
		unused = []compared{loser, winsLeft, winsRight, ties, tiesBad}
	case has(winner, loser) && !has(leftItem) && !has(rightItem):
		unused = []compared{winsLeft, winsRight, ties, tiesBad}
	default:
		return r.fault(field{col: 1}, "the columns are no comparisons, which are left and right with winner or with "+
			"counts of wins, or winner and loser: %s", headerTexts(first))
	}
	for _, role := range unused {
		if given[role] != "" {
			return r.fault(first[r.at[role]], "the column of the %s is not for these columns: %s",
				comparedNames[role].noun, headerTexts(first))
		}
		r.at[role] = -1
	}
	return nil
}

// headerTexts lists the fields of a header.
func headerTexts(fields []field) string {
	return listed(len(fields), ", ", func(k int) string { return quotedID(fields[k].text) })
}
