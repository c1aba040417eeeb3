package cli

import (
	"bytes"
	"testing"
	"time"
)

// Long work is told from what is done in a second or more since the first report, with the way to leave it out. What is
// done before that report counts once. A forecast that proves wrong is corrected. What the run did before counts, too.
// Short work, work without a way, and runs without progress tell nothing.
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
		before    time.Duration
		again     string
	}{
		"long":          {"plain", way, 10, []at{{0, 0}, {1, 4 * time.Second}, {2, 9 * time.Second}}, "40s", 0, ""},
		"prepared":      {"plain", way, 10, []at{{0, 6 * time.Second}, {5, 11 * time.Second}}, "16s", 0, ""},
		"too early":     {"plain", way, 10, []at{{0, 0}, {1, time.Second / 2}}, "", 0, ""},
		"short":         {"plain", way, 10, []at{{0, 0}, {5, 4 * time.Second}}, "", 0, ""},
		"nothing done":  {"plain", way, 10, []at{{0, 0}, {0, 4 * time.Second}}, "", 0, ""},
		"no way out":    {"plain", "", 10, []at{{0, 0}, {1, 4 * time.Second}}, "", 0, ""},
		"no progress":   {"none", way, 10, []at{{0, 0}, {1, 4 * time.Second}}, "", 0, ""},
		"after others":  {"plain", way, 10, []at{{0, 0}, {5, 4 * time.Second}}, "8s, the run 14s", 6 * time.Second, ""},
		"nearly over":   {"plain", way, 10, []at{{0, 0}, {9, 10 * time.Second}}, "", 0, ""},
		"slower":        {"plain", way, 10, []at{{0, 0}, {2, 4 * time.Second}, {3, 10 * time.Second}}, "20s", 0, "33s"},
		"faster":        {"plain", way, 25, []at{{0, 0}, {1, 4 * time.Second}, {10, 6 * time.Second}}, "1m40s", 0, "15s"},
		"long at last":  {"plain", way, 10, []at{{0, 0}, {5, 4 * time.Second}, {6, 9 * time.Second}}, "15s", 0, ""},
		"more to do":    {"plain", way, 10, []at{{5, 0}, {1, 4 * time.Second}, {2, 9 * time.Second}}, "49s", 0, ""},
		"total unknown": {"plain", way, 0, []at{{0, 0}, {1, 4 * time.Second}}, "", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			m := &Meter{app: &App{Err: &out, Mode: c.mode}, task: "nested", mode: c.mode}
			m.foretold.before = c.before
			m.Foretell(c.way)
			m.total.Store(c.total)
			for _, r := range c.reports {
				m.done.Store(r.done)
				m.foretell(r.elapsed)
			}
			want := ""
			for _, about := range []string{c.want, c.again} {
				if about != "" {
					want += "pairrank: note: nested takes about " + about + "; " + way + "\n"
				}
			}
			if got := out.String(); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// TestForetellWaitsForABurst: where several reports come at once after a while, as those of folds that are trained
// together, the last one says how much is done. A task that has ended is not foretold.
func TestForetellWaitsForABurst(t *testing.T) {
	var over func()
	defer func(real func(func())) { afterBurst = real }(afterBurst)
	afterBurst = func(do func()) { over = do }
	for want, ends := range map[string]bool{"": true, "pairrank: note: nested takes about 3m20s; do less\n": false} {
		var out bytes.Buffer
		m := &Meter{app: &App{Err: &out, Mode: "plain"}, task: "nested", mode: "plain",
			began: time.Now().Add(-20 * time.Second)}
		m.Foretell("do less")
		m.total.Store(100)
		m.foretell(0)
		for done := range int64(10) {
			m.Set(done + 1)
		}
		if out.Len() > 0 {
			t.Fatalf("%q before the burst is over", out.String())
		}
		if ends {
			m.End()
		}
		if over(); out.String() != want {
			t.Errorf("%q, want %q", out.String(), want)
		}
	}
}
