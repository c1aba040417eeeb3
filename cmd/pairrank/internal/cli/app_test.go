package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestAwaitEndsWithTheContext(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	release := make(chan struct{})
	defer close(release)
	interrupt()
	work := func() (int, error) { <-release; return 0, nil }
	if _, err := AwaitFor(ctx, work); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// What the meter prints in each mode but bar.
func TestMeter(t *testing.T) {
	for mode, want := range map[string]string{
		"plain": "pairrank: work 50%, 0s\npairrank: warning: odd\n",
		"auto":  "pairrank: note: work takes about 5m0s; fewer rows take less\npairrank: warning: odd\n", // no terminal
		"none":  "pairrank: warning: odd\n",
	} {
		var out bytes.Buffer
		a := &App{Err: &out, Mode: mode}
		m := a.Begin("work", 4)
		m.Set(1)
		m.Add(1)
		if mode == "auto" {
			m.Foretell("fewer rows take less")
			m.foretell(0)
			m.Add(1)
			m.foretell(15 * longWork)
			m.foretell(30 * longWork) // another one, and a line of progress
		}
		if mode != "none" {
			m.draw()
		}
		a.Warn("odd")
		m.End()
		m.End()
		if out.String() != want {
			t.Errorf("%s: %q, want %q", mode, out.String(), want)
		}
	}
}

func TestMeterEventsAreJSON(t *testing.T) {
	var out bytes.Buffer
	a := &App{Err: &out, Mode: "json"}
	m := a.Begin("work", 4)
	m.Set(2)
	a.Note("half of it")
	m.End()
	a.Tell(WithHint(AsGate(errors.New("missed")), "try again"))
	var kinds []string
	for line := range strings.Lines(out.String()) {
		var event struct {
			Event string
			Total float64
			Exit  int
			Hints []string
		}
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		kinds = append(kinds, event.Event)
		if event.Event == "end" && event.Total != 4 || event.Event == "error" &&
			(event.Exit != 4 || len(event.Hints) != 1) {
			t.Errorf("event %q", line)
		}
	}
	// the first progress event comes from another goroutine and may be missing
	got := strings.TrimPrefix(strings.Join(strings.Fields(strings.ReplaceAll(strings.Join(kinds, " "), "progress", "")),
		" "), " ")
	if got != "note end error" {
		t.Errorf("events %q", kinds)
	}
}
