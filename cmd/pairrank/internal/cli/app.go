package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"pairrank/internal/await"
	"pairrank/internal/option"
	"pairrank/internal/report"
)

// App is one run of the program: where it reads and writes, and the flags that
// several verbs share.
type App struct {
	Ctx context.Context
	In  io.Reader // standard input; "-" as the name of a file
	Out io.Writer // standard output: data only
	Err io.Writer // standard error: everything else; written by warn, note and the meter only

	Args []string // the command line, without the name of the program

	JSON    bool   // --json: one JSON document on Out
	Threads int    // --threads, 0 when not given
	MaxLine int    // --max-line, in bytes
	Mode    string // --progress: auto, plain, json or none

	mu    sync.Mutex    // guards Err, meter, began and notes
	meter *Meter        // the one on display, or nil
	once  atomic.Bool   // whether the one line of a run without a terminal is written
	began time.Time     // the first task
	notes []report.Note // that were told

	replaced []string // the files that this run has made or replaced

	targets map[*cobra.Command]func() Targets // of the verbs whose options are not defined yet
}

// Begun begins a run: nothing was told or written.
func (a *App) Begun(ctx context.Context, in io.Reader, out, err io.Writer, args []string) {
	a.Ctx, a.In, a.Out, a.Err, a.Args = ctx, in, out, err, args
	a.began, a.notes, a.replaced = time.Time{}, nil, nil
	a.once.Store(false)
}

// ThreadsFlag gives all verbs the flag --threads.
func (a *App) ThreadsFlag(root *cobra.Command) {
	root.PersistentFlags().Var(option.Whole(&a.Threads), "threads", "`N` threads (default: all cores); results do not "+
		"depend on it")
}

// ApplyThreads sets the number of threads that every computation uses.
func (a *App) ApplyThreads(cmd *cobra.Command) error {
	if !cmd.Flags().Changed("threads") {
		return nil
	}
	if a.Threads < 1 {
		return Usagef("--threads is at least 1, not %d", a.Threads)
	}
	// each thread has a stack and buffers of its own
	if most := max(256, runtime.NumCPU()); a.Threads > most {
		return Usagef("--threads is at most %d, not %d", most, a.Threads)
	}
	runtime.GOMAXPROCS(a.Threads)
	return nil
}

// AwaitFor runs work on another goroutine and returns its result: the way to wait for a computation that does not look
// at a context. work must not write output. If ctx ends first it returns the error of ctx, and leaves work running.
func AwaitFor[T any](ctx context.Context, work func() (T, error)) (T, error) {
	return await.Result(ctx, work)
}

// Warn tells the user of a result that is computable but doubtful.
func (a *App) Warn(format string, args ...any) {
	a.Remark(report.Note{Warning: true, Text: fmt.Sprintf(format, args...)})
}

// Note tells the user what was decided on the way.
func (a *App) Note(format string, args ...any) {
	a.Remark(report.Note{Text: fmt.Sprintf(format, args...)})
}

// Remark says a note, and keeps it for the documents of the run.
func (a *App) Remark(n report.Note) {
	a.mu.Lock()
	a.notes = append(a.notes, n)
	a.mu.Unlock()
	a.Say(n)
}

// Annotate gives a document, if it has a place for them, the notes that were told so far.
func (a *App) Annotate(document any) {
	if d, ok := document.(interface{ SetNotes([]report.Note) }); ok {
		a.mu.Lock()
		defer a.mu.Unlock()
		d.SetNotes(a.notes)
	}
}

// Say writes a line of its own on standard error; with --progress json it is
// an event.
func (a *App) Say(n report.Note) {
	kind, text := "note", visible(n.Text)
	if n.Warning {
		kind = "warning"
	}
	a.Lines(func() {
		if a.Mode == "json" {
			a.event(map[string]any{"event": kind, "message": text})
			return
		}
		line := fold(fmt.Sprintf("pairrank: %s: %s\n", kind, text), terminalColumns(a.Err))
		if kind == "warning" {
			line = strings.Replace(line, kind, a.coloured(kind, yellow), 1)
		}
		io.WriteString(a.Err, line)
	})
}

// Tell tells the user why the run ends.
func (a *App) Tell(err error) {
	text, hints := err.Error(), append([]string{}, Hints(err)...)
	if errors.Is(err, context.Canceled) {
		text, hints = "interrupted", hints[:0]
	}
	text = visible(text)
	for k := range hints {
		hints[k] = visible(hints[k])
	}
	a.Lines(func() {
		if a.Mode == "json" {
			a.event(map[string]any{"event": "error", "message": text, "hints": hints, "exit": ExitCode(err)})
			return
		}
		width := terminalColumns(a.Err)
		for line := range strings.SplitSeq(text, "\n") {
			line = fold("pairrank: "+line+"\n", width)
			io.WriteString(a.Err, a.coloured("pairrank:", redBold)+strings.TrimPrefix(line, "pairrank:"))
		}
		for _, h := range hints {
			io.WriteString(a.Err, fold("hint: "+h+"\n", width))
		}
	})
}

// Lines runs write, which writes whole lines to a.Err, with the bar out of the
// way: lines given to mpb would wait until it draws next, and be lost if the run ends before.
func (a *App) Lines(write func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.meter != nil {
		a.meter.hide()
		defer a.meter.show()
	}
	write()
}

// event writes one JSON event; a.mu is held.
func (a *App) event(fields map[string]any) {
	line, err := json.Marshal(fields)
	if err != nil {
		panic("pairrank: an event is not JSON: " + err.Error())
	}
	a.Err.Write(append(line, '\n'))
}
