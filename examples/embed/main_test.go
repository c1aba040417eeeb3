package main

import (
	"bytes"
	"testing"

	"pairrank/model"
)

func read(t testing.TB) *model.Model {
	m, err := model.Read(bytes.NewReader(file), "model.txt")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// What the program prints.
func Example() {
	main()
	// Output:
	// cherry  -0.1025
	// banana  -0.2649
	// apple   -0.7388
}

// A row is scored without allocation.
func TestScoringDoesNotAllocate(t *testing.T) {
	m, row := read(t), candidates[0].features
	if n := testing.AllocsPerRun(100, func() { m.ScoreRow(row) }); n != 0 {
		t.Errorf("%v allocations a row", n)
	}
}

// BenchmarkScoreRow12 scores a row of 12 features.
func BenchmarkScoreRow12(b *testing.B) {
	m, row := read(b), candidates[0].features
	b.ReportAllocs()
	for b.Loop() {
		m.ScoreRow(row)
	}
}
