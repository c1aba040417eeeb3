package table

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"syscall"
	"unicode/utf8"

	"pairrank/internal/codec"
	"pairrank/internal/memory"
)

// Array is what a .npy file holds: numbers, or texts where Strings is not nil.
// Entries are in row order whatever the order in the file.
type Array struct {
	Shape   []int // empty for a single entry
	Data    []float64
	Strings []string
}

// Len returns the number of entries, the product of the shape.
func (a *Array) Len() int {
	n := 1
	for _, k := range a.Shape {
		n *= k
	}
	return n
}

const npyMagic = "\x93NUMPY"

// ReadNPYFile is ReadNPY of the file at path, plain or compressed. It returns the errors
// of the file, too.
func ReadNPYFile(path string) (*Array, error) { return readNPYFile(path, false) }

func readNPYFile(path string, nan bool) (*Array, error) {
	r, err := codec.Open(path)
	if err != nil {
		return nil, err
	}
	limit := int64(-1)
	if r.Format() == codec.Plain {
		limit = r.Size()
	}
	a, err := readNPY(r, path, limit, nan)
	return a, errors.Join(err, r.Close())
}

// ReadNPY reads an array in the NumPy format, versions 1 to 3, of the types
// <f8 <f4 <i8 <i4 and <U, in C or Fortran order; r is called name in errors.
// Integers beyond ±2^53, which no float64 holds exactly, NaN and infinities are
// refused, and so is data that follows the array.
func ReadNPY(r io.Reader, name string) (*Array, error) { return readNPY(r, name, -1, false) }

// readNPY reads an array from at most limit bytes, −1 when that is not known;
// NaN is allowed when nan is set.
func readNPY(r io.Reader, name string, limit int64, nan bool) (*Array, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	h, size, err := readNPYHeader(in)
	if err != nil {
		return nil, npyError(name, err)
	}
	item, err := itemSize(h.descr)
	if err != nil {
		return nil, npyError(name, err)
	}
	if item > 0 && h.count > math.MaxInt/item {
		return nil, npyError(name, fmt.Errorf("shape %v is too large", h.shape))
	}
	if limit >= 0 && int64(h.count*item) > limit-int64(size) {
		return nil, npyError(name, io.ErrUnexpectedEOF)
	}
	a := &Array{Shape: h.shape}
	known := limit >= 0
	if err := checkFree(h, h.count); known && err != nil {
		return nil, npyError(name, err)
	}
	if h.descr[1] == 'U' {
		err = a.readStrings(in, h, item)
	} else {
		err = a.readNumbers(in, h, item, known, nan)
	}
	if err == nil {
		if _, more := in.ReadByte(); more == nil {
			err = errors.New("bytes follow the array")
		} else if more != io.EOF {
			err = more
		}
	}
	if err != nil {
		return nil, npyError(name, err)
	}
	if h.fortran {
		a.Data, a.Strings = fromFortran(a.Data, h.shape), fromFortran(a.Strings, h.shape)
	}
	return a, nil
}

// checkFree refuses memory for so many of the entries when that is more than is
// free: a compressed file of a few kilobytes may have as many.
func checkFree(h npyHeader, entries int) error {
	size := 8.0
	if h.descr[1] == 'U' {
		size = 16
	}
	return checkRoom(size*float64(entries), fmt.Sprintf("%d entries of an array of shape %v", entries, h.shape))
}

// checkRoom refuses what would take more memory than is free. Up to 256 MB nothing
// is asked.
func checkRoom(need float64, what string) error {
	const small = 1 << 28
	if need <= small {
		return nil
	}
	if free := memory.Free(); need > free {
		return fmt.Errorf("%s would take about %s of memory, and %s are free", what, memory.Size(need), memory.Size(free))
	}
	return nil
}

func npyError(name string, err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("%s: the array is cut off: %w", name, io.ErrUnexpectedEOF)
	}
	if strings.HasPrefix(err.Error(), name+": ") {
		return err
	}
	var system syscall.Errno
	if errors.As(err, &system) {
		return err
	}
	return &SyntaxError{File: name, Msg: err.Error()}
}

// readNumbers reads the entries; when the input is known to be long enough the
// memory is taken at once, else as it comes.
func (a *Array) readNumbers(in io.Reader, h npyHeader, item int, known, nan bool) error {
	const step = 1 << 13 // entries a read
	total := min(h.count, step)
	if known {
		total = h.count
	}
	a.Data = make([]float64, 0, total)
	buf := make([]byte, step*item)
	for len(a.Data) < h.count {
		if n := len(a.Data); !known && n&(n-1) == 0 { // as n goes from step to step it meets the powers of two
			if err := checkFree(h, 2*n); err != nil {
				return err
			}
		}
		part := buf[:min(step, h.count-len(a.Data))*item]
		if _, err := io.ReadFull(in, part); err != nil {
			return err
		}
		for ; len(part) > 0; part = part[item:] {
			x, err := entry(part, h.descr, nan)
			if err != nil {
				return fmt.Errorf("entry %d: %w", len(a.Data)+1, err)
			}
			a.Data = append(a.Data, x)
		}
	}
	return nil
}

func entry(b []byte, descr string, nan bool) (float64, error) {
	var x float64
	switch descr {
	case "<f8":
		x = math.Float64frombits(binary.LittleEndian.Uint64(b))
	case "<f4":
		x = float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case "<i4":
		x = float64(int32(binary.LittleEndian.Uint32(b)))
	default:
		k := int64(binary.LittleEndian.Uint64(b))
		if k > 1<<53 || k < -1<<53 {
			return 0, fmt.Errorf("%d is not exact as a float64", k)
		}
		x = float64(k)
	}
	if math.IsInf(x, 0) || math.IsNaN(x) && !nan {
		return 0, fmt.Errorf("%v is not a finite number", x)
	}
	return x, nil
}

// readStrings reads texts of UTF-32, padded with zeros.
func (a *Array) readStrings(in io.Reader, h npyHeader, item int) error {
	a.Strings = []string{}
	if item == 0 && h.count > 1<<24 {
		return fmt.Errorf("%d empty texts", h.count)
	}
	buf := make([]byte, item)
	var text []byte
	for n := range h.count {
		if n&(n-1) == 0 {
			if err := checkFree(h, 2*n); err != nil {
				return err
			}
		}
		if _, err := io.ReadFull(in, buf); err != nil {
			return err
		}
		text = text[:0]
		for b := bytes.TrimRight(buf, "\x00"); len(b) > 0; b = b[min(4, len(b)):] {
			var quad [4]byte
			copy(quad[:], b)
			r := rune(binary.LittleEndian.Uint32(quad[:]))
			if !utf8.ValidRune(r) {
				return fmt.Errorf("entry %d is not a text", len(a.Strings)+1)
			}
			text = utf8.AppendRune(text, r)
		}
		a.Strings = append(a.Strings, string(text))
	}
	return nil
}

// fromFortran returns the entries, the first index running fastest, in row
// order.
func fromFortran[T any](in []T, shape []int) []T {
	if len(in) == 0 || len(shape) < 2 {
		return in
	}
	out := make([]T, len(in))
	stride := make([]int, len(shape)) // of the row order
	step := 1
	for d := len(shape) - 1; d >= 0; d-- {
		stride[d] = step
		step *= shape[d]
	}
	index := make([]int, len(shape))
	at := 0
	for _, x := range in {
		out[at] = x
		for d := range shape {
			index[d]++
			at += stride[d]
			if index[d] < shape[d] {
				break
			}
			at -= index[d] * stride[d]
			index[d] = 0
		}
	}
	return out
}
