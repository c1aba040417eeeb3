package modelfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"pairrank/fault"
	"pairrank/model/training"
)

// Content receives the parts of a file other than the facts of the training.
type Content interface {
	// Entry reads the rest of the entry that the line "key value" begins.
	Entry(r *Reader, key, value string) error
	// Finish checks the whole, the facts among it.
	Finish(r *Reader) error
}

// Reader goes through the lines of a model whose checksum is right.
type Reader struct {
	Version int            // of the format, by the first line
	Info    training.Facts // the facts read so far

	rest   []byte
	number int // of the line read last, from 1
	seen   map[string]bool
}

// Read reads a model; errors call the input name. content returns the Content of a version, or why
// there is none. A file that is cut off, altered or of a later version gives a *fault.FormatError that
// wraps ErrTruncated, ErrAltered or ErrVersion; any other fault gives one with its line. The memory
// is that of the text and of the model. A text that does not begin like a model is not read
// further.
func Read(r io.Reader, name string, content func(version int) (Content, error)) (*training.Facts, error) {
	text, err := io.ReadAll(io.LimitReader(r, Beginning))
	if err != nil {
		return nil, err
	}
	if len(text) == Beginning {
		if _, err := readVersion(text, name); err != nil {
			return nil, err
		}
		rest, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		text = append(text, rest...)
	}
	version, err := readVersion(text, name)
	if err != nil {
		return nil, err
	}
	body, err := verify(text, name)
	if err != nil {
		return nil, err
	}
	c, err := content(version)
	if err != nil {
		return nil, &fault.FormatError{Name: name, Err: err}
	}
	in := &Reader{Version: version, rest: body, seen: map[string]bool{}}
	if err := in.read(c); err != nil {
		return nil, &fault.FormatError{Name: name, Line: in.number, Err: err}
	}
	return &in.Info, nil
}

// read reads everything between the first line and the checksum.
func (r *Reader) read(c Content) error {
	if _, err := r.Line(); err != nil {
		return err
	}
	for len(r.rest) > 0 {
		line, err := r.Line()
		if err != nil {
			return err
		}
		key, value, _ := strings.Cut(line, " ")
		if key != "fact" && r.seen[key] {
			return fmt.Errorf("%s appears twice", key)
		}
		r.seen[key] = true
		if err := r.entry(c, key, value); err != nil {
			return fmt.Errorf("%s: %w", Clip(key), err)
		}
	}
	return c.Finish(r)
}

func (r *Reader) entry(c Content, key, value string) error {
	for _, e := range entries {
		if e.key == key {
			return e.set(&r.Info, value)
		}
	}
	if key == "fact" {
		return r.fact(value)
	}
	return c.Entry(r, key, value)
}

func (r *Reader) fact(value string) error {
	name, text, _ := strings.Cut(value, " ")
	if !IsKey(name) || !isLine(text) {
		return fmt.Errorf("a fact is a name and a text, not %q", Clip(value))
	}
	r.Info.Further = append(r.Info.Further, training.Fact{Name: name, Value: text})
	return nil
}

var errEarly = errors.New("the model ends early")

// Line returns the next line, which must be there.
func (r *Reader) Line() (string, error) {
	r.number++
	end := bytes.IndexByte(r.rest, '\n')
	if end < 0 {
		return "", errEarly
	}
	line := r.rest[:end]
	r.rest = r.rest[end+1:]
	return string(line), nil
}

// Has reports whether there was an entry.
func (r *Reader) Has(key string) bool { return r.seen[key] }

// Need checks that the entries that a block depends on came before it.
func (r *Reader) Need(keys ...string) error {
	for _, key := range keys {
		if !r.seen[key] {
			return fmt.Errorf("comes before %s", key)
		}
	}
	return nil
}

// Complete checks that entries are there.
func (r *Reader) Complete(keys ...string) error {
	for _, key := range keys {
		if !r.seen[key] {
			return fmt.Errorf("the entry %s is missing", key)
		}
	}
	return nil
}

// Room checks, before memory is allocated, that a block of so many lines with so many fields of at
// least two bytes fits into the rest of the file.
func (r *Reader) Room(lines, fields int) error {
	if float64(lines)*max(1, 2*float64(fields)) > float64(len(r.rest)) {
		return errEarly
	}
	return nil
}

// Size sets dst to a whole number from least to the largest of 32 bits.
func Size(dst *int, value string, least int) error {
	size, err := ParseCount(value)
	if err != nil {
		return err
	}
	if size < least || size > math.MaxInt32 {
		return fmt.Errorf("%d is not from %d to %d", size, least, math.MaxInt32)
	}
	*dst = size
	return nil
}

// Strings reads count JSON strings, one a line; what names them in errors.
func (r *Reader) Strings(count int, what string) ([]string, error) {
	if err := r.Room(count, 1); err != nil {
		return nil, err
	}
	names := make([]string, count)
	for j := range names {
		line, err := r.Line()
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(line), &names[j]); err != nil || line[0] != '"' {
			return nil, fmt.Errorf("the name of %s %d is not a JSON string: %q", what, j+1, Clip(line))
		}
	}
	return names, nil
}
