package main

import (
	"slices"
	"testing"
)

func TestShellWords(t *testing.T) {
	for text, want := range map[string][]string{
		"--learner  ranksvm --lambda 1": {"--learner", "ranksvm", "--lambda", "1"},
		`--basis-rows "a b.txt"`:        {"--basis-rows", "a b.txt"},
		`--basis-rows='a "b".txt' `:     {"--basis-rows=a \"b\".txt"},
		`--basis-rows a' 'b.t"x"t ''`:   {"--basis-rows", "a b.txt", ""},
		` `:                             nil,
	} {
		if words, err := shellWords(text); err != nil || !slices.Equal(words, want) {
			t.Errorf("%s: %q, %v, want %q", text, words, err, want)
		}
	}
	if words, err := shellWords(`--basis-rows "a b`); err == nil {
		t.Errorf("a quote without an end: %q", words)
	}
}
