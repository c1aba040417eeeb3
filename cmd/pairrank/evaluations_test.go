package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pairrank/internal/report"
)

// putScoresAs writes a table of scores as long.E and wide.E of several containers, and the long one in another order.
func putScoresAs(t *testing.T, items int) {
	t.Helper()
	r := rand.New(rand.NewPCG(43, 43))
	var wide, long strings.Builder
	wide.WriteString("id,score_1,score_2,score_3,score_4\n")
	long.WriteString("model,task,score\n")
	var lines []string
	for i := range items {
		fmt.Fprintf(&wide, "i%02d", i)
		for k := range 4 {
			y := fmt.Sprintf("%.4f", 0.3*float64(k*k%5)+r.NormFloat64())
			wide.WriteString("," + y)
			lines = append(lines, fmt.Sprintf("score_%d,i%02d,%s\n", k+1, i, y))
		}
		wide.WriteString("\n")
	}
	long.WriteString(strings.Join(lines, ""))
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	putContainers(t, "wide", wide.String())
	putContainers(t, "long", long.String())
	put(t, "turned.csv", "model,task,score\n"+strings.Join(lines, ""))
}

// A table of scores gives the same bytes, whatever its shape and container are, and with any number of threads.
func TestSameScoresFromEveryShape(t *testing.T) {
	t.Chdir(t.TempDir())
	putScoresAs(t, 30)
	for _, flags := range []string{"", "--ranks", "--against score_2 --fail-worse score_3=9", "--lower-is-better"} {
		want := ""
		for _, file := range []string{"long.csv", "long.json", "long.jsonl", "wide.csv", "wide.json", "wide.jsonl",
			"wide.parquet", "long.csv --threads 1"} {
			line := "leaderboard --json " + file + " " + flags
			if strings.HasPrefix(file, "wide") {
				line += " --wide systems --item-column id"
			}
			name, _, _ := strings.Cut(file, " ")
			got, _, _ := strings.Cut(strings.Replace(must(t, strings.Fields(line)...), name, "FILE", 1), `"notes"`)
			if want == "" {
				want = got
			} else if got != want {
				t.Errorf("%s of %s:\n%s\nof the first:\n%s", flags, file, got, want)
			}
		}
	}
}

// The order of the lines changes nothing but the last digits.
func TestOrderOfScores(t *testing.T) {
	t.Chdir(t.TempDir())
	putScoresAs(t, 30)
	var one, two report.Scores
	for file, to := range map[string]*report.Scores{"long.csv": &one, "turned.csv": &two} {
		if err := json.Unmarshal([]byte(must(t, "leaderboard", file, "--json")), to); err != nil {
			t.Fatal(err)
		}
	}
	if len(one.Items) != 4 || one.Top != two.Top || !alike(float64(one.Critical), float64(two.Critical)) {
		t.Fatalf("%+v\n%+v", one, two)
	}
	for k, a := range one.Items {
		b := two.Items[k]
		if a.ID != b.ID || a.RankLo != b.RankLo || a.RankHi != b.RankHi || a.Letters != b.Letters ||
			!alike(float64(a.Lo), float64(b.Lo)) || !alike(float64(a.Mean), float64(b.Mean)) {
			t.Errorf("%+v\n%+v", a, b)
		}
	}
}
