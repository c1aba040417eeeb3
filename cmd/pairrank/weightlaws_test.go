package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// weighedTable is a table of rows with labels of two values, queries where that is said, and weights, as CSV and in the
// other containers.
func weighedTable(t *testing.T, name string, queries bool, rows [][3]float64, weights []float64) []string {
	t.Helper()
	text := "label,qid,x,w\n"
	if !queries {
		text = "label,x,w\n"
	}
	for i, row := range rows {
		if text += fmt.Sprintf("%g,", row[0]); queries {
			text += fmt.Sprintf("%g,", row[1])
		}
		text += fmt.Sprintf("%g,%v\n", row[2], weights[i])
	}
	put(t, name+".csv", text)
	var files []string
	for _, end := range []string{"csv", "jsonl", "parquet", "npz"} {
		if end != "csv" {
			mustRun(t, "convert", name+".csv", name+"."+end) // with rows of weight 0
		}
		files = append(files, name+"."+end)
	}
	return files
}

// weighedNumbers are the numbers of a document of a verb, without what is said of columns and weights.
func weighedNumbers(t *testing.T, args ...string) map[string]any {
	t.Helper()
	code, stdout, stderr := program(t, append(args, "--json")...)
	var d map[string]any
	if err := json.Unmarshal([]byte(stdout), &d); err != nil || code != 0 {
		t.Fatalf("%v ends with %d: %v, %s", args, code, err, stderr)
	}
	for _, key := range []string{"columns", "notes"} {
		delete(d, key)
	}
	if areas, is := d["delong"].(map[string]any); is {
		delete(areas, "weights")
	}
	return d
}

// near reports whether two documents have the same numbers, but for rounding.
func nearNumbers(a, b any) bool {
	switch a := a.(type) {
	case float64:
		b, is := b.(float64)
		return is && math.Abs(a-b) <= 1e-9*max(1, math.Abs(b))
	case map[string]any:
		b, is := b.(map[string]any)
		same := is && len(a) == len(b)
		for key, v := range a {
			same = same && nearNumbers(v, b[key])
		}
		return same
	case []any:
		b, is := b.([]any)
		return is && slices.EqualFunc(a, b, nearNumbers)
	}
	return reflect.DeepEqual(a, b)
}

// TestLawsOfWeights: weights of 1 are none, a row of weight 0 and its score are absent, and a factor of all weights
// changes nothing, in evaluate, compare and report, of rows in every container.
func TestLawsOfWeights(t *testing.T) {
	t.Chdir(t.TempDir())
	r := rand.New(rand.NewPCG(81, 82))
	for _, queries := range []bool{false, true} {
		const m = 60
		rows, weights, present := make([][3]float64, m), make([]float64, m), [][3]float64(nil)
		var scores, left [2]strings.Builder
		var kept []float64
		for i := range rows {
			rows[i] = [3]float64{float64(r.IntN(2)), float64(i/12 + 1), math.Round(1000*r.NormFloat64()) / 1000}
			weights[i] = float64(r.IntN(4)) / 2
			if weights[i] > 0 {
				present, kept = append(present, rows[i]), append(kept, weights[i])
			}
			for k := range scores {
				line := fmt.Sprintf("%.3f\n", rows[i][0]+r.NormFloat64())
				if scores[k].WriteString(line); weights[i] > 0 {
					left[k].WriteString(line)
				}
			}
		}
		for k := range scores {
			put(t, fmt.Sprintf("s%d.txt", k), scores[k].String())
			put(t, fmt.Sprintf("left%d.txt", k), left[k].String())
		}
		scaled := make([]float64, m)
		for i, w := range weights {
			scaled[i] = 3 * w
		}
		ones := slices.Repeat([]float64{1}, m)
		all, some := weighedTable(t, "all", queries, rows, weights), weighedTable(t, "some", queries, present, kept)
		one, more := weighedTable(t, "one", queries, rows, ones), weighedTable(t, "more", queries, rows, scaled)
		for k, file := range all {
			for _, verb := range [][]string{{"evaluate", "-m", "disagreement,auc,tau-b,concordance"}, {"compare", "-m", "auc"}} {
				with := func(file, scores string, more ...string) map[string]any {
					args := append([]string{verb[0], file, "--scores", scores + "0.txt", "--scores", scores + "1.txt"}, verb[1:]...)
					d := weighedNumbers(t, append(args, more...)...)

					return d
				}
				weighed, absent := with(file, "s", "--weight-column", "w"), with(some[k], "left", "--weight-column", "w")
				text := func(d map[string]any) string {
					b, _ := json.Marshal(d)
					return strings.NewReplacer("left0", "s0", "left1", "s1").Replace(string(b))
				}
				if a, b := text(weighed), text(absent); a != b {
					t.Errorf("%s of %s: weight 0 gives\n%s\nabsent rows\n%s", verb[0], file, a, b)
				}
				if !nearNumbers(weighed, with(more[k], "s", "--weight-column", "w")) {
					t.Errorf("%s of %s: a factor of all weights changes it", verb[0], file)
				}
				none, byOnes := with(one[k], "s", "--ignore-columns", "w"), with(one[k], "s", "--weight-column", "w")
				if a, b := text(none), text(byOnes); a != b {
					t.Errorf("%s of %s: weights of 1 give\n%s\nnone\n%s", verb[0], file, b, a)
				}
			}
		}
		reportOfWeights(t, all, some)
	}
}

// reportOfWeights compares the pages of a model on rows of weight 0 and without them.
func reportOfWeights(t *testing.T, all, some []string) {
	t.Helper()
	mustRun(t, "train", "some.csv", "--weight-column", "w", "--learner", "ranksvm", "--lambda", "0.1", "-o", "m.model")
	for k, file := range all {
		page := func(file string) string {
			mustRun(t, "report", "m.model", file, "--weight-column", "w", "-m", "disagreement,auc", "-o", "page.html")
			b, err := os.ReadFile("page.html")
			if err != nil {
				t.Fatal(err)
			}
			_ = os.Remove("page.html")
			text := strings.ReplaceAll(string(b), file, "DATA")
			return strings.ReplaceAll(text, fmt.Sprintf(", %d of weight 0 left out", 60-rowsIn(t, "some.csv")), "")
		}
		if page(file) != page(some[k]) {
			t.Errorf("report of %s: rows of weight 0 give another page", file)
		}
	}
}

func rowsIn(t *testing.T, file string) int {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(b), "\n") - 1
}
