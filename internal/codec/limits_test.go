package codec

import (
	"bytes"
	"io"
	"runtime"
	"strings"
	"testing"
)

// A few kilobytes that unpack to gigabytes are refused by name; data up to the ratio, and small
// text, are read whole.
func TestUnpackedSizeHasALimit(t *testing.T) {
	for _, format := range []Format{Gzip, Zstd} {
		for size, refused := range map[int]bool{FreeUnpacked: false, 4 * FreeUnpacked: format == Zstd} {
			var packed bytes.Buffer
			w, err := NewWriter(&packed, format)
			if err != nil {
				t.Fatal(err)
			}
			line := bytes.Repeat([]byte("0"), 1<<20)
			for range size >> 20 {
				w.Write(line)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			tooMuch := int64(size)/MaxRatio > int64(packed.Len()) && size > FreeUnpacked
			if tooMuch != refused && format == Zstd {
				t.Fatalf("%s of %d bytes is %d", format, size, packed.Len())
			}
			r, err := NewReader(&packed, "bomb")
			if err != nil {
				t.Fatal(err)
			}
			n, err := io.Copy(io.Discard, r)
			switch {
			case tooMuch &&
				(err == nil || !strings.Contains(err.Error(),
					"bomb: "+format.String()+" data unpacks to more than 5000 times")):
				t.Errorf("%s of %d bytes: read %d, %v", format, size, n, err)
			case !tooMuch && (err != nil || n != int64(size)):
				t.Errorf("%s of %d bytes: read %d, %v", format, size, n, err)
			}
			r.Close()
		}
	}
}

// An error of a source that names itself is not named again.
func TestNamesOnce(t *testing.T) {
	var packed bytes.Buffer
	w, _ := NewWriter(&packed, Gzip)
	w.Write([]byte("text that is cut off"))
	w.Close()
	inner, err := NewReader(bytes.NewReader(packed.Bytes()[:packed.Len()-6]), "a.gz")
	if err != nil {
		t.Fatal(err)
	}
	outer, err := NewReader(inner, "a.gz")
	if err == nil {
		_, err = io.Copy(io.Discard, outer)
	}
	if err == nil || strings.Count(err.Error(), "a.gz: ") != 1 {
		t.Errorf("%v", err)
	}
}

// A frame of a few bytes that claims a window of 512 MB is refused before that is allocated.
func TestWindowHasALimit(t *testing.T) {
	for text, refused := range map[string]bool{
		"\x28\xb5\x2f\xfd\x00\x98\x29\x00\x00hello": true,  // 2²⁹
		"\x28\xb5\x2f\xfd\x00\x68\x29\x00\x00hello": false, // 2²³
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r, err := NewReader(strings.NewReader(text), "f.zst")
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<25 {
			t.Errorf("%d bytes are allocated", took)
		}
		if refused != (err != nil) || refused && !strings.Contains(err.Error(), "f.zst: zstd data with a window of more") ||
			!refused && string(got) != "hello" {
			t.Errorf("%q, %v", got, err)
		}
	}
}
