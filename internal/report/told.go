package report

import (
	"slices"

	"pairrank/event"
)

// Told has what a run told beside its result: decisions and doubts, in the order in which they were told.
type Told struct {
	Notes []Note `json:"notes,omitempty"`
}

// Note is a decision made on the way, or a doubt about the result.
type Note struct {
	Code    string `json:"code,omitempty"`    // names the note, for programs; "" for what reading and options decided
	Warning bool   `json:"warning,omitempty"` // a doubt
	Text    string `json:"text"`
}

// newTold has the notes of a result.
func newTold(notes []event.Note) (t Told) {
	for _, n := range notes {
		t.Notes = append(t.Notes, Note{string(n.Code), n.Warning, n.String()})
	}
	return t
}

// SetNotes replaces the notes of the document.
func (t *Told) SetNotes(notes []Note) { t.Notes = slices.Clone(notes) }

// AllNotes returns the notes of the document.
func (t *Told) AllNotes() []Note { return t.Notes }
