package modelfile

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"

	"pairrank/fault"
)

// Beginning is a number of bytes that no first line has.
const Beginning = 128

// VersionOf returns the version of a file by its beginning, 0 where it is no model or has an
// unknown version.
func VersionOf(beginning []byte) int {
	version, err := readVersion(beginning, "")
	if err != nil {
		return 0
	}
	return version
}

// readVersion reads the first line.
func readVersion(text []byte, name string) (version int, err error) {
	wrong := func(err error, help string) (int, error) {
		return 0, &fault.FormatError{Name: name, Line: 1, Err: err, Help: help}
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
		return wrong(fmt.Errorf("not a pairrank model: it begins with %q", Clip(string(first))),
			"make one with pairrank train DATA -o MODEL")
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
		return wrong(fmt.Errorf("not a version of the format: %q", Clip(string(rest))), "")
	case version > Version:
		return wrong(fmt.Errorf("%w: %d, but this program reads up to %d", ErrVersion, version, Version),
			"update pairrank, or train the model again with this one")
	}
	return version, nil
}

const (
	helpTruncated = "copy or train it again"
	helpAltered   = "copy it again; models cannot be edited by hand"
)

// verify checks the last line, the checksum of all before it, which it
// returns.
func verify(text []byte, name string) ([]byte, error) {
	body, complete := bytes.CutSuffix(text, []byte("\n"))
	at := bytes.LastIndexByte(body, '\n') + 1
	sum, ok := bytes.CutPrefix(body[at:], []byte(checksumLine))
	if complete && ok && len(sum) == 2*sha256.Size {
		if fmt.Sprintf("%x", sha256.Sum256(text[:at])) != string(sum) {
			return nil, &fault.FormatError{Name: name, Err: ErrAltered, Help: helpAltered}
		}
		return text[:at], nil
	}
	if end := endOfChecksum(text); end > 0 && end < len(text) {
		return nil, &fault.FormatError{Name: name, Err: fmt.Errorf("%w: text follows the checksum line", ErrAltered),
			Help: helpAltered}
	}
	return nil, &fault.FormatError{Name: name, Line: 1 + bytes.Count(text, []byte("\n")),
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
