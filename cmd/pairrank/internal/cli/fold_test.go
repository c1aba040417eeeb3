package cli

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFold(t *testing.T) {
	const text = "objective  sum of the squares over all pairs of a query\n" +
		"a line that is no fact and goes on\n  2^7   0.125   0.025   " +
		"0.875\nshort\nwww.a-word-that-no-blank-breaks.example and more\n"
	const want = "objective  sum of the\n           squares over\n           all pairs of\n           a query\n" +
		"a line that is no fact\n    and goes on\n  2^7   0.125   0.025\n      " +
		"0.875\nshort\nwww.a-word-that-no-blank-breaks.example\n    and more\n"
	if got := fold(text, 24); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if fold(text, 0) != text {
		t.Error("what is no terminal is folded")
	}
}

// Folding changes blanks alone, and no line is wider than the terminal unless a word is.
func TestFoldKeepsWords(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 2000 {
		var b strings.Builder
		for range r.IntN(30) {
			b.WriteString(strings.Repeat("λ", 1+r.IntN(12)) + strings.Repeat(" ", 1+r.IntN(3)))
			if r.IntN(9) == 0 {
				b.WriteString("\n")
			}
		}
		text, width := b.String(), 30+r.IntN(60)
		got := fold(text, width)
		if strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(text), " ") {
			t.Fatalf("%q is folded to %q", text, got)
		}
		for _, line := range strings.Split(got, "\n") {
			if n := utf8.RuneCountInString(strings.TrimRight(line, " ")); n > width {
				t.Fatalf("a line of %d in %d columns: %q of %q", n, width, line, text)
			}
		}
	}
}
