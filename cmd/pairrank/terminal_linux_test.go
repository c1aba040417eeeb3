package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// openTerminal is a terminal, and the end where what is shown on it is read.
func openTerminal(t *testing.T) (master, terminal *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Skip(err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Skip(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { terminal.Close() })
	return master, terminal
}

// On a terminal the control characters of data are shown, not obeyed.
func TestTerminalShowsControlCharacters(t *testing.T) {
	master, terminal := openTerminal(t)
	data := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(data, []byte("1 qid:a\x1b[31m 1:2 # \x1b]0;x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	if err := run(t.Context(), []string{"convert", data, "-"}, strings.NewReader(""), terminal, &errs); err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 1000)
	n, err := master.Read(text)
	if want := `1 qid:a\u001b[31m 1:2 # \u001b]0;x`; err != nil || !strings.HasPrefix(string(text[:n]), want) {
		t.Errorf("%v: the terminal gets %q, want %q", err, text[:n], want)
	}
}

// A help is as wide as the terminal, whatever COLUMNS says.
func TestHelpIsAsWideAsTheTerminal(t *testing.T) {
	master, terminal := openTerminal(t)
	if err := unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 57}); err != nil {
		t.Skip(err)
	}
	t.Setenv("COLUMNS", "57")
	want := helpOf(t, "help", "version")
	t.Setenv("COLUMNS", "80")
	if err := run(t.Context(), []string{"help", "version"}, strings.NewReader(""), terminal, io.Discard); err != nil {
		t.Fatal(err)
	}
	terminal.Close()
	text, _ := io.ReadAll(master) // ends with an error, as the other end is closed
	if got := strings.ReplaceAll(string(text), "\r\n", "\n"); got != want {
		t.Errorf("the terminal gets\n%s\nwant\n%s", got, want)
	}
}

// threeQueries are rows whose held-out error differs between λ = 1 and 64.
const threeQueries = "1 qid:1 1:-2 2:-1\n0 qid:1 1:-3 2:2\n1 qid:2 1:0 2:0\n0 qid:2 1:-2 2:-3\n1 qid:3 1:-3 " +
	"2:-3\n0 qid:3 1:0 2:1\n"

// On a terminal the chosen row is bold and every error has a point on a scale from the least to the
// largest; not with NO_COLOR, and not in a pipe.
func TestTerminalShowsTheChoice(t *testing.T) {
	t.Setenv("TERM", "xterm")
	dir := t.TempDir()
	rows := filepath.Join(dir, "a.txt")
	if err := os.WriteFile(rows, []byte(threeQueries), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"cv", rows, "--method", "lqo", "--lambdas", "1,64"}
	shown := func(noColour string) string {
		t.Setenv("NO_COLOR", noColour)
		master, terminal := openTerminal(t)
		if err := run(t.Context(), args, strings.NewReader(""), terminal, io.Discard); err != nil {
			t.Fatal(err)
		}
		terminal.Close()
		text, _ := io.ReadAll(master) // ends with an error, as the other end is closed
		return strings.ReplaceAll(string(text), "\r\n", "\n")
	}
	var pipe bytes.Buffer
	if err := run(t.Context(), args, strings.NewReader(""), &pipe, io.Discard); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(pipe.String(), "\x1b●\uFDD0\uFDD1\uFDD2") {
		t.Errorf("the pipe gets %q", pipe.String())
	}
	timeless := func(text string) string { return text[:strings.Index(text, "seconds")] }
	if got, want := timeless(shown("1")), timeless(pipe.String()); got != want {
		t.Errorf("with NO_COLOR the terminal gets %q, want %q", got, want)
	}
	text := shown("")
	bold, points := 0, strings.Count(text, "●")
	for _, row := range strings.Split(text, "\n") {
		if strings.HasPrefix(row, "\x1b[1m") && strings.HasSuffix(row, "<- best") {
			bold++
		}
	}
	if bold != 1 || points != 2 || !strings.Contains(text, "0.6667            1.0000") {
		t.Errorf("%d bold rows and %d points, want the chosen one and two, in\n%q", bold, points, text)
	}
}

// Lines that are wider than the terminal are broken at blanks: what is told, warnings, errors and hints.
func TestTerminalBreaksAtBlanks(t *testing.T) {
	dir := t.TempDir()
	rows := putFile(t, dir, "a.txt", "1 qid:1 1:2\n0 qid:1 1:1\n0 qid:2 1:1.5\n1 qid:2 1:3\n0 qid:3 1:4\n0 qid:3 1:1\n")
	scores := putFile(t, dir, "s.txt", "1\n2\n3\n4\n5\n6\n")
	t.Setenv("NO_COLOR", "1")
	for _, args := range [][]string{
		{"train", rows, "-o", filepath.Join(dir, "m.txt")},
		{"evaluate", rows, "--scores", scores, "-m", "tau-b,ndcg,map,concordance"},
		{"cv", rows, "--metric", "ndcg@10", "--figure", "roc=" + filepath.Join(dir, "f.svg")},
	} {
		var out, errs bytes.Buffer
		failed := run(t.Context(), args, strings.NewReader(""), &out, &errs)
		want := out.String() + errs.String()
		master, terminal := openTerminal(t)
		if err := unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24,
			Col: 60}); err != nil {
			t.Skip(err)
		}
		again := run(t.Context(), args, strings.NewReader(""), terminal, terminal)
		if (failed == nil) != (again == nil) {
			t.Fatalf("%q: %v, on a terminal %v", args, failed, again)
		}
		terminal.Close()
		text, _ := io.ReadAll(master) // ends with an error, as the other end is closed
		wide := false
		for _, line := range strings.Split(want, "\n") {
			wide = wide || utf8.RuneCountInString(line) > 60 && strings.Contains(line, " ")
		}
		for _, line := range strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n") {
			if utf8.RuneCountInString(line) > 60 && strings.Contains(strings.TrimLeft(line, " "), " ") {
				t.Errorf("%q: a line of %d columns: %q", args, utf8.RuneCountInString(line), line)
			}
		}
		if !wide {
			t.Errorf("%q: no line is too wide for the terminal in\n%s", args, want)
		}
	}
}
