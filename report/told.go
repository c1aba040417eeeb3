package report

import "slices"

// Told has what a run told beside its result: decisions and doubts, in the order in which they were told.
type Told struct {
	Notes []Note `json:"notes,omitempty"`
}

// Note is a decision made on the way, or a doubt about the result.
type Note struct {
	Warning bool   `json:"warning,omitempty"` // a doubt
	Code    string `json:"code,omitempty"`    // names the note, for programs; "" for what reading and options decided
	Text    string `json:"text"`
}

// SetNotes replaces the notes of the document.
func (t *Told) SetNotes(notes []Note) { t.Notes = slices.Clone(notes) }

// AllNotes returns the notes of the document.
func (t *Told) AllNotes() []Note { return t.Notes }
