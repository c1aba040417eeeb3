package cli

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWrapText(t *testing.T) {
	const text = `a paragraph of λ λ λ that
goes on

The kinds are
  one    the first of them
         that goes on
  three  the last
  a, b, c, d,
  e, f, g`
	want := map[int]string{
		20: `a paragraph of λ λ λ
that goes on

The kinds are
  one    the first
         of them
         that goes
         on
  three  the last
  a, b, c, d, e, f,
  g`,
		40: `a paragraph of λ λ λ that goes on

The kinds are
  one    the first of them that goes on
  three  the last
  a, b, c, d, e, f, g`,
	}
	for width, want := range want {
		if got := wrapText(text, width); got != want {
			t.Errorf("width %d:\n%s\nwant\n%s", width, got, want)
		}
	}
}

// A command breaks between arguments, before a flag where it can, and joins to what it
// was.
func TestWrapCommand(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"  short -o -", "  short -o -"},
		{"  learn data.txt -o model.txt --kernel k", "  learn data.txt -o model.txt \\\n      --kernel k"},
		{"  learn 'a file with blanks' --json", "  learn 'a file with blanks' \\\n      --json"},
		{"  learn data.txt a-long-argument | check - --x", "  learn data.txt a-long-argument \\\n      | check - --x"},
		{"  a --flag an-argument-with-no-room-for-it", "  a --flag \\\n      an-argument-with-no-room-for-it"},
	} {
		got := wrapCommand(test.line, 34)
		if got != test.want {
			t.Errorf("got\n%s\nwant\n%s", got, test.want)
		}
		if joined := strings.ReplaceAll(got, "\\\n      ", ""); joined != test.line {
			t.Errorf("%q is joined to %q", test.line, joined)
		}
	}
}

// Lines are as full as they may be: the first word of the next one has no room.
func TestFillIsGreedy(t *testing.T) {
	words := strings.Fields(strings.Repeat("ab λ cde f ghijk ", 20))
	for width := 10; width < 40; width++ {
		lines := strings.Split(fill(words, "* ", "  ", " -", width), "\n")
		var again []string
		for i, line := range lines {
			if i < len(lines)-1 {
				short, more := strings.CutSuffix(line, " -")
				next := strings.Fields(lines[i+1])[0]
				if n := utf8.RuneCountInString(line); !more || n > width || n+1+utf8.RuneCountInString(next) <= width {
					t.Fatalf("width %d: %q is followed by %q", width, line, lines[i+1])
				}
				line = short
			}
			again = append(again, strings.Fields(line[2:])...)
		}
		if strings.Join(again, " ") != strings.Join(words, " ") {
			t.Fatalf("width %d: the words are %q", width, again)
		}
	}
}
