package table

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/npy"
)

// A damaged archive is bad data: the error has the name of the file, whichever part is damaged.
func TestDamagedArchives(t *testing.T) {
	var b bytes.Buffer
	if err := npy.WriteArchive(&b, map[string]*npy.Array{"X": {Shape: []int{2, 1}, Data: []float64{1, 2}},
		"y": {Shape: []int{2}, Data: []float64{1, 0}}}); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	if _, err := ReadSet(file(t, "whole.npz", string(whole)), Options{}); err != nil {
		t.Fatal(err)
	}
	end, entry := bytes.LastIndex(whole, []byte("PK\x05\x06")), bytes.Index(whole, []byte("PK\x01\x02"))
	changed := func(at int, value uint32) string {
		c := bytes.Clone(whole)
		binary.LittleEndian.PutUint32(c[at:], value)
		return string(c)
	}
	check := func(name, text string) {
		t.Helper()
		path := file(t, "a.npz", text)
		_, err := ReadSet(path, Options{})
		var syntax *data.SyntaxError
		var system *fs.PathError
		if !errors.As(err, &syntax) || errors.As(err, &system) || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
	check("empty", "")
	check("cut off", string(whole[:len(whole)-10]))
	check("half", string(whole[:len(whole)/2]))
	check("directory beyond the end", changed(end+16, 0x7fffffff))
	check("array beyond the end", changed(entry+42, 0xffff))
	check("size of an array", changed(entry+24, 7))
	check("way of compression", changed(entry+10, 99))
	check("value", changed(bytes.Index(whole, []byte("NUMPY"))+130, 0x55555555))
	if _, err := ReadSet("none.npz", Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}
