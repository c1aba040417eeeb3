package table

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"runtime"
	"testing"

	"pairrank/data"
)

// sparseArchive is a sparse matrix of two values, and any shape.
func sparseArchive(t *testing.T, form string, shape []int64) string {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	put := func(name, descr string, length int, entries any) {
		w, err := z.Create(name + ".npy")
		if err == nil {
			_, err = w.Write(npyOf(t, descr, []int{length}, entries))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	text := [3]int32{int32(form[0]), int32(form[1]), int32(form[2])}
	put("format", "<U3", 1, text)
	put("shape", "<i8", 2, shape)
	put("data", "<f8", 2, []float64{1, 2})
	put("y", "<f8", 2, []float64{0, 1})
	for _, name := range map[string][]string{"csr": {"indices"}, "coo": {"row", "col"}}[form] {
		put(name, "<i8", 2, []int64{0, 1})
	}
	if form == "csr" {
		put("indptr", "<i8", 3, []int64{0, 1, 2})
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// What a small file claims decides no allocation, and is an error about the file.
func TestHostileArrays(t *testing.T) {
	const most = 64 << 20
	stored := func(size uint64, text []byte) string { // an archive whose directory claims another size
		var out bytes.Buffer
		z := zip.NewWriter(&out)
		w, err := z.CreateRaw(&zip.FileHeader{Name: "X.npy", Method: zip.Deflate, UncompressedSize64: size,
			CompressedSize64: uint64(len(text))})
		if err == nil {
			_, err = w.Write(text)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	header := npyOf(t, "<f8", []int{1 << 28, 8}, []float64{1})
	text := npyOf(t, "<U0", []int{1 << 24}, []float64{})
	for name, c := range map[string]struct{ file, text string }{
		"columns of csr":   {"a.npz", sparseArchive(t, "csr", []int64{2, 2147483646})},
		"columns of coo":   {"a.npz", sparseArchive(t, "coo", []int64{2, 2147483646})},
		"rows of coo":      {"a.npz", sparseArchive(t, "coo", []int64{2147483646, 2})},
		"rows of csr":      {"a.npz", sparseArchive(t, "csr", []int64{2147483646, 2})},
		"unpacked":         {"a.npz", stored(1<<40, header)},
		"entries":          {"a.npy", string(header)},
		"empty texts":      {"a.npy", string(text)},
		"length of header": {"a.npy", "\x93NUMPY\x02\x00" + string(binary.LittleEndian.AppendUint32(nil, 1<<31))},
	} {
		path := file(t, c.file, c.text)
		for check, read := range map[string]func() error{
			"read":    func() error { _, err := ReadSet(path, Options{}); return err },
			"select":  func() error { _, err := ReadSet(path, Options{Ignore: []string{"1"}}); return err },
			"missing": func() error { _, err := ReadSet(path, Options{Missing: data.MissingMean}); return err },
			"check":   func() error { _, err := checkFile(path, Options{}, 1); return err },
		} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := read()
			runtime.ReadMemStats(&after)
			if got := after.TotalAlloc - before.TotalAlloc; got > most || err == nil {
				t.Errorf("%s: %s: %d MB, %v", name, check, got>>20, err)
			}
		}
	}
}
