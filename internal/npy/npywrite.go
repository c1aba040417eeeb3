package npy

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"pairrank/data"
	"pairrank/internal/codec"
)

// Write writes a in version 1.0 of the NumPy format, in C order: <f8, or <U for texts.
// The cost is linear in its size. It returns the errors of w, and an error for a text
// that ends in a zero byte, which would be lost, or is not UTF-8. It panics when the
// length of the entries does not fit the shape.
func Write(w io.Writer, a *Array) error {
	n := a.Len()
	if a.Strings != nil && n != len(a.Strings) || a.Strings == nil && n != len(a.Data) {
		panic(fmt.Sprintf("table: %d numbers and %d texts for shape %v", len(a.Data), len(a.Strings), a.Shape))
	}
	descr, width := "<f8", 0
	if a.Strings != nil {
		for _, s := range a.Strings {
			if !utf8.ValidString(s) || strings.HasSuffix(s, "\x00") {
				return fmt.Errorf("text %q cannot be written", s)
			}
			width = max(width, utf8.RuneCountInString(s))
		}
		width = max(width, 1)
		descr = fmt.Sprintf("<U%d", width)
	}
	out := bufio.NewWriterSize(w, 1<<16)
	if err := WriteHeader(out, descr, a.Shape); err != nil {
		return err
	}
	var b [8]byte
	for _, x := range a.Data {
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(x))
		out.Write(b[:])
	}
	for _, s := range a.Strings {
		left := width
		for _, r := range s {
			binary.LittleEndian.PutUint32(b[:4], uint32(r))
			out.Write(b[:4])
			left--
		}
		clear(b[:4])
		for range left {
			out.Write(b[:4])
		}
	}
	return out.Flush()
}

func WriteHeader(w io.Writer, descr string, shape []int) error {
	var dims strings.Builder
	for _, k := range shape {
		fmt.Fprintf(&dims, "%d, ", k)
	}
	size := strings.TrimSuffix(dims.String(), " ")
	if len(shape) > 1 {
		size = strings.TrimSuffix(size, ",")
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, size)
	const before = len(Magic) + 4
	pad := 63 - (before+len(text))%64
	text += strings.Repeat(" ", pad) + "\n"
	if len(text) > math.MaxUint16 {
		return fmt.Errorf("shape %v is too long for a header", shape)
	}
	head := append([]byte(Magic), 1, 0)
	head = binary.LittleEndian.AppendUint16(head, uint16(len(text)))
	_, err := w.Write(append(head, text...))
	return err
}

// ReadArchive reads the arrays of an .npz file, a zip of .npy files, by their names without the extension; isName says
// which ones hold names. Uncompressed numbers are read as ReadFile reads them; a deflated array is one stream, on the
// caller's goroutine. It returns the errors of Read and those of the file, including checksum errors. With late the
// array X, where it is a matrix in row order, is one that IsLater.
func ReadArchive(path string, nan, late bool, isName func(array string) bool) (map[string]*Array, error) {
	if h, is, err := takeHeld(path, nan); is {
		return h.all, err
	}
	z, file, err := openArchive(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	arrays := map[string]*Array{}
	for k, f := range z.File {
		name, found := strings.CutSuffix(f.Name, ".npy")
		if !found {
			return nil, &data.SyntaxError{File: path, Msg: fmt.Sprintf("its entry %q is not a .npy file",
				data.ClipText(f.Name))}
		}
		if arrays[name] != nil {
			return nil, &data.SyntaxError{File: path, Msg: fmt.Sprintf("two arrays are named %q", data.ClipText(name))}
		}
		if late && name == "X" {
			arrays[name], err = laterMember(path, f, k, nan)
		}
		if err == nil && arrays[name] == nil {
			arrays[name], err = readMember(file, f, path+":"+f.Name, nan, isName(name))
		}
		if err != nil {
			return nil, arrays["X"].Check(err)
		}
	}
	return arrays, nil
}

// openArchive opens an archive, whose file the caller closes.
func openArchive(path string) (*zip.Reader, *os.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	z, err := zip.NewReader(file, info.Size())
	if err != nil {
		return nil, nil, errors.Join(damaged(path, err), file.Close())
	}
	z.RegisterDecompressor(zip.Deflate, codec.Inflate)
	return z, file, nil
}

// checkSize refuses a member of an archive that claims to unpack to more than it can.
func checkSize(f *zip.File, name string) error {
	if most := codec.FreeUnpacked + codec.MaxRatio*f.CompressedSize64; f.UncompressedSize64 > most ||
		f.Method == zip.Store && f.UncompressedSize64 != f.CompressedSize64 {
		return damaged(name, fmt.Errorf("it claims to unpack from %d to %d bytes", f.CompressedSize64,
			f.UncompressedSize64))
	}
	return nil
}

// readMember reads an array of an archive: in place if it is not compressed, else as a stream.
func readMember(file io.ReaderAt, f *zip.File, name string, nan, names bool) (*Array, error) {
	if err := checkSize(f, name); err != nil {
		return nil, err
	}
	size := int64(min(f.UncompressedSize64, math.MaxInt64))
	if f.Method == zip.Store && f.CompressedSize64 == f.UncompressedSize64 {
		offset, err := f.DataOffset()
		if err != nil {
			return nil, damaged(name, err)
		}
		in := io.NewSectionReader(file, offset, size)
		l, err := layoutAt(in, size, names)
		if err != nil {
			return nil, npyError(name, err)
		}
		if !l.isText() {
			a, sum, err := readNumbersAt(in, l, size, nan, true)
			if err == nil && sum != f.CRC32 && hasSum(f) {
				err = zip.ErrChecksum
			}
			if err != nil {
				return nil, npyError(name, err)
			}
			return a, nil
		}
	}
	r, err := f.Open()
	if err != nil {
		return nil, damaged(name, err)
	}
	defer r.Close()
	return Read(r, name, size, nan, names)
}

// hasSum reports whether an archive has the checksum of a file: 0 without a descriptor after the
// file means none.
func hasSum(f *zip.File) bool {
	const descriptor = 1 << 3
	return f.CRC32 != 0 || f.Flags&descriptor != 0
}

// damaged is the error of a corrupt archive. Errors of the operating system stay as they are; an
// offset in the archive that lies outside the file is damage, too.
func damaged(name string, err error) error {
	var system syscall.Errno
	if errors.As(err, &system) {
		return err
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return &data.SyntaxError{File: name, Msg: "damaged archive of arrays: " + strings.TrimPrefix(err.Error(), "zip: ")}
}

// WriteArchive writes arrays as an uncompressed .npz file, in the order of their names, as numpy.savez
// does. The same arrays give the same bytes. The cost is linear in their size. It returns the
// errors of w and of WriteNPY, and panics where WriteNPY does.
func WriteArchive(w io.Writer, arrays map[string]*Array) error {
	return WriteMembers(w, MembersOf(arrays))
}

// MembersOf writes each array.
func MembersOf(arrays map[string]*Array) map[string]func(io.Writer) error {
	members := make(map[string]func(io.Writer) error, len(arrays))
	for name, a := range arrays {
		members[name] = func(w io.Writer) error { return Write(w, a) }
	}
	return members
}

// WriteMembers writes an archive of arrays.
func WriteMembers(w io.Writer, members map[string]func(io.Writer) error) error {
	z := zip.NewWriter(w)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		part, err := z.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Store})
		if err != nil {
			return err
		}
		if err := members[name](part); err != nil {
			return fmt.Errorf("array %s: %w", name, err)
		}
	}
	return z.Close()
}

// WriteWhole writes whole numbers, less the first one, as an array of <i8 or, of int32, of <i4.
func WriteWhole[T int | int32](w io.Writer, numbers []T, first T) error {
	size, descr := 8, "<i8"
	if _, short := any(first).(int32); short {
		size, descr = 4, "<i4"
	}
	out := bufio.NewWriterSize(w, 1<<16)
	if err := WriteHeader(out, descr, []int{len(numbers)}); err != nil {
		return err
	}
	var b [8]byte
	for _, x := range numbers {
		binary.LittleEndian.PutUint64(b[:], uint64(x-first))
		out.Write(b[:size])
	}
	return out.Flush()
}
