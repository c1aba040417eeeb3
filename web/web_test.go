package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// asked is the answer about a file.
func asked(t *testing.T, verb, file string, options ...string) *answer {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../examples", file))
	if err != nil {
		t.Fatal(err)
	}
	a := &answer{progress: io.Discard, to: io.Discard}
	if err := a.ask(context.Background(), append([]string{verb, filepath.Base(file)}, options...), text); err != nil {
		a.Error = err.Error()
	}
	return a
}

// What a table is, is found by its columns, and the page is about it.
func TestFind(t *testing.T) {
	for _, c := range []struct {
		file, verb, says string
		rows             int
		options          []string
	}{
		{"letor/train.txt", "cv", "over 25 queries", 297, []string{"--metric", "ndcg@10"}},
		{"patients.csv", "cv", "area under the ROC curve", 60, []string{"--label-column", "diagnosis",
			"--positive", "tumor"}},
		{"survival.csv", "cv", "c-index", 120, []string{"--time", "months", "--event", "died", "--factor-columns",
			"stage,therapy"}},
		{"leaderboard/games.csv", "leaderboard", "<dt>highest</dt>", 0, nil},
		{"evaluations/results.csv", "leaderboard", "old", 0, []string{"--cluster", "suite", "--against", "old"}},
	} {
		a := asked(t, "find", c.file, c.options...)
		if a.Error != "" || a.Verb != c.verb || !strings.Contains(a.Page, c.says) {
			t.Errorf("%s: %s, %q, a page of %d bytes without %q", c.file, a.Verb, a.Error, len(a.Page), c.says)
		}
		if len(a.Ranking) != min(c.rows, 1)+c.rows {
			t.Errorf("%s: %d lines of the ranking", c.file, len(a.Ranking))
		}
		if want := "pairrank " + a.Verb + " " + filepath.Base(c.file); !strings.HasPrefix(a.Command, want) {
			t.Errorf("%s: the command is %s", c.file, a.Command)
		}
	}
}

// What cannot be answered has an error that names the place, or the option, and the columns to choose from.
func TestWrong(t *testing.T) {
	for _, c := range [][]string{
		{"patients.csv:1:1: no column", "find", "patients.csv"},
		{"patients.csv:1:1: no column", "cv", "patients.csv", "--label-column", "diagnoses"},
		{"flag provided but not defined", "cv", "patients.csv", "--lable-column", "diagnosis"},
		{"is none of cv, leaderboard, find", "train", "patients.csv"},
		{"no system nobody", "leaderboard", "evaluations/results.csv", "--against", "nobody"},
		{"evaluations/hand.csv"[12:], "leaderboard", "evaluations/hand.csv"},
	} {
		a := asked(t, c[1], c[2], c[3:]...)
		if !strings.Contains(a.Error, c[0]) || a.Page != "" {
			t.Errorf("%v: %q", c[1:], a.Error)
		}
		if strings.HasSuffix(c[2], ".csv") && c[1] != "train" && c[3:] == nil && len(a.Columns) == 0 {
			t.Errorf("%v: no columns", c[1:])
		}
	}
}
