package comparison

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"pairrank/internal/realdata"
)

func llmfao(t *testing.T) *Problem {
	f, err := os.Open(realdata.Path(t, "comparisons/llmfao.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	all, err := csv.NewReader(z).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	p, at, who := &Problem{}, map[string]int{}, map[string]int{}
	for _, cells := range all[1:] {
		l := Line{Left: seen(p, at, cells[0]), Right: seen(p, at, cells[1]), Stratum: -1, Cluster: -1}
		switch cells[2] {
		case "left":
			l.Wins = 1
		case "right":
			l.Losses = 1
		case "tie":
			l.Ties = 1
		default:
			t.Fatal(cells)
		}
		k, is := who[cells[3]]
		if !is {
			k = len(p.Annotators)
			who[cells[3]] = k
			p.Annotators = append(p.Annotators, cells[3])
		}
		l.Annotator = k
		p.Lines = append(p.Lines, l)
	}
	return p
}

func TestScratch(t *testing.T) {
	p := llmfao(t)
	for _, o := range []Options{{Loss: Logistic}, {Loss: Logistic, Ties: Drop}, {Loss: Squared}} {
		start := time.Now()
		r, err := Rank(context.Background(), p, RankOptions{Options: o, AnnotatorScale: true, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		s := r.Board.Scaling
		t.Log(o.Loss, o.Ties, time.Since(start), s.Spread, s.Tried, s.Change, s.StdErr, s.Factors[:8], s.SE[:8], r.Variance.Units, r.Board.Iterations)
		for _, n := range r.Notes {
			t.Log(n)
		}
	}
	q := *p
	q.Lines = append([]Line(nil), p.Lines...)
	rng := rand.New(rand.NewPCG(1, 2))
	names := make([]int, len(q.Lines))
	for c := range q.Lines {
		names[c] = q.Lines[c].Annotator
	}
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for c := range q.Lines {
		q.Lines[c].Annotator = names[c]
	}
	r, err := Rank(context.Background(), &q, RankOptions{Options: Options{Loss: Logistic}, AnnotatorScale: true, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := r.Board.Scaling
	t.Log(s.Spread, s.Tried, s.Change, s.StdErr)
}
