package synth

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/format/svmlight"
)

// maker has the common methods of the three kinds of rows.
type maker interface {
	Write(w io.Writer) error
	Set() (*data.Set, error)
}

func makers(rows int, seed uint64) map[string]maker {
	return map[string]maker{
		"letor":  LETOR{Rows: rows, Features: 10, Queries: max(1, rows/50), Seed: seed},
		"houses": Houses{Rows: rows, Seed: seed},
		"news":   News{Rows: rows, Features: 2000, Seed: seed},
	}
}

func TestTextReadsBackAsSet(t *testing.T) {
	for _, rows := range []int{1, 2, 3000} {
		for name, m := range makers(rows, 7) {
			var text bytes.Buffer
			if err := m.Write(&text); err != nil {
				t.Fatal(err)
			}
			want, err := m.Set()
			if err != nil {
				t.Fatal(err)
			}
			_, n := want.X.Dims()
			got, err := svmlight.ReadAll(context.Background(), &text, name, svmlight.Options{Features: n})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(data.ToDense(got.X).Data, data.ToDense(want.X).Data) || !slices.Equal(got.Y, want.Y) ||
				!slices.Equal(got.Queries.Of(), want.Queries.Of()) || !slices.Equal(got.Queries.IDs, want.Queries.IDs) {
				t.Errorf("%s, %d rows: Set and Write differ", name, rows)
			}
		}
	}
}

func TestBytesDependOnTheSeedOnly(t *testing.T) {
	sum := func(m maker) string {
		h := sha256.New()
		if err := m.Write(h); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%x", h.Sum(nil))
	}
	for name := range makers(1, 1) {
		first := sum(makers(5000, 1)[name])
		for _, threads := range []int{1, 3} {
			old := runtime.GOMAXPROCS(threads)
			if again := sum(makers(5000, 1)[name]); again != first {
				t.Errorf("%s: other bytes with %d threads", name, threads)
			}
			runtime.GOMAXPROCS(old)
		}
		if other := sum(makers(5000, 2)[name]); other == first {
			t.Errorf("%s: two seeds give the same bytes", name)
		}
	}
}

func TestLETORShape(t *testing.T) {
	s, err := LETOR{Rows: 20_000, Features: 46, Queries: 200, Seed: 3}.Set()
	if err != nil {
		t.Fatal(err)
	}
	var count [5]float64
	for _, y := range s.Y {
		count[int(y)]++
	}
	// The shares vary with the offsets of 200 queries: their deviation is 0.5 of
	// a score with one of about 1.5, over √200.
	const tolerance = 0.05
	for label, want := range []float64{0.5, 0.25, 0.15, 0.07, 0.03} {
		if got := count[label] / 20_000; math.Abs(got-want) > tolerance {
			t.Errorf("%.3f of the rows have label %d, want %.2f", got, label, want)
		}
	}
	smallest, largest := math.MaxInt, 0
	for g := range s.Queries.Len() {
		size := len(s.Queries.Part(g))
		smallest, largest = min(smallest, size), max(largest, size)
	}
	if s.Queries.Len() != 200 || smallest < 1 || largest < 2*smallest {
		t.Errorf("%d queries of %d … %d rows", s.Queries.Len(), smallest, largest)
	}
}

func TestHousesHaveTies(t *testing.T) {
	s, err := Houses{Rows: 20_640, Seed: 1}.Set()
	if err != nil {
		t.Fatal(err)
	}
	labels := map[float64]int{}
	for _, y := range s.Y {
		labels[y]++
	}
	// cadata has 3842 distinct labels.
	if n := len(labels); n < 2500 || n > 4500 {
		t.Errorf("%d distinct labels", n)
	}
}

func TestNewsShape(t *testing.T) {
	s, err := News{Rows: 2000, Seed: 1}.Set()
	if err != nil {
		t.Fatal(err)
	}
	x := s.X.(*data.CSR)
	mean := float64(len(x.Val)) / 2000
	// Deviation of the mean: 78·√(e^0.36 − 1)/√2000 = 1.15; four of them.
	const tolerance = 4.6
	if math.Abs(mean-newsWords) > tolerance || x.Cols != 47_000 {
		t.Errorf("%g values a row over %d features", mean, x.Cols)
	}
	var related int
	for i, y := range s.Y {
		_, vals := x.Row(i)
		var norm float64
		for _, v := range vals {
			norm += v * v
		}
		// Six digits of each value.
		if math.Abs(norm-1) > 1e-5 {
			t.Fatalf("row %d has norm² %g", i, norm)
		}
		if y < 0 || y > 1 {
			t.Errorf("label %g", y)
		}
		if y > 0 {
			related++
		}
	}
	if related < 1000 {
		t.Errorf("only %d of 2000 rows share a word with the target", related)
	}
}

func TestGame(t *testing.T) {
	for _, weight := range []float64{1, 10, 100} {
		g := Game{Weight: weight, Seed: 5}
		x, edges, err := g.Train()
		if err != nil {
			t.Fatal(err)
		}
		if len(edges) != 2000 || x.Rows != 100 || x.Cols != 3 {
			t.Fatalf("%d edges, %d × %d", len(edges), x.Rows, x.Cols)
		}
		for k := 0; k < len(edges); k += 2 {
			a, b := edges[k], edges[k+1]
			if a.I == a.J || a.I != b.J || a.J != b.I || a.Value != -b.Value || math.Abs(a.Value) != 1 {
				t.Fatalf("game %v, %v", a, b)
			}
		}
		players, pairs, err := g.Test()
		if err != nil {
			t.Fatal(err)
		}
		checkProbabilities(t, players, pairs)
	}
	// Two players that always win or lose: rock beats scissors.
	if p := winProbability([]float64{1, 0, 0}, []float64{0, 0, 1}); p != 1 {
		t.Errorf("rock beats scissors with probability %g", p)
	}
}

// TestDraws lets two players meet who draw in four games of five. A coin decides draws, so the
// share of wins is the probability of the test.
func TestDraws(t *testing.T) {
	rock, mostly := []float64{1, 0, 0}, []float64{0.8, 0.2, 0} // paper beats rock
	const games, errors = 20000, 5
	random, wins := newSource(3), 0.0
	for n := range games {
		wins += (play(random.of(forRows, n), mostly, rock) + 1) / 2
	}
	p := winProbability(mostly, rock)
	if math.Abs(p-0.6) > 1e-15 {
		t.Fatalf("mostly rock wins against rock with probability %g", p)
	}
	if got := wins / games; math.Abs(got-p) > errors*math.Sqrt(p*(1-p)/games) {
		t.Errorf("%g of the games are won, not %g", got, p)
	}
}

// TestStrategies has no move more than exp(w/3) times as often as another, and
// some nearly so.
func TestStrategies(t *testing.T) {
	for _, weight := range []float64{1, 10, 100} {
		x, _, err := Game{Weight: weight, Seed: 2}.Train()
		if err != nil {
			t.Fatal(err)
		}
		var most float64
		for i := range x.Rows {
			most = max(most, math.Log(slices.Max(x.Row(i))/slices.Min(x.Row(i))))
		}
		if rounding := 1e-9; most > weight/3+rounding || most < 0.8*weight/3 {
			t.Errorf("w = %g: the most one-sided player has log ratio %g, not up to %g", weight, most, weight/3)
		}
	}
}

// checkProbabilities compares with the sum over all pairs of moves.
func checkProbabilities(t *testing.T, x *data.Dense, edges []Edge) {
	t.Helper()
	const rounding = 1e-14
	if len(edges) != x.Rows*(x.Rows-1) {
		t.Fatalf("%d edges", len(edges))
	}
	for _, e := range edges {
		var p float64
		for k, a := range x.Row(e.I) {
			for l, b := range x.Row(e.J) {
				switch (k - l + 3) % 3 {
				case 0:
					p += a * b / 2
				case 1: // paper − rock, scissors − paper, rock − scissors
					p += a * b
				}
			}
		}
		if math.Abs(p-e.Value) > rounding {
			t.Fatalf("P(%d beats %d) = %g, want %g", e.I, e.J, e.Value, p)
		}
	}
}

func TestGameTables(t *testing.T) {
	x, edges, err := Game{Players: 2, Games: 1, Weight: 100, Seed: 1}.Train()
	if err != nil {
		t.Fatal(err)
	}
	var rows, games bytes.Buffer
	if err := WritePlayers(&rows, x); err != nil {
		t.Fatal(err)
	}
	if err := WriteEdges(&games, edges); err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(rows.Bytes(), []byte("\n")); n != 3 ||
		!bytes.HasPrefix(rows.Bytes(), []byte("id\trock\tpaper\tscissors\nP1\t")) {
		t.Errorf("players %q", rows.String())
	}
	if n := bytes.Count(games.Bytes(), []byte("\n")); n != 3 ||
		!bytes.HasPrefix(games.Bytes(), []byte("row_id\tcol_id\tvalue\nP")) {
		t.Errorf("games %q", games.String())
	}
}

func TestImpossibleSizes(t *testing.T) {
	for _, m := range []maker{LETOR{}, LETOR{Rows: 2, Features: 1, Queries: 3}, Houses{}, News{},
		News{Rows: 1, Features: 10}} {
		if err := m.Write(io.Discard); err == nil {
			t.Errorf("%+v makes rows", m)
		}
	}
	if _, _, err := (Game{Players: 1}).Train(); err == nil {
		t.Error("a game of one player")
	}
}

func TestWriteErrorEndsTheWork(t *testing.T) {
	if err := (Houses{Rows: 100_000}).Write(full{}); err != io.ErrShortWrite {
		t.Errorf("error %v", err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestAppendFixed(t *testing.T) {
	for _, c := range []struct {
		k, digits int
		want      string
	}{{0, 0, "0"}, {7, 0, "7"}, {1234, 2, "12.34"}, {-12235, 2, "-122.35"}, {5, 6, "0.000005"}, {1_000_000, 6,
		"1.000000"}, {-1, 1, "-0.1"}} {
		if got := string(appendFixed(nil, c.k, c.digits)); got != c.want {
			t.Errorf("%d/10^%d written %s, want %s", c.k, c.digits, got, c.want)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	for name, m := range map[string]maker{
		"letor/m=100000/n=46": LETOR{Rows: 100_000, Features: 46, Queries: 1000},
		"houses/m=100000":     Houses{Rows: 100_000},
		"news/m=10000":        News{Rows: 10_000},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := m.Write(io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
