package trec

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Retrieved is one line of a run: a document that was found for a query.
type Retrieved struct {
	Query, Doc string
	Score      float64
}

// Run is the result of one system.
type Run struct {
	Tag  string // the name of the system, from the last line
	Docs []Retrieved
}

// ReadRun reads a run, in the order of the file; errors call it name. Scores are read in
// double precision and may be infinite. The cost and the memory are linear in its size.
// It returns a *data.SyntaxError for a line of fewer than six fields, a score that is not a
// number, and a document twice in a query.
func ReadRun(r io.Reader, name string) (*Run, error) {
	var (
		l       = newLines(r, name)
		queries = interner{}
		tags    = interner{}
		once    = seen{}
		run     Run
	)
	for {
		if err := l.next(); errors.Is(err, io.EOF) {
			return &run, nil
		} else if err != nil {
			return nil, err
		}
		if n := len(l.fields); n < 6 {
			return nil, l.fault(n, fmt.Sprintf("%d fields, where `query Q0 document rank score tag` has 6", n))
		}
		score, err := strconv.ParseFloat(string(l.fields[4].text), 64)
		if err != nil || math.IsNaN(score) {
			return nil, l.fault(4, "score is not a number of double precision")
		}
		d := Retrieved{queries.of(l.fields[0].text), string(l.fields[2].text), score}
		if err := once.add(l, key{d.Query, d.Doc}, 2); err != nil {
			return nil, err
		}
		run.Tag = tags.of(l.fields[5].text)
		run.Docs = append(run.Docs, d)
	}
}

// CheckTag returns why a text cannot be the tag of a run.
func CheckTag(tag string) error { return checkWord("tag", tag, false) }

// Check returns why the run cannot be written: the tag or a name that is empty, has white space or, of a query, starts
// with #, a document that a query has twice, or a score that is NaN.
func (r *Run) Check() error {
	if err := CheckTag(r.Tag); err != nil && len(r.Docs) > 0 {
		return err
	}
	once := make(map[key]bool, len(r.Docs))
	for _, d := range r.Docs {
		if once[key{d.Query, d.Doc}] {
			return fmt.Errorf("query %q has document %q twice, and a run has a document once", d.Query, d.Doc)
		}
		once[key{d.Query, d.Doc}] = true
		if err := errors.Join(checkWord("query", d.Query, true), checkWord("document", d.Doc, false)); err != nil {
			return err
		}
		if math.IsNaN(d.Score) {
			return fmt.Errorf("score of document %q of query %q is NaN", d.Doc, d.Query)
		}
	}
	return nil
}

// Write writes the run so that [ReadRun] reads the same scores back: queries in the order
// in which they first appear, the documents of each by descending score, equal ones by
// name, descending, with ranks from 1. The cost is a sort of the documents. It returns
// the errors of w and of Check.
func (r *Run) Write(w io.Writer) error {
	if err := r.Check(); err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	for _, docs := range groupByQuery(r.Docs) {
		slices.SortStableFunc(docs, func(x, y Retrieved) int {
			return cmp.Or(cmp.Compare(y.Score, x.Score), strings.Compare(y.Doc, x.Doc))
		})
		for a, d := range docs {
			fmt.Fprintf(b, "%s Q0 %s %d %s %s\n", d.Query, d.Doc, a+1, strconv.FormatFloat(d.Score, 'g', -1, 64), r.Tag)
		}
	}
	return b.Flush()
}

// groupByQuery splits documents by query, queries in the order they first
// appear, the documents of each in their order.
func groupByQuery(docs []Retrieved) [][]Retrieved {
	at := map[string]int{}
	var groups [][]Retrieved
	for _, d := range docs {
		g, known := at[d.Query]
		if !known {
			g = len(groups)
			at[d.Query] = g
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], d)
	}
	return groups
}
