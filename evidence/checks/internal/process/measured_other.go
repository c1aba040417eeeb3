//go:build !unix

package process

import (
	"os/exec"
	"time"
)

// runMeasured runs a command by itself: the system tells no memory.
func runMeasured(cmd *exec.Cmd) (Usage, error) {
	began := time.Now()
	err := cmd.Run()
	return usageOf(began, cmd.ProcessState), err
}
