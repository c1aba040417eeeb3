package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pairrank/comparison"
)

// rated is a board of some items in a ring, each of which wins twice as often as it loses against the next one, and of
// which every fifth is compared alike, so that scores are equal.
func rated(t *testing.T, items int) *comparison.Ranking {
	t.Helper()
	p := &comparison.Problem{}
	for i := range items {
		p.Items = append(p.Items, fmt.Sprint("item", i))
		p.Lines = append(p.Lines, comparison.Line{Left: i, Right: (i + 1) % items, Wins: float64(i % 5), Losses: 1,
			Annotator: -1, Stratum: -1})
	}
	r, err := comparison.Rank(t.Context(), *p, comparison.RankOptions{Options: comparison.Options{Lambda: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRanksOfItems: without sets of ranks, the rank of an item is one more than the number of better ones.
func TestRanksOfItems(t *testing.T) {
	r := rated(t, 40)
	r.Board.Scores[7] = r.Board.Scores[12]
	d := NewLeaderboard("", r)
	for _, item := range d.Items {
		var i int
		fmt.Sscanf(item.ID, "item%d", &i)
		want := 1
		for _, s := range r.Board.Scores {
			if s > r.Board.Scores[i] {
				want++
			}
		}
		if item.Rank != want || float64(item.Score) != r.Board.Scores[i] {
			t.Errorf("%s has rank %d and score %v, want %d and %v", item.ID, item.Rank, item.Score, want, r.Board.Scores[i])
		}
	}
}

// TestTextOfManyItems: the text has the first hundred items and those that are asked about, and counts the others.
func TestTextOfManyItems(t *testing.T) {
	r := rated(t, 250)
	d := NewLeaderboard("", r)
	for _, about := range [][]string{nil, {d.Items[3].ID, d.Items[240].ID}} {
		d.About = about
		var text bytes.Buffer
		if err := d.View().WriteText(&text); err != nil {
			t.Fatal(err)
		}
		rows, want := strings.Count(text.String(), "  item"), mostShown
		if about != nil {
			want++
			if !strings.Contains(text.String(), "  "+about[1]+"\n") {
				t.Errorf("%s is not in the text", about[1])
			}
		}
		if rest := fmt.Sprintf("%d more items: --json", 250-want); rows != want+1 || !strings.Contains(text.String(), rest) {
			t.Errorf("%d rows with the head, want %d, and %q", rows, want+1, rest)
		}
	}
	d.Items = d.Items[:100]
	var text bytes.Buffer
	if err := d.View().WriteText(&text); err != nil || strings.Contains(text.String(), "not shown") {
		t.Errorf("of a hundred items some are not shown: %v", err)
	}
}
