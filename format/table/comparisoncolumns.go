package table

import (
	"fmt"
	"maps"
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
	graded
	weight
	magnitude
	annotator
	stratum
	comparedRoles // how many there are
)

// comparedNames are the names of the columns.
var comparedNames = [comparedRoles]columnNames{
	leftItem: {"left", []string{"left", "model_a", "a", "item_a", "home", "player_a", "player1", "player_1"},
		[]string{"home_team", "hometeam", "team_home", "team1", "team_1", "white", "model_1", "generator_1"}},
	rightItem: {"right", []string{"right", "model_b", "b", "item_b", "away", "player_b", "player2", "player_2"},
		[]string{"away_team", "awayteam", "team_away", "team2", "team_2", "black", "model_2", "generator_2"}},
	winner: {"winner", []string{"winner", "result", "outcome", "preference"}, []string{"winner_name", "ftr"}},
	loser:  {"loser", []string{"loser"}, []string{"loser_name"}},
	winsLeft: {"wins of the left",
		[]string{"wins_a", "wins_left", "left_wins", "home_wins", "win1", "wins1"}, []string{"winner_model_a"}},
	winsRight: {"wins of the right",
		[]string{"wins_b", "wins_right", "right_wins", "away_wins", "win2", "wins2"}, []string{"winner_model_b"}},
	ties:    {"ties", []string{"ties", "draws", "tie", "draw"}, []string{"winner_tie"}},
	tiesBad: {"ties, both bad", []string{"ties_both_bad", "ties_bothbad", "both_bad"}, nil},
	scoreLeft: {"score of the left", []string{"score_left", "left_score", "home_score"},
		[]string{"score_a", "score1", "score_1", "home_goals", "home_points", "goals_home", "fthg", "team1_score",
			"home_team_score", "home_team_goals", "home_team_goal"}},
	scoreRight: {"score of the right", []string{"score_right", "right_score", "away_score"},
		[]string{"score_b", "score2", "score_2", "away_goals", "away_points", "goals_away", "ftag", "team2_score",
			"away_team_score", "away_team_goals", "away_team_goal"}},
	graded:    {"outcome", slices.Sorted(maps.Keys(namedOutcomes)), nil},
	weight:    {"weight", []string{"weight"}, nil},
	magnitude: {"magnitude", []string{"magnitude"}, nil},
	annotator: {"annotator", []string{"annotator", "worker", "judge"}, nil},
	stratum:   {"stratum", []string{"stratum"}, nil},
}

// namedOutcomes are what outcomes are, by the name of their column.
var namedOutcomes = map[string]string{"margin": margins, "p_left": probabilities, "prob_left": probabilities,
	"probability_left": probabilities}

// given are the columns that the options name.
func (o *ComparisonsOptions) given() [comparedRoles]string {
	return [comparedRoles]string{leftItem: o.Left, rightItem: o.Right, winner: o.Winner, loser: o.Loser,
		winsLeft: o.WinsLeft, winsRight: o.WinsRight, ties: o.Ties, weight: o.Weight, magnitude: o.Magnitude,
		annotator: o.Annotator, stratum: o.Stratum, scoreLeft: o.Outcome.ScoreLeft, scoreRight: o.Outcome.ScoreRight,
		graded: o.Outcome.Column}
}

// columns finds the columns of a header: first those that the options name, then the others by their names.
func (r *comparisonReader) columns(first []field, o *ComparisonsOptions) error {
	f := r.finder(first)
	given := o.given()
	if err := f.given(given[:], r.at[:]); err != nil {
		return err
	}
	for _, which := range o.Covariates {
		k, err := f.take(which)
		if err != nil {
			return err
		}
		r.covariates = append(r.covariates, k)
		r.out.Covariates = append(r.out.Covariates, strings.Clone(first[k].text))
	}
	var err error
	if r.clusters, err = f.clusters(o.Cluster); err != nil {
		return err
	}
	if r.trusted, r.people = -1, o.Trusted[1]; o.Trusted[0] != "" {
		if r.trusted, err = f.head.one(o.Trusted[0]); err != nil {
			return err
		}
	}
	if err := f.byName(comparedNames[:graded], r.at[:graded]); err != nil {
		return err
	}
	rest := graded
	if slices.ContainsFunc(saysOutcome, func(k compared) bool { return r.at[k] >= 0 }) {
		rest++
	}
	if err := f.byName(comparedNames[rest:], r.at[rest:]); err != nil {
		return err
	}
	if err := r.checkColumns(first, given); err != nil {
		return err
	}
	r.settle(first, f.taken)
	return nil
}

// settle says which column is what, once that is known.
func (r *comparisonReader) settle(first []field, taken []bool) {
	says := make([]bool, len(first))
	for k, f := range first {
		for role, at := range r.at {
			if at == k {
				r.out.Columns = append(r.out.Columns, fmt.Sprintf("%s %q", comparedNames[role].noun, f.text))
				of := compared(role)
				says[k] = of <= loser || of == scoreLeft || of == scoreRight || of == graded
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
	if k := r.at[graded]; k >= 0 && r.are == "" {
		r.are = namedOutcomes[plain(first[k].text)]
	}
	r.home = r.at[leftItem] >= 0 && strings.Contains(plain(first[r.at[leftItem]].text), "home")
	r.reading = map[int]bool{}
	r.repeats.begin(first, says, taken, r.at[annotator])
}

// saysOutcome are the columns that say outcomes.
var saysOutcome = []compared{winner, loser, winsLeft, winsRight, ties, tiesBad, scoreLeft, scoreRight, graded,
	magnitude}

// checkColumns refuses columns that say no outcome, or say it twice. It forgets those that the others have no use for,
// unless they are given.
func (r *comparisonReader) checkColumns(first []field, given [comparedRoles]string) error {
	used, err := r.outcomeColumns(first, given)
	if err != nil {
		return err
	}
	for _, role := range saysOutcome {
		if slices.Contains(used, role) {
			continue
		}
		if given[role] != "" {
			return r.fault(first[r.at[role]], "the column of the %s is not for these columns: %s",
				comparedNames[role].noun, headerTexts(first))
		}
		r.at[role] = -1
	}
	return nil
}

// ways are the columns that say outcomes together, beside the items, in the order in which they are taken: those that
// are needed, and those that are used, too.
var ways = []struct{ needs, uses []compared }{
	{[]compared{graded}, nil},
	{[]compared{winsLeft, winsRight}, []compared{ties, tiesBad, magnitude}},
	{[]compared{scoreLeft, scoreRight}, []compared{magnitude}},
	{[]compared{winner}, []compared{magnitude}},
}

// outcomeColumns are the columns that say the outcome.
func (r *comparisonReader) outcomeColumns(first []field, given [comparedRoles]string) ([]compared, error) {
	has := func(roles ...compared) bool {
		return !slices.ContainsFunc(roles, func(k compared) bool { return r.at[k] < 0 })
	}
	sides, byWinner := has(leftItem, rightItem), has(winner) && given[scoreLeft]+given[scoreRight] == ""
	if r.difference {
		if sides && has(scoreLeft, scoreRight) {
			return []compared{scoreLeft, scoreRight}, nil
		}
		return nil, r.fault(field{col: 1}, "the columns have no left and right item with scores, whose difference is the "+
			"margin: %s", headerTexts(first))
	}
	for _, way := range ways {
		if !sides || !has(way.needs...) || way.needs[0] == scoreLeft && byWinner {
			continue
		}
		if r.out.Counts = way.needs[0] == winsLeft; r.out.Counts && has(winner) {
			return nil, r.fault(first[r.at[winner]], "a winner beside counts of wins: a line has one of them")
		}
		return slices.Concat(way.needs, way.uses), nil
	}
	if has(winner, loser) && max(r.at[leftItem], r.at[rightItem]) < 0 {
		return []compared{winner, loser, magnitude}, nil
	}
	return nil, columnsFault(r.fault(field{col: 1}, "the columns are no %s: %s", comparisonsAre, headerTexts(first)),
		errNoComparisons)
}
