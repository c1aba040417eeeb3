package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
