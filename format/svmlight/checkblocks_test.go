package svmlight

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"pairrank/data"
)

// doubtfulText returns lines, some of them wrong, with queries that come back, equal rows, constant
// features, and rows without a qid where the first has one, or with one where it has none.
func doubtfulText(r *rand.Rand, lines int) string {
	var b strings.Builder
	qid, mixed := r.IntN(4) > 0, r.IntN(2) == 0
	for range lines {
		switch r.IntN(12) {
		case 0:
			b.WriteString([]string{"", "# words", "x", "1 2:3 1:4", "1 qid: 1:2", "1 qid:q 1:2 7 3:y",
				"\r1 1:2", " \t"}[r.IntN(8)] + "\n")
			continue
		case 1:
			fmt.Fprintf(&b, "2 %d:1", 1<<20+1+r.IntN(3)) // far beyond the common features
		default:
			fmt.Fprintf(&b, "%d", r.IntN(2))
			if qid != (mixed && r.IntN(6) == 0) {
				fmt.Fprintf(&b, " qid:%d", r.IntN(4))
			}
			for j := range 4 {
				if r.IntN(3) > 0 {
					fmt.Fprintf(&b, " %d:%d", j+1, r.IntN(2)*(j&1))
				}
			}
		}
		b.WriteString([]string{"\n", " # a comment\n", "\r\n"}[r.IntN(3)])
	}
	return strings.TrimSuffix(b.String(), []string{"", "\n"}[r.IntN(2)])
}

// found is the report of a check as text.
func found(problems []Problem, sum Summary, err error) string {
	var b strings.Builder
	for _, p := range problems {
		fmt.Fprintln(&b, p.Severity, p.SyntaxError.Error())
	}
	return fmt.Sprintf("%s%+v %v", b.String(), sum, err)
}

// Blocks of any size on any number of threads give the report of a single block, which is checked
// line by line.
func TestBlocksAreCheckedAsOne(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 0))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for k := range 150 {
		text := doubtfulText(r, r.IntN(60))
		opts, limit := Options{Missing: data.Missing(r.IntN(2)), MaxLine: []int{0, 25}[r.IntN(2)]},
			[]int{0, 3}[r.IntN(2)]
		runtime.GOMAXPROCS(1)
		want := found(checkIn(1<<20, strings.NewReader(text), "t", opts, limit))
		for _, threads := range []int{1, 2, 5} {
			runtime.GOMAXPROCS(threads)
			for _, size := range []int{1, 30, 300} {
				if got := found(checkIn(size, iotest.HalfReader(strings.NewReader(text)),
					"t", opts, limit)); got != want {
					t.Fatalf("text %d\n%s\nin blocks of %d bytes on %d threads:\n%s\nin one:\n%s", k,
						text, size, threads, got, want)
				}
			}
		}
	}
}

// Whether the first row of a file has a qid also decides for later blocks that another goroutine
// checks before it, however late the first row is parsed.
func TestFirstRowDecidesWhoHasAQid(t *testing.T) {
	wrong := strings.Repeat("x\n", 400)
	for _, first := range []string{"1 1:2\n", "1 qid:1 1:2\n"} {
		text := wrong + first + strings.Repeat("0 qid:1 1:3\n", 300)
		want := 400
		if !strings.Contains(first, "qid") {
			want += 300
		}
		_, sum, err := checkIn(20, strings.NewReader(text), "t", Options{}, 0)
		if err != nil || sum.Errors != want || sum.HasQID != strings.Contains(first, "qid") {
			t.Errorf("after %q: %d errors, want %d; %+v, %v", first, sum.Errors, want, sum, err)
		}
	}
}

// A line so long that the file may not be text ends the check, and the rest is not counted. A
// shorter line above the limit is an error like others.
func TestLineThatEndsTheCheck(t *testing.T) {
	const most = 100
	for length, ends := range map[int]bool{most + 1: false, lineStep - 1: false, lineStep: true, 3 * lineStep: true} {
		text := "1 1:2\n" + "#" + strings.Repeat("c", length-1) + "\n0 1:1\nx\n"
		for _, size := range []int{64, 1 << 20} {
			problems, sum, err := checkIn(size, strings.NewReader(text), "t", Options{MaxLine: most}, 0)
			const want = "t:2:101: the line is longer than 100 bytes"
			switch {
			case ends && (err == nil || err.Error() != want || !errors.Is(err, data.ErrLongLine) || sum.Rows != 1 ||
				sum.Lines != 1 || sum.Errors != 0):
				t.Errorf("a line of %d bytes in blocks of %d: %+v, %v", length, size, sum, err)
			case !ends && (err != nil || problems[0].Error() != want || sum.Rows != 2 ||
				sum.Lines != 4 || sum.Errors != 2):
				t.Errorf("a line of %d bytes in blocks of %d: %v, %+v, %v", length, size, problems, sum, err)
			}
		}
	}
}

// Lines read before the source breaks are counted, up to the last whole line.
func TestCheckOfABrokenSource(t *testing.T) {
	text := strings.Repeat("1 qid:1 1:2 2:1\n0 qid:1 1:1 2:1\n", 500)
	for _, size := range []int{50, 1000, 1 << 20} {
		source := io.MultiReader(strings.NewReader(text), strings.NewReader("1 qid:1 1:x"),
			iotest.ErrReader(errors.New("gone")))
		_, sum, err := checkIn(size, source, "t", Options{}, 0)
		if err == nil || err.Error() != "t: gone" || sum.Rows != 1000 || sum.Lines != 1000 || sum.Errors != 0 {
			t.Errorf("in blocks of %d bytes: %+v, %v", size, sum, err)
		}
	}
}
