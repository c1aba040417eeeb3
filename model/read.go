package model

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// ReadFile reads the model in a file.
func ReadFile(path string) (*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f, path)
}

// Read reads a model, which name names in errors. A file that is cut off,
// altered or of a later version is a *FormatError that wraps ErrTruncated,
// ErrAltered or ErrVersion; so is any other fault, with its line. The memory
// it takes is that of the text and of the model; what does not begin as a model is
// not read on.
func Read(r io.Reader, name string) (*Model, error) {
	const beginning = 128 // bytes, more than any first line has
	text, err := io.ReadAll(io.LimitReader(r, beginning))
	if err != nil {
		return nil, err
	}
	if len(text) == beginning {
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
	content, err := verify(text, name)
	if err != nil {
		return nil, err
	}
	s := &scanner{rest: content}
	m, err := s.model(version)
	if err != nil {
		return nil, &FormatError{Name: name, Line: s.number, Err: err}
	}
	return m, nil
}

// readVersion reads the first line.
func readVersion(text []byte, name string) (version int, err error) {
	wrong := func(err error, help string) (int, error) {
		return 0, &FormatError{Name: name, Line: 1, Err: err, Help: help}
	}
	first, _, complete := bytes.Cut(text, []byte("\n"))
	rest, ok := bytes.CutPrefix(first, []byte(magic))
	if !ok {
		if len(text) == 0 {
			return wrong(fmt.Errorf("not a pairrank model: the file is empty"), "")
		}
		if strings.HasPrefix(magic, string(first)) && !complete {
			return wrong(ErrTruncated, helpTruncated)
		}
		return wrong(fmt.Errorf("not a pairrank model: it begins with %q", clip(string(first))), "make one with pairrank train DATA -o MODEL")
	}
	if trimmed, crlf := bytes.CutSuffix(rest, []byte("\r")); crlf {
		rest = trimmed
		if known, err := strconv.Atoi(string(rest)); complete && err == nil && known >= 1 && known <= Version {
			return wrong(ErrAltered, "its line ends became CRLF on the way: copy it as binary")
		}
	}
	if bytes.IndexByte(rest, '\r') >= 0 {
		return wrong(ErrAltered, "its line ends became CR on the way: copy it as binary")
	}
	version, err = strconv.Atoi(string(rest))
	switch {
	case !complete:
		return wrong(ErrTruncated, helpTruncated)
	case err != nil || version < 1:
		return wrong(fmt.Errorf("not a version of the format: %q", clip(string(rest))), "")
	case version > Version:
		return wrong(fmt.Errorf("%w: %d, and this program reads up to %d", ErrVersion, version, Version),
			"update pairrank, or train the model again with this one")
	}
	return version, nil
}

const (
	helpTruncated = "copy or train it again"
	helpAltered   = "copy it again; a model is not edited by hand"
)

// verify checks the last line, the checksum of all before it, which it
// returns.
func verify(text []byte, name string) ([]byte, error) {
	body, complete := bytes.CutSuffix(text, []byte("\n"))
	at := bytes.LastIndexByte(body, '\n') + 1
	sum, ok := bytes.CutPrefix(body[at:], []byte(checksumLine))
	if complete && ok && len(sum) == 2*sha256.Size {
		if fmt.Sprintf("%x", sha256.Sum256(text[:at])) != string(sum) {
			return nil, &FormatError{Name: name, Err: ErrAltered, Help: helpAltered}
		}
		return text[:at], nil
	}
	if end := endOfChecksum(text); end > 0 && end < len(text) {
		return nil, &FormatError{Name: name, Err: fmt.Errorf("%w: text follows the checksum line", ErrAltered), Help: helpAltered}
	}
	return nil, &FormatError{Name: name, Line: 1 + bytes.Count(text, []byte("\n")),
		Err: fmt.Errorf("%w: the checksum line is missing", ErrTruncated), Help: helpTruncated}
}

// endOfChecksum is where the first whole checksum line ends, 0 when there is
// none.
func endOfChecksum(text []byte) int {
	at := bytes.Index(text, []byte("\n"+checksumLine))
	if at < 0 {
		return 0
	}
	at += 1 + len(checksumLine)
	end := bytes.IndexByte(text[at:], '\n')
	if end != 2*sha256.Size {
		return 0
	}
	return at + end + 1
}

// scanner goes through the lines of a model whose checksum is right.
type scanner struct {
	rest   []byte
	number int // of the line read last, from 1
}

// line returns the next line, which must be there.
func (s *scanner) line() (string, error) {
	s.number++
	end := bytes.IndexByte(s.rest, '\n')
	if end < 0 {
		return "", errEarly
	}
	line := s.rest[:end]
	s.rest = s.rest[end+1:]
	return string(line), nil
}

var errEarly = errors.New("the model ends early")

// model reads everything between the first line and the checksum.
func (s *scanner) model(version int) (*Model, error) {
	if _, err := s.line(); err != nil {
		return nil, err
	}
	b := &builder{scanner: s, version: version, model: &Model{}, seen: map[string]bool{}}
	for len(s.rest) > 0 {
		line, err := s.line()
		if err != nil {
			return nil, err
		}
		key, value, _ := strings.Cut(line, " ")
		if key != "fact" && b.seen[key] {
			return nil, fmt.Errorf("%s stands twice", key)
		}
		b.seen[key] = true
		if err := b.entry(key, value); err != nil {
			return nil, fmt.Errorf("%s: %w", clip(key), err)
		}
	}
	return b.finish()
}
