//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
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
		t.Skip("a hundred processes, one after another")
	}
	t.Chdir(t.TempDir())
	names := writeParts(t, 12)
	began := time.Now()
	if stats(t, names, "left-alone", 0) {
		t.Fatal("killed, and nobody did")
	}
	whole := time.Since(began)
	mustRun(t, "merge", "left-alone", "-o", "want.model")
	want := contentOf(t, "want.model")

	const kills = 50
	random := rand.New(rand.NewPCG(14, 4))
	killed, ended := 0, 0
	for killed < kills {
		dir := fmt.Sprintf("units-%d", ended)
		for stats(t, names, dir, 1+time.Duration(random.Int64N(int64(whole)))) {
			killed++
		}
		ended++
		mustRun(t, "merge", dir, "-o", "got.model")
		if got := contentOf(t, "got.model"); !bytes.Equal(got, want) {
			t.Fatalf("after %d kills the model is another one:\n%s\n%s", killed, got, want)
		}
	}
	t.Logf("%d workers killed, %d directories completed, in %v; one that is left alone takes %v", killed, ended, time.Since(began), whole)
}

// stats runs a worker in a process of its own, kills it after some time, where that is not
// 0, and reports whether it was killed.
func stats(t *testing.T, names []string, dir string, after time.Duration) (killed bool) {
	t.Helper()
	cmd := exec.Command("pairrank", append([]string{"stats", "-o", dir}, names...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	if after > 0 {
		defer time.AfterFunc(after, func() { _ = cmd.Process.Kill() }).Stop()
	}
	err := cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signaled() {
		return true
	}
	if err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	return false
}

// A pipe, which nobody can read again, is refused before anything is written.
func TestStatsOfPipe(t *testing.T) {
	t.Chdir(t.TempDir())
	names := writeParts(t, 3)
	pipe := "pipe.txt"
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
