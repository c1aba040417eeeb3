package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// unweighted is why a law of weights does not apply.
func unweighted(p path) string {
	if !p.weighs() {
		return "there are no weights"
	}
	return ""
}

func weightsOfOne(b *bench, p path) string {
	s := b.sheet(p.shape, 19)
	for i := range s.weight {
		s.weight[i] = 1
	}
	plain := p
	if plain.with = ""; p.timed() {
		plain.with = "times"
	}
	return sameBy(b, s, p, plain)
}

// weightOfZero adds rows of weight 0, which are copies but for their labels: the documents are the same, but for what
// the columns and their note tell of the rows that are left out.
func weightOfZero(b *bench, p path) string {
	s := b.sheet(p.shape, 20)
	more := s.where(func(int) bool { return true })
	for i := 0; i < len(s.x); i += 4 {
		more.add(s, i, "")
		last := len(more.y) - 1
		more.y[last], more.weight[last] = 1-min(1, more.y[last]), 0
	}
	_, r := b.cvOf(p, s)
	_, q := b.cvOf(p, more)
	switch {
	case r.code != q.code:
		return r.failed() + "; " + q.failed()
	case r.code != 0:
		return ""
	}
	if one, other := withoutColumns(b, r.out), withoutColumns(b, q.out); one != other {
		return "the documents differ: " + one + "\n" + other
	}
	return ""
}

// withoutColumns is a document without what it tells of columns, and without times.
func withoutColumns(b *bench, document string) string {
	var d map[string]any
	if err := json.Unmarshal([]byte(document), &d); err != nil {
		b.t.Fatal(err)
	}
	delete(d, "columns")
	delete(d, "seconds")
	notes, _ := d["notes"].([]any)
	d["notes"] = slices.DeleteFunc(notes, func(n any) bool {
		return strings.Contains(fmt.Sprint(n), "columns: ")
	})
	text, err := json.Marshal(d)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}
