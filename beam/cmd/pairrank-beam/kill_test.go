//go:build linux

package main

import (
	"os"
	"pairrank/internal/exit"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// pipe makes a file that a reader waits at: a job that reads it is in the middle of its
// work for as long as the test wants.
func pipe(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "pipe.txt")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0) // so that a reader waits while reading, not while opening
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if _, err := f.WriteString("1 qid:p 1:1\n"); err != nil {
		t.Fatal(err)
	}
	return path
}

// emptied waits until the content of the pipe has been read.
func emptied(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	until(t, "the pipe is read", func() bool { return unread(t, f) == 0 })
}

// until waits for something.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(hung); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %s: %s", hung, what)
		}
	}
}

// A worker that is killed in the middle of a file ends the job with an error, soon or, as
// Prism does not always notice, at the time limit. A rerun gives the right model.
func TestKilledWorker(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	parts := files(t, 3, 8)
	folder := t.TempDir()
	want := filepath.Join(folder, "want.txt")
	succeeds(t, append([]string{"train", "-o", want}, parts...)...)
	endpoint := jobServer(t)
	model := filepath.Join(folder, "model.txt")
	for range 3 {
		config, pidFile := worker(t)
		flags := []string{"--runner=universal", "--endpoint=" + endpoint, "--environment_type=PROCESS",
			"--environment_config=" + config, "-o", model}
		waiting := pipe(t)
		c := start(t,
			program(t, append(append([]string{"train", "--time-limit=10s", parts[0], waiting}, parts[1:]...),
				flags...)...))
		emptied(t, waiting)
		kill(t, pidFile)
		o := end(t, c)
		if o.code != exit.Runtime || !strings.Contains(o.stderr, "worker disconnected") &&
			!strings.Contains(o.stderr, "time limit") {
			t.Errorf("exit code %d\n%s", o.code, o.stderr)
		}
		if _, err := os.Stat(model); err == nil {
			t.Fatal("there is a model")
		}
	}
	config, _ := worker(t)
	succeeds(t, append([]string{"train", "--runner=universal", "--endpoint=" + endpoint, "--environment_type=PROCESS",
		"--environment_config=" + config, "-o", model}, parts...)...)
	sameFile(t, model, want)
}

// kill kills the process whose number is in a file.
func kill(t *testing.T, pidFile string) {
	t.Helper()
	text, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

// Ctrl-C cancels the job and ends with the exit code of an interrupt; the job server goes on.
func TestInterruptCancelsTheJob(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	part := files(t, 1, 3)[0]
	for name, flags := range map[string][]string{
		"here":     nil,
		"loopback": {"--runner=universal", "--endpoint=" + jobServer(t), "--environment_type=LOOPBACK"},
	} {
		t.Run(name, func(t *testing.T) {
			model := filepath.Join(t.TempDir(), "model.txt")
			waiting := pipe(t)
			c := start(t, program(t, append([]string{"train", part, waiting, "-o", model}, flags...)...))
			emptied(t, waiting)
			if err := c.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			if o := end(t, c); o.code != exit.Interrupted || !strings.Contains(o.stderr, "cancelled") {
				t.Errorf("exit code %d\n%s", o.code, o.stderr)
			}
			if _, err := os.Stat(model); err == nil {
				t.Error("there is a model")
			}
			succeeds(t, append([]string{"train", part, "-o", model}, flags...)...) // the server is there
		})
	}
}

// The time limit ends a job that does not.
func TestTimeLimit(t *testing.T) {
	waiting := pipe(t)
	o := call(t, "train", waiting, "-o", filepath.Join(t.TempDir(), "model.txt"), "--time-limit=500ms")
	if o.code != exit.Runtime || !strings.Contains(o.stderr, "time limit of 500ms") {
		t.Errorf("exit code %d\n%s", o.code, o.stderr)
	}
}
