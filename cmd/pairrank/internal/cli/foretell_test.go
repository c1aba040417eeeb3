package cli

import (
	"bytes"
	"testing"
	"time"
)

// Long work is told once, from what is done in a second or more since the first report, with the way to leave it out.
// What is done before that report counts once. Short work, work without a way, and runs without progress tell nothing.
func TestForetell(t *testing.T) {
	const way = "without --nested it is left out"
	type at struct {
		done    int64
		elapsed time.Duration
	}
	for name, c := range map[string]struct {
		mode, way string
		total     int64
		reports   []at
		want      string
	}{
		"long":          {"plain", way, 10, []at{{0, 0}, {1, 4 * time.Second}, {2, 9 * time.Second}}, "40s"},
		"prepared":      {"plain", way, 10, []at{{0, 6 * time.Second}, {5, 11 * time.Second}}, "16s"},
		"too early":     {"plain", way, 10, []at{{0, 0}, {1, time.Second / 2}}, ""},
		"short":         {"plain", way, 10, []at{{0, 0}, {5, 4 * time.Second}}, ""},
		"nothing done":  {"plain", way, 10, []at{{0, 0}, {0, 4 * time.Second}}, ""},
		"no way out":    {"plain", "", 10, []at{{0, 0}, {1, 4 * time.Second}}, ""},
		"no progress":   {"none", way, 10, []at{{0, 0}, {1, 4 * time.Second}}, ""},
		"total unknown": {"plain", way, 0, []at{{0, 0}, {1, 4 * time.Second}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			m := &Meter{app: &App{Err: &out, Mode: c.mode}, task: "nested", mode: c.mode}
			m.Foretell(c.way)
			m.total.Store(c.total)
			for _, r := range c.reports {
				m.done.Store(r.done)
				m.foretell(r.elapsed)
			}
			want := ""
			if c.want != "" {
				want = "pairrank: note: nested takes about " + c.want + "; " + way + "\n"
			}
			if got := out.String(); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
