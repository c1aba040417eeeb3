package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// asProgram is set where the binary of the tests is to be the program.
const asProgram = "PAIRRANK_BEAM_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	code := m.Run()
	if built.folder != "" {
		os.RemoveAll(built.folder)
	}
	os.Exit(code)
}

// hung is after how long a program that should have ended is killed, so that the test
// says so: far more than any of them takes.
const hung = 2 * time.Minute

// program is a call of the program.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0], args...)
	c.Env = append(os.Environ(), asProgram+"=1", "TMPDIR="+t.TempDir())
	return c
}

// outcome is how a program ended.
type outcome struct {
	code   int
	stderr string
}

// end waits for a program that was started.
func end(t *testing.T, c *exec.Cmd) outcome {
	t.Helper()
	stuck := time.AfterFunc(hung, func() { c.Process.Kill() })
	defer stuck.Stop()
	err := c.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return outcome{c.ProcessState.ExitCode(), c.Stderr.(*bytes.Buffer).String()}
}

// start starts a program.
func start(t *testing.T, c *exec.Cmd) *exec.Cmd {
	t.Helper()
	c.Stderr = new(bytes.Buffer)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill() })
	return c
}

// call runs the program to its end.
func call(t *testing.T, args ...string) outcome {
	t.Helper()
	return end(t, start(t, program(t, args...)))
}

// succeeds runs the program, which must succeed.
func succeeds(t *testing.T, args ...string) {
	t.Helper()
	if o := call(t, args...); o.code != 0 {
		t.Fatalf("%v: exit code %d\n%s", args, o.code, o.stderr)
	}
}

// files writes queries to files, as LETOR text.
func files(t *testing.T, count, queries int) []string {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 14))
	folder := t.TempDir()
	var names []string
	for k := range count {
		var b strings.Builder
		for q := range queries {
			for range 2 + r.IntN(10) {
				fmt.Fprintf(&b, "%d qid:%d-%d", r.IntN(3), k, q)
				for f := range 8 {
					fmt.Fprintf(&b, " %d:%.4f", f+1, r.NormFloat64())
				}
				b.WriteString("\n")
			}
		}
		names = append(names, filepath.Join(folder, fmt.Sprintf("part-%d.txt", k)))
		if err := os.WriteFile(names[k], []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return names
}

// sameFile reports files that differ.
func sameFile(t *testing.T, got, want string) {
	t.Helper()
	a, err := os.ReadFile(got)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(want)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Errorf("%s is not %s", got, want)
	}
}

// built are programs that tests need, built once.
var built struct {
	sync.Mutex
	folder string
}

// build builds a program of the module in a folder, and returns its path.
func build(t *testing.T, module, pkg string) string {
	t.Helper()
	built.Lock()
	defer built.Unlock()
	if built.folder == "" {
		folder, err := os.MkdirTemp("", "pairrank-beam-programs-")
		if err != nil {
			t.Fatal(err)
		}
		built.folder = folder
	}
	path := filepath.Join(built.folder, filepath.Base(pkg))
	if _, err := os.Stat(path); err == nil {
		return path
	}
	c := exec.CommandContext(t.Context(), "go", "build", "-o", path, pkg)
	c.Dir = module
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", pkg, err, out)
	}
	return path
}

// reference runs the program of the main module.
func reference(t *testing.T, args ...string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), build(t, "../../..", "./cmd/pairrank"), args...)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("pairrank %v: %v\n%s", args, err, out)
	}
}

// jobServer starts Prism as a separate process and returns its endpoint.
func jobServer(t *testing.T) (endpoint string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), build(t, ".", "github.com/apache/beam/sdks/v2/go/cmd/prism"),
		"--job_port=0", "--serve_http=false", "--log_kind=json")
	c.Dir = t.TempDir()
	c.Env = append(os.Environ(), asProgram+"=1") // for the workers, which it starts
	t.Cleanup(func() {
		if left, err := os.ReadDir(c.Dir); err != nil || len(left) > 0 {
			t.Errorf("workers left %v, %v", left, err)
		}
	})
	stderr, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		var l struct{ Endpoint string }
		if json.Unmarshal(lines.Bytes(), &l) == nil && l.Endpoint != "" {
			go func() {
				for lines.Scan() { // so that it does not wait for a reader
				}
			}()
			return l.Endpoint
		}
	}
	t.Fatal("the job server does not say where it is")
	return ""
}

// worker is a program that a job server starts: it writes its process to a file, and is
// then the program of the tests.
func worker(t *testing.T) (config, pidFile string) {
	t.Helper()
	folder := t.TempDir()
	script, pidFile := filepath.Join(folder, "worker"), filepath.Join(folder, "pid")
	text := fmt.Sprintf("#!/bin/sh\necho $$ >'%s.part' && mv '%s.part' '%s'\nexec '%s' \"$@\"\n",
		pidFile, pidFile, pidFile, os.Args[0])
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{"command":%q}`, script), pidFile
}
