package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pairrank"
	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/learn/ranksvm"
	"pairrank/model"
)

const asProcess = "PAIRRANK_MPI_PROGRAM"

// TestMain is also the program.
func TestMain(m *testing.M) {
	if os.Getenv(asProcess) != "" {
		os.Exit(start())
	}
	os.Exit(m.Run())
}

// files writes rows of some queries as so many files, and returns their names.
func files(t *testing.T, dir string, rows, features, queries, parts int) []string {
	t.Helper()
	r := rand.New(rand.NewPCG(11, uint64(rows)))
	names, texts := make([]string, parts), make([]strings.Builder, parts)
	for q := range queries {
		b := &texts[q%parts]
		for range rows / queries {
			x := make([]float64, features)
			for j := range x {
				x[j] = r.NormFloat64()
			}
			fmt.Fprintf(b, "%v qid:%d", math.Round(x[0]-x[1]+0.5*x[2]+r.NormFloat64()), q)
			for j, v := range x {
				fmt.Fprintf(b, " %d:%v", j+1, v)
			}
			b.WriteByte('\n')
		}
	}
	for i := range names {
		names[i] = filepath.Join(dir, fmt.Sprintf("part-%d.txt", i))
		if err := os.WriteFile(names[i], []byte(texts[i].String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return names
}

// whole returns the set that pairrank train reads from the files as one.
func whole(t *testing.T, names []string) *data.Set {
	t.Helper()
	var all strings.Builder
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	set, err := svmlight.ReadAll(t.Context(), strings.NewReader(all.String()), "all", svmlight.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// optimum returns the result of pairrank.Train on the files as one.
func optimum(t *testing.T, names []string, lambda float64, learner pairrank.RankSVM) *pairrank.Result {
	t.Helper()
	r, err := pairrank.Train(t.Context(), pairrank.Problem{Set: whole(t, names)},
		pairrank.Options{Learner: learner, Lambdas: []float64{lambda}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// minimum is J of a model file over the files, by the evaluation of a training that goes
// on from its weights for no iteration.
func minimum(t *testing.T, names []string, path string, lambda float64, loss ranksvm.Loss) (j float64, w []float64) {
	t.Helper()
	m, err := model.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	w = m.Scorer.(*model.Linear).Weights.Row(0)
	set := whole(t, names)
	s, err := ranksvm.New(set.X, set.Y, set.Queries, ranksvm.Options{Loss: loss, Start: w, Epsilon: math.MaxFloat64})
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.Train(t.Context(), lambda)
	if err != nil || f.Iterations != 0 {
		t.Fatal(f, err)
	}
	return f.Objective, w
}

// apart is how far weights are from others, relative to these.
func apart(a, b []float64) float64 {
	off, size := 0.0, 0.0
	for j, v := range a {
		off, size = off+(v-b[j])*(v-b[j]), size+b[j]*b[j]
	}
	return math.Sqrt(off / size)
}
