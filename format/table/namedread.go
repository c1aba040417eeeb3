package table

import (
	"errors"
	"io"
	"slices"
	"strings"

	"pairrank/data"
)

// ReadNamedScores reads names and their scores from text with a header that has the columns id and score, as
// WriteNamedScores writes it; other columns are left out. It returns a *data.SyntaxError for a header without the two,
// a line of another width, a missing name, a name that stands twice and a score that is no finite number, and the
// errors of the file. Cost linear in the length of the text.
func ReadNamedScores(r io.Reader, name string, maxLine int) (names []string, scores []float64, err error) {
	return shapeFrom(r, name, 0, maxLine).namedScores(true)
}

// namedScores reads names and scores below a header. Names of items stand there, once each; those of rows may repeat
// or be left out.
func (l *lines) namedScores(items bool) (names []string, scores []float64, err error) {
	first, err := l.next()
	if errors.Is(err, io.EOF) {
		return nil, nil, &data.SyntaxError{File: l.name, Msg: "no scores: the file is empty"}
	}
	if err != nil {
		return nil, nil, err
	}
	at, score, err := l.scoreColumns(first, items)
	if err != nil {
		return nil, nil, err
	}
	seen := map[string]bool{}
	for {
		fields, err := l.next()
		switch {
		case errors.Is(err, io.EOF) && len(scores) == 0:
			return nil, nil, &data.SyntaxError{File: l.name, Msg: "no scores: the file has only a header"}
		case errors.Is(err, io.EOF):
			return names, scores, nil
		case err != nil:
			return nil, nil, err
		case len(fields) != len(first):
			return nil, nil, l.fault(fields[len(fields)-1], "%d fields, but the first line has %d", len(fields), len(first))
		}
		if at >= 0 {
			names = append(names, strings.Clone(fields[at].text)) // the line is overwritten
		}
		if items {
			if err := l.newName(fields[at], seen); err != nil {
				return nil, nil, err
			}
			seen[names[len(names)-1]] = true
		}
		v, err := l.number(fields[score])
		if err == nil {
			err = l.ask()
		}
		if err != nil {
			return nil, nil, err
		}
		scores = append(scores, v)
	}
}

// scoreColumns are the places of the columns id, −1 where rows have none, and score.
func (l *lines) scoreColumns(first []field, items bool) (at, score int, err error) {
	at = slices.IndexFunc(first, func(f field) bool { return f.text == "id" })
	score = slices.IndexFunc(first, func(f field) bool { return f.text == "score" })
	named := func(name string) bool {
		return slices.ContainsFunc(first, func(f field) bool { return f.text == name })
	}
	switch {
	case !items && (named("row_id") && named("col_id") || named("row") && named("col")):
		err = l.fault(first[0], "the scores are of pairs of nodes, and not of rows")
	case items && min(at, score) < 0:
		err = l.fault(first[0], "the header has no columns id and score, but %s", headerTexts(first))
	case score < 0:
		err = l.fault(first[0], "the header has no column score, but %s", headerTexts(first))
	}
	return at, score, err
}

// newName refuses a name that is missing, stands twice or has lost digits.
func (l *lines) newName(f field, seen map[string]bool) error {
	switch {
	case f.text == "":
		return l.fault(f, "the name is missing")
	case seen[f.text]:
		return l.fault(f, "the name stands twice")
	}
	return l.checkID(f, "a row")
}
