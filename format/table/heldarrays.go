package table

import (
	"fmt"
	"io"
	"math"
	"slices"

	"pairrank/internal/held"
)

// Member is an array of an archive: its name, and how many bytes it takes as a .npy file.
type Member struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

// Hold reads arrays in the NumPy format, one after the other, from r and holds them in memory, where ReadSet and
// ReadNPZ find them under the name once, as those of an .npz file, and ReadNPYFile the first of them. An array takes
// the memory of its entries and no more. A fault of an array is found by the reader of the file; Hold returns the
// errors of r alone, and reads all bytes of the members in any case.
func Hold(name string, members []Member, r io.Reader) error {
	arrays := heldArrays{first: name, all: map[string]*Array{}}
	for k, m := range members {
		part := &io.LimitedReader{R: r, N: m.Bytes}
		a, err := readNPY(part, name+":"+m.Name+".npy", m.Bytes, true, Options{}.namedBy(m.Name))
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
		if k := slices.IndexFunc(a.Data, math.IsNaN); k >= 0 {
			err = npyError(path+":"+name+".npy", fmt.Errorf("entry %d: NaN is not a finite number", k+1))
		}
	}
	return h, is, err
}
