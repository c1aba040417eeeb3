//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
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
	mustRun(t, "stream", "merge", "left-alone", "-o", "want.model")
	want := contentOf(t, "want.model")

	const kills = 50
	random := rand.New(rand.NewPCG(14, 4))
	killed, ended := 0, 0
	for killed < kills {
		dir, before := fmt.Sprintf("units-%d", ended), killed
		for stats(t, names, dir, 1+time.Duration(random.Int64N(int64(whole)))) {
			killed++
		}
		if killed == before { // the machine is quicker than it was
			whole = max(whole*3/4, time.Millisecond)
		}
		ended++
		mustRun(t, "stream", "merge", dir, "-o", "got.model")
		if got := contentOf(t, "got.model"); !bytes.Equal(got, want) {
			t.Fatalf("after %d kills the model is another one:\n%s\n%s", killed, got, want)
		}
	}
	t.Logf("%d workers killed, %d directories completed, in %v; one that is left alone takes %v", killed, ended,
		time.Since(began), whole)
}

// stats runs a worker in a process of its own, kills it after some time, where that is not
// 0, and reports whether it was killed.
func stats(t *testing.T, names []string, dir string, after time.Duration) (killed bool) {
	t.Helper()
	killed, stderr, err := killedAfter(t, after, append([]string{"stream", "stats", "-o", dir}, names...)...)
	if err != nil {
		t.Errorf("%v: %s", err, stderr)
	}
	return killed
}

// killedAfter runs the program and kills it after some time, where that is not 0.
func killedAfter(t *testing.T, after time.Duration, args ...string) (killed bool, stderr string, err error) {
	t.Helper()
	cmd := exec.Command("pairrank", args...)
	var told bytes.Buffer
	cmd.Stderr = &told
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return false, "", err
	}
	if after > 0 {
		defer time.AfterFunc(after, func() { _ = cmd.Process.Kill() }).Stop()
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signaled() {
		return true, "", nil
	}
	return false, told.String(), err
}

// Workers that do the same files at the same time do not disturb each other.
func TestWorkersOfTheSameFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	names := writeParts(t, 12)
	mustRun(t, append([]string{"stream", "train", "-o", "want.model", "--keep-moments"}, names...)...)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { stats(t, names, "units", 0) })
	}
	wg.Wait()
	mustRun(t, "stream", "merge", "units", "-o", "got.model", "--keep-moments")
	if !bytes.Equal(contentOf(t, "got.model"), contentOf(t, "want.model")) {
		t.Error("the model is not that of stream train")
	}
	if entries, err := os.ReadDir("units"); err != nil || len(entries) != 2*len(names)+1 {
		t.Errorf("the directory holds %v, %v", entries, err)
	}
}

// An update in place that is killed at any moment leaves the old model or the new one, with
// its sums: it is done again, or was done.
func TestKilledUpdates(t *testing.T) {
	if testing.Short() {
		t.Skip("a hundred processes, one after another")
	}
	t.Chdir(t.TempDir())
	names := writeParts(t, 12)
	mustRun(t, append([]string{"stream", "train", "-o", "want.model"}, names...)...)
	mustRun(t, "stream", "train", names[0], "-o", "m.model", "--keep-moments")
	began := time.Now()
	if _, stderr, err := killedAfter(t, 0, "stream", "update", "m.model", names[1], "-o", "m.model"); err != nil {
		t.Fatal(stderr)
	}
	whole := time.Since(began)
	random := rand.New(rand.NewPCG(14, 5))
	killed, before := 0, 0 // before: the update was whole when it was killed
	for _, name := range names[2:] {
		for try := 0; ; try++ {
			after := 1 + time.Duration(random.Int64N(int64(whole)))
			if try == 6 {
				after = 0
			}
			dead, stderr, err := killedAfter(t, after, "stream", "update", "m.model", name, "-o", "m.model")
			if dead {
				killed++
				mustRun(t, "stream", "update", "m.model", "-o", "copy.model", "--lambda", "1") // the sums are there
				continue
			}
			if err != nil && try > 0 && strings.Contains(stderr, "are in both "+name+" and "+name) {
				before++
			} else if err != nil {
				t.Fatalf("%v: %s", err, stderr)
			}
			break
		}
	}
	t.Logf("%d updates killed, %d of them after the model was replaced", killed, before)
	if d := distance(t, "m.model", "want.model"); d > nearWeights {
		t.Errorf("weights differ by %g", d)
	}
	mustRun(t, "stream", "update", "m.model", "-o", "m.model")
	if found, err := filepath.Glob("m.model.moments*"); err != nil || len(found) != 1 {
		t.Errorf("%v, %v", found, err)
	}
}

// A pipe, which nobody can read again, is refused before anything is written.
func TestStatsOfPipe(t *testing.T) {
	t.Chdir(t.TempDir())
	names := writeParts(t, 3)
	pipe := "pipe.txt"
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	code, stderr := runAll(t, append([]string{"stream", "stats", "-o", "units", pipe}, names...)...)
	if code != cli.ExitUsage || !strings.Contains(stderr, "pipe.txt is not a regular file") {
		t.Errorf("%d, %s", code, stderr)
	}
	if _, err := os.Stat("units"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the directory was made: %v", err)
	}
}
