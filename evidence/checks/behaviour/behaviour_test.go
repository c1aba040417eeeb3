package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestParseCases(t *testing.T) {
	text := "# comment\n[first]\ncheck a.txt\n!3 A=1 B='x y' check 'two words' \"\" < in.txt > " +
		"/dev/full\n\n[second]\ncheck b.txt --threads 2\nhelp\ncheck - < ^C\nversion >&-\n"
	all, err := parseCases("f.txt", text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range all {
		got = append(got, fmt.Sprintf("%s %s %d %q %q %q %q", c.group, c.place, c.exit, c.env, c.words(), c.stdin,
			c.stdout))
	}
	want := []string{
		`first f.txt:3 0 [] ["check" "a.txt"] "" ""`,
		`first f.txt:4 3 ["A=1" "B=x y"] ["check" "--threads" "1" "two words" ""] "in.txt" "/dev/full"`,
		`second f.txt:7 0 [] ["check" "b.txt" "--threads" "2"] "" ""`,
		`second f.txt:8 0 [] ["help" "--threads" "1"] "" ""`,
		`second f.txt:9 0 [] ["check" "-"] "^C" ""`,
		`second f.txt:10 0 [] ["version" "--threads" "1"] "" "-"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
	for _, bad := range []string{"check 'a", "!x check a", "check a\n!3 check a"} {
		if _, err := parseCases("f.txt", bad); err == nil {
			t.Errorf("%q is taken for cases", bad)
		}
	}
}

// A flag is added to the commands of its group that do not have it.
func TestFlagsOfCommands(t *testing.T) {
	all, err := parseCases("f.txt",
		"[a]\n@ check a.txt\n@ check b.txt --limit 3\n+ --json\n+ --limit 2\n[b]\n+ --json\n@ help\n")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range all {
		got = append(got, fmt.Sprint(c.place, " ", c.line, " ", c.exit == unknown))
	}
	want := []string{"f.txt:2 check a.txt true", "f.txt:3 check b.txt --limit 3 true",
		"f.txt:4.1 check a.txt --json true",
		"f.txt:4.2 check b.txt --limit 3 --json true", "f.txt:5.1 check a.txt --limit 2 true", "f.txt:8 help true"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNameOfCase(t *testing.T) {
	all, err := parseCases("f.txt", "help\n!1 GOMEMLIMIT=1GiB train a.txt")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := all[1].name(), "GOMEMLIMIT=1GiB pairrank train a.txt  (with --threads 1)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The cases of this package: enough of them, of all verbs, and of errors.
func TestCasesOfPackage(t *testing.T) {
	all, err := readCases("")
	if err != nil {
		t.Fatal(err)
	}
	verbs, errors, alone := map[string]int{}, 0, 0
	for _, c := range all {
		if len(c.args) > 0 {
			verbs[c.args[0]]++
			if c.args[0] == "relation" && len(c.args) > 1 {
				verbs[c.args[1]]++
			}
		}
		if c.exit > 0 {
			errors++
		}
		if c.oneThread {
			alone++
		}
	}
	if len(all) < 350 || errors < 90 || alone < len(all)/3 {
		t.Errorf("%d cases, %d of errors, %d with --threads 1", len(all), errors, alone)
	}
	for _, verb := range strings.Fields("check train cv predict rank evaluate compare inspect convert synth version " +
		"completion help") {
		if verbs[verb] < 4 {
			t.Errorf("%d cases of %s", verbs[verb], verb)
		}
	}
}

func TestUnpack(t *testing.T) {
	f := inputs{}
	if err := f.unpack("# comment\n-- a --\n1\n\n-- b/c --\n-- d --\n2"); err != nil {
		t.Fatal(err)
	}
	if len(f) != 3 || string(f["a"]) != "1\n\n" || string(f["b/c"]) != "" || string(f["d"]) != "2" {
		t.Errorf("got %q", f)
	}
	for _, bad := range []string{"text\n-- a --\n", "-- a --\n-- a --\n"} {
		if err := (inputs{}).unpack(bad); err == nil {
			t.Errorf("%q is taken for an archive", bad)
		}
	}
	got := f.namedIn([]string{"x", "--rows=./a", "b,e"})
	if len(got) != 2 || got["b/c"] == nil || got["a"] == nil {
		t.Errorf("named are %q", got)
	}
}

// The inputs that are made without the program are the same each time.
func TestInputsAreFixed(t *testing.T) {
	make := func() inputs {
		f := inputs{}
		seeded(f)
		seededRelations(f)
		arrays(f)
		return f
	}
	a, b := make(), make()
	if len(a) < 50 || len(a) != len(b) {
		t.Errorf("%d and %d files", len(a), len(b))
	}
	for name := range a {
		if string(a[name]) != string(b[name]) {
			t.Errorf("%s is another file the second time", name)
		}
	}
}

func TestSettled(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"seconds    0.1 reading\nlambda 1\n", "seconds    …\nlambda 1\n"},
		{"{\"event\":\"progress\",\"done\":1}\n{\"event\":\"end\",\"seconds\":1e-5}\n",
			"{\"event\":\"end\",\"seconds\":…}\n"},
		{"pairrank: reading a.txt 41%, 12s, about 17s left\npairrank: a, b\n", "pairrank: a, b\n"},
		{"pairrank: training, 1m5s, 12 iterations\n", ""},
		{"takes 2 GB of memory, and 67.1 MB are free", "takes 2 GB of memory, and … are free"},
		{"pairrank v1.2.3\nrevision      abc\ngo            go1.26\n", "pairrank …\ngo            …\n"},
		{"  \"version\": \"(devel)\",\n  \"revision\": \"abc\",\n  \"go\": \"go1.26\"\n",
			"  \"version\": \"…\",\n  \"go\": \"…\"\n"},
		{"pairrank: --time-limit is greater than 0, not 0s\n", "pairrank: --time-limit is greater than 0, not 0s\n"},
	} {
		if got := string(settled([]byte(test.text))); got != test.want {
			t.Errorf("%q becomes %q, want %q", test.text, got, test.want)
		}
	}
}

func TestDifferences(t *testing.T) {
	file := func(text string) written { return written{text: []byte(text)} }
	a := outcome{exit: 0, stdout: []byte("a\nb\nc\n"),
		files: map[string]written{"m": file("1\n"), "gone": file("x"), "same": file("y")}}
	b := outcome{exit: 3, stdout: []byte("a\nB\nc\n"), stderr: []byte("seconds 1\n"),
		files: map[string]written{"m": file("\x00"), "new": file("x"), "same": file("y")}}
	var got []string
	for _, d := range a.differences(b) {
		got = append(got, d.what+": "+strings.Join(d.excerpt, "|"))
	}
	want := []string{"exit: -0|+3", "stdout: @@ line 2 @@| a|-b|+B", "stderr: @@ line 1 @@|+seconds …",
		"gone: only before: a file of 1 bytes", "m: binary: 2 and 1 bytes, which differ from byte 1 on",
		"new: only after: a file of 1 bytes"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if d := a.differences(a); len(d) > 0 {
		t.Errorf("an outcome differs from itself: %v", d)
	}
}

func TestExcerpt(t *testing.T) {
	many := strings.Repeat("x\n", 100)
	if got := excerpt([]byte(many), []byte(many+strings.Repeat("y\n", 100))); len(got) != mostLines ||
		!strings.HasPrefix(got[mostLines-1], "… and 91 ") {
		t.Errorf("got %q", got)
	}
	got := excerpt([]byte("a\nb\nc\nd"), []byte("b\nc\nx\nd\n"))
	if strings.Join(got, "|") != "@@ line 1 @@|-a| c|-d (no line end)|+x|+d" {
		t.Errorf("got %q", got)
	}
	wide := strings.Repeat("é", 300)
	got = excerpt([]byte(wide+"1"+wide), []byte(wide+"2"+wide))
	if len(got) != 3 || !strings.Contains(got[1], "1") || !strings.Contains(got[2], "2") || len(got[1]) > widest+10 {
		t.Errorf("got %q", got)
	}
}

func TestReport(t *testing.T) {
	d := []difference{{"stdout", []string{"-a", "+b"}}}
	results := []result{
		{testCase: testCase{group: "g", place: "f:1", line: "check a"}},
		{testCase: testCase{group: "g", place: "f:2", line: "check b"}, differences: d},
		{testCase: testCase{group: "h", place: "f:3", line: "check c", exit: 3}, differences: d},
	}
	var b strings.Builder
	s := settings{intended: []intention{{regexp.MustCompile("b$"), "better"}}}
	if err := report(&b, s, results); err == nil || !strings.Contains(err.Error(), "in 1 of 3") {
		t.Errorf("the error is %v", err)
	}
	for _, part := range []string{"intended: better (b$): 1", "f:3 [h]",
		"note: f:3: the exit code before is 0, and the file of cases says 3"} {
		if !strings.Contains(b.String(), part) {
			t.Errorf("the report lacks %q:\n%s", part, &b)
		}
	}
	if err := report(&b, s, results[:2]); err != nil {
		t.Errorf("what is intended is an error: %v", err)
	}
}

func TestReadIntentions(t *testing.T) {
	name := filepath.Join(t.TempDir(), "intended")
	for text, good := range map[string]bool{"# a\n^train .*\tbetter words\r\n": true, "^train\n": false,
		"(\tx\n": false, "a\t \n": false} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		all, err := readIntentions(name)
		if good != (err == nil) || good && (len(all) != 1 || all[0].reason != "better words") {
			t.Errorf("%q is read as %v, %v", text, all, err)
		}
	}
}
