package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The page shows what the program prints and the games it reads, to the letter.
func TestPageShowsTheExample(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "by-hand.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(page), "\r\n", "\n")
	var out bytes.Buffer
	rank(t.Context(), &out)
	for _, want := range []string{out.String(), strings.ReplaceAll(games, "\r\n", "\n")} {
		if !strings.Contains(text, "\n"+want+"```\n") {
			t.Errorf("docs/by-hand.md does not show\n%s", want)
		}
	}
}
