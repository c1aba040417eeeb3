package npy

import (
	"archive/zip"
	"bufio"
	"cmp"
	"errors"
	"io"

	"pairrank/data"
)

// later is a matrix of numbers in row order that is read when it is needed.
type later struct {
	name string
	nan  bool
	open func() (io.ReadCloser, error)
}

// array is the array without entries, nil where they are not those of a matrix of numbers in row order.
func (l *later) array() (*Array, error) {
	r, err := l.open()
	if err != nil {
		return nil, err
	}
	layout, err := readLayout(bufio.NewReader(r), -1, false)
	if err = cmp.Or(err, r.Close()); err != nil {
		return nil, npyError(l.name, err)
	}
	if len(layout.Shape) != 2 || layout.fortran || layout.isText() || layout.count == 0 {
		return nil, nil
	}
	return &Array{Shape: layout.Shape, later: l}, nil
}

// laterMember is member k of an archive without its entries, as array returns it.
func laterMember(path string, f *zip.File, k int, nan bool) (*Array, error) {
	name := path + ":" + f.Name
	if err := checkSize(f, name); err != nil {
		return nil, err
	}
	l := &later{name, nan, func() (io.ReadCloser, error) {
		z, file, err := openArchive(path)
		if err != nil {
			return nil, err
		}
		r, err := z.File[k].Open()
		if err != nil {
			return nil, errors.Join(damaged(name, err), file.Close())
		}
		return struct {
			io.Reader
			io.Closer
		}{r, file}, nil
	}}
	return l.array()
}

// Check returns the first fault of entries that are not read yet, or else an error that was found after them.
func (a *Array) Check(after error) error {
	const rows = 64
	if !a.IsLater() {
		return after
	}
	return cmp.Or(a.EachRows(rows, func(int, *data.Dense) error { return nil }), after)
}

// IsLater reports whether the entries are not read yet.
func (a *Array) IsLater() bool { return a != nil && a.later != nil }

// EachRows reads the entries of a matrix that IsLater, and calls take with so many rows at a time, which are valid
// until it returns, and with the number of rows before them. It returns the first error of take, or those of Read.
func (a *Array) EachRows(rows int, take func(first int, x *data.Dense) error) error {
	r, err := a.later.open()
	if err != nil {
		return err
	}
	defer r.Close()
	in := bufio.NewReaderSize(r, 1<<16)
	l, err := readLayout(in, -1, false)
	if err != nil {
		return npyError(a.later.name, err)
	}
	const step = 1 << 13 // entries a read
	m, n := a.Shape[0], a.Shape[1]
	values, buf := make([]float64, min(rows, m)*n), make([]byte, step*l.item)
	for first := 0; first < m; first += rows {
		some := values[:min(rows, m-first)*n]
		for lo := 0; lo < len(some); lo += step {
			if err := l.next(in, some[lo:min(lo+step, len(some))], buf, first*n+lo, a.later.nan); err != nil {
				return npyError(a.later.name, err)
			}
		}
		if err := take(first, data.NewDense(len(some)/n, n, some)); err != nil {
			return err
		}
	}
	if err := atEnd(in); err != nil {
		return npyError(a.later.name, err)
	}
	return nil
}
