package table

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/internal/gaps"
)

// outcome reads the items of a line and what it counts: which is the single outcome, −1 for counts. It gives c the
// magnitude and the rest of an outcome that is graded.
func (r *comparisonReader) outcome(fields []field, c *data.Comparison) (left, right field, counts [3]float64,
	which int8, err error) {
	if r.at[leftItem] < 0 {
		return fields[r.at[winner]], fields[r.at[loser]], [3]float64{1}, 0, nil
	}
	left, right = fields[r.at[leftItem]], fields[r.at[rightItem]]
	if !r.out.Counts {
		switch k := r.at[graded]; {
		case k >= 0:
			which, err = r.grade(fields[k], c)
		case r.at[winner] >= 0:
			which, err = r.won(fields[r.at[winner]], left, right)
		default:
			which, err = r.higher(fields[r.at[scoreLeft]], fields[r.at[scoreRight]], c)
		}
		if err == nil && which >= 0 {
			counts[which] = 1
		}
		return left, right, counts, which, err
	}
	for to, roles := range [3][]compared{{winsLeft}, {winsRight}, {ties, tiesBad}} {
		for _, role := range roles {
			if r.at[role] < 0 {
				continue
			}
			n, err := r.count(fields[r.at[role]])
			if err != nil {
				return left, right, counts, -1, err
			}
			counts[to] += n
		}
	}
	if counts == ([3]float64{}) {
		r.out.Empty++
	}
	return left, right, counts, -1, nil
}

// What outcomes are.
const (
	probabilities = "probability"
	margins       = "margin"
)

// grade is the side that a probability or a margin favours, 2 for neither, −1 where it is missing.
func (r *comparisonReader) grade(f field, c *data.Comparison) (int8, error) {
	if gaps.IsMissing(f.text) {
		r.out.Empty++
		return -1, nil
	}
	v, err := r.number(f)
	beyond := !(v >= 0 && v <= 1)
	switch {
	case err != nil:
		return -1, err
	case r.are != probabilities:
		r.reading[byMargins], r.beyond = true, r.beyond || beyond
		return marginOf(v, c), nil
	case beyond:
		return -1, r.fault(f, "an outcome is the probability that the left item is better, from 0 to 1: margins are for the "+
			"squared loss")
	}
	r.reading[byProbabilities] = true
	which := marginOf(2*v-1, c)
	if which < 2 {
		c.Rest = min(v, 1-v)
	}
	return which, nil
}

// marginOf is the side that a margin favours, 2 for neither, and gives c its magnitude.
func marginOf(v float64, c *data.Comparison) int8 {
	which := outcomeOfScores(v, 0)
	if c.Magnitude = math.Abs(v); which == 2 {
		c.Magnitude = 1
	}
	return which
}

// higher is which of two scores is the higher one, 2 for equal ones, −1 where one is missing.
func (r *comparisonReader) higher(left, right field, c *data.Comparison) (int8, error) {
	if gaps.IsMissing(left.text) || gaps.IsMissing(right.text) {
		r.out.Unplayed++
		return -1, nil
	}
	a, err := r.number(left)
	if err != nil {
		return -1, err
	}
	b, err := r.number(right)
	if r.difference {
		r.reading[byDifferences] = true
		return marginOf(a-b, c), err
	}
	r.reading[byScores] = true
	return outcomeOfScores(a, b), err
}

func outcomeOfScores(a, b float64) int8 {
	switch {
	case a > b:
		return 0
	case a < b:
		return 1
	}
	return 2
}

// The readings of winners that do not say what they mean.
const (
	byScores = iota
	byDifferences
	byMargins
	byProbabilities
	byNumbers
	byLetters
	byResults
	bySides
	byFirst // a winner 1, which is of either kind of numbers
)

var readings = []string{
	byScores:        "the higher score wins, and equal scores are a tie",
	byDifferences:   "the difference of the scores is the margin of the left item, and equal scores are a tie",
	byMargins:       "an outcome is the margin of the left item over the right one, and 0 is a tie",
	byProbabilities: "an outcome is the probability that the left item is better, and 0.5 is a tie",
	byNumbers:       "a winner 1 is the left item, 0 the right one, 0.5 a tie",
	byLetters:       "a winner H is the left item, who is at home, A the right one, D a tie",
	byResults:       "a result such as 2-1 has the score of the left item first",
	bySides:         "a winner 1 is the left item, 2 the right one, 1.5 a tie",
}

// mostCounted is the largest count of a line: sums of 2⁵³ are no longer exact.
const mostCounted = 1 << 40

// count reads a number of outcomes.
func (r *comparisonReader) count(f field) (float64, error) {
	n, err := r.number(f)
	switch {
	case err != nil:
		return 0, err
	case n < 0:
		return 0, r.fault(f, "a count is below 0")
	case n > mostCounted:
		return 0, r.fault(f, "a count is above %d", mostCounted)
	}
	return n, nil
}

// won reads who won: 0 the left item, 1 the right one, 2 neither. The name of an item comes before a word of
// this meaning.
func (r *comparisonReader) won(f, left, right field) (int8, error) {
	switch f.text {
	case left.text:
		return 0, nil
	case right.text:
		return 1, nil
	}
	if r.home {
		if which := letterOf(f.text); which >= 0 {
			r.reading[byLetters] = true
			return which, nil
		}
	}
	if which := outcomeOf(f.text); which >= 0 {
		return which, nil
	}
	if which := outcomeOf(plain(f.text)); which >= 0 {
		return which, nil
	}
	if which := resultOf(f.text); which >= 0 {
		r.reading[byResults] = true
		return which, nil
	}
	if f.text == "" {
		return 0, r.fault(f, "the winner is missing")
	}
	further := ""
	if v, ok := r.value(&f); ok {
		further = "; a probability or a margin is no winner, but an outcome"
		if which, by := numbered(v); which >= 0 {
			if r.reading[by] = true; r.reading[byNumbers] && r.reading[bySides] {
				return 0, r.fault(f, "the winners are 0 and 1 in some lines, and 1 and 2 in others")
			}
			return which, nil
		}
	}
	return 0, r.fault(f, "the winner is neither %s nor %s, nor left, right or tie%s", quotedID(left.text),
		quotedID(right.text), further)
}

// numbered is the outcome that a number says, −1 for none, and its reading.
func numbered(v float64) (which int8, by int) {
	switch v {
	case 1:
		return 0, byFirst
	case 0:
		return 1, byNumbers
	case 0.5:
		return 2, byNumbers
	case 2:
		return 1, bySides
	case 1.5:
		return 2, bySides
	}
	return -1, 0
}

// outcomeOf is the outcome that a word says, −1 for none.
func outcomeOf(text string) int8 {
	switch text {
	case "left", "model_a", "a", "home", "model_1":
		return 0
	case "right", "model_b", "b", "away", "model_2":
		return 1
	case "tie", "tie (bothbad)", "tie_(bothbad)", "tie_(both_bad)", "draw", "both_bad", "bothbad":
		return 2
	}
	return -1
}

// letterOf is the outcome of a letter beside teams at home and away, −1 for none.
func letterOf(text string) int8 {
	return int8(slices.Index([]string{"H", "A", "D"}, strings.ToUpper(text)))
}

// resultOf is the outcome of two scores with a hyphen, a dash or a colon between them, −1 for none.
func resultOf(text string) int8 {
	left, right, is := strings.Cut(strings.NewReplacer("–", "-", ":", "-").Replace(text), "-")
	if !is {
		return -1
	}
	a, ok := scoreOf(left)
	b, is := scoreOf(right)
	if !ok || !is {
		return -1
	}
	return outcomeOfScores(a, b)
}

// scoreOf is a score of a result: a number, or a half.
func scoreOf(text string) (float64, bool) {
	if text = strings.TrimSpace(text); text == "1/2" || text == "½" {
		return 0.5, true
	}
	if text == "" || strings.Trim(text, "0123456789.") != "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil
}

// truth is a number, or 1 for true and 0 for false.
func (r *comparisonReader) truth(f field) (float64, error) {
	switch strings.ToLower(f.text) {
	case "true":
		return 1, nil
	case "false":
		return 0, nil
	}
	return r.number(f)
}

// number reads a number, of a fixed form where it is short: most are counts.
func (r *comparisonReader) number(f field) (float64, error) {
	const digits = 9
	if len(f.text) == 0 || len(f.text) > digits {
		return r.lines.number(f)
	}
	n := 0
	for k := range len(f.text) {
		c := f.text[k]
		if c < '0' || c > '9' {
			return r.lines.number(f)
		}
		n = 10*n + int(c-'0')
	}
	return float64(n), nil
}
