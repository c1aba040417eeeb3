package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"pairrank/internal/await"
	"pairrank/internal/codec"
	"pairrank/internal/held"
	"pairrank/internal/replace"
	"pairrank/internal/spell"
)

// Write writes a file by way of a temporary name in the same directory,
// so that after an error or Ctrl-C an existing file is as it was and nothing
// is left behind. "-" and "" are standard output; a name that ends in .gz or
// .zst is compressed.
func (a *App) Write(path string, write func(io.Writer) error) error {
	return a.WriteUnder(a.Ctx, path, write)
}

// WriteUnder is writeAtomic under another context than that of the run.
func (a *App) WriteUnder(ctx context.Context, path string, write func(io.Writer) error) error {
	if path == "-" || path == "" {
		a.leaveTerminal()
		sink := &ErrorWriter{To: interruptible{ctx, a.Out}}
		err := writeBuffered(sink, write)
		if sink.Err != nil {
			err = CannotWrite(sink.Err) // whatever became of it on the way
		}
		return a.DescribeWrite("standard output", err)
	}
	err := replace.Under(ctx, path, func(w io.Writer) error {
		z, err := codec.NewWriter(interruptible{ctx, w}, codec.FormatOf(path))
		if err != nil {
			return err
		}
		if err := writeBuffered(z, write); err != nil {
			return err
		}
		return z.Close()
	})
	if err == nil && !held.Takes(path) {
		if info, statErr := os.Stat(path); statErr == nil && info.Mode().IsRegular() {
			a.Replaced(path)
		}
	}
	return a.DescribeWrite(path, err)
}

// Replaced tells that a file was made or replaced: an error of another output says so.
func (a *App) Replaced(path string) { a.replaced = append(a.replaced, path) }

// CannotWrite is the error of standard output that could not be written: one of the
// run, never of the data.
func CannotWrite(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err // without the operation and a name that was not given
	}
	return fmt.Errorf("cannot write standard output: %w", err)
}

// ErrorWriter remembers an error of the writer below.
type ErrorWriter struct {
	To  io.Writer
	Err error
}

func (w *ErrorWriter) Write(p []byte) (int, error) {
	n, err := w.To.Write(p)
	if err != nil {
		w.Err = err
	}
	return n, err
}

// buffers are those of outputs that were written: a worker writes many.
var buffers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, 1<<16) }}

func writeBuffered(w io.Writer, write func(io.Writer) error) error {
	b := buffers.Get().(*bufio.Writer)
	b.Reset(w)
	err := write(b)
	if err == nil {
		err = b.Flush()
	}
	if err == nil { // else a write that was interrupted may still read it
		b.Reset(nil)
		buffers.Put(b)
	}
	return err
}

// writeError is an error of writing. Its hint is made when it is told, since outputs that
// follow are written all the same.
type writeError struct {
	error
	app *App
}

func (e *writeError) Unwrap() error { return e.error }

// Hint says what to do, and what is written.
func (e *writeError) Hint() string {
	state, full := "no existing file was changed", errors.Is(e.error, syscall.ENOSPC)
	if len(e.app.replaced) > 0 {
		state = "written all the same: " + spell.List(e.app.replaced)
	} else if !full {
		return ""
	}
	if full {
		return "free some space or write elsewhere; " + state
	}
	return state
}

// DescribeWrite adds what to do about the usual troubles of writing, and what other outputs
// of the run are written.
func (a *App) DescribeWrite(path string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return WithHint(err, "make the directory first: mkdir -p %s", filepath.Dir(path))
	}
	return &writeError{err, a}
}

// CheckOutput refuses, before long work, an output that cannot be written, as far as
// that is known, and a standard output that was closed.
func (a *App) CheckOutput(path string) error {
	switch {
	case path == "":
		return nil
	case path != "-" && path[0] == '-':
		return WithHint(Usagef("%s looks like a flag, and stands where the name of an output is wanted", path),
			"./%s writes to a file of that name", path)
	case path != "-":
		return a.DescribeWrite(path, replace.Writable(path))
	}
	if o, ok := a.Out.(*StandardOutput); ok && o.closed() {
		return WithHint(errors.New("standard output is closed, and what is written to it would be lost"),
			"-o FILE names a file, and -o %s does without; a program that starts this one opens the null device for "+
				"writing alone", os.DevNull)
	}
	return nil
}

// CheckOutputs refuses outputs that cannot be written, and those that would
// overwrite an input or each other.
func (a *App) CheckOutputs(outputs []string, inputs ...string) error {
	for k, output := range outputs {
		if output == "" {
			continue
		}
		for _, input := range inputs {
			if input != "" && sameFile(input, output) {
				return Usagef("the output %s would overwrite an input", output)
			}
		}
		for _, other := range outputs[:k] {
			if other != "" && sameOutput(other, output) {
				return Usagef("two outputs go to %s", output)
			}
		}
		if err := a.CheckOutput(output); err != nil {
			return err
		}
	}
	return nil
}

// sameOutput reports whether two names are of one file, which may be still to be made.
func sameOutput(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) || sameFile(a, b) {
		return true
	}
	return a != "-" && b != "-" && filepath.Base(a) == filepath.Base(b) && sameFile(filepath.Dir(a), filepath.Dir(b))
}

// sameFile reports whether two names are of one existing file of the disk.
func sameFile(a, b string) bool {
	if held.Takes(a) || held.Takes(b) {
		return false
	}
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// interruptible is a writer that ends with the context, also where nobody reads what it writes.
type interruptible struct {
	ctx context.Context
	to  io.Writer
}

func (w interruptible) Write(p []byte) (int, error) {
	return await.Result(w.ctx, func() (int, error) { return w.to.Write(p) })
}
