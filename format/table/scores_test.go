package table

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"
)

// same reports whether two numbers are equal, or none.
func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// Scores are finite or NaN, and written scores read back the same.
func FuzzScores(f *testing.F) {
	for _, seed := range []string{"1\n2\n", "", "1", "1 2\n", "NaN",
		"id\tscore\na\t1\na\t2\n", "{\"score\":1}\n", "-inf\n", "1e400\n", "1\n\n2\n", "1\n\n\n",
		"\t-0\r\n", "0x1p-3\n", "\xff\xfe", strings.Repeat("1", 1<<17)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, _, scores, err := ReadScores(strings.NewReader(text), "f")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Errorf("%q: error %v does not name the file", text, err)
			}
			return
		}
		if len(scores) == 0 || slices.ContainsFunc(scores, func(v float64) bool { return math.IsInf(v, 0) }) {
			t.Errorf("%q: %v", text, scores)
		}
		var b bytes.Buffer
		if err := WriteScores(&b, scores, 1); err != nil {
			t.Fatal(err)
		}
		_, _, again, err := ReadScores(&b, "f")
		if err != nil || !slices.EqualFunc(again, scores, same) {
			t.Errorf("%q: %v, written and read %v, %v", text, scores, again, err)
		}
	})
}
