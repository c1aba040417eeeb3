package journal

import (
	"slices"
	"testing"

	"pairrank/event"
)

func TestJournalKeepsAndTells(t *testing.T) {
	var heard []event.Note
	j := Journal{Monitor: event.Monitor{Note: func(n event.Note) { heard = append(heard, n) }}}
	if j.Notes() != nil {
		t.Errorf("a journal without notes has %v", j.Notes())
	}
	j.Note("a", "%d rows", 3)
	j.Warn("b", "none")
	want := []event.Note{{Code: "a", Text: "3 rows"}, {Warning: true, Code: "b", Text: "none"}}
	if !slices.Equal(j.Notes(), want) || !slices.Equal(heard, want) {
		t.Errorf("kept %v and told %v, want %v", j.Notes(), heard, want)
	}
}
