package cli

import (
	"bytes"
	"testing"
	"time"
)

// Long work is told once, from the first part of it that took long enough, with the way to leave it out; short work,
// work without a way, and runs without progress tell nothing.
func TestForetell(t *testing.T) {
	const way = "without --nested it is left out"
	for name, c := range map[string]struct {
		mode, way string
		done      int64
		elapsed   time.Duration
		want      string
	}{
		"long":          {"plain", way, 1, 4 * time.Second, "pairrank: note: nested takes about 40s; " + way + "\n"},
		"too early":     {"plain", way, 1, time.Second / 2, ""},
		"short":         {"plain", way, 5, 4 * time.Second, ""},
		"nothing done":  {"plain", way, 0, 4 * time.Second, ""},
		"no way out":    {"plain", "", 1, 4 * time.Second, ""},
		"no progress":   {"none", way, 1, 4 * time.Second, ""},
		"total unknown": {"plain", way, -1, 4 * time.Second, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			m := &Meter{app: &App{Err: &out, Mode: c.mode}, task: "nested", mode: c.mode}
			m.Foretell(c.way)
			if m.done.Store(c.done); c.done >= 0 {
				m.total.Store(10)
			}
			m.foretell(c.elapsed)
			m.foretell(2 * c.elapsed)
			if got := out.String(); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
