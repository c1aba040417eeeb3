package npy

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"unsafe"

	"pairrank/data"
	"pairrank/internal/held"
)

// Member is an array of an archive: its name, and how many bytes it takes as a .npy file. At is where it begins in
// memory that is shared, 0 where it is read.
type Member struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
	At    int64  `json:"at,omitempty"`
}

// Hold reads arrays in the NumPy format, one after the other, from r and holds them in memory, where ReadSet and
// ReadNPZ find them under the name once, as those of an .npz file, and ReadNPYFile the first of them. An array takes
// the memory of its entries and no more; one of shared takes none where it has the form of an Array, whose entries then
// lie in shared. A fault of an array is found by the reader of the file; Hold returns the errors of r alone, and reads
// all bytes of the members in any case. isName says which arrays hold names. It panics when a member lies
// beyond shared.
func Hold(name string, members []Member, r io.Reader, shared []byte, isName func(array string) bool) error {
	arrays := heldArrays{first: name, all: map[string]*Array{}}
	for k, m := range members {
		part, from, names := &io.LimitedReader{R: r, N: m.Bytes}, name+":"+m.Name+".npy", isName(m.Name)
		var a *Array
		var err error
		if m.At > 0 {
			part.N = 0
			a, err = arrayIn(shared[m.At:][:m.Bytes], from, names)
		} else {
			a, err = Read(part, from, m.Bytes, true, names)
		}
		if err != nil && arrays.fault == nil {
			arrays.fault = err
		}
		if _, err := io.Copy(io.Discard, part); err != nil {
			return err
		}
		if part.N > 0 {
			return io.ErrUnexpectedEOF
		}
		if arrays.all[m.Name] = a; k == 0 {
			arrays.first = m.Name
		}
	}
	held.Parsed(name, arrays)
	return nil
}

// arrayIn is the array that b has, with NaN. Doubles in row order are not copied.
func arrayIn(b []byte, name string, names bool) (*Array, error) {
	l, err := readLayout(bufio.NewReader(bytes.NewReader(b)), -1, names)
	if err != nil {
		return nil, npyError(name, err)
	}
	entries := b[min(l.start, len(b)):]
	inPlace := l.Descr == "<f8" && !l.fortran && l.count > 0 && len(entries) == 8*l.count &&
		binary.NativeEndian.Uint16([]byte{1, 0}) == 1 && uintptr(unsafe.Pointer(&entries[0]))%8 == 0
	if !inPlace {
		return readNPYAt(bytes.NewReader(b), int64(len(b)), name, true, names)
	}
	a := &Array{Shape: l.Shape, Data: unsafe.Slice((*float64)(unsafe.Pointer(&entries[0])), l.count)}
	if k := a.first(func(x float64) bool { return math.IsInf(x, 0) }); k >= 0 {
		return nil, npyError(name, fmt.Errorf("entry %d: %v is not a finite number", k+1, a.Data[k]))
	}
	return a, nil
}

// first is the first entry for which is holds, −1 where there is none; it holds for no number that is finite.
func (a *Array) first(is func(x float64) bool) int {
	rows := 1
	if len(a.Shape) > 1 {
		rows = max(1, a.Shape[0])
	}
	if !a.Finite {
		row, _ := data.FirstNotFinite(data.NewDense(rows, len(a.Data)/rows, a.Data)) // on all cores
		a.Finite = row < 0
	}
	if a.Finite {
		return -1
	}
	return slices.IndexFunc(a.Data, is)
}

// heldArrays are arrays that are held in memory, or why they cannot be read.
type heldArrays struct {
	first string // array of a .npy file
	all   map[string]*Array
	fault error
}

// takeHeld takes the arrays that are held under the name of a file. Without nan it refuses NaN.
func takeHeld(path string, nan bool) (h heldArrays, is bool, err error) {
	h, is = held.Take(path).(heldArrays)
	if err = h.fault; !is || err != nil || nan {
		return h, is, err
	}
	for name, a := range h.all {
		if k := a.first(math.IsNaN); k >= 0 {
			err = npyError(path+":"+name+".npy", fmt.Errorf("entry %d: NaN is not a finite number", k+1))
		}
	}
	return h, is, err
}
