package main

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pairrank"
	"pairrank/learn/ranksvm"
	"pairrank/model"
	"pairrank/mpi/internal/launch"
)

// In 1, 2 and 4 processes the program reaches the optimum of pairrank.Train: J to 1e-10, and for
// the squared hinge loss, with a gradient of 1e-12, the weights to 1e-8.
func TestOptimumOverProcesses(t *testing.T) {
	dir := t.TempDir()
	names := files(t, dir, 2000, 10, 40, 4)
	const lambda = 1e-3
	for _, loss := range ranksvm.Losses {
		want := optimum(t, names, lambda, pairrank.RankSVM{Loss: loss, Epsilon: 1e-12})
		for _, size := range []int{1, 2, 4} {
			path := filepath.Join(dir, "m.txt")
			launch.Run(t, launch.Command(t, size, asProcess,
				append([]string{"-o", path, "--lambda", "1e-3", "--epsilon", "1e-12", "--loss", string(loss)},
					names...)...))
			j, w := minimum(t, names, path, lambda, loss)
			off, far := math.Abs(j-want.Training.Minimum)/j, apart(w, want.Model.Scorer.(*model.Linear).Weights.Row(0))
			t.Logf("%s, %d processes: J differs by %.2g, weights by %.2g", loss, size, off, far)
			if off > 1e-10 || loss == ranksvm.SquaredHinge && far > 1e-8 {
				t.Errorf("%s, %d processes: J differs by %v, weights by %v", loss, size, off, far)
			}
		}
	}
}

// kills is how many processes TestKilledProcess kills: PAIRRANK_KILLS, or 2.
func kills(t *testing.T) int {
	text := os.Getenv("PAIRRANK_KILLS")
	if text == "" {
		return 2
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal("PAIRRANK_KILLS is a number:", err)
	}
	return n
}

// A process that is killed in the middle of a training ends the job, with an error; the
// job that is started again goes on from the checkpoint and reaches the same optimum. The
// iteration is drawn, and so are the process and the number of those that go on.
func TestKilledProcess(t *testing.T) {
	dir := t.TempDir()
	names := files(t, dir, 8000, 12, 40, 4)
	r := rand.New(rand.NewPCG(91, 92))
	const lambda = 1e-4
	want := optimum(t, names, lambda, pairrank.RankSVM{Epsilon: 1e-11})
	for kill := range kills(t) {
		path, checkpoint := filepath.Join(dir, "m.txt"), filepath.Join(dir, "run"+strconv.Itoa(kill)+".ckpt")
		args := append([]string{"-o", path, "--lambda", "1e-4", "--epsilon", "1e-11", "--checkpoint",
			checkpoint, "--every", "1ns"}, names...)
		size, victim, at := 2+r.IntN(3), r.IntN(2), 1+r.IntN(want.Training.Iterations/2)
		killOne(t, launch.Command(t, size, asProcess, args...), checkpoint, at, victim)
		again := launch.Run(t, launch.Command(t, 1+r.IntN(4), asProcess, args...))
		from := regexp.MustCompile(`goes on from iteration (\d+) `).FindStringSubmatch(again)
		if from == nil {
			t.Fatalf("it begins anew:\n%s", again)
		}
		j, _ := minimum(t, names, path, lambda, ranksvm.Hinge)
		off := math.Abs(j-want.Training.Minimum) / j
		t.Logf("a job of %d processes went on from iteration %s of %d; J differs by %.2g", size, from[1],
			want.Training.Iterations, off)
		if off > 1e-10 {
			t.Errorf("J = %v, want %v", j, want.Training.Minimum)
		}
	}
}

// killOne runs a job and kills one of its processes at some iteration, or soon after.
func killOne(t *testing.T, cmd *exec.Cmd, checkpoint string, iteration, victim int) {
	t.Helper()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	waitFor(t, checkpoint, iteration, done)
	pid := processesOf(t, checkpoint)[victim]
	begin := time.Now()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err == nil || !strings.Contains(strings.ToLower(out.String()), "kill") {
		t.Fatalf("a killed process: %v\n%s", err, out.String())
	}
	t.Logf("killed at iteration %d or later; the job ended after %.1f s", iteration, time.Since(begin).Seconds())
}

// A signal at one process ends all of them, with the best model and the checkpoint.
func TestSignalledProcess(t *testing.T) {
	dir := t.TempDir()
	names := files(t, dir, 4000, 12, 40, 4)
	const lambda = 1e-4
	want := optimum(t, names, lambda, pairrank.RankSVM{Epsilon: 1e-11})
	for victim, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGINT} {
		path, checkpoint := filepath.Join(dir, "m.txt"), filepath.Join(dir, signal.String()+".ckpt")
		args := append([]string{"-o", path, "--lambda", "1e-4", "--epsilon", "1e-11", "--checkpoint",
			checkpoint, "--every", "1ns"}, names...)
		cmd := launch.Command(t, 3, asProcess, args...)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		waitFor(t, checkpoint, 3, done)
		if err := syscall.Kill(processesOf(t, checkpoint)[victim], signal); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err == nil || !strings.Contains(out.String(),
			"interrupted: "+path+" is the best model so far") {
			t.Fatalf("%v: %v\n%s", signal, err, out.String())
		}
		stopped, _ := minimum(t, names, path, lambda, ranksvm.Hinge)
		again := launch.Run(t, launch.Command(t, 2, asProcess, args...))
		j, _ := minimum(t, names, path, lambda, ranksvm.Hinge)
		if !strings.Contains(again, "goes on from iteration ") || math.Abs(j-want.Training.Minimum) > 1e-10*j ||
			stopped < j*(1-1e-10) {
			t.Errorf("%v: J = %v when it was stopped and %v at the end, want %v\n%s", signal, stopped,
				j, want.Training.Minimum, again)
		}
	}
}

// waitFor waits until a checkpoint has reached an iteration, the tenth word of the file, and
// returns its iteration then.
func waitFor(t *testing.T, checkpoint string, iteration int, done <-chan error) int {
	t.Helper()
	for {
		if text, err := os.ReadFile(checkpoint); err == nil && len(text) > 80 {
			if now := int(binary.LittleEndian.Uint64(text[72:])); now >= iteration {
				return now
			}
		}
		select {
		case err := <-done:
			t.Fatalf("the job ended before iteration %d: %v", iteration, err)
		case <-time.After(time.Millisecond):
		}
	}
}

// processesOf returns the processes of the job that writes a checkpoint: those of this program
// whose command line names it.
func processesOf(t *testing.T, checkpoint string) (pids []int) {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil || len(lines) == 0 {
		t.Skip("there is no /proc here to find the processes of a job by")
	}
	self, err := exec.LookPath(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		text, err := os.ReadFile(line)
		words := strings.Split(string(text), "\x00")
		if err == nil && words[0] == self && strings.Contains(string(text), "\x00"+checkpoint+"\x00") {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(line)))
			if err != nil {
				t.Fatal(err)
			}
			pids = append(pids, pid)
		}
	}
	if len(pids) < 2 {
		t.Fatalf("%d processes of the job are there", len(pids))
	}
	return pids
}
