// Package process runs programs and tells what they took.
//
// Where the system tells the memory of a process, a small process stands between this one and the program: the peak
// of a process begins with the memory of its parent, since ru_maxrss of getrusage(2) survives exec, so that a large
// parent would hide what the program took. The small one is this executable again, which measured turns into it
// before main begins.
//
// Files:
//   - process.go: the process that asks
//   - measured.go: the small process; measured_other.go where there is none
package process

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
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

// usageOf is what a process took that began at a time and has ended.
func usageOf(began time.Time, s *os.ProcessState) Usage {
	used := Usage{Seconds: time.Since(began).Seconds()}
	if s != nil {
		used.CPU, used.Peak = (s.UserTime() + s.SystemTime()).Seconds(), peak(s)
	}
	return used
}

// Run runs a program in a folder, with these variables of the environment instead of those of this process where env is
// not nil, and returns its standard output. The error of a program that fails has its command and what it said on
// standard error; it is the error of ctx where that ended it. It returns the usage in either case.
func Run(ctx context.Context, folder string, env []string, program string, args ...string) (Usage, []byte, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = folder, env
	var out, said strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &said
	used, err := runMeasured(cmd)
	switch {
	case ctx.Err() != nil:
		return used, []byte(out.String()), ctx.Err()
	case err != nil:
		err = fmt.Errorf("%s %s: %w: %s", program, strings.Join(args, " "), err, strings.TrimSpace(said.String()))
	}
	return used, []byte(out.String()), err
}

// report is what the small process tells of the program.
type report struct {
	Usage
	Failed string // why the program failed, or could not start
}

// read takes the report of the small process, which failed with err; it has none where it was killed.
func (r *report) read(text []byte, err error) (Usage, error) {
	if json.Unmarshal(text, r) != nil {
		return r.Usage, err
	}
	if r.Failed != "" {
		err = fmt.Errorf("%s", r.Failed)
	}
	return r.Usage, err
}
