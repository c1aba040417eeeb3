package report

import "pairrank"

// Note is a decision or a doubt of a training or an estimate.
type Note struct {
	Code    pairrank.NoteCode `json:"code"`
	Warning bool              `json:"warning,omitempty"`
	Text    string            `json:"text"`
}

// newNotes converts notes; nil stays nil.
func newNotes(notes []pairrank.Note) (out []Note) {
	for _, n := range notes {
		out = append(out, Note{n.Code, n.Warning, n.Text})
	}
	return out
}
