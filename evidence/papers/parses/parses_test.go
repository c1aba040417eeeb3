package main

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/kernel"
)

// made are sentences of four parses whose goodness is linear in their features, but for a
// constant of the sentence.
func made(n int) *sentences {
	random := rand.New(rand.NewPCG(1, 1))
	s := &sentences{train: 2 * n}
	x := data.NewDense(4*n, 3, nil)
	var of []int32
	var names []string
	for q := range n {
		names = append(names, string(rune('a'+q)))
		offset := random.NormFloat64()
		for i := range 4 {
			row := x.Row(4*q + i)
			for j := range row {
				row[j] = random.NormFloat64()
			}
			s.y, of = append(s.y, row[0]-2*row[1]+offset), append(of, int32(q))
		}
	}
	s.queries, s.k = data.NewQueries(of, names), kernel.Matrix(kernel.Linear{}, x, x)
	return s
}

// TestLearners orders the parses of sentences that were not trained on.
func TestLearners(t *testing.T) {
	s := made(16)
	others, rows := s.of(s.folds(2, 1)[0])
	split := s.split(others, rows, 1)
	for _, l := range learners {
		trained, err := l.Train(t.Context(), split)
		if err != nil {
			t.Fatal(err)
		}
		m, err := measure(split.Test, trained.Scores)
		if err != nil {
			t.Fatal(l.Name, err)
		}
		if d, _ := mean(m[0]); len(m[0]) != 8 || d > 0.15 {
			t.Errorf("%s: disagreement %g of %d sentences", l.Name, d, len(m[0]))
		}
	}
}

// TestFolds deals every sentence once, and parses go with their sentence.
func TestFolds(t *testing.T) {
	s := made(7)
	seen := map[int32]int{}
	for _, held := range s.folds(3, 5) {
		others, rows := s.of(held)
		if len(rows) != 4*len(held) || len(rows)+len(others) != 28 {
			t.Errorf("%d parses of %d sentences, %d others", len(rows), len(held), len(others))
		}
		for q := range held {
			seen[q]++
		}
	}
	if len(seen) != 7 {
		t.Errorf("%d sentences of 7 are held out", len(seen))
	}
}

// TestMeasured adds values in proportion, and has the mean with its error.
func TestMeasured(t *testing.T) {
	var m measured
	m.add(measured{{1, 3}, {0}}, 0.5)
	m.add(measured{{3, 5}, {1}}, 0.5)
	if !slices.Equal(m[0], []float64{2, 4}) || !slices.Equal(m[1], []float64{0.5}) {
		t.Errorf("%v", m)
	}
	if v, stderr := mean(m[0]); v != 3 || math.Abs(stderr-1) > 1e-12 {
		t.Errorf("%g ± %g, not 3 ± 1", v, stderr)
	}
}

// TestRead puts two files one below the other.
func TestRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "rlscore_examples")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"rank_train.light.gz": "1 qid:3 1:1 9:2\n0.5 qid:3 9:1\n0.2 qid:4 7:1\n",
		"rank_test.light.gz":  "0.7 qid:8 1:3 7:2\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s, err := read(t.Context(), filepath.Dir(dir))
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{5, 2, 0, 3, 2, 1, 0, 0, 0, 0, 1, 2, 3, 0, 2, 13}
	if s.train != 3 || !slices.Equal(s.k.Data, want) || !slices.Equal(s.queries.Of(), []int32{0, 0, 1, 2}) ||
		s.queries.ID(2) != "8" {
		t.Errorf("%d to train, kernel %v, sentences %v", s.train, s.k.Data, s.queries.Of())
	}
}
