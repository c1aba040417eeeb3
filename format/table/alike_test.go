package table

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pairrank/data"
)

// TestAlike: a comparison has the line of the first one that is like it, by a map of what they share.
func TestAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	var a alike
	var lines data.Comparisons
	want := map[data.Comparison]int32{}
	for k := range 20_000 {
		c := data.Comparison{Left: r.IntN(40), Right: r.IntN(40), Annotator: r.IntN(3) - 1, Stratum: r.IntN(2) - 1,
			Weight: float64(1 + r.IntN(2)), Magnitude: 1}
		at, is := a.find(&c, hashOf(&c), &lines)
		first, was := want[c]
		if !was {
			first = int32(lines.Len())
			want[c] = first
			lines.Append(c)
		}
		if at != first || is != was {
			t.Fatalf("comparison %d: line %d, known %v; want %d, %v", k, at, is, first, was)
		}
	}
	if lines.Len() < 5000 || lines.Len() == 20_000 {
		t.Errorf("%d lines: too few, or none alike", lines.Len())
	}
}

// TestManyNames: of more names than stay near the processor, in several blocks of text with comments, blank lines,
// rows over two lines and lines without an outcome, each line counts what it says, on one thread and on two.
func TestManyNames(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	const lines, names = 100_000, 14_000 // so many that they are added beside the reader
	var text strings.Builder
	text.WriteString("left,right,wins_a,wins_b,said\n")
	type pair struct{ left, right string }
	want := map[pair][2]float64{}
	of := []pair{} // of each line; none where it counts nothing
	for k := range lines {
		if k%1000 == 0 {
			text.WriteString("# a comment\n\n")
		}
		p := pair{fmt.Sprintf("a name of %d", r.IntN(names)), fmt.Sprint("b", r.IntN(5))}
		wins := [2]float64{float64(r.IntN(2)), float64(r.IntN(2))}
		said := "x"
		if k%777 == 0 {
			said = "\"y\nz\""
		}
		fmt.Fprintf(&text, "%s,%s,%v,%v,%s\n", p.left, p.right, wins[0], wins[1], said)
		if wins == [2]float64{} {
			p = pair{}
		} else {
			was := want[p]
			want[p] = [2]float64{was[0] + wins[0], was[1] + wins[1]}
		}
		of = append(of, p)
	}
	path := filepath.Join(t.TempDir(), "votes.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{1, 2} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		got, err := ReadComparisons(path, ComparisonsOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got.Lines.Len() != len(want) || len(got.Of) != lines {
			t.Fatalf("%d threads: %d lines of %d, want %d of %d", threads, got.Lines.Len(), len(got.Of), len(want), lines)
		}
		for k, p := range of {
			if got.Of[k] < 0 {
				if p != (pair{}) {
					t.Fatalf("%d threads: line %d is left out", threads, k)
				}
				continue
			}
			l := got.Lines.LineTo(new(data.Comparison), int(got.Of[k]))
			if is := (pair{got.Items[l.Left], got.Items[l.Right]}); is != p || want[p] != [2]float64{l.Wins, l.Losses} {
				t.Fatalf("%d threads: line %d is %v with %v and %v wins, want %v with %v", threads, k, is, l.Wins, l.Losses, p,
					want[p])
			}
		}
	}
}
