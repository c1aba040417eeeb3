package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
)

// A finished task is at its total, in every command of the corpus.
func TestFinishedTasksAreAtTheirTotal(t *testing.T) {
	for _, verb := range makeCorpus(t) {
		for _, c := range verb {
			if c.code != cli.ExitOK {
				continue
			}
			got := outcomeOf(t, append(slices.Clone(c.args), "--progress", "json"))
			for line := range strings.Lines(got.stderr) {
				var e struct {
					Event       string
					Done, Total int64
				}
				if json.Unmarshal([]byte(line), &e) == nil && e.Event == "end" && e.Total > 0 && e.Done != e.Total {
					t.Errorf("%s: %s", c.name, line)
				}
			}
		}
	}
}
