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
	names, _, scores, err = shapeFrom(r, name, 0, maxLine).namedScores(true)
	return names, scores, err
}

// namedScores reads names and scores below a header. Names of items stand there, once each; those of rows may repeat
// or be left out, and so may their queries.
func (l *lines) namedScores(items bool) (names, queries []string, scores []float64, err error) {
	first, err := l.next()
	if errors.Is(err, io.EOF) {
		return nil, nil, nil, &data.SyntaxError{File: l.name, Msg: "no scores: the file is empty"}
	}
	if err != nil {
		return nil, nil, nil, err
	}
	at, query, score, err := l.scoreColumns(first, items)
	if err != nil {
		return nil, nil, nil, err
	}
	seen := map[string]bool{}
	for {
		fields, err := l.next()
		switch {
		case errors.Is(err, io.EOF) && len(scores) == 0:
			return nil, nil, nil, &data.SyntaxError{File: l.name, Msg: "no scores: the file has only a header"}
		case errors.Is(err, io.EOF):
			return names, queries, scores, nil
		case err != nil:
			return nil, nil, nil, err
		case len(fields) != len(first):
			return nil, nil, nil, l.fault(fields[len(fields)-1], "%d fields, but the first line has %d", len(fields), len(first))
		}
		names, queries = withText(names, fields, at), withText(queries, fields, query)
		if items {
			if err := l.newName(fields[at], seen); err != nil {
				return nil, nil, nil, err
			}
			seen[names[len(names)-1]] = true
		}
		v, err := l.number(fields[score])
		if err == nil {
			err = l.ask()
		}
		if err != nil {
			return nil, nil, nil, err
		}
		scores = append(scores, v)
	}
}

// withText appends a copy of the text of the field at a place, of none where that is −1.
func withText(texts []string, fields []field, place int) []string {
	if place < 0 {
		return texts
	}
	return append(texts, strings.Clone(fields[place].text)) // the line is overwritten
}

// rowScoreColumns are the columns that WriteNamedScores and WriteScoreLines write with one output.
var rowScoreColumns = []string{"id", "query", "qid", "score"}

// scoreColumns are the places of the columns id and query, −1 where rows have none, and score.
func (l *lines) scoreColumns(first []field, items bool) (id, query, score int, err error) {
	place := func(names ...string) int {
		return slices.IndexFunc(first, func(f field) bool { return slices.Contains(names, f.text) })
	}
	id, query, score = place("id"), place("query", "qid"), place("score")
	other := func(f field) bool { return !slices.Contains(rowScoreColumns, f.text) }
	switch {
	case items && min(id, score) < 0:
		err = l.fault(first[0], "the header has no columns id and score, but %s", headerTexts(first))
	case score < 0:
		err = l.fault(first[0], "the header has no column score, but %s", headerTexts(first))
	case !items && (slices.ContainsFunc(first, other) || len(first) > 1+min(1, 1+id)+min(1, 1+query)):
		err = l.fault(first[0], "scores of rows have a column each of id, query and score, but there are %s",
			headerTexts(first))
	}
	return id, query, score, err
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
