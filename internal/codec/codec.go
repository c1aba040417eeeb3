// Package codec opens text that may be compressed: gzip and zstd are
// recognised by their first bytes, never by the name of the file.
package codec

import (
	"bufio"
	"path/filepath"

	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"pairrank/internal/held"
)

// Format is a way to compress.
type Format int

const (
	Plain Format = iota // not compressed
	Gzip
	Zstd
)

// String returns "plain", "gzip" or "zstd".
func (f Format) String() string {
	switch f {
	case Gzip:
		return "gzip"
	case Zstd:
		return "zstd"
	}
	return "plain"
}

// PlainName is a file name without the ending of a compression.
func PlainName(name string) string {
	if FormatOf(name) != Plain {
		return name[:len(name)-len(filepath.Ext(name))]
	}
	return name
}

// Ending is the ending of a file name before that of a compression, in small letters, with its point; "" for none.
func Ending(name string) string { return strings.ToLower(filepath.Ext(PlainName(name))) }

// FormatOf returns the format for the end of a file name, in letters of any size: ".gz" gzip, ".zst" zstd, everything
// else plain.
func FormatOf(name string) Format {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".gz":
		return Gzip
	case ".zst":
		return Zstd
	}
	return Plain
}

// OwnError is about a file in a compression whose format has one of its own.
type OwnError struct {
	Path string
	Kind string // of file, with its article
}

// Error says what compresses the file.
func (e *OwnError) Error() string {
	return fmt.Sprintf("%s: %s file is compressed in itself, not by %s", e.Path, e.Kind, FormatOf(e.Path))
}

// Reader reads the decompressed bytes of a source. Its errors name the source.
// One goroutine reads; Done may be called by any.
type Reader struct {
	name   string
	format Format
	size   int64
	source *counter
	made   int64 // bytes of text returned
	from   io.Reader
	close  func() error
}

// BufferSize is the size of the reads from the source in bytes, and so how far Done may be ahead of
// Read.
const BufferSize = 256 << 10

// Open opens the file at path, on the disk or held in memory. The caller closes the Reader.
func Open(path string) (*Reader, error) {
	if text := held.Open(path); text != nil {
		return NewReader(text, path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r, err := NewReader(f, path)
	if err != nil {
		f.Close()
		return nil, err
	}
	inner := r.close
	r.close = func() error { return errors.Join(inner(), f.Close()) }
	return r, nil
}

// NewReader reads from r, which errors call name. The size is known when r is a regular file. Close
// releases the decompressor and does not close r.
func NewReader(r io.Reader, name string) (*Reader, error) {
	source := &counter{from: r}
	size := sizeOf(r)
	room := BufferSize
	if size >= 0 {
		room = int(min(size+1, BufferSize)) // a short file is read at once, and its end is seen
	}
	buffered := bufio.NewReaderSize(source, room)
	c := &Reader{name: name, size: size, source: source, from: buffered, close: func() error { return nil }}
	defer func() { c.from = Unmarked(c.from, "") }()
	magic, err := buffered.Peek(4)
	if err != nil && err != io.EOF {
		return nil, c.wrap(err)
	}
	switch {
	case len(magic) >= 2 && magic[0] == 0x1f && magic[1] == 0x8b:
		c.format = Gzip
		z, err := gzip.NewReader(buffered)
		if err != nil {
			return nil, c.wrap(err)
		}
		c.from, c.close = z, z.Close
	case len(magic) == 4 && (string(magic) == "\x28\xb5\x2f\xfd" || magic[0]&0xf0 == 0x50 &&
		string(magic[1:]) == "\x2a\x4d\x18"):
		c.format = Zstd
		z, err := zstd.NewReader(buffered, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderMaxWindow(mostWindow))
		if err != nil {
			return nil, c.wrap(err)
		}
		c.from, c.close = z, func() error { z.Close(); return nil }
	}
	return c, nil
}

// sizeOf returns the bytes that are left in r when it is a regular file, also
// when it is the standard input, else −1.
func sizeOf(r io.Reader) int64 {
	f, ok := r.(*os.File)
	if !ok {
		return -1
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return -1
	}
	at, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return -1
	}
	return max(0, info.Size()-at)
}

// Compressed data may become five thousand times as much text, five times as much as gzip
// can do and more than sparse matrices of zeros and ones do, or FreeUnpacked bytes where
// that is more.
const (
	MaxRatio     = 5000
	FreeUnpacked = 1 << 26
)

// Read reads decompressed bytes. Its error names the source where the source was cut off, or
// unpacks to more text than MaxRatio and FreeUnpacked allow.
func (r *Reader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	r.made += int64(n)
	if r.format != Plain && r.made > FreeUnpacked && r.made/MaxRatio > r.source.count.Load() {
		return 0, fmt.Errorf("%s: %s data unpacks to more than %d times its size: decompress it first if that is right",
			r.name, r.format, MaxRatio)
	}
	if err != nil && err != io.EOF {
		err = r.wrap(err)
	}
	return n, err
}

// Close releases the decompressor and closes the file that Open opened.
func (r *Reader) Close() error { return r.close() }

// Name returns the name the Reader was opened with.
func (r *Reader) Name() string { return r.name }

// Format returns how the source is compressed.
func (r *Reader) Format() Format { return r.format }

// Size returns the number of bytes of the source as stored, −1 when unknown.
func (r *Reader) Size() int64 { return r.size }

// Done returns how many bytes of the stored source have been read: up to BufferSize more than the
// text that Read has returned.
func (r *Reader) Done() int64 { return r.source.count.Load() }

func (r *Reader) wrap(err error) error {
	if strings.HasPrefix(err.Error(), r.name+": ") {
		return err // of a Reader below, which has named it
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		if r.format != Plain {
			return fmt.Errorf("%s: %s data is cut off: %w", r.name, r.format, io.ErrUnexpectedEOF)
		}
		return fmt.Errorf("%s: %w", r.name, err)
	}
	if errors.Is(err, zstd.ErrWindowSizeExceeded) {
		return fmt.Errorf("%s: zstd data with a window of more than %d MB: decompress it first if that is right", r.name,
			mostWindow>>20)
	}
	if r.format != Plain && !errors.Is(err, ErrUTF16) {
		return fmt.Errorf("%s: damaged %s data: %w", r.name, r.format, err)
	}
	var path *os.PathError
	if errors.As(err, &path) {
		return err // names the file already
	}
	return fmt.Errorf("%s: %w", r.name, err)
}

// counter counts the bytes that pass.
type counter struct {
	from  io.Reader
	count atomic.Int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.count.Add(int64(n))
	return n, err
}

// Inflate reads a deflated stream, such as those in zip archives, a third faster than the standard
// library.
func Inflate(r io.Reader) io.ReadCloser { return flate.NewReader(r) }

// NewWriter returns a writer that compresses to w. Close ends the compressed data and does not
// close w.
func NewWriter(w io.Writer, format Format) (io.WriteCloser, error) {
	switch format {
	case Gzip:
		return gzip.NewWriter(w), nil
	case Zstd:
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	}
	return nopCloser{w}, nil
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
