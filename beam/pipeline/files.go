package pipeline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"pairrank/internal/replace"
)

func init() { beam.RegisterType(reflect.TypeFor[file]()) }

// file is a file of the input, and its place in the order.
type file struct {
	Index int64
	Name  string
}

// Match returns the files of patterns in the order in which Sum merges; the files of one pattern
// are in order of their names. A file that matches two patterns is an error, and so is a pattern
// without files.
func Match(ctx context.Context, patterns []string) ([]string, error) {
	var names []string
	seen := map[string]string{}
	for _, pattern := range patterns {
		matched, err := list(ctx, pattern)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", pattern, err)
		}
		if len(matched) == 0 {
			return nil, fmt.Errorf("%s: there is no such file", pattern)
		}
		slices.Sort(matched)
		for _, name := range matched {
			if before, twice := seen[name]; twice {
				return nil, fmt.Errorf("%s is given twice: %s and %s both match it", name, before, pattern)
			}
			seen[name] = pattern
		}
		names = append(names, matched...)
	}
	return names, nil
}

func list(ctx context.Context, pattern string) ([]string, error) {
	if pattern == "" {
		return nil, errors.New("the name of a file is empty")
	}
	if _, err := os.Stat(pattern); local(pattern) && err == nil {
		return []string{pattern}, nil // its name may have the signs of a pattern
	}
	fs, err := filesystem.New(ctx, pattern)
	if err != nil {
		return nil, err
	}
	defer fs.Close()
	return fs.List(ctx, pattern)
}

// elements are files spread over the workers, one an element.
func elements(s beam.Scope, names []string) beam.PCollection {
	all := make([]file, len(names))
	for i, name := range names {
		all[i] = file{int64(i), name}
	}
	return beam.Reshuffle(s, beam.CreateList(s, all))
}

// Open calls read with the stored bytes of a file.
func Open(ctx context.Context, name string, read func(io.Reader) error) error {
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer fs.Close()
	r, err := fs.OpenRead(ctx, name)
	if err != nil {
		return err
	}
	return errors.Join(read(r), r.Close())
}

// write writes a file whole or not at all: on the disk by way of another name, elsewhere
// as one object, which stores of objects show when it is complete.
func write(ctx context.Context, name string, content []byte) error {
	if local(name) {
		return replace.File(name, func(w io.Writer) error {
			_, err := w.Write(content)
			return err
		})
	}
	fs, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer fs.Close()
	return filesystem.Write(ctx, fs, name, content)
}

// rename gives a file another name.
func rename(ctx context.Context, from, to string) error {
	fs, err := filesystem.New(ctx, from)
	if err != nil {
		return err
	}
	defer fs.Close()
	return filesystem.Rename(ctx, fs, from, to)
}

// local reports whether a name belongs to the file system of the machine.
func local(name string) bool { return !strings.Contains(name, "://") }

// written returns the bytes that fill writes, and none after an error.
func written(fill func(io.Writer) error) ([]byte, error) {
	var b bytes.Buffer
	err := fill(&b)
	return b.Bytes(), err
}

// base is the last element of the name of a file.
func base(name string) string { return path.Base(strings.ReplaceAll(name, `\`, "/")) }
