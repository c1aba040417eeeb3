//go:build unix

package process

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"
)

// The peak of a program is its own, however much memory this process has had.
func TestPeakIsOfTheProgram(t *testing.T) {
	const large = 256 << 20
	memory := make([]byte, large)
	for i := 0; i < large; i += 4096 {
		memory[i] = 1
	}
	used, out, err := Run(t.Context(), t.TempDir(), nil, "sh", "-c", "echo $0 is here", "it")
	if err != nil || string(out) != "it is here\n" {
		t.Fatalf("%q, %v", out, err)
	}
	if used.Peak == 0 || used.Peak > large/4 || used.Seconds <= 0 || used.CPU <= 0 {
		t.Errorf("%+v of a shell, below a process of %d bytes", used, large)
	}
	runtime.KeepAlive(memory)
}

// What fails, and what cannot start, is an error with what it said.
func TestRunFails(t *testing.T) {
	_, _, err := Run(t.Context(), t.TempDir(), nil, "sh", "-c", "echo no data >&2; exit 3")
	if err == nil || !strings.Contains(err.Error(), "exit status 3: no data") {
		t.Errorf("%v", err)
	}
	if _, _, err := Run(t.Context(), t.TempDir(), nil, "./there-is-none"); err == nil {
		t.Error("a program that is not there runs")
	}
	used, out, err := Run(t.Context(), t.TempDir(), []string{"A=b", "PATH=/usr/bin:/bin"}, "sh", "-c",
		"echo $A$"+asks)
	if err != nil || string(out) != "b\n" {
		t.Errorf("%q, %v, %+v", out, err, used)
	}
}

// A program that ctx ends is gone, and what it took until then is known.
func TestRunEnds(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	used, _, err := Run(ctx, t.TempDir(), nil, "sleep", "60")
	if !errors.Is(err, context.DeadlineExceeded) || used.Seconds < 0.1 || used.Seconds > 30 || used.Peak == 0 {
		t.Errorf("%+v, %v", used, err)
	}
}
