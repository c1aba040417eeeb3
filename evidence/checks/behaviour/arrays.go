package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// npy is an array in the format of NumPy.
func npy(version int, descr string, fortran bool, shape string, values any) []byte {
	order := map[bool]string{true: "True", false: "False"}[fortran]
	header := fmt.Sprintf("{'descr': %s, 'fortran_order': %s, 'shape': %s, }", descr, order, shape)
	start := 10 // version 1 has a length of two bytes, later ones of four
	if version > 1 {
		start = 12
	}
	header += strings.Repeat(" ", 63-(start+len(header))%64) + "\n"
	var b bytes.Buffer
	b.WriteString("\x93NUMPY")
	b.Write([]byte{byte(version), 0})
	length := binary.LittleEndian.AppendUint32(nil, uint32(len(header)))
	b.Write(length[:start-8])
	b.WriteString(header)
	if values != nil {
		_ = binary.Write(&b, binary.LittleEndian, values) // of numbers alone: a Buffer does not fail
	}
	return b.Bytes()
}

// npz is an archive of arrays, by name and array in turn.
func npz(parts ...any) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for k := 0; k < len(parts); k += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: parts[k].(string) + ".npy", Method: zip.Deflate})
		if err == nil {
			_, err = w.Write(parts[k+1].([]byte))
		}
		if err != nil {
			panic(err) // a Buffer does not fail
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// runes are texts of two characters as NumPy keeps them.
func runes(texts ...string) (all []uint32) {
	for _, text := range texts {
		var two [2]uint32
		for k, r := range text {
			two[k] = uint32(r)
		}
		all = append(all, two[:]...)
	}
	return all
}

const f8 = "'<f8'"

// arrays makes files of arrays: good ones of every type and order, and bad ones.
func arrays(f inputs) {
	six := []float64{1, 2, 0.5, -1, 3, 0}
	f["x.npy"] = npy(1, f8, false, "(3, 2)", six)
	f["f4.npy"] = npy(1, "'<f4'", false, "(3, 2)", []float32{1, 2, 0.5, -1, 3, 0})
	f["i4.npy"] = npy(2, "'<i4'", false, "(3, 2)", []int32{1, 2, 5, -1, 3, 0})
	f["i8.npy"] = npy(3, "'<i8'", true, "(3, 2)", []int64{1, 2, 5, -1, 3, 0})
	f["fortran.npy"] = npy(1, f8, true, "(3, 2)", six)
	f["vector.npy"] = npy(1, f8, false, "(3,)", six[:3])
	f["cube.npy"] = npy(1, f8, false, "(1, 2, 3)", six)
	f["big-end.npy"] = npy(1, "'>f8'", false, "(3, 2)", six)
	f["objects.npy"] = npy(1, "'|O'", false, "(3, 2)", six)
	f["record.npy"] = npy(1, "[('a', '<f8')]", false, "(3, 2)", six)
	f["nan.npy"] = npy(1, f8, false, "(3, 2)", []float64{1, 2, math.NaN(), -1, 3, 0})
	f["inf.npy"] = npy(1, f8, false, "(3, 2)", []float64{1, 2, math.Inf(1), -1, 3, 0})
	f["large.npy"] = npy(1, "'<i8'", false, "(1, 2)", []int64{1, 1<<53 + 1})
	f["cut.npy"] = npy(1, f8, false, "(3, 2)", six[:5])
	f["more.npy"] = npy(1, f8, false, "(3, 2)", append(six[:6:6], 7))
	f["none.npy"] = npy(1, f8, false, "(0, 2)", nil)
	f["huge.npy"] = npy(1, f8, false, "(4000000000, 4000000000)", six)
	f["shape.npy"] = npy(1, f8, false, "(3, x)", six)
	f["later.npy"] = npy(9, f8, false, "(3, 2)", six)
	f["header.npy"] = []byte("\x93NUMPY\x01\x00\xff\xffabc")

	x, y := npy(1, f8, false, "(3, 2)", six), npy(1, f8, false, "(3,)", []float64{2, 0, 1})
	qid := npy(1, "'<i8'", false, "(3,)", []int64{7, 7, 8})
	texts := npy(1, "'<U2'", false, "(3,)", runes("q1", "q1", "é"))
	f["plain.npz"] = npz("X", x, "y", y)
	f["queries.npz"] = npz("y", y, "qid", qid, "X", x)
	f["texts.npz"] = npz("X", x, "y", y, "qid", texts, "names", npy(1, "'<U2'", false, "(2,)", runes("a", "bc")))
	f["no-x.npz"] = npz("y", y, "qid", qid)
	f["no-y.npz"] = npz("X", x)
	f["short-y.npz"] = npz("X", x, "y", npy(1, f8, false, "(2,)", []float64{2, 0}))
	f["short-qid.npz"] = npz("X", x, "y", y, "qid", npy(1, "'<i8'", false, "(2,)", []int64{7, 8}))
	f["nan-y.npz"] = npz("X", x, "y", npy(1, f8, false, "(3,)", []float64{2, math.NaN(), 1}))
	f["nan-x.npz"] = npz("X", npy(1, f8, false, "(3, 2)", []float64{1, 2, math.NaN(), -1, 3, 0}), "y", y)
	f["short-names.npz"] = npz("X", x, "y", y, "names", npy(1, "'<U2'", false, "(1,)", runes("a")))
	f["empty.npz"] = npz()

	f["bomb.txt.zst"] = newlines(600)
	f["kernel.npy"] = npy(1, f8, false, fmt.Sprintf("(%d, %d)", listed, listed), numbers(f["kernel.tsv"]))
	f["cross.npy"] = npy(1, f8, false, fmt.Sprintf("(5, %d)", listed), numbers(f["cross.tsv"]))
	f["labels.npy"] = npy(1, f8, false, fmt.Sprintf("(%d, 2)", listed), numbers(f["labels.tsv"]))
	f["bare-matrix.npy"] = npy(1, f8, false, "(6, 5)", numbers(f["bare-matrix.txt"]))
	f["bare-sim.npy"] = npy(1, f8, false, "(6, 6)", numbers(f["bare-sim.txt"]))
}

// newlines are blocks of 128 KiB of line ends, as zstd keeps them: of four bytes each.
func newlines(blocks int) []byte {
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, 0x58} // no checksum, no size, a window of 2 MiB
	for k := range blocks {
		head := 1<<17<<3 | 1<<1 // a run of one byte
		if k == blocks-1 {
			head |= 1
		}
		frame = append(frame, byte(head), byte(head>>8), byte(head>>16), '\n')
	}
	return frame
}

// numbers are those of a text.
func numbers(text []byte) (all []float64) {
	for field := range strings.FieldsSeq(string(text)) {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil {
			panic(err) // it was made here
		}
		all = append(all, v)
	}
	return all
}
