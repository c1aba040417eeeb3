package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"pairrank/internal/synth"
)

// seed is that of all rows.
const seed = 1

// shape is that of a set in files.
type shape struct{ rows, features, queries, files int }

// folder is that of the files of a set.
func (h shape) folder() string {
	return fmt.Sprintf("%d-%d-%d-%d", h.rows, h.features, h.queries, h.files)
}

// parts are the files of a set, which are made where they are not there yet. One after the
// other they are the set of the same seed in one file.
func (s *settings) parts(ctx context.Context, h shape) (names []string, err error) {
	folder := filepath.Join(s.work, h.folder())
	for k := range h.files {
		names = append(names, filepath.Join(folder, fmt.Sprintf("part-%03d.txt", k+1)))
	}
	if _, err := os.Stat(folder); err == nil {
		return names, nil
	}
	fmt.Fprintf(os.Stderr, "streaming: making %d rows × %d in %d files\n", h.rows, h.features, h.files)
	unfinished := folder + ".making"
	if err := os.RemoveAll(unfinished); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(unfinished, 0o777); err != nil {
		return nil, err
	}
	if err := h.write(ctx, unfinished); err != nil {
		return nil, errors.Join(err, os.RemoveAll(unfinished))
	}
	return names, os.Rename(unfinished, folder)
}

// write makes the rows and cuts them into files between queries.
func (h shape) write(ctx context.Context, folder string) error {
	from, to := io.Pipe()
	go func() {
		to.CloseWithError(synth.LETOR{Rows: h.rows, Features: h.features, Queries: h.queries, Seed: seed}.Write(to))
	}()
	defer from.Close()
	cut := &cutter{folder: folder, shape: h}
	lines := bufio.NewReaderSize(from, 1<<20)
	for {
		line, err := lines.ReadSlice('\n')
		if err == io.EOF {
			return cut.close()
		}
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = cut.line(line)
		}
		if err != nil {
			return errors.Join(err, cut.close())
		}
	}
}

// cutter writes lines into files of about as many queries each.
type cutter struct {
	folder         string
	shape          shape
	qid            []byte
	queries, files int
	file           *os.File
	out            *bufio.Writer
}

func (c *cutter) line(line []byte) error {
	_, rest, _ := bytes.Cut(line, []byte("qid:"))
	qid, _, found := bytes.Cut(rest, []byte(" "))
	if !found {
		return fmt.Errorf("a line without a query: %q", line)
	}
	if !bytes.Equal(qid, c.qid) {
		if c.queries*c.shape.files >= c.files*c.shape.queries {
			if err := c.next(); err != nil {
				return err
			}
		}
		c.qid = append(c.qid[:0], qid...)
		c.queries++
	}
	_, err := c.out.Write(line)
	return err
}

func (c *cutter) next() (err error) {
	if err := c.close(); err != nil {
		return err
	}
	c.files++
	if c.file, err = os.Create(filepath.Join(c.folder, fmt.Sprintf("part-%03d.txt", c.files))); err != nil {
		return err
	}
	c.out = bufio.NewWriterSize(c.file, 1<<20)
	return nil
}

func (c *cutter) close() error {
	if c.file == nil {
		return nil
	}
	file := c.file
	c.file = nil
	return errors.Join(c.out.Flush(), file.Close())
}

// size is the bytes of files.
func size(names []string) (bytes int64, err error) {
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return 0, err
		}
		bytes += info.Size()
	}
	return bytes, nil
}
