package table

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Lines that are equal in all columns are told, where chance does not explain them, and columns of ids that repeat.
func TestRepeats(t *testing.T) {
	votes := func(times int, line func(k int) string) string {
		var b strings.Builder
		for k := range 12 {
			b.WriteString(strings.Repeat(line(k), times))
		}
		return b.String()
	}
	ordinary := "left,right,winner,language\n"
	for k := range 60 {
		ordinary += fmt.Sprintf("%c,%c,%s,l%d\n", 'a'+k%3, 'a'+(k+1)%3, []string{"left", "right"}[k*k%7%2], k*k*k%5%2)
	}
	for _, c := range []struct {
		name, text       string
		repeated, copies int
		subjects         []Subject
	}{
		{"ids twice", "question_id,a,b,winner\n" +
			votes(2, func(k int) string { return fmt.Sprintf("q%d,x,y%d,x\n", k, k%6) }), 12, 0,
			[]Subject{{"question_id", 12}}},
		{"ids once", "question_id,a,b,winner\n" + votes(1, func(k int) string { return fmt.Sprintf("q%d,x,y,x\n", k) }), 0, 0,
			nil},
		{"all thrice", "winner,loser\n" +
			votes(3, func(k int) string { return fmt.Sprintf("i%d,i%d\n", k, (k+1)%12) }), 24, 3, nil},
		{"votes without another column", "winner,loser\nx,y\nx,y\ny,x\ny,z\n", 0, 0, nil},
		{"counts twice", "a,b,wins_a,wins_b\n" +
			votes(2, func(k int) string { return fmt.Sprintf("x,y%d,%d,7\n", k, 20+k) }),
			12, 0, nil},
		{"few languages", ordinary, 0, 0, nil},
	} {
		read, err := ReadComparisonsFrom(strings.NewReader(c.text), "t", ComparisonsOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if read.Repeated != c.repeated || read.Copies != c.copies || !slices.Equal(read.Subjects, c.subjects) {
			t.Errorf("%s: %d repeated, %d copies, subjects %v; want %d, %d, %v", c.name, read.Repeated, read.Copies,
				read.Subjects, c.repeated, c.copies, c.subjects)
		}
	}
}

// Names of two spellings are told: by case, by blanks, and by accents of their own rune. Other accents are other names.
func TestSpellings(t *testing.T) {
	got := spellings([]string{"T\u00fclu", "Tulu", "Tu\u0308lu", "ada", "Ada", "E\u0301va", "\u00c9va", "o\u0308", "o"})
	if len(got) != 3 || !strings.Contains(got[0], `("T\u00fclu" and "Tu\u0308lu")`) || !strings.Contains(got[1], "case") ||
		!strings.Contains(got[2], "accents") {
		t.Errorf("%q", got)
	}
	for mark, pairs := range accents {
		if runes := []rune(pairs); len(runes)%2 != 0 || mark < 0x300 || mark > 0x36f {
			t.Errorf("%q of the mark %U: letters with and without it", pairs, mark)
		}
	}
}
