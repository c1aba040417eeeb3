package blocks

import (
	"bytes"
	"io"
)

// Cutter cuts a text into blocks.
type Cutter struct {
	From    io.Reader
	Size    int // bytes of a block, or more where a line is longer
	Longest int // bytes of the longest line
	// DropsLong leaves out a line that is too long, and all text after it. Otherwise the block ends in the line.
	DropsLong bool
	// Eager cuts blocks as soon as they have a line, of a source that is slower than its reader.
	Eager bool

	number int
	rest   []byte // of the last block, after its last line end
	err    error  // that ended the text
}

// Cut makes t the next block, in the memory of t if that is large enough. It returns io.EOF after the last one, or the
// error of From after the last whole line before it.
func (c *Cutter) Cut(t *Text) error {
	if c.err != nil {
		return c.err
	}
	t.Bytes, t.Cut = append(t.Bytes[:0], c.rest...), false
	c.rest, c.err = c.fill(t)
	t.Number = c.number
	c.number++
	if t.Dropped = c.DropsLong && c.dropLong(t); t.Dropped {
		c.err = io.EOF
		return nil
	}
	if len(t.Bytes) == 0 {
		return c.err
	}
	return nil
}

// fill reads until t has a block of text that ends with a line. It returns the text after that line, in memory of t
// that its parser does not touch, for the next block. At the end of the source it returns io.EOF, and the text may end
// without a line end. It also may where a line exceeds the limit; the parser refuses that line. After another error the
// text ends with the last whole line.
func (c *Cutter) fill(t *Text) (rest []byte, err error) {
	for size := c.Size; ; {
		have := len(t.Bytes)
		for size <= have {
			size *= 2
		}
		err := c.read(t, size)
		if err == io.EOF {
			return nil, err
		}
		// Only the new bytes can hold a line end.
		if end := bytes.LastIndexByte(t.Bytes[have:], '\n') + 1; end > 0 || err != nil {
			rest, t.Bytes = t.Bytes[have:][end:], t.Bytes[:have+end]
			if end == 0 {
				t.Bytes = t.Bytes[:0]
			}
			return rest, err
		}
		if len(t.Bytes) > c.Longest {
			t.Cut = true
			return nil, io.EOF
		}
	}
}

// read appends to t until it has size bytes, or with Eager some more. Its error is that of From; io.ReadFull would call
// another one io.EOF. A short text takes no memory of a whole block.
func (c *Cutter) read(t *Text, size int) (err error) {
	const short = 16 << 10
	for n := 0; len(t.Bytes) < size && err == nil && !(c.Eager && n > 0); {
		have := len(t.Bytes)
		if have == cap(t.Bytes) {
			room := size
			if have < short {
				room = min(size, have+short)
			}
			t.Bytes = append(make([]byte, 0, room), t.Bytes...)
		}
		n, err = c.From.Read(t.Bytes[have:min(size, cap(t.Bytes))])
		t.Bytes = t.Bytes[:have+n]
	}
	return err
}

// dropLong removes the first line above the limit, and all text after it, from a block. It reports whether there was
// one.
func (c *Cutter) dropLong(t *Text) bool {
	for from := 0; len(t.Bytes)-from > c.Longest; {
		end := bytes.IndexByte(t.Bytes[from:], '\n')
		if end < 0 {
			end = len(t.Bytes) - from
		}
		if end > c.Longest {
			t.Bytes = t.Bytes[:from]
			return true
		}
		from += end + 1
	}
	return false
}
