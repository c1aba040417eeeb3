package comparison

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/model"
)

// The model of a board, read back, gives the items their scores: by their features and names.
func TestModelScoresTheItems(t *testing.T) {
	for seed := range uint64(40) {
		p := made(rand.New(rand.NewPCG(seed, 0x6d6f64656c)))
		n := 0
		if p.Features != nil {
			n = p.Features.Cols
			if seed%2 == 0 {
				p.Features.Row(1)[0], p.Features.Row(3)[1] = math.NaN(), math.NaN()
				p.GiveOwn()
				if len(p.Own) != 2 {
					t.Fatalf("own scores of items %v", p.Own)
				}
			}
		}
		b, err := Fit(context.Background(), p, Options{Loss: []Loss{Squared, Logistic}[seed%2], Lambda: 0.3})
		if err != nil {
			t.Fatal(err)
		}
		saved, err := b.Model()
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if err := saved.Write(&file); err != nil {
			t.Fatal(err)
		}
		m, err := model.Read(&file, "board")
		if err != nil {
			t.Fatal(err)
		}
		x := data.NewDense(len(p.Items), m.Features(), nil)
		schema := m.Info.Schema()
		for i, item := range p.Items {
			row := x.Row(i)
			if own := p.Own; n > 0 && !(len(own) > 0 && (own[0] == i || own[1] == i)) {
				copy(row, p.Features.Row(i)[:n])
			}
			for j, name := range m.Names[n:] {
				if name == schema.ID+"="+item {
					row[n+j] = 1
				}
			}
		}
		scores, err := m.Score(&data.Set{X: x})
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range scores {
			if !near(s, b.Scores[i]) {
				t.Errorf("problem %d: item %d scores %v, not %v", seed, i, s, b.Scores[i])
			}
		}
	}
}
