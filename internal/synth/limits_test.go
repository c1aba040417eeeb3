package synth

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/format/svmlight"
)

// Sizes beyond the limits are refused with a reason, before memory is allocated.
func TestSizesHaveLimits(t *testing.T) {
	const huge = math.MaxInt64
	game := func(g Game, test bool) error {
		make := g.Train
		if test {
			make = g.Test
		}
		_, _, err := make()
		return err
	}
	for name, err := range map[string]error{
		"rows of letor":     LETOR{Rows: huge, Features: 46}.Write(io.Discard),
		"features of letor": LETOR{Rows: 10, Features: huge}.Write(io.Discard),
		"queries of letor":  LETOR{Rows: math.MaxInt32, Features: 1, Queries: math.MaxInt32}.Write(io.Discard),
		"genes":             Patients{Rows: 10, Genes: huge}.Write(io.Discard),
		"rows of houses":    Houses{Rows: huge}.Write(io.Discard),
		"rows of news":      News{Rows: huge}.Write(io.Discard),
		"features of news":  News{Rows: 1, Features: huge}.Write(io.Discard),
		"games":             game(Game{Games: huge}, false),
		"players":           game(Game{Players: huge}, false),
		"pairs of players":  game(Game{Players: 1_000_000}, true),
	} {
		if err == nil || !strings.Contains(err.Error(), "there are at most") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Wide rows are made a few at a time, and are the same.
func TestWideRowsAreTheSame(t *testing.T) {
	l := LETOR{Rows: 1500, Features: 1200, Queries: 2, Seed: 1}
	var wide bytes.Buffer
	if err := l.Write(&wide); err != nil {
		t.Fatal(err)
	}
	set, err := l.Set()
	if err != nil {
		t.Fatal(err)
	}
	read, err := svmlight.ReadAll(t.Context(), &wide, "wide", svmlight.Options{Storage: svmlight.StoreDense})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := read.X.(*data.Dense).Data, set.X.(*data.Dense).Data; !slices.Equal(got, want) {
		t.Error("the rows that are written are others than those of Set")
	}
}
