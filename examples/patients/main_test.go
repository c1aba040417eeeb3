package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The page shows what the program prints and the rows it reads, to the letter.
func TestPageShowsTheExample(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "by-hand.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(page), "\r\n", "\n")
	var out bytes.Buffer
	report(&out)
	if !strings.Contains(text, "```text\n"+out.String()+"```\n") {
		t.Errorf("docs/by-hand.md does not show\n%s", out.String())
	}
	rows := strings.ReplaceAll(string(ten), "\r\n", "\n")
	if !strings.Contains(text, "\n"+rows+"```\n") {
		t.Errorf("docs/by-hand.md does not show\n%s", rows)
	}
}

// The three ways agree on the page's pair, and training on it says otherwise.
func TestThreeWays(t *testing.T) {
	var out bytes.Buffer
	report(&out)
	if n := strings.Count(out.String(), "f_5 = 0.424  f_10 = 0.264\n"); n != 3 {
		t.Errorf("%d of 3 ways give the numbers worked out by hand:\n%s", n, out.String())
	}
}
