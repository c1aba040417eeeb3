package svmlight

import (
	"context"
	"errors"
	"strings"
	"testing"

	"pairrank/data"
)

// Extra leaves out features beyond those of a model, in any storage and without memory. Their
// indices must still ascend, and their values be numbers.
func TestExtraFeatures(t *testing.T) {
	const known = "1 1:2 2:3\n0 2:1\n2\n"
	const wide = "1 1:2 2:3 5:1 2147483646:7\n0 2:1 3:nan\n2 4:1\n"
	want, err := ReadAll(context.Background(), strings.NewReader(known), "t", Options{Features: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, storage := range []Storage{StoreAuto, StoreDense, StoreCSR} {
		got, err := ReadAll(context.Background(), strings.NewReader(wide), "t",
			Options{Features: 2, Extra: true, Storage: storage})
		if err != nil {
			t.Fatal(err)
		}
		same(t, storage.String(), got, want)
	}
	opts := Options{Features: 2, Extra: true, Storage: StoreCSR}
	same(t, "Reader", streamSet(t, wide, opts), want)
	_, err = ReadAll(context.Background(), strings.NewReader(wide), "t", Options{Features: 2})
	if !errors.Is(err, data.ErrExtraFeatures) {
		t.Errorf("not left out: %v", err)
	}
	for text, what := range map[string]string{
		"1 4:1 3:1\n": "ascend", "1 4:x\n": "not a number", "1 4:1 4:1\n": "repeated", "1 4:1e999\n": "too large",
		"1 4\n": "expected index:value", "1 4:1x\n": "not a number",
	} {
		_, err := ReadAll(context.Background(), strings.NewReader(text), "t", opts)
		if err == nil || !strings.Contains(err.Error(), what) || errors.Is(err, data.ErrExtraFeatures) {
			t.Errorf("%q: %v, want an error about %q", text, err, what)
		}
	}
}
