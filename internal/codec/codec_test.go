package codec

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func pack(t testing.TB, text string, format Format) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, format)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestContentDecides(t *testing.T) {
	long := strings.Repeat("1 qid:7 1:0.25 2:0.5\n", 100_000)
	for _, text := range []string{"", "1", "1 2\n", long} {
		for _, format := range []Format{Plain, Gzip, Zstd} {
			path := filepath.Join(t.TempDir(), "misleading.txt")
			raw := pack(t, text, format)
			if err := os.WriteFile(path, raw, 0o644); err != nil {
				t.Fatal(err)
			}
			r, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(r)
			if err != nil || string(got) != text {
				t.Errorf("%s of %d bytes: read %d bytes, %v", format, len(text), len(got), err)
			}
			if len(raw) > 0 && r.Format() != format {
				t.Errorf("%s taken for %s", format, r.Format())
			}
			if r.Size() != int64(len(raw)) || r.Done() != int64(len(raw)) {
				t.Errorf("%s: %d of %d bytes done, want %d", format, r.Done(), r.Size(), len(raw))
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestJoinedStreamsAreOne(t *testing.T) {
	for _, format := range []Format{Gzip, Zstd} {
		raw := append(pack(t, "1 1:2\n", format), pack(t, "3 1:4\n", format)...)
		r, err := NewReader(bytes.NewReader(raw), "joined")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != "1 1:2\n3 1:4\n" {
			t.Errorf("%s: read %q, %v", format, got, err)
		}
		r.Close()
	}
}

func TestCutOffDataNamesTheSource(t *testing.T) {
	text := strings.Repeat("1 qid:7 1:0.25 2:0.5\n", 1000)
	for _, format := range []Format{Gzip, Zstd} {
		raw := pack(t, text, format)
		for _, keep := range []int{len(raw) / 2, len(raw) - 1} {
			r, err := NewReader(bytes.NewReader(raw[:keep]), "train.gz")
			if err == nil {
				_, err = io.ReadAll(r)
				r.Close()
			}
			if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.HasPrefix(err.Error(), "train.gz: ") {
				t.Errorf("%s cut to %d of %d bytes: error %v", format, keep, len(raw), err)
			}
		}
	}
}

func TestDamageIsAnError(t *testing.T) {
	raw := pack(t, strings.Repeat("1 1:2 2:3\n", 1000), Gzip)
	raw[len(raw)-6] ^= 0xff // the checksum
	r, err := NewReader(bytes.NewReader(raw), "bad")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := io.ReadAll(r); err == nil || !strings.HasPrefix(err.Error(), "bad: damaged gzip data") {
		t.Errorf("error %v", err)
	}
}

func TestFormatOf(t *testing.T) {
	for name, want := range map[string]Format{"a.gz": Gzip, "a.txt.zst": Zstd, "gz": Plain, "a": Plain} {
		if got := FormatOf(name); got != want {
			t.Errorf("FormatOf(%q) = %s, want %s", name, got, want)
		}
	}
}

func TestMissingFile(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}
