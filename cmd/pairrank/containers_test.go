package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/format/parquet"
)

// putContainers writes a table with commas as NAME.csv, NAME.jsonl, NAME.json and, where the first column is id and the
// others are score_1, score_2 …, NAME.parquet.
func putContainers(t *testing.T, name, text string) {
	t.Helper()
	put(t, name+".csv", text)
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var objects, ids []string
	var scores []float64
	for _, row := range lines[1:] {
		var members []string
		for k, cell := range row {
			value, _ := json.Marshal(cell)
			x, err := strconv.ParseFloat(cell, 64)
			if err == nil {
				value = []byte(cell)
			}
			if scores = append(scores, x); k == 0 {
				scores = scores[:len(scores)-1]
			}
			members = append(members, fmt.Sprintf("%q:%s", lines[0][k], value))
		}
		ids, objects = append(ids, row[0]), append(objects, "{"+strings.Join(members, ",")+"}")
	}
	put(t, name+".jsonl", strings.Join(objects, "\n")+"\n")
	put(t, name+".json", "[\n"+strings.Join(objects, ",\n")+"\n]\n")
	var b bytes.Buffer
	if err := parquet.WriteScores(&b, scores, len(lines[0])-1, &data.Set{IDs: ids}); err != nil {
		t.Fatal(err)
	}
	put(t, name+".parquet", b.String())
}

// The same data gives the same bytes, whatever the container is.
func TestSameBytesFromEveryContainer(t *testing.T) {
	t.Chdir(t.TempDir())
	nodes, matrix, square := "id,score_1,score_2\n", "id,score_1,score_2,score_3,score_4,score_5\n", ""
	square = matrix
	board, graded := "model_a,model_b,winner\n", "model_a,model_b,p,goals_a,goals_b\n"
	for i := 1; i <= 5; i++ {
		nodes += fmt.Sprintf("score_%d,%g,%g\n", i, float64(i)/8, float64(i*i%7)/4)
		matrix += fmt.Sprintf("score_%d", i)
		square += fmt.Sprintf("score_%d", i)
		for j := 1; j <= 5; j++ {
			matrix += fmt.Sprintf(",%g", float64((3*i+j*j)%7)/2)
			square += map[bool]string{true: ",1", false: ",0.125"}[i == j]
			board += fmt.Sprintf("m%d,m%d,%s\n", i, 5+j, []string{"model_a", "model_b", "tie"}[(i+2*j)%3])
			graded += fmt.Sprintf("m%d,m%d,%g,%d,%d\n", i, 5+j, float64((i+3*j)%9)/8, i*j%4, (i+j)%3)
		}
		matrix, square = matrix+"\n", square+"\n"
	}
	putContainers(t, "nodes", nodes)
	putContainers(t, "edges", matrix)
	putContainers(t, "square", square)
	putContainers(t, "board", board)
	putContainers(t, "graded", graded)
	for _, verb := range []string{
		"relation train edges.E --rows nodes.E -o FILE --lambda 1",
		"relation train edges.E --rows square.E --row-kernel precomputed -o FILE --lambda 1",
		"relation cv edges.E --rows nodes.E --held-out FILE",
		"leaderboard board.E -o FILE",
		"leaderboard graded.E --outcome p --loss logistic --hold-out pair -o FILE",
		"leaderboard graded.E --outcome p --outcome-is margin --hold-out pair --held-out FILE",
		"leaderboard graded.E --score-left goals_a --score-right goals_b --margin -o FILE",
	} {
		var want string
		for k, end := range []string{"csv", "jsonl", "json", "parquet"} {
			if end == "parquet" && strings.HasPrefix(verb, "leaderboard") {
				continue // which package parquet tests: no verb writes such a file
			}
			file := end + ".out"
			must(t, strings.Fields(strings.NewReplacer(".E", "."+end, "FILE", file).Replace(verb))...)
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := withoutFiles(string(text), end)
			if k == 0 {
				want = got
			} else if got != want {
				t.Errorf("%s of %s:\n%s\nof CSV:\n%s", verb, end, got, want)
			}
		}
	}
}

// withoutFiles is the text of a model without the end of the names of files that it keeps.
func withoutFiles(text, end string) string { return strings.ReplaceAll(text, "."+end, "") }
