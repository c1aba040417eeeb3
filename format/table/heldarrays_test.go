package table

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/held"
	"pairrank/internal/npy"
)

// holdAll holds arrays under a name, in the order of the pairs of names and arrays.
func holdAll(t *testing.T, file string, arrays ...any) {
	t.Helper()
	t.Cleanup(held.Clear)
	var all bytes.Buffer
	var members []npy.Member
	for k := 0; k < len(arrays); k += 2 {
		before := all.Len()
		if err := npy.Write(&all, arrays[k+1].(*npy.Array)); err != nil {
			t.Fatal(err)
		}
		members = append(members, npy.Member{Name: arrays[k].(string), Bytes: int64(all.Len() - before)})
	}
	if err := npy.Hold(file, members, &all, nil, Options{}.HasNames); err != nil || all.Len() != 0 {
		t.Fatal(err, all.Len())
	}
}

// Arrays that are held are those of an archive on the disk, once.
func TestHeldArrays(t *testing.T) {
	x := &npy.Array{Shape: []int{2, 2}, Data: []float64{1, 2, 3, 4}}
	y := &npy.Array{Shape: []int{2}, Data: []float64{0, 1}}
	holdAll(t, "X.npz", "X", x, "y", y)
	set, err := ReadSet("X.npz", Options{})
	if err != nil || !slices.Equal(set.X.(*data.Dense).Data, x.Data) || !slices.Equal(set.Y, y.Data) {
		t.Errorf("%+v, %v", set, err)
	}
	if _, err := npy.ReadArchive("X.npz", false, false, func(string) bool { return false }); err == nil {
		t.Error("arrays are handed over twice")
	}
	holdAll(t, "s.npy", "anything", y)
	if a, err := npy.ReadFile("s.npy", false, false); err != nil || !slices.Equal(a.Data, y.Data) {
		t.Errorf("%v, %v", a, err)
	}
}

// Missing values are for the reader to refuse, and damaged arrays to tell of.
func TestHeldFaults(t *testing.T) {
	y := &npy.Array{Shape: []int{2}, Data: []float64{0, 1}}
	for _, missing := range []data.Missing{data.MissingError, data.MissingZero} {
		holdAll(t, "X.npz", "X", &npy.Array{Shape: []int{2, 1}, Data: []float64{1, math.NaN()}}, "y", y)
		_, err := ReadSet("X.npz", Options{Missing: missing})
		if refused := err != nil && strings.Contains(err.Error(), "X.npz:X.npy: entry 2: NaN"); refused !=
			(missing == data.MissingError) {
			t.Errorf("missing values as %v: %v", missing, err)
		}
	}
	if err := npy.Hold("X.npz", []npy.Member{{Name: "X", Bytes: 5}}, strings.NewReader("hello and more"), nil,
		Options{}.HasNames); err != nil {
		t.Fatal(err)
	}
	if _, err := npy.ReadArchive("X.npz", false, false, func(string) bool { return false }); err == nil ||
		!strings.Contains(err.Error(), "X.npz:X.npy") {
		t.Errorf("an array that is none: %v", err)
	}
	err := npy.Hold("X.npz", []npy.Member{{Name: "X", Bytes: 50}}, strings.NewReader("hello"), nil, Options{}.HasNames)
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("an array that is cut off: %v", err)
	}
}
