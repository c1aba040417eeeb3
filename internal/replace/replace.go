// Package replace writes files whole or not at all.
package replace

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"pairrank/internal/await"
	"pairrank/internal/held"
)

// File writes a file through a temporary name in the same directory: write fills it, it is flushed
// to disk and then renamed. After an error nothing is left behind, and an existing file is either
// unchanged or has all of the new content, never a part, with the permissions that it had. A symbolic
// link stays; its target is replaced, or made where there is none. Anything that exists and is not a
// regular file (a device, a pipe) is written directly.
//
// An output that is held in memory stays there.
//
// File also removes what a killed run left of the same file, where the system reports that its
// writer is gone.
//
// Errors are those of the operating system, with the name of the file; a missing directory is
// named.
func File(path string, write func(io.Writer) error) error {
	return Under(context.Background(), path, write)
}

// Under is File under a context, whose error it returns if that ends while a pipe waits for its reader.
func Under(ctx context.Context, path string, write func(io.Writer) error) error {
	return file(ctx, path, 0, write)
}

// Within is File of a new file with these permissions, and not those of the user's file mask; 0 is File.
func Within(path string, mode fs.FileMode, write func(io.Writer) error) error {
	return file(context.Background(), path, mode, write)
}

func file(ctx context.Context, path string, within fs.FileMode, write func(io.Writer) error) error {
	if held.Takes(path) {
		return held.Write(path, write)
	}
	path, mode, direct, err := target(path)
	if err != nil {
		return err
	}
	if direct {
		return writeDirectly(ctx, path, write)
	}
	mode = cmp.Or(within, mode)
	RemoveLeftovers(path)
	t, err := createTemporary(path, mode)
	if err != nil {
		return err
	}
	defer t.release()
	if err := fill(t.File, path, mode, write); err != nil {
		os.Remove(t.Name())
		return err
	}
	if err := os.Rename(t.Name(), path); err != nil {
		os.Remove(t.Name())
		return fmt.Errorf("cannot replace %s: %w", path, cause(err))
	}
	syncDirectory(filepath.Dir(path))
	return nil
}

// target is the file that path leads to, with the permissions it has if it exists,
// and whether it is to be written directly, not replaced.
func target(path string) (resolved string, mode fs.FileMode, direct bool, err error) {
	path = Target(path)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, syscall.ELOOP):
		return path, 0, false, fmt.Errorf("cannot write %s: %w", path, cause(err))
	case err != nil:
		return path, 0, false, nil
	case info.IsDir():
		return path, 0, false, fmt.Errorf("%s is a directory", path)
	}
	return path, info.Mode().Perm(), !info.Mode().IsRegular(), nil
}

// Target is the file that a path leads to by symbolic links, whether it exists or not.
func Target(path string) string {
	const most = 40 // links, as systems have it
	for range most {
		if name, err := filepath.EvalSymlinks(path); err == nil {
			return name
		}
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			dir := filepath.Dir(path)
			if real, err := filepath.EvalSymlinks(dir); err == nil {
				dir = real
			}
			to = filepath.Join(dir, to)
		}
		path = to
	}
	return path
}

// Writable returns the error that File would return, as far as that is known without touching the
// file, so that long work can be refused before it begins: a directory in its place or none to hold
// it, no permission, a disk without room for a first block. It takes a pipe to be writable.
func Writable(path string) error {
	if held.Takes(path) {
		return nil
	}
	path, _, direct, err := target(path)
	if err != nil {
		return err
	}
	if direct {
		return openable(path)
	}
	t, err := createTemporary(path, 0)
	if err != nil {
		return err
	}
	defer t.release()
	defer os.Remove(t.Name())
	const block = 4096
	_, err = t.Write(make([]byte, block))
	if closed := t.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, cause(err))
	}
	return nil
}

// openable returns why a device cannot be opened. Opening a pipe would wait for its reader.
func openable(path string) error {
	if info, err := os.Stat(path); err != nil || info.Mode()&fs.ModeDevice == 0 {
		return nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, cause(err))
	}
	return f.Close()
}

// noDirectory is fs.ErrNotExist with the directory that is missing.
type noDirectory struct{ path string }

func (e *noDirectory) Error() string {
	return fmt.Sprintf("cannot write %s: directory %s does not exist", e.path, filepath.Dir(e.path))
}

func (e *noDirectory) Unwrap() error { return fs.ErrNotExist }

func fill(f *os.File, path string, mode fs.FileMode, write func(io.Writer) error) error {
	err := buffered(f, write)
	if err == nil && mode != 0 {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, cause(err))
	}
	return nil
}

func writeDirectly(ctx context.Context, path string, write func(io.Writer) error) error {
	f, err := await.Result(ctx, func() (*os.File, error) { return os.OpenFile(path, os.O_WRONLY, 0) })
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, cause(err))
	}
	err = buffered(f, write)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, cause(err))
	}
	return nil
}

func buffered(w io.Writer, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(w, 1<<16)
	if err := write(b); err != nil {
		return err
	}
	return b.Flush()
}

// cause takes the operation and the name, which are the temporary file's, off
// an error of the operating system.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}

// syncDirectory makes the new name durable. Some file systems cannot; the
// content is on the disk already, so that this is no error.
func syncDirectory(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		d.Close()
	}
}
