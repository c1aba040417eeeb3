package table

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

var relationSeeds = []string{
	"id\ta\tb\nx\t1\t2\ny\t3\t4\n", "\ta\tb\na\t1\t2\t\nb\t3\t4\t\n", "a b\na 1 2\nb 3 4\n", "1 2\n3 4\n",
	"id,\"a, b\"\n\"x \"\"y\"\"\",1e-3\n",
	"row_id\tcol_id\tvalue\na\tb\t1\na\tb\t2\n", "a b\nb c\n", ",x,y,z\na,1,,NaN\nb,0,NA,2\n", "name,b,\nx,1,\n",
	"x;y\n1;2\n", "id,a\nx,1\nx,2\n", "\xef\xbb\xbfid,#a\n#b,1\n\t\t\n",
	"{\"id\":\"x\",\"a\":1}\n{\"a\":2,\"id\":\"y\"}\n",
	"[{\"row_id\":\"x\",\"col_id\":\"y\",\"value\":1},\n{\"row_id\":7}]",
	"id,a\n\"x\ny\",1\n\"z\n",
}

// holdsLineEnd recognises the error of writing a text with a CR, which quotes let a reader accept.
func holdsLineEnd(err error) bool { return strings.Contains(err.Error(), "line end") }

func FuzzNodes(f *testing.F) {
	for _, s := range relationSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := readNodesFrom(strings.NewReader(text), "n", NodesOptions{})
		if err != nil {
			return
		}
		checkIDs(t, n.ID, n.X.Rows)
		var b bytes.Buffer
		if err := WriteNodes(&b, TSV, n); err != nil {
			if !holdsLineEnd(err) {
				t.Fatal(err)
			}
			return
		}
		again, err := readNodesFrom(&b, "n.tsv", NodesOptions{Header: HeaderYes})
		if err != nil {
			t.Fatal(err)
		}
		again.Numbered = n.Numbered
		if n.Names == nil {
			again.Names = nil // f1, f2, …
		}
		if got, want := describeNodes(again), describeNodes(n); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	})
}

func FuzzSimilarity(f *testing.F) {
	for _, s := range relationSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := readSimilarityFrom(strings.NewReader(text), "k")
		if err != nil {
			return
		}
		checkIDs(t, s.RowID, s.K.Rows)
		checkIDs(t, s.ColID, s.K.Cols)
		rows, cols := slices.Clone(s.RowID), slices.Clone(s.ColID)
		slices.Reverse(rows)
		k, err := s.Align(rows, cols)
		if err != nil || !slices.Equal(k.Row(0), s.K.Row(s.K.Rows-1)) {
			t.Fatalf("reversed: %v, %v", k, err)
		}
		var b bytes.Buffer
		if err := WriteSimilarity(&b, CSV, s); err != nil {
			if !holdsLineEnd(err) {
				t.Fatal(err)
			}
			return
		}
		again, err := readSimilarityFrom(&b, "k.csv")
		if err != nil {
			t.Fatal(err)
		}
		again.Numbered = s.Numbered
		if got, want := describeSimilarity(again), describeSimilarity(s); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	})
}

func checkIDs(t *testing.T, ids []string, n int) {
	t.Helper()
	seen := map[string]bool{}
	for _, id := range ids {
		if id == "" || seen[id] {
			t.Fatalf("id %q is empty or repeated", id)
		}
		seen[id] = true
	}
	if len(ids) != n {
		t.Fatalf("%d ids for %d nodes", len(ids), n)
	}
}

func FuzzEdges(f *testing.F) {
	for k, s := range relationSeeds {
		f.Add(s, byte(k%3), k%2 == 0)
	}
	f.Fuzz(func(t *testing.T, text string, format byte, noValue bool) {
		opts := EdgesOptions{Format: []string{edgesAuto, edgesTriplets, edgesMatrix}[format%3], NoValue: noValue}
		e, err := readEdgesFrom(strings.NewReader(text), "e", opts)
		if err != nil {
			return
		}
		if opts.Format != edgesAuto && opts.Format != e.Format {
			t.Fatalf("read as %v, not as %v", e.Format, opts.Format)
		}
		checkIDs(t, e.RowID, len(e.RowID))
		checkIDs(t, e.ColID, len(e.ColID))
		row, col, err := e.Match(e.RowID, e.ColID)
		if err != nil || !slices.Equal(row, e.Row) || !slices.Equal(col, e.Col) ||
			len(e.Y) == 0 || len(e.Y) != len(e.Row) {
			t.Fatalf("%v with its own ids: %v", e, err)
		}
		if !noValue && slices.ContainsFunc(e.Y, math.IsNaN) {
			t.Fatal("an edge without value")
		}
		var b bytes.Buffer
		if err := WriteEdges(&b, CSV, e); err != nil {
			if !holdsLineEnd(err) {
				t.Fatal(err)
			}
			return
		}
		again, err := readEdgesFrom(&b, "e.csv", EdgesOptions{NoValue: noValue})
		if err != nil {
			t.Fatal(err)
		}
		for k := range e.Y {
			got := fmt.Sprintf("%q %q %v", again.RowID[again.Row[k]], again.ColID[again.Col[k]], again.Y[k])
			if want := fmt.Sprintf("%q %q %v", e.RowID[e.Row[k]], e.ColID[e.Col[k]], e.Y[k]); got != want {
				t.Fatalf("edge %d is %s, want %s", k, got, want)
			}
		}
	})
}
