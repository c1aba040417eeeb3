//go:build unix

package process

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// asks is the variable of the environment that makes this executable the small process.
const asks = "PAIRRANK_MEASURED"

func init() {
	if os.Getenv(asks) != "" {
		os.Exit(measured())
	}
}

// runMeasured runs a command below a small process, and returns what it took.
func runMeasured(cmd *exec.Cmd) (Usage, error) {
	self, err := os.Executable()
	if err != nil {
		return Usage{}, err
	}
	told, tell, err := os.Pipe()
	if err != nil {
		return Usage{}, err
	}
	defer told.Close()
	cmd.Args = append([]string{self}, append([]string{cmd.Path}, cmd.Args[1:]...)...)
	cmd.Path, cmd.Env = self, append(cmd.Environ(), asks+"=1")
	cmd.ExtraFiles = []*os.File{tell}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // which it passes on, as a kill
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Start(); err != nil {
		tell.Close()
		return Usage{}, err
	}
	tell.Close()
	text, _ := io.ReadAll(told) // what is missing is no JSON
	return new(report).read(text, cmd.Wait())
}

// measured runs the program that the arguments name, tells what it took on file 3, and returns its exit code.
func measured() int {
	os.Unsetenv(asks)
	tell := os.NewFile(3, "report")
	syscall.CloseOnExec(3)
	ends := make(chan os.Signal, 1)
	signal.Notify(ends, syscall.SIGTERM)
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	began := time.Now()
	err := cmd.Start()
	if err == nil {
		go func() {
			<-ends
			cmd.Process.Kill()
		}()
		err = cmd.Wait()
	}
	r := report{Usage: usageOf(began, cmd.ProcessState)}
	if err != nil {
		r.Failed = err.Error()
	}
	json.NewEncoder(tell).Encode(r)
	var failed *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &failed) && failed.ExitCode() > 0:
		return failed.ExitCode()
	}
	return 1
}
