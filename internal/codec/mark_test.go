package codec

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// Only a mark at the beginning is left out, however the bytes come.
func TestUnmarked(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a": "a", "ab": "ab", "abc": "abc", "\xef": "\xef", "\xef\xbb": "\xef\xbb", "\xef\xbbx1": "\xef\xbbx1",
		"\xef\xbb\xbf": "", "\xef\xbb\xbfa": "a", "\xef\xbb\xbf\xef\xbb\xbfa": "\xef\xbb\xbfa",
		"a\xef\xbb\xbf": "a\xef\xbb\xbf",
		"\xff":          "\xff", "\xff\xfd1": "\xff\xfd1", "\xef\xff\xfe": "\xef\xff\xfe",
	} {
		for name, r := range map[string]io.Reader{"whole": strings.NewReader(text),
			"bytes":        iotest.OneByteReader(strings.NewReader(text)),
			"with the end": iotest.DataErrReader(strings.NewReader(text))} {
			if got, err := io.ReadAll(Unmarked(r, "")); err != nil || string(got) != want {
				t.Errorf("%s: %q read as %q, %v", name, text, got, err)
			}
		}
	}
	for _, text := range []string{"\xff\xfe1\x00", "\xfe\xff\x001"} {
		if got, err := io.ReadAll(Unmarked(strings.NewReader(text), "")); !errors.Is(err, ErrUTF16) || len(got) > 0 {
			t.Errorf("%q: read %q, %v", text, got, err)
		}
	}
	failed := errors.New("x")
	if _, err := io.ReadAll(Unmarked(iotest.ErrReader(failed), "")); err != failed {
		t.Errorf("error %v", err)
	}
}
