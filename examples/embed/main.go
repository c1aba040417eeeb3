// Embed is a program of another module that ranks with a model inside it: it imports
// package model alone, reads the model once, and scores a row without allocation.
//
//	pairrank train examples/letor/train.txt -o examples/embed/model.txt
//	go -C examples/embed run .
//
// Beside Go's own packages the program has model and what that needs; it links neither
// learners nor the command. docs/library.md says how large it is.
package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"log"
	"slices"

	"pairrank/model"
)

//go:embed model.txt
var file []byte

// A candidate is a document with its twelve features.
type candidate struct {
	name     string
	features []float64
}

// rank orders candidates by falling score, equal ones in their order.
func rank(m *model.Model, of []candidate) []candidate {
	scores := map[string]float64{}
	for _, c := range of {
		scores[c.name] = m.ScoreRow(c.features)
	}
	ranked := slices.Clone(of)
	slices.SortStableFunc(ranked, func(a, b candidate) int {
		switch x, y := scores[a.name], scores[b.name]; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return ranked
}

func main() {
	m, err := model.Read(bytes.NewReader(file), "model.txt")
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range rank(m, candidates) {
		fmt.Printf("%-6s %8.4f\n", c.name, m.ScoreRow(c.features))
	}
}

// candidates are documents of one query.
var candidates = []candidate{
	{"cherry", []float64{0.2, 0.9, 0.1, 0.4, 0.5, 0.3, 0.8, 0.2, 0.6, 0.1, 0.7, 0.4}},
	{"apple", []float64{0.7, 0.1, 0.6, 0.2, 0.9, 0.5, 0.1, 0.8, 0.3, 0.4, 0.2, 0.6}},
	{"banana", []float64{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}},
}
