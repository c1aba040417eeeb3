package trec

import (
	"errors"
	"fmt"
	"io"
	"strconv"
)

// Judgment is one line of qrels.
type Judgment struct {
	Query, Doc string
	Relevance  int // below 0: not judged
}

// ReadQrels reads judgements, in the order of the file; errors call it name. The cost and
// the memory are linear in its size. It returns a *data.SyntaxError for a line without four
// fields, a relevance that is not an integer of 32 bits, and a document twice in a query.
func ReadQrels(r io.Reader, name string) ([]Judgment, error) {
	var (
		l       = newLines(r, name)
		queries = interner{}
		once    = seen{}
		list    []Judgment
	)
	for {
		if err := l.next(); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		if n := len(l.fields); n != 4 {
			return nil, l.fault(min(n, 4),
				fmt.Sprintf("%d fields, where `query iteration document relevance` has 4", n))
		}
		rel, err := strconv.ParseInt(string(l.fields[3].text), 10, 32)
		if err != nil {
			return nil, l.fault(3, "relevance is not a whole number of 32 bits")
		}
		j := Judgment{queries.of(l.fields[0].text), string(l.fields[2].text), int(rel)}
		if err := once.add(l, key{j.Query, j.Doc}, 2); err != nil {
			return nil, err
		}
		list = append(list, j)
	}
}
