package relation_test

import (
	"context"
	"fmt"
	"log"

	"pairrank/data"
	"pairrank/relation"
	"pairrank/relation/edge"
)

// Twelve drugs have a known effect on four targets. How well are the targets ranked for a new drug? The example
// ranks them for one.
func Example() {
	drugs, targets := data.NewDense(12, 2, nil),
		&data.Dense{Rows: 4, Cols: 2, Stride: 2, Data: []float64{1, 0, 0, 1, 1, 1, -1, 0}}
	p := relation.Problem{Rows: &relation.Nodes{X: drugs}, Cols: &relation.Nodes{X: targets}}
	for i := range drugs.Rows {
		drugs.Row(i)[0], drugs.Row(i)[1] = float64(i%5)-2, float64(i%3)-1
		for j := range targets.Rows {
			p.Edges.Row, p.Edges.Col = append(p.Edges.Row, int32(i)), append(p.Edges.Col, int32(j))
			p.Y = append(p.Y, drugs.DotRow(i, targets.Row(j)))
		}
	}
	result, err := relation.Train(context.Background(), p, relation.Options{Setting: edge.Rows})
	if err != nil {
		log.Fatal(err)
	}
	best := result.Choice.Point()
	fmt.Printf("%s, error %.2f of new drugs\n", result.Solver, best.Error)
	// Output: closed, error 0.00 of new drugs
}
