package table

import "math"

// outcome reads the items of a line and what it counts: which is the single outcome, −1 for counts.
func (r *comparisonReader) outcome(fields []field) (left, right field, counts [3]float64, which int8, err error) {
	if r.at[leftItem] < 0 {
		return fields[r.at[winner]], fields[r.at[loser]], [3]float64{1}, 0, nil
	}
	left, right = fields[r.at[leftItem]], fields[r.at[rightItem]]
	if !r.out.Counts {
		which, err = r.won(fields[r.at[winner]], left, right)
		if err == nil {
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
		return left, right, counts, -1, r.fault(left, "the line counts no outcome")
	}
	return left, right, counts, -1, nil
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
	case n != math.Trunc(n):
		return 0, r.fault(f, "a count is not whole")
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
	if which := outcomeOf(f.text); which >= 0 {
		return which, nil
	}
	if which := outcomeOf(plain(f.text)); which >= 0 {
		return which, nil
	}
	if f.text == "" {
		return 0, r.fault(f, "the winner is missing")
	}
	if v, ok := r.value(&f); ok {
		switch v {
		case 1:
			return 0, nil
		case 0:
			return 1, nil
		case 0.5:
			return 2, nil
		}
	}
	return 0, r.fault(f, "the winner is neither %s nor %s, nor left, right or tie", quotedID(left.text),
		quotedID(right.text))
}

// outcomeOf is the outcome that a word says, −1 for none.
func outcomeOf(text string) int8 {
	switch text {
	case "left", "model_a", "a", "home":
		return 0
	case "right", "model_b", "b", "away":
		return 1
	case "tie", "tie (bothbad)", "tie_(bothbad)", "tie_(both_bad)", "draw", "both_bad", "bothbad":
		return 2
	}
	return -1
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
