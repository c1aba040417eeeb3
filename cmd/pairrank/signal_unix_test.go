//go:build unix

package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/model"
)

// A signal ends the program, also where it waits for a reader of its output, and where the signal was ignored at the
// start, as a shell does for what it runs in the background.
func TestSignalAtABlockedOutput(t *testing.T) {
	dir := t.TempDir()
	rows, path := filepath.Join(dir, "rows.txt"), filepath.Join(dir, "m.txt")
	if err := os.WriteFile(rows, []byte(strings.Repeat("1 1:1\n", 200000)), 0o666); err != nil {
		t.Fatal(err)
	}
	m := &model.Model{Info: model.Info{Learner: "rls"}, Scorer: &model.Linear{Weights: &data.Dense{Rows: 1, Cols: 1,
		Stride: 1, Data: []float64{1. / 3}}}}
	if err := m.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		trap   string
		signal syscall.Signal
	}{
		{"terminate", "", syscall.SIGTERM},
		{"interrupt", "", syscall.SIGINT},
		{"ignored at the start", `trap "" INT; `, syscall.SIGINT},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, in, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer out.Close()
			cmd := exec.Command("sh", "-c", c.trap+`exec pairrank predict "$0" "$1"`, path, rows)
			cmd.Stdout = in
			if err := cmd.Start(); err != nil {
				t.Skip(err)
			}
			in.Close()
			if _, err := io.ReadFull(out, make([]byte, 1)); err != nil { // it writes, and will soon wait
				t.Fatal(err)
			}
			if err := cmd.Process.Signal(c.signal); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			select {
			case err := <-ended:
				var exit *exec.ExitError
				if !errors.As(err, &exit) || exit.ExitCode() != cli.ExitInterrupted {
					t.Errorf("ended with %v, want exit code %d", err, cli.ExitInterrupted)
				}
			case <-time.After(20 * time.Second):
				_ = cmd.Process.Kill()
				<-ended
				t.Error("still there after a signal")
			}
		})
	}
}
