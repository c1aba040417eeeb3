//go:build !wasm

package cli

import (
	"io"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// barWidth is that of the bar without the text, in columns.
const barWidth = 26

// bar is the last line of a terminal, which shows how far a meter is. It is
// drawn by mpb, in ASCII so that every terminal shows it. mpb reads the meter when it draws, so
// that to report a step is one atomic store. It adds 0.2 MB to the program, cheggaaa/pb 1.7 by
// text/template, and schollz/progressbar 2.0 by net/http.
type bar struct {
	container *mpb.Progress
	line      *mpb.Bar
	delay     *time.Timer
}

// newBar draws m on w after one interval and then in every one.
func newBar(w io.Writer, m *Meter) *bar {
	ready := make(chan struct{})
	container := mpb.New(mpb.WithOutput(w), mpb.WithAutoRefresh(), mpb.WithRefreshRate(barInterval),
		mpb.WithRenderDelay(ready))
	known := mpb.BarStyle().Tip("=").Padding(" ").Build()
	unknown := mpb.SpinnerStyle("|", "/", "-", `\`).Build()
	fill := func(w io.Writer, s decor.Statistics) error {
		s.Current, s.Total = m.done.Load(), m.total.Load()
		if s.Total <= 0 {
			s.RequestedWidth = 1
			return unknown.Fill(w, s)
		}
		s.Current = min(s.Total, max(0, s.Current))
		return known.Fill(w, s)
	}
	// the bar has no total of its own: it ends when the meter does
	line := container.MustAdd(0, mpb.BarFillerFunc(fill), mpb.BarWidth(barWidth), mpb.BarFillerTrim(),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return " " + m.text() })))
	return &bar{container, line, time.AfterFunc(barInterval, func() { close(ready) })}
}

// remove clears the line and comes back when nothing more will be drawn.
func (b *bar) remove() {
	b.delay.Stop()
	b.line.Abort(true)
	b.container.Wait()
}
