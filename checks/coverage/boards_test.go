package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

// docs/statistics.md says from where to where the cells of the table of leaderboards go, and none is below 93 %,
// with annotators 92 %.
func TestPageSaysWhatLeaderboardsCover(t *testing.T) {
	_, table, _ := strings.Cut(readFile(t, "checks", "coverage.md"), "<!-- boards -->")
	table, _, _ = strings.Cut(table, "<!-- /boards -->")
	least, most := [3]float64{100, 100, 100}, [3]float64{} // finite and bias-reduced scores, ranks
	rows := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 9 || strings.Contains(line, "items") || strings.Contains(line, "---") {
			continue
		}
		rows++
		nominal := 92.0
		if strings.TrimSpace(cells[0]) == "none" {
			nominal = 93
		}
		for k, cell := range cells[5:] {
			v, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
			if err != nil {
				continue // too few finite boards
			}
			if v < nominal {
				t.Errorf("a cell is below %v %%: %s", nominal, line)
			}
			at := min(k, 2)
			least[at], most[at] = min(least[at], v), max(most[at], v)
		}
	}
	if rows != len(boards) {
		t.Errorf("the table has %d rows, the program %d cells", rows, len(boards))
	}
	says := fmt.Sprintf("intervals of finite scores held in %.0f–%.0f %%, of bias-reduced scores in %.0f–%.0f %%, sets of "+
		"ranks in %.0f–%.0f %% of boards", math.Floor(least[0]), math.Ceil(most[0]), math.Floor(least[1]), math.Ceil(most[1]),
		math.Floor(least[2]), math.Ceil(most[2]))
	if page := strings.Join(strings.Fields(unlinked(readFile(t, "docs", "statistics.md"))), " "); !strings.Contains(page,
		says) {
		t.Errorf("docs/statistics.md does not say %q", says)
	}
}

// The probability of a win over all tastes is that of draws.
func TestProbabilityOverTastes(t *testing.T) {
	b := board{annotators: 8}
	if p, q := b.probability(1.3), b.probability(-1.3); math.Abs(p+q-1) > 1e-12 || p >= (board{}).probability(1.3) {
		t.Errorf("probabilities %v and %v", p, q)
	}
}
