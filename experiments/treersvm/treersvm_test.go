package main

import (
	"math"
	"path/filepath"
	"reflect"
	"testing"

	"pairrank/data"
	"pairrank/internal/synth"
)

// TestScratch reads ranges of rows back as they were stored.
func TestScratch(t *testing.T) {
	for name, make := range map[string]func() (*data.Set, error){
		"dense":  synth.Houses{Rows: 3000, Seed: 1}.Set,
		"sparse": synth.News{Rows: 700, Features: 1000, Seed: 1}.Set,
	} {
		set, err := make()
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), name)
		if err := store(path, set); err != nil {
			t.Fatal(err)
		}
		m := len(set.Y)
		for _, r := range [][2]int{{0, m}, {0, 0}, {0, 1}, {m - 1, m}, {m / 3, m / 2}} {
			var rows []int
			for i := r[0]; i < r[1]; i++ {
				rows = append(rows, i)
			}
			got, err := load(path, r[0], r[1])
			if err != nil {
				t.Fatal(err)
			}
			if want := set.Subset(rows); !reflect.DeepEqual(got.X, want.X) || !reflect.DeepEqual(got.Y, want.Y) {
				t.Errorf("%s: rows %d … %d are not what was stored", name, r[0], r[1])
			}
		}
		if got, err := load(path, m-5, -1); err != nil || len(got.Y) != 5 {
			t.Errorf("%s: the last 5 rows: %v", name, err)
		}
		if _, err := load(path, 0, m+1); err == nil {
			t.Errorf("%s: no error for more rows than there are", name)
		}
	}
}

// TestFirst compares the view of the first rows with a copy of them.
func TestFirst(t *testing.T) {
	s := settings{most: 1000, test: 200, search: 1000, seed: 1, dir: t.TempDir()}
	c, err := rcv1(s)
	if err != nil {
		t.Fatal(err)
	}
	houses, err := cadata(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*collection{c, houses} {
		var rows []int
		for i := range 300 {
			rows = append(rows, i)
		}
		x, y := c.first(300)
		if want := c.set.Subset(rows); !reflect.DeepEqual(x, want.X) || !reflect.DeepEqual(y, want.Y) {
			t.Errorf("%s: the first rows are others", c.name)
		}
	}
}

// TestSlope fits powers, which it has to find exactly but for rounding.
func TestSlope(t *testing.T) {
	var sizes []int
	var table [][]float64
	for m := 1000; m <= 64000; m *= 2 {
		sizes = append(sizes, m)
		row := []float64{3 * float64(m), 1e-9 * math.Pow(float64(m), 2), none}
		if m < 8000 {
			row[0] = 1 // not fitted
		}
		table = append(table, row)
	}
	if got, want := slopes(sizes, table, 8000), "| **slope from 8000** | 1.00 | 2.00 | – |\n"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}
