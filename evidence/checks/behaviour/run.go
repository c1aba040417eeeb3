package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// patience is how long a case may take; most take some hundredths of a second.
const patience = 2 * time.Minute

// interrupted is the standard input of a case that is interrupted while it reads,
// which it does after a time that is ample even on a busy machine.
const (
	interrupted  = "^C"
	untilReading = time.Second
)

// outcome is all that a run shows.
type outcome struct {
	exit           int // -1: it was ended, by a signal or for taking too long
	stdout, stderr []byte
	files          map[string]written // that are not inputs as they were
}

// written is a file, or a folder, after a run.
type written struct {
	mode fs.FileMode
	text []byte
}

// result is a case with what both programs did.
type result struct {
	testCase
	before, after outcome
	differences   []difference
}

// runAll runs the cases with both programs.
func runAll(ctx context.Context, s settings, all []testCase, files inputs, folder string) ([]result, error) {
	results, failed := make([]result, len(all)), make([]error, s.workers)
	var next, done atomic.Int64
	var group sync.WaitGroup
	for w := range s.workers {
		group.Go(func() {
			// Both run in a folder of the same name, so that it makes no difference.
			r := runner{filepath.Join(folder, fmt.Sprintf("run%d", w)), files}
			for k := int(next.Add(1)) - 1; k < len(all) && failed[w] == nil &&
				ctx.Err() == nil; k = int(next.Add(1)) - 1 {
				results[k], failed[w] = r.compare(ctx, s, all[k])
				if n := done.Add(1); n%100 == 0 {
					fmt.Fprintf(os.Stderr, "behaviour: %d of %d cases\n", n, len(all))
				}
			}
		})
	}
	group.Wait()
	return results, errors.Join(append(failed, ctx.Err())...)
}

// runner runs cases, one after the other, in a separate folder.
type runner struct {
	folder string
	inputs inputs
}

// compare runs a case with both programs.
func (r runner) compare(ctx context.Context, s settings, c testCase) (result, error) {
	res := result{testCase: c}
	var err error
	if res.before, err = r.run(ctx, s.before, c); err != nil {
		return res, fmt.Errorf("%s: %w", c.place, err)
	}
	if res.after, err = r.run(ctx, s.after, c); err != nil {
		return res, fmt.Errorf("%s: %w", c.place, err)
	}
	res.before.count()
	res.differences = res.before.differences(res.after)
	if s.keep != "" && len(res.differences) > 0 {
		dir := filepath.Join(s.keep, strings.NewReplacer(".txt", "", ":", "-").Replace(c.place))
		err = errors.Join(os.RemoveAll(dir), res.before.keep(filepath.Join(dir, "before")),
			res.after.keep(filepath.Join(dir, "after")))
	}
	return res, err
}

// run runs a case with one program.
func (r runner) run(ctx context.Context, program string, c testCase) (o outcome, err error) {
	if err := os.RemoveAll(r.folder); err != nil {
		return o, err
	}
	given := r.inputs.namedIn(append([]string{c.stdin}, c.args...))
	if err := given.keep(r.folder); err != nil {
		return o, err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, program, c.words()...)
	if c.stdout == "-" {
		cmd = exec.CommandContext(ctx, "sh", append([]string{"-c", `exec "$0" "$@" >&-`, program}, c.words()...)...)
	} else {
		cmd.Args[0] = "pairrank"
	}
	cmd.Dir, cmd.Stdout, cmd.Stderr = r.folder, &stdout, &stderr
	cmd.Env = append(environment(r.folder), c.env...)
	end, err := r.feed(cmd, c.stdin)
	if err != nil {
		return o, err
	}
	defer end()
	if c.stdout != "" && c.stdout != "-" {
		to, err := os.OpenFile(c.stdout, os.O_WRONLY, 0)
		if err != nil {
			return o, err
		}
		defer to.Close()
		cmd.Stdout = to
	}
	if err := cmd.Start(); err != nil {
		return o, err
	}
	if c.stdin == interrupted {
		time.Sleep(untilReading)
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			return o, err
		}
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) && ctx.Err() == nil {
		return o, err
	}
	o.exit, o.stdout, o.stderr = cmd.ProcessState.ExitCode(), stdout.Bytes(), stderr.Bytes()
	o.files, err = leftIn(r.folder, given)
	return o, err
}

// feed gives a command the standard input of a case, which end closes.
func (r runner) feed(cmd *exec.Cmd, name string) (end func(), err error) {
	switch text, known := r.inputs[name]; {
	case name == interrupted:
		return holdOpen(cmd)
	case known:
		cmd.Stdin = bytes.NewReader(text)
	case name != "":
		return nil, fmt.Errorf("there is no input %s", name)
	}
	return func() {}, nil
}

// holdOpen gives a command a standard input that does not end until it is closed.
func holdOpen(cmd *exec.Cmd) (end func(), err error) {
	from, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdin = from
	return func() {
		from.Close()
		to.Close()
	}, nil
}

// environment is that of every run. A program built with -cover writes its counts
// where GOCOVERDIR says.
func environment(folder string) []string {
	env := []string{"LC_ALL=C", "NO_COLOR=1", "HOME=" + folder, "TMPDIR=" + folder, "PATH=" + os.Getenv("PATH")}
	if dir := os.Getenv("GOCOVERDIR"); dir != "" {
		env = append(env, "GOCOVERDIR="+dir)
	}
	return env
}

// leftIn reads what a run left in its folder, but for inputs that are as they were.
// An input that is gone has no text and the mode of a device.
func leftIn(folder string, given inputs) (map[string]written, error) {
	left, there := map[string]written{}, map[string]bool{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil || name == "." {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		w := written{mode: info.Mode()}
		if w.mode.IsRegular() {
			if w.text, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		name = filepath.ToSlash(name)
		there[name] = true
		if was, known := given[name]; !known || !bytes.Equal(was, w.text) {
			left[name] = w
		}
		return nil
	})
	for name := range given {
		if !there[name] {
			left[name] = written{mode: fs.ModeDevice}
		}
	}
	return left, err
}

// keep writes an outcome into a folder, for people to look at.
func (o outcome) keep(dir string) error {
	files := inputs{"stdout": o.stdout, "stderr": o.stderr, "exit": fmt.Appendln(nil, o.exit)}
	for name, w := range o.files {
		if w.mode.IsRegular() {
			files["files/"+name] = w.text
		}
	}
	return files.keep(dir)
}
