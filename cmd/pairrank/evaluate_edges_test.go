package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
)

// The edges of a row are a query: rows of LETOR text with the same labels, queries and scores are measured alike, and
// a model measures as the scores that it predicts.
func TestEdgesAreMeasuredAsQueries(t *testing.T) {
	t.Chdir(t.TempDir())
	random := rand.New(rand.NewPCG(8, 1))
	nodes, edges, exchanged, rows, training := "id\tx\ty\n", "", "", "", ""
	for i := range 6 {
		nodes += fmt.Sprintf("n%d\t%g\t%g\n", i, random.NormFloat64(), random.NormFloat64())
	}
	for _, k := range random.Perm(36) {
		row, col, label := k/6, k%6, random.IntN(3)
		training += fmt.Sprintf("n%d\tn%d\t%d\n", row, col, random.IntN(3))
		if k%5 == 0 {
			continue
		}
		edges += fmt.Sprintf("n%d\tn%d\t%d\n", row, col, label)
		exchanged += fmt.Sprintf("n%d\tn%d\t%d\n", col, row, label)
		rows += fmt.Sprintf("%d qid:n%d 1:0 #docid = n%d\n", label, row, col)
	}
	for name, text := range map[string]string{"nodes.tsv": nodes, "edges.tsv": edges, "exchanged.tsv": exchanged,
		"rows.txt": rows, "training.tsv": training} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	mustRun(t, words("relation train training.tsv --rows nodes.tsv --lambda 1 -o m.model")...)
	pairs := printed(t, "relation predict m.model --rows nodes.tsv --edges edges.tsv")
	scores := ""
	for line := range strings.Lines(pairs) {
		scores += line[strings.LastIndex(line, "\t")+1:]
	}
	if err := os.WriteFile("scores.txt", []byte(scores), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, more := range []string{"", " -q", " --style trec", " -m ndcg@3,disagreement,p@1 --binarize 1",
		" --min-relevant 2 -m map"} {
		want := printed(t, "evaluate rows.txt --scores scores.txt"+more)
		for _, args := range []string{"edges.tsv --scores scores.txt", "edges.tsv --model m.model --rows nodes.tsv",
			"exchanged.tsv --transpose --model m.model --rows nodes.tsv --edge-format triplets"} {
			if got := printed(t, "relation evaluate "+args+more); got != want {
				t.Errorf("relation evaluate %s%s prints\n%s\nwant\n%s", args, more, got, want)
			}
		}
	}
	for args, code := range map[string]int{
		"edges.tsv": cli.ExitUsage, "edges.tsv --model m.model": cli.ExitUsage, "- --scores scores.txt": cli.ExitUsage,
		"training.tsv --scores scores.txt": cli.ExitData, "nodes.tsv --scores scores.txt": cli.ExitData,
		"edges.tsv --scores scores.txt --fail-over disagreement=-1": cli.ExitGate,
		"edges.tsv --qrels scores.txt":                              cli.ExitUsage,
	} {
		if got, text := runAll(t, words("relation evaluate "+args)...); got != code {
			t.Errorf("relation evaluate %s: exit code %d, want %d: %s", args, got, code, text)
		}
	}
}

// printed is what a command prints on standard output.
func printed(t *testing.T, args string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(t.Context(), words(args), strings.NewReader(""), &out, io.Discard); err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	return out.String()
}
