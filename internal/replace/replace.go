// Package replace writes files whole or not at all.
package replace

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// File writes a file by way of a temporary name in the same directory:
// write fills it, it is flushed to the disk and then renamed. After an error
// nothing is left behind and an existing file is as it was, or it holds all of
// the new content: never a part. A symbolic link stays one, its target is
// replaced. Something that exists and is not a regular file (a device, a pipe)
// is written to directly.
//
// Errors are those of the operating system, with the name of the file; a
// missing directory is named.
func File(path string, write func(io.Writer) error) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	mode := fs.FileMode(0)
	if info, err := os.Stat(path); err == nil {
		if info.IsDir() {
			return fmt.Errorf("%s is a directory", path)
		}
		if !info.Mode().IsRegular() {
			return writeDirectly(path, write)
		}
		mode = info.Mode().Perm()
	}
	f, err := createTemporary(path)
	if err != nil {
		return err
	}
	if err := fill(f, path, mode, write); err != nil {
		os.Remove(f.Name())
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("cannot replace %s: %w", path, cause(err))
	}
	syncDirectory(filepath.Dir(path))
	return nil
}

// Directory returns the error that File would end in when the directory of path
// does not exist, so that long work can be refused before it begins.
func Directory(path string) error {
	if _, err := os.Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
		return &noDirectory{path}
	}
	return nil
}

// createTemporary makes a new file next to path, with the permissions that the
// user's file mask gives.
func createTemporary(path string) (*os.File, error) {
	dir, base := filepath.Split(path)
	for range 100 {
		name := filepath.Join(dir, fmt.Sprintf(".%s.%08x.tmp", base, rand.Uint32()))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		switch {
		case err == nil:
			return f, nil
		case errors.Is(err, fs.ErrExist):
			continue
		case errors.Is(err, fs.ErrNotExist):
			return nil, &noDirectory{path}
		}
		return nil, fmt.Errorf("cannot write %s: %w", path, cause(err))
	}
	return nil, fmt.Errorf("cannot write %s: no free temporary name", path)
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

func writeDirectly(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
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
