package table

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"pairrank/internal/npy"
)

// rawNPY builds a file of any version from a header and entries.
func rawNPY(version byte, header string, entries any) []byte {
	b := append([]byte(npy.Magic), version, 0)
	if version == 1 {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(header)))
	} else {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(header)))
	}
	var data bytes.Buffer
	binary.Write(&data, binary.LittleEndian, entries)
	return append(append(b, header...), data.Bytes()...)
}

func TestReadNPY(t *testing.T) {
	for _, c := range []struct {
		version byte
		header  string
		entries any
		want    npy.Array
	}{
		{1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n", []float64{1, 2, 3, 4, 5, 6},
			npy.Array{Shape: []int{2, 3}, Data: []float64{1, 2, 3, 4, 5, 6}}},
		{2, "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }\n", []float64{1, 4, 2, 5, 3, 6},
			npy.Array{Shape: []int{2, 3}, Data: []float64{1, 2, 3, 4, 5, 6}}},
		{3, `{"shape": (2,), "descr": "<f4", "fortran_order": True}`, []float32{0.5, -1},
			npy.Array{Shape: []int{2}, Data: []float64{0.5, -1}}},
		{1, "{'descr': '<i4', 'fortran_order': False, 'shape': ()}", []int32{-7},
			npy.Array{Shape: []int{}, Data: []float64{-7}}},
		{1, "{'descr': '<i8', 'fortran_order': False, 'shape': (1, 1, 2)}", []int64{1 << 53, -1 << 53},
			npy.Array{Shape: []int{1, 1, 2}, Data: []float64{1 << 53, -1 << 53}}},
		{1, "{'descr': '<f8', 'fortran_order': True, 'shape': (0, 3)}", []float64{},
			npy.Array{Shape: []int{0, 3}, Data: []float64{}}},
		{1, "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2, 2)}", []float64{0, 4, 2, 6, 1, 5, 3, 7},
			npy.Array{Shape: []int{2, 2, 2}, Data: []float64{0, 1, 2, 3, 4, 5, 6, 7}}},
		{3, "{'descr': '<U2', 'fortran_order': False, 'shape': (2,)}", []int32{'a', 0, 'é', 'b'},
			npy.Array{Shape: []int{2}, Strings: []string{"a", "éb"}}},
		{1, "{'descr': '|S3', 'fortran_order': False, 'shape': ()}", []byte("csr"),
			npy.Array{Shape: []int{}, Strings: []string{"csr"}}},
		{1, "{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}", []byte{0, 1, 1},
			npy.Array{Shape: []int{3}, Data: []float64{0, 1, 1}}},
		{1, "{'descr': '|i1', 'fortran_order': False, 'shape': (2,)}", []int8{-128, 127},
			npy.Array{Shape: []int{2}, Data: []float64{-128, 127}}},
		{1, "{'descr': '|u1', 'fortran_order': False, 'shape': (2,)}", []uint8{0, 255},
			npy.Array{Shape: []int{2}, Data: []float64{0, 255}}},
		{1, "{'descr': '<i2', 'fortran_order': False, 'shape': (2,)}", []int16{-1 << 15, 1<<15 - 1},
			npy.Array{Shape: []int{2}, Data: []float64{-1 << 15, 1<<15 - 1}}},
		{1, "{'descr': '<u2', 'fortran_order': True, 'shape': (2, 1)}", []uint16{0, math.MaxUint16},
			npy.Array{Shape: []int{2, 1}, Data: []float64{0, math.MaxUint16}}},
		{1, "{'descr': '<u4', 'fortran_order': False, 'shape': (1,)}", []uint32{math.MaxUint32},
			npy.Array{Shape: []int{1}, Data: []float64{math.MaxUint32}}},
		{1, "{'descr': '<u8', 'fortran_order': False, 'shape': (1,)}", []uint64{1 << 53},
			npy.Array{Shape: []int{1}, Data: []float64{1 << 53}}},
	} {
		raw := rawNPY(c.version, c.header, c.entries)
		got, err := npy.Read(bytes.NewReader(raw), "a.npy", -1, false, false)
		if err != nil || !reflect.DeepEqual(*got, c.want) {
			t.Errorf("%s: %+v, %v", c.header, got, err)
		}
		got, err = npy.ReadFile(file(t, "a.npy", string(raw)), false, false)
		if err != nil || !reflect.DeepEqual(*got, c.want) {
			t.Errorf("%s from a file: %+v, %v", c.header, got, err)
		}
		if len(raw) == 0 || got.Len() == 0 {
			continue
		}
		if _, err := npy.Read(bytes.NewReader(raw[:len(raw)-1]), "a.npy", -1, false, false); !errors.Is(err,
			io.ErrUnexpectedEOF) ||
			!strings.HasPrefix(err.Error(), "a.npy: ") {
			t.Errorf("%s cut off: error %v", c.header, err)
		}
		if _, err := npy.Read(bytes.NewReader(append(raw, 0)), "a.npy", -1, false, false); err == nil {
			t.Errorf("%s: bytes that follow are ignored", c.header)
		}
	}
}

func TestReadNPYRefuses(t *testing.T) {
	const f8 = "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}"
	for _, c := range []struct {
		raw  []byte
		want string
	}{
		{[]byte("not numpy at all"), "a: not a .npy array"},
		{rawNPY(4, f8, []float64{1}), "a: unknown version 4.0 of the format"},
		{rawNPY(1, strings.Replace(f8, "<f8", ">f8", 1), []float64{1}),
			`a: type ">f8" is not one of <f8 <f4 <i8 <i4 <i2 |i1 <u8 <u4 <u2 |u1 |b1 <U |S`},
		{rawNPY(1, strings.Replace(f8, "'<f8'", "[('a', '<f8')]", 1), []float64{1}),
			`a: header "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (" is not understood`},
		{rawNPY(1, f8, []float64{math.NaN()}), "a: entry 1: NaN is not a finite number"},
		{rawNPY(1, strings.Replace(f8, "<f8", "<i8", 1), []int64{1<<53 + 1}),
			"a: entry 1: 9007199254740993 is not exact as a float64"},
		{rawNPY(1, strings.Replace(f8, "<f8", "<u8", 1), []uint64{math.MaxUint64}),
			"a: entry 1: 18446744073709551615 is not exact as a float64"},
		{rawNPY(1, strings.Replace(f8, "<f8", "|S1", 1), []byte{0xff}), "a: entry 1 is not a text of UTF-8"},
		{rawNPY(1, strings.Replace(f8, "<f8", "|O", 1), []byte{0}),
			"a: an array of objects: .astype(str) or .astype(float) of NumPy writes texts or numbers"},
		{rawNPY(1, strings.Replace(f8, "(1,)", "(-1,)", 1), []float64{1}),
			`a: header "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}" is not understood`},
		{rawNPY(1, strings.Replace(f8, "(1,)", "(4611686018427387904, 4)", 1), []float64{1}),
			"a: shape [4611686018427387904 4] is too large"},
		{rawNPY(1, strings.Replace(f8, "(1,)", "(100000000000,)", 1), []float64{1}),
			"a: the array is cut off: unexpected EOF"},
	} {
		if _, err := npy.Read(bytes.NewReader(c.raw), "a", -1, false, false); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

func TestWriteNPYHeaderIsAligned(t *testing.T) {
	for dims := range 6 {
		a := &npy.Array{Shape: make([]int, dims), Data: []float64{3}}
		for d := range a.Shape {
			a.Shape[d] = 1
		}
		var b bytes.Buffer
		if err := npy.Write(&b, a); err != nil {
			t.Fatal(err)
		}
		if (b.Len()-8)%64 != 0 {
			t.Errorf("%d dimensions: the entries begin at byte %d", dims, b.Len()-8)
		}
		if got, err := npy.Read(&b, "a", -1, false, false); err != nil || !reflect.DeepEqual(got, a) {
			t.Errorf("%d dimensions: %+v, %v", dims, got, err)
		}
	}
}

func FuzzNPY(f *testing.F) {
	f.Add(rawNPY(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 1), }\n", []float64{1, 2}))
	f.Add(rawNPY(3, "{'descr': '<U2', 'fortran_order': False, 'shape': (1,)}", []int32{'a', 0}))
	f.Add(rawNPY(2, "{'descr': '<i4', 'fortran_order': False, 'shape': ()}", []int32{1}))
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, err := npy.Read(bytes.NewReader(raw), "a", -1, false, false)
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := npy.Write(&b, a); err != nil {
			t.Fatal(err)
		}
		again, err := npy.Read(&b, "a", -1, false, false)
		if err != nil || fmt.Sprint(again) != fmt.Sprint(a) {
			t.Fatalf("%+v, %v, want %+v", again, err, a)
		}
	})
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"label,qid,a\n1,x,2\n", "1 2\n3 4\n", "y;a\n1;\"2\"\n", "\ta\tb\na\t1\t2\nb\t3\t4\n",
		"\"a\"\"b\",c\n1,2\n", "\xef\xbb\xbf1,2\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		readMatrix(newLines(strings.NewReader(text), "t", 0, 0), MatrixOptions{Unobserved: true})
		s, err := ReadSetFrom(strings.NewReader(text), "t", Options{})
		if err != nil {
			return
		}
		var first, second bytes.Buffer
		if err := WriteSet(&first, CSV, s); err != nil {
			if strings.Contains(err.Error(), "line end") {
				return
			}
			t.Fatal(err)
		}
		again, err := ReadSetFrom(bytes.NewReader(first.Bytes()), "t.csv", Options{Header: HeaderYes})
		if err != nil {
			t.Fatalf("%v in\n%q", err, first.String())
		}
		if s.HasQID != again.HasQID {
			return // a feature is named qid, or the table has no header
		}
		WriteSet(&second, CSV, again)
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("written\n%q, then\n%q", first.String(), second.String())
		}
	})
}
