package codec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ErrUTF16 is wrapped by the error about a text that begins with the byte order mark of UTF-16.
var ErrUTF16 = errors.New("the text is UTF-16, not UTF-8: save it again as UTF-8")

// mark is the byte order mark of UTF-8, which spreadsheets and editors write before a text.
const mark = "\xef\xbb\xbf"

// Marked reports whether a text begins with a byte order mark, which a reader of it would take away or refuse.
func Marked(text string) bool {
	return strings.HasPrefix(text, mark) || strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff")
}

// Unmarked is the text of r without a byte order mark before it. It returns ErrUTF16, after the name unless that is "",
// for a text with that of UTF-16. Other bytes pass as they are. A Reader of this package has no mark; other readers of
// text call it.
func Unmarked(r io.Reader, name string) io.Reader { return &unmarked{from: r, name: name} }

// unmarked looks at the first bytes of a source.
type unmarked struct {
	from   io.Reader
	name   string
	buffer [len(mark)]byte
	begins []byte // the first bytes, until they are read
	seen   bool
	err    error // that came with them
}

func (u *unmarked) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if !u.seen {
		u.look()
	}
	if len(u.begins) > 0 {
		n := copy(p, u.begins)
		u.begins = u.begins[n:]
		return n, nil
	}
	if u.err != nil {
		return 0, u.err
	}
	return u.from.Read(p)
}

// look reads the first bytes: as many as a mark has, unless they begin with another one.
func (u *unmarked) look() {
	u.seen = true
	for n := 0; n < len(mark) && u.err == nil && mark[:n] == string(u.buffer[:n]); {
		var more int
		more, u.err = u.from.Read(u.buffer[n : n+1])
		n += more
		u.begins = u.buffer[:n]
	}
	if len(u.begins) == 1 && u.buffer[0]|1 == 0xff && u.err == nil {
		var more int
		more, u.err = u.from.Read(u.buffer[1:2])
		u.begins = u.buffer[:1+more]
	}
	switch {
	case string(u.begins) == mark:
		u.begins = nil
	case bytes.Equal(u.begins, []byte("\xff\xfe")), bytes.Equal(u.begins, []byte("\xfe\xff")):
		if u.begins, u.err = nil, ErrUTF16; u.name != "" {
			u.err = fmt.Errorf("%s: %w", u.name, ErrUTF16)
		}
	}
}
