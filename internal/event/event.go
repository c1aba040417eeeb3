// Package event has what a long computation tells while it runs and with its result:
// how far it is, and notes on what it decided and on what is doubtful.
package event

// Progress is how far a piece of work is. It is told from several goroutines.
type Progress struct {
	// Task names the piece of work; another name is another piece.
	Task string
	// Done of Total steps are done; Total is 0 where it is not known.
	Done, Total int64
	// State is what iterative work says of itself, by name, and Text the same for
	// people; nil and "" where there is nothing to say.
	State map[string]any
	Text  string
	// Ended says that the piece of work is over.
	Ended bool
}

// Code names a note, for programs and for tables of remedies.
type Code string

// Note says what was decided on the way, or what is doubtful about a result that is
// computable.
type Note struct {
	// Warning tells a doubt from a decision.
	Warning bool
	// Code says which note it is.
	Code Code
	// Text is the note on one line, in which nothing is named that is not an idea of
	// the library.
	Text string
	// Remedy is what to do about it, or "".
	Remedy string
}

// String is the text and the remedy.
func (n Note) String() string {
	if n.Remedy == "" {
		return n.Text
	}
	return n.Text + "; " + n.Remedy
}

// Monitor hears of a computation. Its zero value hears nothing.
type Monitor struct {
	// Progress is called as work is done, from several goroutines; nil is not called.
	Progress func(Progress)
	// Note is called at once with every note, which the result keeps, too; nil is not
	// called.
	Note func(Note)
}

// Task begins a piece of work. The functions that it returns may be called from
// several goroutines: tell says how far it is, and end that it is over.
func (m Monitor) Task(name string, total int64) (tell func(done, total int), end func()) {
	if m.Progress == nil {
		return func(int, int) {}, func() {}
	}
	m.Progress(Progress{Task: name, Total: total})
	tell = func(done, total int) { m.Progress(Progress{Task: name, Done: int64(done), Total: int64(total)}) }
	return tell, func() { m.Progress(Progress{Task: name, Ended: true}) }
}

// MonitorOf is a monitor of types with the fields of Progress and Note, as those of the entrance.
func MonitorOf[P ~struct {
	Task        string
	Done, Total int64
	State       map[string]any
	Text        string
	Ended       bool
}, N ~struct {
	Warning bool
	Code    Code
	Text    string
	Remedy  string
}](progress func(P), note func(N)) (m Monitor) {
	if progress != nil {
		m.Progress = func(p Progress) { progress(P(p)) }
	}
	if note != nil {
		m.Note = func(n Note) { note(N(n)) }
	}
	return m
}

// NotesOf are notes as a type with the fields of Note; nil stays nil.
func NotesOf[N ~struct {
	Warning bool
	Code    Code
	Text    string
	Remedy  string
}](notes []Note) (out []N) {
	for _, n := range notes {
		out = append(out, N(n))
	}
	return out
}
