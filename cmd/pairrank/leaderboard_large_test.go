package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/comparison"
	"pairrank/internal/report"
)

// manyGames writes comparisons of 4,100 items, each with the next ones, with an annotator.
func manyGames(t *testing.T) string {
	t.Helper()
	const items = 4100
	var text bytes.Buffer
	text.WriteString("winner,loser,judge\n")
	for k := range 4 * items {
		i, j := k%items, (k%items+1+k/items*k/items)%items
		if i == j {
			j = (i + 1) % items
		}
		if k%3 == 0 {
			i, j = j, i
		}
		fmt.Fprintf(&text, "i%d,i%d,u%d\n", i, j, k%7)
	}
	path := filepath.Join(t.TempDir(), "games.csv")
	if err := os.WriteFile(path, text.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestLargeLeaderboard: a board of more than 4,000 items says what it leaves out, has the intervals of the items that
// are named, and refuses what it cannot do with the way out.
func TestLargeLeaderboard(t *testing.T) {
	path := manyGames(t)
	leaderboard := func(args ...string) (out, said string, code int) {
		var stdout, stderr bytes.Buffer
		err := run(t.Context(), append([]string{"leaderboard", path}, args...), nil, &stdout, &stderr)
		return stdout.String(), stderr.String(), cli.ExitCode(err)
	}
	for _, c := range []struct {
		args      string
		code      int
		out, said string // what must be there
	}{
		{"", 0, "4000 more items", "4100 items are too many for intervals of all"},
		{"--about first:2 --next 1", 0, "ranks among the 2 items", "intervals take outcomes as independent"},
		{"--lambdas 1,2", 0, "kfold:10, by training again", "lambda is chosen by --hold-out kfold:10"},
		{"--hold-out pair", 2, "", "--hold-out kfold:10"},
		{"--next 1", 2, "", "--about LIST"},
		{"--about first:0", 2, "", "first:K"},
		{"--about i1,nobody", 2, "", `no item is called "nobody"`},
		{"--about i1,i2 --lambda 1", 0, "of the scores at λ = 0", "intervals and sets of ranks are of scores at λ = 0"},
	} {
		out, said, code := leaderboard(strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(said, c.said) {
			t.Errorf("%s: exit code %d, output %.300q, error output %q", c.args, code, out, said)
		}
	}
	out, _, _ := leaderboard("--about", "i5,i9", "--anchor", "i7=0", "--json")
	var d report.Leaderboard
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	sure := 0
	for k, i := range d.Items {
		about := i.ID == "i5" || i.ID == "i9"
		if has := !math.IsNaN(float64(i.SE)); has != about || about != (i.RankLo > 0) {
			t.Errorf("item %s: %+v", i.ID, i)
		} else if has {
			sure++
		}
		if k > 0 && (i.Rank < d.Items[k-1].Rank || i.Score > d.Items[k-1].Score) {
			t.Errorf("item %s has the rank %d after %d", i.ID, i.Rank, d.Items[k-1].Rank)
		}
	}
	if sure != 2 || d.Solved == nil || !(d.Solved.Residual <= comparison.Tolerance) || len(d.About) != 2 {
		t.Errorf("%d items with intervals, solved %+v, about %v", sure, d.Solved, d.About)
	}
}
