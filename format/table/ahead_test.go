package table

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"pairrank/data"
	"pairrank/internal/codec"
)

// oddTable is a table of several blocks, with lines that next has more to do for: comments, blank lines, quotes and
// other line ends. A faulty line stands at line bad, if that is not 0.
func oddTable(random *rand.Rand, sep string, rows, bad int) string {
	var b strings.Builder
	b.WriteString(strings.Join([]string{"id", "label", "x", "y", "text"}, sep) + "\n")
	for i := range rows {
		switch {
		case i == bad && bad > 0:
			b.WriteString([]string{`"open` + sep + "1\n", "a" + sep + "1\n", "a\rb\n",
				strings.Join([]string{"a", "1", "word", "2", "t"}, sep) + "\n"}[random.IntN(4)])
			continue
		case random.IntN(50) == 0:
			b.WriteString([]string{"# a comment\n", "\n", "  \n", "\r\n"}[random.IntN(4)])
		}
		x := fmt.Sprint(random.NormFloat64())
		if random.IntN(20) == 0 {
			x = []string{"0", "-0", "1e300", " 3.5 ", "NA"}[random.IntN(5)]
		}
		if sep == ";" {
			x = strings.ReplaceAll(x, ".", ",")
		}
		line := []string{fmt.Sprintf("row %d", i), fmt.Sprint(random.IntN(3)), x, fmt.Sprint(random.IntN(1000)),
			`"a ` + sep + ` ""quoted"" text"`}
		b.WriteString(strings.Join(line, sep) + []string{"\n", "\r\n"}[random.IntN(2)])
	}
	return b.String()
}

// What all cores parse ahead is what one core reads, whatever the text.
func TestParsedAheadIsTheSame(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	random := rand.New(rand.NewPCG(3, 4))
	for trial := range 15 {
		sep, rows, bad, longest := []string{",", ";", "\t"}[trial%3], 6000, 0, 100
		if trial%2 == 1 {
			bad = 1 + random.IntN(rows-1)
		}
		text := oddTable(random, sep, rows, bad)
		if trial%4 == 3 { // a line that is too long, or a block of it
			bad = 1
			at := len(text) - 1000
			text = text[:at] + strings.Repeat("x", 100+random.IntN(2)*3*blockSize) + text[at:]
		}
		path := filepath.Join(t.TempDir(), "table.csv")
		if trial%5 == 0 {
			text = string(compressed(t, text))
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		read := func(cores int) (any, string) {
			runtime.GOMAXPROCS(cores)
			set, err := ReadSet(path, keepingNotes(Options{Factors: []string{"text"}, Missing: 1, MaxLine: longest}))
			return set, fmt.Sprint(err)
		}
		want, wantErr := read(1)
		if got, err := read(3); !reflect.DeepEqual(got, want) || err != wantErr {
			t.Fatalf("trial %d: another set, or %q instead of %q", trial, err, wantErr)
		}
		if bad > 0 && wantErr == "<nil>" {
			t.Errorf("trial %d: line %d is accepted", trial, bad)
		}
		check := func(cores int) any {
			runtime.GOMAXPROCS(cores)
			found, err := checkFile(path, Options{Missing: 1, MaxLine: longest}, 10)
			if found == nil {
				return fmt.Sprint(err)
			}
			return fmt.Sprintf("%+v %v", found.Faults, err)
		}
		if got, want := check(3), check(1); got != want {
			t.Fatalf("trial %d: faults %s instead of %s", trial, got, want)
		}
	}
}

// A reader that the caller has opened is read here alone, and its own error ends the rows.
func TestReadersOfTheCaller(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	path := filepath.Join(t.TempDir(), "table.csv")
	text := oddTable(rand.New(rand.NewPCG(5, 6)), ",", 6000, 100)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	for range 5 {
		source, err := codec.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ReadSetFrom(source, "table.csv", Options{Ignore: []string{"text"}}); err == nil {
			t.Error("a bad line is accepted")
		}
		if err := source.Close(); err != nil {
			t.Error(err)
		}
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines became %d", before, after)
	}
	cut := io.MultiReader(strings.NewReader("label,a\n1,2\n0,3\n"), iotest.ErrReader(io.ErrUnexpectedEOF))
	if _, err := ReadSetFrom(cut, "t.csv", Options{}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a source that is cut off: %v", err)
	}
}

func compressed(t *testing.T, text string) []byte {
	t.Helper()
	var b strings.Builder
	w, err := codec.NewWriter(&b, codec.Gzip)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return []byte(b.String())
}

// A decimal comma between semicolons is one in a matrix, too.
func TestMatrixWithdecimalCommas(t *testing.T) {
	nodes, err := readNodesFrom(strings.NewReader("id;x;z\na;0,5;2\nb;-1,25;3\n"), "nodes.txt", NodesOptions{})
	if err != nil || nodes.X.Row(0)[0] != 0.5 || nodes.X.Row(1)[0] != -1.25 {
		t.Errorf("read %v, %v", nodes, err)
	}
}

// keepingNotes returns options that keep lines of comments.
func keepingNotes(o Options) Options {
	o.Rows.KeepNotes = true
	return o
}

// A number beyond float64 is refused with its place, on one core and on several.
func TestNumbersAheadAreFinite(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, sep := range []string{",", "\t", ";"} {
		lines := strings.Repeat(strings.Join([]string{"1", "2", "3\n"}, sep), 4*blockSize/6)
		bad := strings.Count(lines, "\n") + 2
		text := strings.Join([]string{"label", "x", "z\n"}, sep) + lines + strings.Join([]string{"1", "-1e400", "3\n"}, sep)
		path := filepath.Join(t.TempDir(), "table.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, cores := range []int{1, 3} {
			runtime.GOMAXPROCS(cores)
			_, err := ReadSet(path, Options{})
			var fault *data.SyntaxError
			if !errors.As(err, &fault) || fault.Line != bad || fault.Col != 3 || fault.Text != "-1e400" {
				t.Errorf("%q on %d cores: %v, want an error in line %d", sep, cores, err, bad)
			}
		}
	}
}
