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
	scoreLeft
	scoreRight
	weight
	magnitude
	annotator
	stratum
	comparedRoles // how many there are
)

// comparedNames are what the columns are called, and the names by which they are found, in the form of plain; also are
// looked for where no column has one of the names.
var comparedNames = [comparedRoles]struct {
	noun        string
	names, also []string
}{
	leftItem: {"left", []string{"left", "model_a", "a", "item_a", "home", "player_a", "player1", "player_1"},
		[]string{"home_team", "hometeam", "team_home", "team1", "team_1", "white"}},
	rightItem: {"right", []string{"right", "model_b", "b", "item_b", "away", "player_b", "player2", "player_2"},
		[]string{"away_team", "awayteam", "team_away", "team2", "team_2", "black"}},
	winner: {"winner", []string{"winner", "result", "outcome", "preference"}, []string{"winner_name", "ftr"}},
	loser:  {"loser", []string{"loser"}, []string{"loser_name"}},
	winsLeft: {"wins of the left",
		[]string{"wins_a", "wins_left", "left_wins", "home_wins", "win1", "wins1"}, nil},
	winsRight: {"wins of the right",
		[]string{"wins_b", "wins_right", "right_wins", "away_wins", "win2", "wins2"}, nil},
	ties:    {"ties", []string{"ties", "draws", "tie", "draw"}, nil},
	tiesBad: {"ties, both bad", []string{"ties_both_bad", "ties_bothbad", "both_bad"}, nil},
	scoreLeft: {"score of the left", []string{"score_left", "left_score", "home_score"},
		[]string{"score_a", "score1", "score_1", "home_goals", "home_points", "goals_home", "fthg", "team1_score",
			"home_team_score", "home_team_goals", "home_team_goal"}},
	scoreRight: {"score of the right", []string{"score_right", "right_score", "away_score"},
		[]string{"score_b", "score2", "score_2", "away_goals", "away_points", "goals_away", "ftag", "team2_score",
			"away_team_score", "away_team_goals", "away_team_goal"}},
	weight:    {"weight", []string{"weight"}, nil},
	magnitude: {"magnitude", []string{"magnitude"}, nil},
	annotator: {"annotator", []string{"annotator", "worker", "judge"}, nil},
	stratum:   {"stratum", []string{"stratum"}, nil},
}

// given are the columns that the options name.
func (o *ComparisonsOptions) given() [comparedRoles]string {
	return [comparedRoles]string{leftItem: o.Left, rightItem: o.Right, winner: o.Winner, loser: o.Loser,
		winsLeft: o.WinsLeft, winsRight: o.WinsRight, ties: o.Ties, weight: o.Weight, magnitude: o.Magnitude,
		annotator: o.Annotator, stratum: o.Stratum, scoreLeft: o.ScoreLeft, scoreRight: o.ScoreRight}
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
	if err := r.takeClusters(h, first, o); err != nil {
		return err
	}
	if err := r.byName(first, taken); err != nil {
		return err
	}
	if err := r.checkColumns(first, given); err != nil {
		return err
	}
	r.settle(first, taken)
	return nil
}

// takeClusters takes the columns of clusters, given ones or that of this name, and of who is trusted. They may have
// another role, too.
func (r *comparisonReader) takeClusters(h *heading, first []field, o *ComparisonsOptions) (err error) {
	if r.trusted, r.people = -1, o.Trusted[1]; o.Trusted[0] != "" {
		if r.trusted, err = h.one(o.Trusted[0]); err != nil {
			return err
		}
	}
	for k, f := range first {
		if o.Cluster == nil && plain(f.text) == "cluster" {
			r.clusters = []int{k}
		}
	}
	for _, which := range o.Cluster {
		k, err := h.one(which)
		if err != nil {
			return err
		}
		r.clusters = append(r.clusters, k)
	}
	return nil
}

// settle says which column is what, once that is known.
func (r *comparisonReader) settle(first []field, taken []bool) {
	says := make([]bool, len(first))
	for k, f := range first {
		for role, at := range r.at {
			if at == k {
				r.out.Columns = append(r.out.Columns, fmt.Sprintf("%s %q", comparedNames[role].noun, f.text))
				says[k] = role <= int(loser) || role == int(scoreLeft) || role == int(scoreRight)
			}
		}
		if slices.Contains(r.clusters, k) {
			r.out.Columns = append(r.out.Columns, fmt.Sprintf("cluster %q", f.text))
			taken[k] = true
		}
		if r.trusted == k {
			r.out.Columns = append(r.out.Columns, fmt.Sprintf("trusted %q", f.text))
			taken[k] = true
		}
	}
	r.home = r.at[leftItem] >= 0 && strings.Contains(plain(first[r.at[leftItem]].text), "home")
	r.reading = map[int]bool{}
	r.repeats.begin(first, says, taken, r.at[annotator])
}

// byName finds columns that are not taken by their names.
func (r *comparisonReader) byName(first []field, taken []bool) error {
	for role, known := range comparedNames {
		for _, names := range [][]string{known.names, known.also} {
			if r.at[role] >= 0 {
				break
			}
			for k, f := range first {
				if taken[k] || !slices.Contains(names, plain(f.text)) {
					continue
				}
				if at := r.at[role]; at >= 0 {
					return r.fault(f, "columns %d and %d may both be the %s: the columns are %s", at+1, k+1, known.noun,
						headerTexts(first))
				}
				r.at[role], taken[k] = k, true
			}
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
	counts, scores := has(winsLeft, winsRight), has(scoreLeft, scoreRight)
	asked := given[scoreLeft]+given[scoreRight] != ""
	var unused []compared
	switch sides := has(leftItem, rightItem); {
	case sides && counts:
		if has(winner) {
			return r.fault(first[r.at[winner]], "a winner beside counts of wins: a line has one of them")
		}
		r.out.Counts, unused = true, []compared{loser, scoreLeft, scoreRight}
	case sides && scores && (asked || !has(winner)):
		unused = []compared{winner, loser, winsLeft, winsRight, ties, tiesBad}
	case sides && has(winner):
		unused = []compared{loser, winsLeft, winsRight, ties, tiesBad, scoreLeft, scoreRight}
	case has(winner, loser) && !has(leftItem) && !has(rightItem):
		unused = []compared{winsLeft, winsRight, ties, tiesBad, scoreLeft, scoreRight}
	default:
		return r.fault(field{col: 1}, "the columns are no comparisons, which are left and right with winner, with counts "+
			"of wins or with scores, or winner and loser: %s", headerTexts(first))
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
