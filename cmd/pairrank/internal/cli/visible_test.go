package cli

import (
	"bytes"
	"fmt"
	"testing"

	"pairrank/internal/report"
)

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "",
		"plain λ, tab\tand\nline":   "plain λ, tab\tand\nline",
		"\x1b[31mred\x1b]0;title\a": `\u001b[31mred\u001b]0;title\u0007`,
		"over\rwritten\x7f":         `over\u000dwritten\u007f`,
		"\u009b31m":                 `\u009b31m`,
		"a\xff\xfe":                 `a\xff\xfe`,
		"cut \xe2\x82":              `cut \xe2\x82`,
		"\ufffd is one":             "\ufffd is one",
	} {
		if got := visible(text); got != want {
			t.Errorf("%q shows as %q, want %q", text, got, want)
		}
		// in pieces of one byte, as a terminal gets it
		var b bytes.Buffer
		out := &StandardOutput{to: &b, shown: true}
		for k := range len(text) {
			if n, err := out.Write([]byte(text[k : k+1])); n != 1 || err != nil {
				t.Fatalf("%q: %d, %v", text, n, err)
			}
		}
		if err := out.End(); err != nil || b.String() != want {
			t.Errorf("%q in pieces shows as %q, want %q; %v", text, b.String(), want, err)
		}
		b.Reset()
		out = NewStandardOutput(&b)
		out.Write([]byte(text))
		if out.End(); b.String() != text {
			t.Errorf("%q becomes %q where there is no terminal", text, b.String())
		}
	}
}

// Marks of styles become what a terminal obeys where it shows styles, and are
// nothing that it obeys elsewhere.
func TestMarksOfStyles(t *testing.T) {
	text := fmt.Sprintf("%c2^9%c  %c█%c\x1b[5m", report.Strong, report.Plain, report.Point, report.Plain)
	var b bytes.Buffer
	out := &StandardOutput{to: &b, shown: true, styled: true}
	if _, err := out.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if want := "\x1b[1m2^9\x1b[0m  \x1b[36m█\x1b[0m\\u001b[5m"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
