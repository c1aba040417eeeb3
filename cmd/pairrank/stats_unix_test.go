//go:build unix

package main

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pairrank/cmd/pairrank/internal/cli"
)

// A worker that is killed at any moment, and started again, makes the units that one
// makes that is left alone: the models have the same bytes.
func TestKilledWorkers(t *testing.T) {
	if testing.Short() {
		t.Skip("fifty processes, one after another")
	}
	t.Chdir(t.TempDir())
	names := writeParts(t, 24)
	mustRun(t, append([]string{"stats", "-o", "left-alone"}, names...)...)
	mustRun(t, "merge", "left-alone", "-o", "want.model")
	want := contentOf(t, "want.model")

	const kills = 50
	random := rand.New(rand.NewPCG(14, 4))
	killed, ended, began := 0, 0, time.Now()
	for whole := time.Duration(0); killed < kills; {
		dir := filepath.Join(t.TempDir(), "units")
		for {
			start := time.Now()
			cmd := exec.Command("pairrank", append([]string{"stats", "-o", dir, "--threads", "2"}, names...)...)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			if err := cmd.Start(); err != nil {
				t.Skip(err)
			}
			done := make(chan error, 1)
			go func() { done <- cmd.Wait() }()
			var err error
			alive := true
			if whole > 0 && killed < kills { // the first one tells how long they take
				select {
				case err = <-done:
					alive = false
				case <-time.After(time.Duration(random.Int64N(int64(whole)))):
					_ = cmd.Process.Kill()
				}
			}
			if alive {
				err = <-done
			}
			var exit *exec.ExitError
			if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signaled() {
				killed++
				continue
			}
			if err != nil {
				t.Fatalf("%v: %s", err, &stderr)
			}
			whole = max(whole, time.Since(start))
			break
		}
		ended++
		mustRun(t, "merge", dir, "-o", "got.model")
		if got := contentOf(t, "got.model"); !bytes.Equal(got, want) {
			t.Fatalf("after %d kills the model is another one:\n%s\n%s", killed, got, want)
		}
	}
	t.Logf("%d workers killed, %d directories completed, in %v", killed, ended, time.Since(began))
}

// Ctrl-C ends a worker with its exit code, and what it did stays done.
func TestInterruptedWorker(t *testing.T) {
	t.Chdir(t.TempDir())
	names := writeParts(t, 3)
	pipe := "pipe.txt" // a file that is a pipe would be read for ever
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	code, stderr := runAll(t, append([]string{"stats", "-o", "units", pipe}, names...)...)
	if code != cli.ExitUsage || !strings.Contains(stderr, "pipe.txt is not a regular file") {
		t.Errorf("%d, %s", code, stderr)
	}
	if _, err := os.Stat("units"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the directory was made: %v", err)
	}
}
