// Package journal keeps the notes of a computation, and passes each on at once.
package journal

import (
	"fmt"
	"slices"
	"sync"

	"pairrank/event"
)

// Journal keeps the notes of a computation and passes each to its Monitor at once. It is safe for
// concurrent use.
type Journal struct {
	Monitor event.Monitor

	mu    sync.Mutex
	notes []event.Note
}

// Note records a decision.
func (j *Journal) Note(code event.Code, format string, args ...any) {
	j.Add(event.Note{Code: code, Text: fmt.Sprintf(format, args...)})
}

// Warn records a doubt about the result.
func (j *Journal) Warn(code event.Code, format string, args ...any) {
	j.Add(event.Note{Warning: true, Code: code, Text: fmt.Sprintf(format, args...)})
}

// Add keeps a note and passes it to the Monitor.
func (j *Journal) Add(n event.Note) {
	j.mu.Lock()
	j.notes = append(j.notes, n)
	j.mu.Unlock()
	if j.Monitor.Note != nil {
		j.Monitor.Note(n)
	}
}

// Notes returns the notes so far, in their order; nil where there are none.
func (j *Journal) Notes() []event.Note {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.notes)
}
