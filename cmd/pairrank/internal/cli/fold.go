package cli

import (
	"strings"
	"unicode/utf8"

	"pairrank/internal/report"
)

// fold breaks lines that are wider than a terminal at blanks, so that the terminal does not break them
// within words. The rest of a line "key   text" stands below its text, the rest of another line a little
// further in. The width 0, which no terminal has, breaks nothing.
func fold(text string, width int) string {
	if width <= 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		foldLine(&b, line, width)
	}
	return b.String()
}

// foldLine writes a line, in as many as it takes.
func foldLine(b *strings.Builder, line string, width int) {
	hang := strings.Repeat(" ", hangOf(line, width))
	for first := true; shownWidth(line) > width; first = false {
		at := breakOf(line, width, first, len(hang))
		if at < 0 {
			break
		}
		b.WriteString(strings.TrimRight(line[:at], " ") + "\n")
		line = hang + strings.TrimLeft(line[at:], " ")
	}
	b.WriteString(line)
}

// hangOf is how far in the lines stand that go on: where the text begins behind a key and two blanks or
// more, if that is in the left half, else four blanks further than the line.
func hangOf(line string, width int) int {
	body := strings.TrimLeft(line, " ")
	in := len(line) - len(body)
	key, rest, found := strings.Cut(body, "  ")
	if at := in + utf8.RuneCountInString(key) + 2 + len(rest) - len(strings.TrimLeft(rest, " ")); found && in == 0 &&
		at <= width/2 {
		return at
	}
	const further = 4
	if in+further > width/2 {
		return 0
	}
	return in + further
}

// breakOf is the last blank of a line before which it fits into the width, or the first blank where a
// word is wider, or -1. Blanks at the start are none.
func breakOf(line string, width int, first bool, hang int) int {
	start := hang
	if first {
		start = len(line) - len(strings.TrimLeft(line, " "))
	}
	best, shown := -1, 0
	for k, r := range line {
		if r == ' ' && k > start && (shown <= width || best < 0) {
			best = k
		}
		if !report.IsMark(r) {
			shown++
		}
		if shown > width && best >= 0 {
			break
		}
	}
	return best
}

// shownWidth is how many columns a line takes.
func shownWidth(line string) (n int) {
	for _, r := range strings.TrimRight(line, "\n") {
		if !report.IsMark(r) {
			n++
		}
	}
	return n
}
