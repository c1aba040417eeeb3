package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pairrank/internal/gen"
)

// A law holds on every path through the program to which it applies. A path is a command line without its data.
// TestLaws tries each law on each path: a new path, or a new law, is a line of a table.
//
// PAIRRANK_PROGRAM names another program to try, in place of this one, and PAIRRANK_LAWS matches the laws to try.
// PAIRRANK_PROBLEMS is the number of draws of the data. With -v the test tells which cells do not apply, and why.

// path is a way through the program.
type path struct {
	kind   string // rows, edges or board
	shape  string // of rows: list or queries
	verb   string // as on the command line
	flags  string // of the learner
	method string // what is held out; "" is the default
	with   string // of rows: weights, times in the place of labels, or both; or gaps, which have levels
}

func (p path) weighs() bool { return strings.HasPrefix(p.with, "weights") }
func (p path) timed() bool  { return strings.HasSuffix(p.with, "times") }
func (p path) gaps() bool   { return p.with == "gaps" }

func (p path) String() string {
	return strings.Join(strings.Fields(fmt.Sprint(p.verb, " ", p.shape, " ", p.with, " ", p.flags, " ", p.method)), " ")
}

// holding is the flag of the verb that says what is held out.
func (p path) holding() []string {
	switch {
	case p.method == "":
		return nil
	case p.kind == "board":
		return []string{"--hold-out", p.method}
	case strings.HasSuffix(p.verb, "train"):
		return []string{"--select", p.method}
	}
	return []string{"--method", p.method}
}

// line is the command line of the path for a file.
func (p path) line(b *bench, file string, more ...string) []string {
	line := append(strings.Fields(p.verb), file)
	line = append(append(line, strings.Fields(p.flags)...), p.holding()...)
	if strings.HasSuffix(p.verb, "train") {
		line = append(line, "-o", b.name("model.txt"))
	}
	return append(line, more...)
}

// law is what must hold.
type law struct {
	name string
	// apart is why the law does not apply to a path, "" where it does.
	apart func(p path) string
	// broken is what does not hold on the path, "" where the law holds. It may refuse by b.refused.
	broken func(b *bench, p path) string
}

// bench is where a law tries a path: a folder, and the program.
type bench struct {
	t       *testing.T
	dir     string
	refusal string // the message of a command line that the program refuses as wrong usage
	draw    uint64 // the number of the draw of data
	gaps    bool   // sheets lack values
}

// random is a source of the data of a law, anew in each draw.
func (b *bench) random(law, kind uint64) *rand.Rand {
	return rand.New(rand.NewPCG(law, kind+100*b.draw))
}

// name is the path of a file in the folder.
func (b *bench) name(file string) string { return filepath.Join(b.dir, file) }

// put writes a file into the folder, and returns its path.
func (b *bench) put(file, text string) string {
	if err := os.WriteFile(b.name(file), []byte(text), 0o666); err != nil {
		b.t.Fatal(err)
	}
	return b.name(file)
}

// ran is what a run of the program printed.
type ran struct {
	code      int
	out, errs string
}

// run runs the program. A refusal as wrong usage is kept: the law does not apply to what the program refuses.
func (b *bench) run(args ...string) (r ran) {
	b.t.Helper()
	if other := os.Getenv("PAIRRANK_PROGRAM"); other != "" {
		var out, errs bytes.Buffer
		command := exec.CommandContext(b.t.Context(), other, args...)
		command.Stdout, command.Stderr = &out, &errs
		_ = command.Run() // its code is looked at
		r = ran{command.ProcessState.ExitCode(), out.String(), errs.String()}
	} else {
		r.code, r.out, r.errs = program(b.t, args...)
	}
	if r.code == 2 {
		b.refusal = firstLine(r.errs)
	}
	return r
}

// point is the error of one candidate.
type point struct {
	Lambda, Error float64
	StdErr        *float64
}

// said has what laws read of a document.
type said struct {
	Results   []point
	Selection []point
	Best      *point
	Lambda    *float64
	HeldOut   json.RawMessage `json:"held_out"` // the errors of a board, or a number of edges
	Items     []struct {
		ID         string
		Score      float64
		SE, Lo, Hi *float64
		RankLo     int `json:"rank_lo"`
		RankHi     int `json:"rank_hi"`
	}
	Warnings json.Number
	Notes    []saidNote
}

type saidNote struct {
	Warning    bool
	Code, Text string
}

// points are the errors of all candidates.
func (d *said) points() []point {
	if d.Selection != nil {
		return d.Selection
	}
	return d.Results
}

// heldOut are the error of a board and its deviation; nil where there are none.
func (d *said) heldOut() (e, deviation *float64) {
	var h struct{ Error, StdErr *float64 }
	_ = json.Unmarshal(d.HeldOut, &h) // a number has neither
	return h.Error, h.StdErr
}

// noted reports whether a note has a code.
func (d *said) noted(code string) bool {
	for _, n := range d.Notes {
		if n.Code == code {
			return true
		}
	}
	return false
}

// document runs the program with --json, and reads what it prints; nil where it ends with an error.
func (b *bench) document(args ...string) (*said, ran) {
	b.t.Helper()
	r := b.run(append(args, "--json")...)
	if r.code != 0 {
		return nil, r
	}
	d := &said{}
	if err := json.Unmarshal([]byte(r.out), d); err != nil {
		b.t.Fatalf("%q prints %v\n%s", args, err, r.out)
	}
	return d, r
}

// failed is what is broken where a run should have ended well.
func (r ran) failed() string { return fmt.Sprintf("exit code %d: %s", r.code, firstLine(r.errs)) }

func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "pairrank: note: ") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// timed matches what differs from run to run.
var timed = regexp.MustCompile(`"(seconds|load|train|validation|sums|rows_per_second|memory)": (\{[^}]*\}|[-0-9.e+]+)`)

// steady is a text without times.
func steady(text string) string { return timed.ReplaceAllString(text, "") }

// alike reports whether two numbers agree but for rounding.
func alike(a, b float64) bool { return math.Abs(a-b) <= 1e-8*max(1, math.Abs(a), math.Abs(b)) }

// samePoints tells the first difference of two lists of errors.
func samePoints(a, b []point) string {
	if len(a) != len(b) {
		return fmt.Sprintf("%d candidates, and %d", len(a), len(b))
	}
	for k := range a {
		if !alike(a[k].Error, b[k].Error) {
			return fmt.Sprintf("at %g error %.6f, and %.6f", a[k].Lambda, a[k].Error, b[k].Error)
		}
	}
	return ""
}

// visibleText is the text of a page.
func visibleText(page string) string {
	return html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, ""))
}

// cells counts the outcomes of a law.
type cells struct{ hold, broken, apart, refused int }

func TestLaws(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of runs of the program")
	}
	wanted := regexp.MustCompile(os.Getenv("PAIRRANK_LAWS"))
	var all cells
	for kind, of := range map[string]struct {
		paths []path
		laws  []law
	}{"rows": {rowPaths(), rowLaws()}, "edges": {edgePaths(), edgeLaws()}, "board": {boardPaths(), boardLaws()}} {
		for _, l := range of.laws {
			if !wanted.MatchString(l.name) {
				continue
			}
			t.Run(kind+"/"+strings.ReplaceAll(l.name, " ", "_"), func(t *testing.T) {
				var n cells
				for _, p := range of.paths {
					n.try(t, l, p)
				}
				t.Logf("%s: %+v", l.name, n)
				if n.hold+n.broken == 0 {
					t.Errorf("no path is tried")
				}
				all.hold, all.broken = all.hold+n.hold, all.broken+n.broken
				all.apart, all.refused = all.apart+n.apart, all.refused+n.refused
			})
		}
	}
	t.Logf("%d cells, %d broken; to %d cells a law does not apply, and %d command lines are refused",
		all.hold+all.broken, all.broken, all.apart, all.refused)
}

// try tries a law on a path.
func (n *cells) try(t *testing.T, l law, p path) {
	if l.apart != nil {
		if why := l.apart(p); why != "" {
			n.apart++
			if testing.Verbose() {
				t.Logf("%v: does not apply: %s", p, why)
			}
			return
		}
	}
	b := &bench{t: t, dir: t.TempDir(), gaps: p.gaps()}
	for b.draw = range uint64(gen.Count(t, 1)) {
		broken := l.broken(b, p)
		switch {
		case b.refusal != "":
			n.refused++
			if testing.Verbose() {
				t.Logf("%v: refused: %s", p, b.refusal)
			}
			return
		case broken != "":
			n.broken++
			t.Errorf("%v, draw %d: %s", p, b.draw, broken)
			return
		}
	}
	n.hold++
}
