// Package process runs programs and tells what they took.
package process

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// Usage is what a process took.
type Usage struct {
	Seconds float64 // from its start to its end
	CPU     float64 // seconds of all threads, in the program and in the system for it
	Peak    int     // bytes of memory, 0 where the system does not tell
}

// Run runs a program in a folder, with these variables of the environment instead of those of this process where env is
// not nil, and returns its standard output. The error of a program that fails has its command and what it said on
// standard error; it is the error of ctx where that ended it. It returns the usage in either case.
func Run(ctx context.Context, folder string, env []string, program string, args ...string) (Usage, []byte, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = folder, env
	var out, said strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &said
	began := time.Now()
	err := cmd.Run()
	used := Usage{Seconds: time.Since(began).Seconds()}
	if s := cmd.ProcessState; s != nil {
		used.CPU, used.Peak = (s.UserTime() + s.SystemTime()).Seconds(), peak(s)
	}
	switch {
	case ctx.Err() != nil:
		return used, []byte(out.String()), ctx.Err()
	case err != nil:
		err = fmt.Errorf("%s %s: %w: %s", program, strings.Join(args, " "), err, strings.TrimSpace(said.String()))
	}
	return used, []byte(out.String()), err
}
