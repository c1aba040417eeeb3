package serve

import (
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/internal/gaps"
)

// The names of what is done with missing features.
const byModel, byError, byZero = "model", "error", "zero"

// missingBy reads the name of what is done with missing features; "" is the default.
func missingBy(name string) (data.Missing, error) {
	switch name {
	case byModel, "":
		return data.MissingModel, nil
	case byError:
		return data.MissingError, nil
	case byZero:
		return data.MissingZero, nil
	}
	return 0, fmt.Errorf("%q is none of %s, %s and %s", name, byModel, byError, byZero)
}

// substitute is what stands for a missing value of feature k: what the training took, unless the rule says otherwise.
// A rule that would give the row another score than the training is refused.
func (l *loaded) substitute(k int, rules rowRules) (v float64, p *Problem) {
	by := []data.Missing{rules.missing}
	trained := l.filled.Of(k)
	err := gaps.Resolve((&data.Substitutes{By: []data.Missing{trained}, Own: l.filled.Levels()}), by)
	switch {
	case err != nil:
		return 0, unfit("missing", "%v", err).hint(`leave "missing" out: the model keeps what stands for missing values`)
	case l.rows.Precomputed():
	case by[0] == data.MissingZero:
		return 0, nil
	case by[0] == data.MissingOwn && l.filled.Levels() != nil:
		return math.NaN(), nil // GiveLevels has the level
	case by[0] != data.MissingError:
		if v, filled := gaps.Value(l.filled, k); filled {
			return v, nil
		}
	}
	p = unfit("missing", "the value is missing")
	if trained != data.MissingError {
		return 0, p.hint(`"missing":"model" takes what stood for missing values in training`)
	}
	return 0, p.hint(`"missing":"zero" takes missing ones for 0`)
}

// readRows reads a list of rows, each a list of numbers or an object of named features, and gives missing values their
// levels. It sets the ids of the request where the rows have them.
func (l *loaded) readRows(j *job, q *request, list []byte, rules rowRules) (*data.Set, *Problem) {
	set, p := l.givenRows(j, q, list, rules)
	levels := l.filled.Levels()
	if p != nil || levels == nil {
		return set, p
	}
	rows, n := set.X.Dims()
	size := 8 * int64(rows) * int64(n+len(levels))
	if _, sparse := set.X.(*data.CSR); sparse {
		const each = 12 // bytes of a number with its place
		size = each * int64(data.Stored(set.X)+rows*len(levels))
	}
	if p := j.take(size); p != nil {
		return nil, p.at("rows")
	}
	if err := set.GiveLevels(l.filled); err != nil {
		return nil, unfit("missing", "%v", err).at("rows")
	}
	return set, nil
}

// first is the place of the feature of a text, -1 where there is none.
func (l levels) first() int {
	for _, k := range l.at {
		return k
	}
	return -1
}
