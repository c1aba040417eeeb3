package ranksvm

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/internal/realdata"
)

// TestPublishedOptimum trains on a fold of LETOR 4 MQ2008 at the C for which an
// optimum of SVMrank was published, λ = Q/(2CN): its objective, CN/Q times ours,
// has to come out at or below theirs (docs/notation.md).
func TestPublishedOptimum(t *testing.T) {
	collection := realdata.Path(t, "mq2008_letor4")
	table, err := os.Open(realdata.Path(t, "svmrank_reference", "table.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	for lines := bufio.NewScanner(table); lines.Scan(); {
		var name string
		var fold, queries int
		var c, pairs, theirs float64
		n, _ := fmt.Sscan(lines.Text(), &name, &fold, &c, &queries, &pairs, &theirs)
		if n < 6 || name != "Mq2008" || fold > 2 {
			continue
		}
		set := readParts(t, collection, fold-1)
		if got := set.Queries.Len(); got != queries {
			t.Fatalf("fold %d has %d queries, the table says %d", fold, got, queries)
		}
		lambda := float64(queries) / (2 * c * pairs)
		s, err := New(set.X, set.Y, set.Queries, Options{Epsilon: 1e-6})
		if err != nil {
			t.Fatal(err)
		}
		f, err := s.Train(t.Context(), lambda)
		if err != nil {
			t.Fatal(err)
		}
		ours := f.Objective * c * pairs / float64(queries)
		if f.Pairs != pairs || ours > theirs*(1+1e-8) { // nine digits are published
			t.Errorf("fold %d, C = %v: J = %v over %v pairs, published %v over %v",
				fold, c, ours, f.Pairs, theirs, pairs)
		}
		t.Logf("fold %d, C = %v: J = %.6f, published %.6f", fold, c, ours, theirs)
	}
}

// readParts joins the three training parts of a fold.
func readParts(t *testing.T, dir string, first int) *data.Set {
	t.Helper()
	var text []byte
	for k := range 3 {
		part := filepath.Join(dir, fmt.Sprintf("S%d.txt.gz", (first+k)%5+1))
		text = append(text, unpacked(t, part)...)
	}
	path := filepath.Join(t.TempDir(), "train.txt")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	set, err := svmlight.ReadFile(context.Background(), path, svmlight.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func unpacked(t *testing.T, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
