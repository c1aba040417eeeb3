package event

import (
	"fmt"
	"slices"
	"sync"
)

// Journal keeps the notes of a computation and passes each to its Monitor at once. It is safe for
// concurrent use.
type Journal struct {
	Monitor Monitor

	mu    sync.Mutex
	notes []Note
}

// Note records a decision.
func (j *Journal) Note(code Code, format string, args ...any) {
	j.Add(Note{Code: code, Text: fmt.Sprintf(format, args...)})
}

// Warn records a doubt about the result.
func (j *Journal) Warn(code Code, format string, args ...any) {
	j.Add(Note{Warning: true, Code: code, Text: fmt.Sprintf(format, args...)})
}

// Add keeps a note and passes it to the Monitor.
func (j *Journal) Add(n Note) {
	j.mu.Lock()
	j.notes = append(j.notes, n)
	j.mu.Unlock()
	if j.Monitor.Note != nil {
		j.Monitor.Note(n)
	}
}

// Notes returns the notes so far, in their order; nil where there are none.
func (j *Journal) Notes() []Note {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.notes)
}
