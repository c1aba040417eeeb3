// Package npy reads and writes arrays in the NumPy format, .npy, and archives of them, .npz.
package npy

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf8"

	"pairrank/data"
	"pairrank/internal/codec"
	"pairrank/internal/memory"
)

// Array is the content of a .npy file: numbers, or texts where Strings is not nil. Entries are in
// row order, whatever the order in the file.
type Array struct {
	Shape   []int // empty for a single entry
	Data    []float64
	Strings []string

	Most   float64 // of names: whole numbers below are exact in the file; 0 stands for those of a float64
	Finite bool    // whether all numbers are known to be finite

	later *later // where Data is not read yet
}

// Len returns the number of entries, the product of the shape.
func (a *Array) Len() int {
	n := 1
	for _, k := range a.Shape {
		n *= k
	}
	return n
}

const Magic = "\x93NUMPY"

// ReadFile is Read of the file at path, plain or compressed. It reads the numbers of a plain file in place, on all
// cores: a matrix of either order takes its memory and some hundred kilobytes a core. It also returns the errors of the
// file. With late a matrix in row order, of a file that can be read again, is one that IsLater.
func ReadFile(path string, nan, late bool) (a *Array, err error) {
	if h, is, err := takeHeld(path, nan); is {
		return h.all[h.first], err
	}
	if info, err := os.Stat(path); late && err == nil && info.Mode().IsRegular() {
		l := &later{path, nan, func() (io.ReadCloser, error) { return codec.Open(path) }}
		if a, err := l.array(); a != nil || err != nil {
			return a, err
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var magic [len(Magic)]byte
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() {
		if n, _ := f.ReadAt(magic[:], 0); n == len(magic) && string(magic[:]) == Magic {
			return readNPYAt(f, info.Size(), path, nan, false)
		}
	}
	r, err := codec.NewReader(f, path)
	if err != nil {
		return nil, err
	}
	a, err = Read(r, path, -1, nan, false)
	return a, errors.Join(err, r.Close())
}

// readNPYAt reads the array that takes the size bytes of r: numbers in place. names is as of readNPY.
func readNPYAt(r io.ReaderAt, size int64, name string, nan, names bool) (*Array, error) {
	l, err := layoutAt(r, size, names)
	if err != nil {
		return nil, npyError(name, err)
	}
	if l.isText() {
		return Read(io.NewSectionReader(r, 0, size), name, size, nan, names)
	}
	a, _, err := readNumbersAt(r, l, size, nan, false)
	if err != nil {
		return nil, npyError(name, err)
	}
	return a, nil
}

// Read reads an array in the NumPy format, versions 1 to 3, in C or Fortran order: floats of 4 and 8 bytes, whole
// numbers of 1 to 8 (<i8 … |u1), booleans, and texts (<U, and |S of UTF-8). Errors call r name. It refuses integers
// beyond ±2^53, which no float64 holds exactly, infinities, NaN without nan, and data after the array. names reads
// whole numbers of 8 bytes as texts. There are at most limit bytes, −1 if unknown. The cost is linear in the length,
// on the caller's goroutine; in Fortran order the entries are briefly held twice.
func Read(r io.Reader, name string, limit int64, nan, names bool) (*Array, error) {
	buffer := 1 << 16
	if limit >= 0 {
		buffer = int(min(int64(buffer), limit))
	}
	in := bufio.NewReaderSize(r, buffer)
	l, err := readLayout(in, limit, names)
	if err != nil {
		return nil, npyError(name, err)
	}
	a := &Array{Shape: l.Shape, Most: l.exact()}
	known, turned := limit >= 0, false
	if l.isText() {
		err = a.readStrings(in, l, known)
	} else {
		turned, err = a.readNumbers(in, l, known, nan)
	}
	if err = cmp.Or(err, atEnd(in)); err != nil {
		return nil, npyError(name, err)
	}
	if l.fortran && !turned {
		if err := CheckFree(l.Header, l.count); err != nil {
			return nil, npyError(name, err)
		}
		a.Data, a.Strings = fromFortran(a.Data, l.Shape), fromFortran(a.Strings, l.Shape)
	}
	return a, nil
}

// atEnd returns an error where bytes follow.
func atEnd(in *bufio.Reader) error {
	switch _, err := in.ReadByte(); err {
	case nil:
		return errBytesFollow
	case io.EOF:
		return nil
	default:
		return err
	}
}

var errBytesFollow = errors.New("bytes follow the array")

// CheckFree refuses memory for so many of the entries when that is more than is
// free: a compressed file of a few kilobytes may have as many.
func CheckFree(h Header, entries int) error {
	size := 8.0
	if h.isText() {
		size = 16
	}
	return memory.Ask(size*float64(entries), fmt.Sprintf("%d entries of an array of shape %v", entries, h.Shape))
}

func npyError(name string, err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("%s: the array is cut off: %w", name, io.ErrUnexpectedEOF)
	}
	if strings.HasPrefix(err.Error(), name+": ") {
		return err
	}
	var (
		system syscall.Errno
		lack   *memory.Lack
	)
	switch {
	case errors.As(err, &system):
		return err
	case errors.As(err, &lack):
		return fmt.Errorf("%s: %w", name, err)
	}
	return &data.SyntaxError{File: name, Msg: err.Error()}
}

// readNumbers reads the entries; when the input is known to be long enough the
// memory is taken at once, else as it comes. turned reports that the columns of a matrix
// have been put in row order.
func (a *Array) readNumbers(in io.Reader, l npyLayout, known, nan bool) (turned bool, err error) {
	step := 1 << 13 // entries a read
	if known {
		step = min(step, max(1, l.count))
	}
	turned = known && l.columnMajor()
	var column []float64 // entries that are still to be put where they belong
	a.Data = []float64{}
	if known {
		a.Data = make([]float64, l.count)
	}
	if turned {
		column = make([]float64, step)
	}
	buf := make([]byte, step*l.item)
	for done := 0; done < l.count; {
		size := min(step, l.count-done)
		if !known {
			if done&(done-1) == 0 { // as it goes from step to step it meets the powers of two
				if err := CheckFree(l.Header, 2*done); err != nil {
					return turned, err
				}
			}
			if done+size > cap(a.Data) {
				a.Data = memory.Moved(a.Data, done+max(done, size))
			}
			a.Data = a.Data[:done+size]
		}
		dst := column[:min(size, len(column))]
		if !turned {
			dst = a.Data[done : done+size]
		}
		if err := l.next(in, dst, buf, done, nan); err != nil {
			return turned, err
		}
		if turned {
			scatterTo(a.Data, dst, done, l.Shape[0], l.Shape[1])
		}
		done += size
	}
	return turned, nil
}

// next reads the entries of dst, before which there are done, by way of a buffer that holds them.
func (l *npyLayout) next(in io.Reader, dst []float64, buf []byte, done int, nan bool) error {
	part := buf[:len(dst)*l.item]
	if _, err := io.ReadFull(in, part); err != nil {
		return err
	}
	if k := decodeTo(dst, part, l.Descr, nan); k < len(dst) {
		_, err := entry(part[k*l.item:], l.Descr, nan)
		return fmt.Errorf("entry %d: %w", done+k+1, err)
	}
	return nil
}

// scatterTo puts entries of an m×n matrix, those from number at on when the first index
// runs fastest, in their places in row order.
func scatterTo(dst, entries []float64, at, m, n int) {
	i, j := at%m, at/m
	for _, x := range entries {
		dst[i*n+j] = x
		if i++; i == m {
			i, j = 0, j+1
		}
	}
}

// readStrings reads texts of UTF-32 or, of type |S, of UTF-8, padded with zeros, and whole numbers that are names.
func (a *Array) readStrings(in io.Reader, l npyLayout, known bool) error {
	a.Strings = []string{}
	if l.item == 0 && l.count > 1<<20 {
		return fmt.Errorf("%d empty texts", l.count)
	}
	if known && l.item > 0 {
		a.Strings = make([]string, 0, l.count)
	}
	buf := make([]byte, l.item)
	var text []byte
	last := ""
	for n := range l.count {
		if n&(n-1) == 0 {
			if err := CheckFree(l.Header, 2*n); err != nil {
				return err
			}
		}
		if _, err := io.ReadFull(in, buf); err != nil {
			return err
		}
		var what string
		if text, what = appendEntry(text[:0], l.Descr[1], buf); what != "" {
			return fmt.Errorf("entry %d is not %s", len(a.Strings)+1, what)
		}
		if string(text) != last { // the rows of a query share its name
			last = string(text)
		}
		a.Strings = append(a.Strings, last)
	}
	return nil
}

// appendEntry appends the text of an entry of some kind. what it should have been is "" for a good one.
func appendEntry(text []byte, kind byte, entry []byte) (_ []byte, what string) {
	switch kind {
	case 'i':
		return strconv.AppendInt(text, int64(binary.LittleEndian.Uint64(entry)), 10), ""
	case 'u':
		return strconv.AppendUint(text, binary.LittleEndian.Uint64(entry), 10), ""
	}
	entry = bytes.TrimRight(entry, "\x00")
	if kind == 'S' {
		if !utf8.Valid(entry) {
			return text, "a text of UTF-8"
		}
		return append(text, entry...), ""
	}
	for ; len(entry) > 0; entry = entry[min(4, len(entry)):] {
		var quad [4]byte
		copy(quad[:], entry)
		r := rune(binary.LittleEndian.Uint32(quad[:]))
		if !utf8.ValidRune(r) {
			return text, "a text"
		}
		text = utf8.AppendRune(text, r)
	}
	return text, ""
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
