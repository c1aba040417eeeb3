package cli

import (
	"fmt"
	"io"
	"io/fs"
	"sync/atomic"
	"time"

	"pairrank/internal/report"

	"golang.org/x/term"
)

// How often each display is drawn. A bar and plain lines come first after one
// full interval, so that short work shows nothing. Without a terminal a run
// draws one line.
const (
	barInterval   = 100 * time.Millisecond
	plainInterval = 5 * time.Second
	onceInterval  = longWork
	eventInterval = time.Second
)

// Meter shows how far one piece of work has come. One is on display at a time.
type Meter struct {
	app         *App
	task        string
	done, total atomic.Int64
	state       atomic.Pointer[state]
	foretold    forecast
	began       time.Time
	mode        string       // bar, plain, once, json or none
	bar         *bar         // on the terminal, or nil; guarded by app.mu
	reported    atomic.Int64 // when, since began
	waiting     atomic.Bool  // for the other reports of a burst
	over        atomic.Bool
	stop        chan struct{}
	ended       chan struct{}
}

// state is what iterative work says of itself beside the steps done.
type state struct {
	fields map[string]any // for events
	text   string         // for people
}

// Describe reports the state of iterative work, from any goroutine.
func (m *Meter) Describe(fields map[string]any, text string) { m.state.Store(&state{fields, text}) }

// Begin begins to show a piece of work of total steps (bytes, rows, values
// of λ), 0 when not known. The caller reports with Set and ends with End.
func (a *App) Begin(task string, total int64) *Meter {
	m := &Meter{app: a, task: visible(task), began: time.Now(), mode: a.display()}
	m.foretold.before = a.running(m.began)
	m.total.Store(total)
	if m.mode == "none" {
		return m
	}
	m.stop, m.ended = make(chan struct{}), make(chan struct{})
	a.mu.Lock()
	a.meter = m
	m.show()
	a.mu.Unlock()
	go m.run()
	return m
}

// display is how progress is shown in this run.
func (a *App) display() string {
	if a.Mode != "auto" {
		return a.Mode
	}
	if isTerminal(a.Err) {
		return "bar"
	}
	return "once"
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// Set reports the steps done so far, from any goroutine.
func (m *Meter) Set(done int64) {
	m.done.Store(done)
	elapsed := time.Since(m.began)
	before := time.Duration(m.reported.Swap(int64(elapsed)))
	switch {
	case m.waiting.Load(): // the last of a burst is foretold from
	case elapsed-before < firstWork:
		m.foretell(elapsed)
	default:
		m.waiting.Store(true)
		afterBurst(func() {
			m.waiting.Store(false)
			if !m.over.Load() {
				m.foretell(elapsed)
			}
		})
	}
}

// Add reports further steps, from any goroutine.
func (m *Meter) Add(steps int64) { m.done.Add(steps) }

// SetTotal corrects the number of steps, from any goroutine.
func (m *Meter) SetTotal(total int64) { m.total.Store(total) }

// End takes the display away. It may be called twice.
func (m *Meter) End() {
	m.over.Store(true)
	if m.stop == nil {
		return
	}
	close(m.stop)
	<-m.ended
	m.stop = nil
	a := m.app
	a.mu.Lock()
	defer a.mu.Unlock()
	m.hide()
	if a.meter == m {
		a.meter = nil
	}
	if m.mode == "json" {
		m.event("end")
	}
}

// show puts the bar on the terminal in the mode that has one; app.mu is held.
func (m *Meter) show() {
	if m.mode == "bar" && m.bar == nil {
		m.bar = newBar(m.app.Err, m)
	}
}

// hide takes the bar off the terminal; app.mu is held.
func (m *Meter) hide() {
	if m.bar != nil {
		m.bar.remove()
		m.bar = nil
	}
}

// leaveTerminal ends the bar when data is about to be written to a terminal,
// or to a pipe, which may lead to one: the bar would wipe out a line of it.
func (a *App) leaveTerminal() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.meter != nil && !isRegular(a.Out) {
		a.meter.hide()
		a.meter = nil
	}
}

func isRegular(w io.Writer) bool {
	f, ok := w.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

// run writes the lines or events of the modes that have them. A bar draws
// itself.
func (m *Meter) run() {
	defer close(m.ended)
	if m.mode == "bar" {
		<-m.stop
		return
	}
	interval := plainInterval
	switch m.mode {
	case "once":
		interval = onceInterval
	case "json":
		interval = eventInterval
		m.draw()
	}
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-m.stop:
			return
		case <-tick.C:
			m.draw()
		}
	}
}

func (m *Meter) draw() {
	m.app.mu.Lock()
	defer m.app.mu.Unlock()
	switch {
	case m.mode == "plain", m.mode == "once" && m.app.once.CompareAndSwap(false, true):
		fmt.Fprintf(m.app.Err, "pairrank: %s\n", m.text())
	case m.mode == "json":
		m.event("progress")
	}
}

func (m *Meter) event(kind string) {
	fields := map[string]any{"event": kind, "task": m.task, "done": m.done.Load(),
		"seconds": time.Since(m.began).Seconds()}
	if total := m.total.Load(); total > 0 {
		fields["total"] = total
	}
	if s := m.state.Load(); s != nil {
		for name, v := range s.fields {
			if x, ok := v.(float64); ok {
				v = report.Number(x)
			}
			fields[name] = v
		}
	}
	m.app.event(fields)
}

// share is the part of the work that is done, from 0 to 1; −1 when unknown.
func (m *Meter) share() float64 {
	total := m.total.Load()
	if total <= 0 {
		return -1
	}
	return min(1, max(0, float64(m.done.Load())/float64(total)))
}

// text is "task 41%, 12s, about 17s left", and the state.
func (m *Meter) text() string {
	text := m.shareText()
	if s := m.state.Load(); s != nil {
		text += ", " + s.text
	}
	return text
}

func (m *Meter) shareText() string {
	elapsed := time.Since(m.began)
	share := m.share()
	if share < 0 {
		return fmt.Sprintf("%s, %s", m.task, elapsed.Round(time.Second))
	}
	percent := fmt.Sprintf("%2.0f", 100*share)
	if share > 0 && share < 0.01 {
		percent = fmt.Sprintf("%.2g", 100*share)
	}
	text := fmt.Sprintf("%s %s%%, %s", m.task, percent, elapsed.Round(time.Second))
	if share > 0.0001 && share < 1 && elapsed > time.Second {
		left := time.Duration(float64(elapsed) * (1 - share) / share)
		text += fmt.Sprintf(", about %s left", left.Round(time.Second))
	}
	return text
}
