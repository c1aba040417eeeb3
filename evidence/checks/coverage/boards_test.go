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
	_, table, _ := strings.Cut(readFile(t, "evidence", "checks", "coverage.md"), "<!-- boards -->")
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
	says := fmt.Sprintf("intervals of finite scores held in %.0f–%.0f %%, of bias-reduced scores in %.0f–%.0f %%, sets "+
		"of ranks in %.0f–%.0f %% of boards", math.Floor(least[0]), math.Ceil(most[0]), math.Floor(least[1]),
		math.Ceil(most[1]), math.Floor(least[2]), math.Ceil(most[2]))
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

// No cell of a board with a true ranking fails the test of cycles in more than 6.5 %, and docs/statistics.md says from
// where to where the cells go, and those with 40 comparisons an item and a circle.
func TestPageSaysHowOftenBoardsFail(t *testing.T) {
	_, table, _ := strings.Cut(readFile(t, "evidence", "checks", "coverage.md"), "<!-- cycles -->")
	table, _, _ = strings.Cut(table, "<!-- /cycles -->")
	most, leastPower, mostPower, rows := 0.0, 100.0, 0.0, 0
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 6 || strings.Contains(line, "items") || strings.Contains(line, "---") {
			continue
		}
		rows++
		var v [2]float64
		for k := range v {
			var err error
			if v[k], err = strconv.ParseFloat(strings.Fields(cells[3+k])[0], 64); err != nil {
				t.Fatal(err)
			}
		}
		most = max(most, v[0])
		if strings.TrimSpace(cells[1]) == "5" && strings.TrimSpace(cells[2]) == "40" {
			leastPower, mostPower = min(leastPower, v[1]), max(mostPower, v[1])
		}
	}
	if most > 6.5 || rows != len(wayBoards) {
		t.Errorf("%d rows, and %v %% false alarms", rows, most)
	}
	says := fmt.Sprintf("failed in at most %.0f %% of boards with a true ranking, and in %.0f–%.0f %% of boards of "+
		"five items", math.Ceil(most), math.Floor(leastPower), math.Ceil(mostPower))
	page := strings.Join(strings.Fields(unlinked(readFile(t, "docs", "statistics.md"))), " ")
	if !strings.Contains(page, says) {
		t.Errorf("docs/statistics.md does not say %q", says)
	}
}

// docs/statistics.md says from where to where the cells of the bootstrap and of the squared loss go.
func TestPageSaysWhatOtherIntervalsCover(t *testing.T) {
	_, table, _ := strings.Cut(readFile(t, "evidence", "checks", "coverage.md"), "<!-- boardways -->")
	table, _, _ = strings.Cut(table, "<!-- /boardways -->")
	least, most := [4]float64{100, 100, 100, 100}, [4]float64{} // finite, bias-reduced; squared, of 7 outcomes and of more
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 7 || strings.Contains(line, "items") || strings.Contains(line, "---") {
			continue
		}
		for k, cell := range cells[3:] {
			v, err := strconv.ParseFloat(strings.Fields(cell)[0], 64)
			if err != nil {
				continue // too few finite boards
			}
			if k >= 2 {
				k = 3
				if strings.TrimSpace(cells[1]) == "5" && strings.TrimSpace(cells[2]) == "3" {
					k = 2
				}
			}
			least[k], most[k] = min(least[k], v), max(most[k], v)
		}
	}
	var parts [4]string
	for k := range parts {
		parts[k] = fmt.Sprintf("%.0f–%.0f %%", math.Floor(least[k]), math.Ceil(most[k]))
	}
	page := strings.Join(strings.Fields(unlinked(readFile(t, "docs", "statistics.md"))), " ")
	for _, says := range []string{"finite scores held in " + parts[0] + ", bias-reduced ones in " + parts[1],
		"held in " + parts[2] + " with 7 outcomes of five items", "else in " + parts[3]} {
		if !strings.Contains(page, says) {
			t.Errorf("docs/statistics.md does not say %q", says)
		}
	}
}
