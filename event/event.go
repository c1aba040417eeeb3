// Package event has what a computation tells while it runs: its progress, and notes on decisions and doubtful results.
// Options of pairrank, relation, comparison, scores and stream take a Monitor, which receives both; results keep the
// notes.
package event

import "sync"

// Progress is the progress of a task. Several goroutines may report it.
type Progress struct {
	// Task names the task; another name is another task.
	Task string
	// Done of Total steps are done; Total is 0 where unknown.
	Done, Total int64
	// State has values of iterative work by name, and Text the same for people; nil and "" where
	// there are none.
	State map[string]any
	Text  string
	// Ended says that the task is over.
	Ended bool
}

// Code names a note, for programs and for tables of remedies: a text that stays, as "leak", also in JSON documents.
type Code string

// Note is a decision, or a doubt about a result that could be computed.
type Note struct {
	// Warning marks a doubt; otherwise the note is a decision.
	Warning bool
	// Code says which note it is.
	Code Code
	// Text is the note on one line. It names only ideas of the library.
	Text string
	// Remedy says what to do about it, or is "".
	Remedy string
}

// String is the text and the remedy.
func (n Note) String() string {
	if n.Remedy == "" {
		return n.Text
	}
	return n.Text + "; " + n.Remedy
}

// Monitor receives progress and notes of a computation. Its zero value discards them.
type Monitor struct {
	// Progress receives the progress of tasks, from several goroutines; nil discards it.
	Progress func(Progress)
	// Note receives every note at once, which the result keeps, too; nil discards it.
	Note func(Note)
}

// Parts is the total of work that is told by its share alone.
const Parts = 1000

// Task begins a task. Its functions may be called from several goroutines: tell reports progress,
// and end the end. A report that comes late, with less done of the same total than another before
// it, is dropped.
func (m Monitor) Task(name string, total int64) (tell func(done, total int), end func()) {
	if m.Progress == nil {
		return func(int, int) {}, func() {}
	}
	last := Progress{Task: name, Total: total}
	m.Progress(last)
	var mu sync.Mutex
	tell = func(done, total int) {
		mu.Lock()
		defer mu.Unlock()
		p := Progress{Task: name, Done: int64(done), Total: int64(total)}
		if p.Total == last.Total && p.Done < last.Done {
			return
		}
		last = p
		m.Progress(p)
	}
	return tell, func() { m.Progress(Progress{Task: name, Ended: true}) }
}
