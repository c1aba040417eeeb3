package parquet

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	lib "github.com/parquet-go/parquet-go"

	"pairrank/data"
	"pairrank/internal/codec"
)

// Ending is the end of the name of a Parquet file.
const Ending = ".parquet"

// Parts returns the names of the Parquet files in a directory, in ascending order; those that begin
// with '.' or '_' are none. It returns nil where path is no directory.
func Parts(path string) ([]string, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var parts []string
	for _, e := range entries {
		name := e.Name()
		if !e.IsDir() && strings.HasSuffix(strings.ToLower(name), Ending) && name[0] != '.' && name[0] != '_' {
			parts = append(parts, filepath.Join(path, name))
		}
	}
	slices.Sort(parts)
	return parts, nil
}

// part is an open file.
type part struct {
	path   string
	from   io.ReaderAt
	size   int64
	in     *lib.File
	leaves []leaf // in the order of the first part
	rows   int
	first  int // the number of rows in the parts before
}

// source is the parts of a data set.
type source struct {
	path  string
	files []*os.File
	parts []*part
	rows  int
}

// open opens a file, or all Parquet files of a directory.
func open(path string) (*source, error) {
	paths, err := Parts(path)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() && paths == nil {
		return nil, &data.SyntaxError{File: path, Msg: "the directory has no files *" + Ending}
	}
	if paths == nil {
		paths = []string{path}
	}
	s := &source{path: path}
	for _, path := range paths {
		if err := s.addFile(path); err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

// addFile opens the next file.
func (s *source) addFile(path string) error {
	if codec.FormatOf(path) != codec.Plain {
		return &codec.OwnError{Path: path, Kind: "a " + Ending}
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	s.files = append(s.files, file)
	info, err := file.Stat()
	if err != nil {
		return err
	}
	return s.add(path, file, info.Size())
}

// add appends a part.
func (s *source) add(path string, r io.ReaderAt, size int64) error {
	p, err := openPart(path, r, size)
	if err != nil {
		return err
	}
	s.parts = append(s.parts, p)
	p.first = s.rows
	s.rows += p.rows
	return p.arrange(s.parts[0])
}

func (s *source) close() error {
	var errs []error
	for _, f := range s.files {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

// openPart reads the schema of a file.
func openPart(path string, r io.ReaderAt, size int64) (*part, error) {
	p := &part{path: path, from: r, size: size}
	err := guard(path, func() (err error) {
		if err := checkFooter(r, size); err != nil {
			return damaged(path, err)
		}
		p.in, err = lib.OpenFile(r, size, lib.SkipPageIndex(true), lib.SkipBloomFilters(true),
			lib.FileReadMode(lib.ReadModeSync))
		if err != nil {
			return damaged(path, err)
		}
		p.leaves = leavesOf(p.in)
		return p.count()
	})
	return p, err
}

// count counts the rows, and checks that all columns have as many.
func (p *part) count() error {
	for g, group := range p.in.RowGroups() {
		rows := group.NumRows()
		if most := mostOf(p.size, freeRows) - int64(p.rows); rows < 0 || rows > most {
			return p.fault(g, errClaim("a number of rows", rows, most))
		}
		chunks := group.ColumnChunks()
		for k := range p.leaves {
			l := &p.leaves[k]
			if n := chunks[l.index].NumValues(); n != rows && l.elementDef == 0 {
				return p.fault(g, fmt.Errorf("column %q has %d values for %d rows", l.name, n, rows))
			}
		}
		p.rows += int(rows)
	}
	return nil
}

// arrange brings the columns into the order of another part, which must have the same ones.
func (p *part) arrange(like *part) error {
	if p == like {
		return nil
	}
	at := map[string]int{}
	for k := range p.leaves {
		at[p.leaves[k].name] = k
	}
	fault := func(format string, args ...any) error {
		return &data.SyntaxError{File: p.path, Msg: fmt.Sprintf(format, args...)}
	}
	arranged := make([]leaf, len(like.leaves))
	for k := range like.leaves {
		want := &like.leaves[k]
		j, is := at[want.name]
		if !is {
			return fault("there is no column %q, as in %s", data.ClipText(want.name), like.path)
		}
		got := &p.leaves[j]
		if got.kind != want.kind || got.list != want.list {
			return fault("column %q holds %s, but %s in %s", data.ClipText(want.name), got.values(), want.values(),
				like.path)
		}
		arranged[k] = *got
		delete(at, want.name)
	}
	if len(at) > 0 {
		return fault("column %q is not in %s", data.ClipText(slices.Min(slices.Collect(maps.Keys(at)))), like.path)
	}
	p.leaves = arranged
	return nil
}

// guard returns an error where the decoder panics, as it does on some damaged files.
func guard(path string, work func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if _, ours := r.(runtime.Error); ours {
				r = "its pages do not hold what their headers claim"
			}
			err = damaged(path, fmt.Errorf("%v", r))
		}
	}()
	return work()
}

// damaged is an error of the decoder.
func damaged(path string, err error) error {
	if text := err.Error(); strings.Contains(text, "invalid magic") || strings.Contains(text, "negative offset") {
		return &data.SyntaxError{File: path, Msg: "this is no Parquet file", Err: err}
	}
	var file *fs.PathError
	if errors.As(err, &file) {
		return err
	}
	if strings.Contains(err.Error(), "DecryptionConfig") {
		return &data.SyntaxError{File: path, Msg: "the file is encrypted", Err: err}
	}
	return &data.SyntaxError{File: path, Msg: fmt.Sprintf("the file is damaged: %v", err), Err: err}
}

// fault is an error about row group g, counted from 0.
func (p *part) fault(g int, err error) error {
	return &data.SyntaxError{File: p.path, Msg: fmt.Sprintf("row group %d: %v", g+1, err), Err: err}
}
