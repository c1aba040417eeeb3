package cli

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
)

// screen is what a terminal shows of the bytes written to it: text, the ends
// of lines, and the sequences that move up n lines and erase what follows.
type screen struct {
	mu    sync.Mutex
	lines []string
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := string(p)
	for text != "" {
		if rest, up := strings.CutPrefix(text, "\x1b[1A\x1b[J"); up {
			if len(s.lines) < 2 || s.lines[len(s.lines)-1] != "" {
				return 0, errors.New("up from within a line")
			}
			s.lines = append(s.lines[:len(s.lines)-2], "")
			text = rest
			continue
		}
		if text[0] == '\x1b' {
			return 0, errors.New("unknown sequence " + text)
		}
		if len(s.lines) == 0 {
			s.lines = []string{""}
		}
		if text[0] == '\n' {
			s.lines = append(s.lines, "")
		} else {
			s.lines[len(s.lines)-1] += text[:1]
		}
		text = text[1:]
	}
	return len(p), nil
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.lines, "\n")
}

// Await waits until the screen shows the text, at most for a time that only a
// bar which is never drawn takes.
func (s *screen) Await(t *testing.T, text string) {
	t.Helper()
	for began := time.Now(); time.Since(began) < 20*time.Second; time.Sleep(barInterval / 10) {
		if strings.Contains(s.String(), text) {
			return
		}
	}
	t.Fatalf("the screen shows %q, not %q", s, text)
}

// The bar follows the meter, a warning stands above it, and when it ends the
// line is clean.
func TestBar(t *testing.T) {
	var s screen
	a := &App{Err: &s, Mode: "bar"}
	m := a.Begin("work", 0)
	s.Await(t, " work, ")
	m.SetTotal(4)
	m.Set(1)
	m.Add(1)
	s.Await(t, "[============            ] work 50%, ")
	a.Warn("odd")
	if got := s.String(); got != "pairrank: warning: odd\n" {
		t.Errorf("after the warning the screen shows %q", got)
	}
	m.Set(9)
	s.Await(t, "pairrank: warning: odd\n[========================] work 100%, ")
	m.End()
	m.End()
	a.Tell(errors.New("no more"))
	if got := s.String(); got != "pairrank: warning: odd\npairrank: no more\n" {
		t.Errorf("at the end the screen shows %q", got)
	}
	m.Set(1) // late, from a goroutine that still works
}

// An error clears the line even where the meter was not ended.
func TestErrorClearsBar(t *testing.T) {
	var s screen
	a := &App{Err: &s, Mode: "bar"}
	m := a.Begin("work", 4)
	defer m.End()
	s.Await(t, "work  0%, ")
	a.Tell(errors.New("no more"))
	if got := s.String(); got != "pairrank: no more\n" {
		t.Errorf("the screen shows %q", got)
	}
}

// Short work draws nothing, not even what clears a line.
func TestShortWorkDrawsNoBar(t *testing.T) {
	var out bytes.Buffer
	a := &App{Err: &out, Mode: "bar"}
	m := a.Begin("work", 4)
	m.Set(4)
	m.End()
	if out.Len() > 0 {
		t.Errorf("%q", out.String())
	}
}

// Data on its way to a terminal or a pipe ends the bar before the first byte.
func TestDataEndsBar(t *testing.T) {
	var s screen
	a := &App{Ctx: t.Context(), Err: &s, Out: &s, Mode: "bar"}
	m := a.Begin("work", 4)
	defer m.End()
	s.Await(t, "work  0%, ")
	err := a.Write("-", func(w io.Writer) error {
		_, err := io.WriteString(w, "data\n")
		return err
	})
	if got := s.String(); err != nil || got != "data\n" {
		t.Errorf("error %v; the screen shows %q", err, got)
	}
}
