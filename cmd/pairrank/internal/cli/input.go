package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"pairrank/data"
	"pairrank/internal/await"
	"pairrank/internal/codec"
	"pairrank/internal/memory"
)

// StdinName stands for standard input in messages.
const StdinName = "standard input"

// Shown is the name of an input in messages.
func Shown(path string) string {
	if path == "-" {
		return StdinName
	}
	return path
}

// ReadError gives an error of reading its kind: what the operating system says
// is a runtime error, anything else is about the data.
func ReadError(err error) error {
	var (
		path *fs.PathError
		lack *memory.Lack
		own  *codec.OwnError
	)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &lack):
		return err
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return WithHint(err, "check the name; - is standard input")
	case errors.As(err, &path):
		return err
	case errors.As(err, &own):
		return AsUsage(err)
	case errors.Is(err, codec.ErrUTF16):
		return WithHint(AsData(err), "iconv -f utf-16 -t utf-8 makes UTF-8 of UTF-16")
	case errors.Is(err, data.ErrLongLine):
		return WithHint(AsData(err), "--max-line BYTES reads longer ones, with more memory")
	}
	return AsData(err)
}

// FileError is ReadError for what is read from named files only.
func FileError(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return WithHint(err, "check the name")
	}
	return ReadError(err)
}

// open opens an input that may be compressed; "-" is standard input.
func (a *App) open(path string) (*codec.Reader, error) {
	if path == "-" {
		r, err := codec.NewReader(interruptibleReader{a.Ctx, a.In}, StdinName)
		return r, ReadError(err)
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		// Opening a pipe waits until somebody writes to it, which may be never. It
		// stays open to the end of the program.
		f, err := AwaitFor(a.Ctx, func() (*os.File, error) { return os.Open(path) })
		if err != nil {
			return nil, ReadError(err)
		}
		r, err := codec.NewReader(interruptibleReader{a.Ctx, f}, path)
		return r, ReadError(err)
	}
	r, err := codec.Open(path)
	return r, ReadError(err)
}

// ReadFrom opens an input, hands it to read and closes it.
func (a *App) ReadFrom(path string, read func(r io.Reader, name string) error) error {
	r, err := a.open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	return ReadError(read(r, r.Name()))
}

// ReadBy opens an input, and is what parse makes of it.
func ReadBy[T any](a *App, path string, parse func(r io.Reader, name string) (T, error)) (v T, err error) {
	err = a.ReadFrom(path, func(r io.Reader, name string) (err error) {
		v, err = parse(r, name)
		return err
	})
	return v, err
}

// OnceStdin refuses to read standard input twice.
func OnceStdin(paths ...string) error {
	count := 0
	for _, path := range paths {
		if path == "-" {
			count++
		}
	}
	if count > 1 {
		return Usagef("standard input can be read only once")
	}
	return nil
}

// interruptibleReader is a reader that ends with the context, even while the
// reader below blocks, as that of a terminal does; a goroutine then goes on waiting
// for it.
type interruptibleReader struct {
	ctx  context.Context
	from io.Reader
}

func (r interruptibleReader) Read(p []byte) (int, error) {
	own := make([]byte, len(p)) // p is the caller's again when the context ends
	n, err := await.Result(r.ctx, func() (int, error) { return r.from.Read(own) })
	copy(p, own[:n])
	return n, err
}
