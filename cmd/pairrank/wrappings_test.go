package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pairrank/internal/codec"
)

// wrappings are ways to write the same text.
var wrappings = []struct {
	name string
	wrap func(t *testing.T, text []byte) []byte
}{
	{"a byte order mark", func(_ *testing.T, text []byte) []byte { return append([]byte("\xef\xbb\xbf"), text...) }},
	{"CR LF", func(_ *testing.T, text []byte) []byte { return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")) }},
	{"gzip", gzipped},
	{"a mark in gzip", func(t *testing.T, text []byte) []byte {
		return gzipped(t, append([]byte("\xef\xbb\xbf"), text...))
	}},
	{"a blank last line", func(_ *testing.T, text []byte) []byte { return append(slices.Clip(text), '\n') }},
}

func gzipped(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := codec.NewWriter(&b, codec.Gzip)
	if err == nil {
		if _, err = z.Write(text); err == nil {
			err = z.Close()
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// otherWrapping are the files that a wrapping changes, each with the reason.
var otherWrapping = map[string]string{
	".model CR LF":             "its checksum is of the bytes",
	".model a blank last line": "its checksum is of the bytes",
	".npy a byte order mark":   "no text",
	".npy CR LF":               "no text",
	".npy a mark in gzip":      "no text",
	".npy a blank last line":   "no text",
	".secret gzip":             "tokens are plain text",
	".secret a mark in gzip":   "tokens are plain text",
	".golden gzip":             "golden scores are plain text",
	".golden a mark in gzip":   "golden scores are plain text",
}

// moreTexts are readers that the corpus of flags does not have, by command.
var moreTexts = []struct{ command, name, text string }{
	{"train rows.jsonl --lambda 1 -o out/m", "rows.jsonl",
		`{"label":1,"a":2}` + "\n" + `{"label":0,"a":3}` + "\n" + `{"label":2,"a":5}` + "\n"},
	{"check rows.jsonl", "rows.jsonl", ""},
	{"train rows.tsv --lambda 1 -o out/m", "rows.tsv", "label\ta\n1\t2\n0\t3\n2\t5\n"},
	{"cv foldings.csv --fold-column part --lambda 1 --interval none", "foldings.csv",
		"label,part,a\n1,x,2\n0,x,3\n2,y,5\n0,y,4\n1,z,2\n0,z,3\n"},
	{"import liblinear.dat --from liblinear", "liblinear.dat",
		"solver_type L2R_L2LOSS_SVR\nnr_class 2\nnr_feature 2\nbias -1\nw\n0.5\n2\n"},
	{"import ranklib.dat --from ranklib", "ranklib.dat", "## Linear Regression\n## Lambda = 1.0E-10\n0:0.1 1:0.5 2:-2\n"},
	{"serve linear.model --check --token-file token.secret", "token.secret", "a-token-of-some-length\n"},
	{"serve linear.model --check --golden scores.golden", "scores.golden", `{"rows":[[0,0,0]],"scores":[0]}` + "\n"},
}

// textsOf are the files that a command reads, by the verb, the flag or the place, and the ending of the name.
func textsOf(c command) map[string]string {
	at := map[string]string{}
	for k, word := range c.args {
		name := word[strings.LastIndex(word, "=")+1:]
		if info, err := os.Stat(name); k == 0 || err != nil || info.IsDir() {
			continue
		}
		where := fmt.Sprint(k)
		if strings.HasPrefix(c.args[k-1], "--") {
			where = c.args[k-1]
		}
		at[strings.Join([]string{c.args[0], where, filepath.Ext(name)}, " ")] = name
	}
	return at
}

// A byte order mark, CR LF, gzip and a blank last line change nothing: for every place where a command reads a text.
func TestWrappingsChangeNothing(t *testing.T) {
	seen := map[string]bool{}
	cells := 0
	corpus := makeCorpus(t)
	for _, m := range moreTexts {
		if m.text != "" {
			if err := os.WriteFile(m.name, []byte(m.text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		corpus["more"] = append(corpus["more"], command{name: m.command, args: strings.Fields(m.command)})
	}
	for _, of := range corpus {
		for _, c := range of {
			for place, file := range textsOf(c) {
				if c.code == 0 && !slices.Contains(c.args, "stats") && !seen[place] { // stats keeps the sums of its files
					seen[place] = true
					cells += wrapped(t, c, place, file)
				}
			}
		}
	}
	t.Logf("%d readers, %d cells", len(seen), cells)
}

// wrapped runs a command with each wrapping of a file, and returns how many there were.
func wrapped(t *testing.T, c command, place, file string) (cells int) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	put := func(text []byte) {
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	defer put(text)
	want := outcomeOf(t, c.args)
	if want.code != 0 {
		t.Fatalf("%s: %s", strings.Join(c.args, " "), want.stderr)
	}
	for _, w := range wrappings {
		if _, is := otherWrapping[filepath.Ext(file)+" "+w.name]; is {
			continue
		}
		put(w.wrap(t, text))
		cells++
		got := outcomeOf(t, c.args)
		if what := got.changes(want); what != nil {
			t.Errorf("%s with %s (%s): %s: %.400s", place, w.name, strings.Join(c.args, " "), what, got.stderr)
		}
	}
	return cells
}
