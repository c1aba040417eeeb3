package experiment

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
)

// TestDigits has three significant digits.
func TestDigits(t *testing.T) {
	for v, want := range map[float64]string{0: "0.00", 0.0012345: "0.00123", 0.5: "0.500", 12.345: "12.3", 123.45: "123", 98765: "98765", math.NaN(): "–"} {
		if got := Digits(v); got != want {
			t.Errorf("Digits(%v) = %s, not %s", v, got, want)
		}
	}
}

// TestSplice replaces one section of a page.
func TestSplice(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, []byte("a\n<!-- x -->\nold\n<!-- /x -->\nb\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Splice(page, "x", "new\n"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(page)
	if want := "a\n<!-- x -->\n\nnew\n\n<!-- /x -->\nb\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v; not %q", got, err, want)
	}
	if err := Splice(page, "y", "new\n"); err == nil {
		t.Error("no error for a section that is not there")
	}
}

// TestSections chooses all, some, and refuses an unknown one.
func TestSections(t *testing.T) {
	known := []string{"a", "b", "c"}
	if got, err := Sections("", known); err != nil || !slices.Equal(got, known) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := Sections("c,a", known); err != nil || !slices.Equal(got, []string{"c", "a"}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := Sections("a,d", known); err == nil || !strings.Contains(err.Error(), `"d": known are a, b, c`) {
		t.Errorf("unknown section: %v", err)
	}
}

// TestJoin keeps the queries of two sets apart.
func TestJoin(t *testing.T) {
	one := func(x, y float64) *data.Set {
		return &data.Set{X: data.NewDense(1, 1, []float64{x}), Y: []float64{y}, HasQID: true,
			Queries: data.NewQueries([]int32{0}, []string{"q"})}
	}
	a, b := one(1, 2), one(3, 4)
	b.Queries = data.NewQueries([]int32{0}, []string{"r"})
	got := Join(a, b)
	if x := got.X.(*data.Dense); x.Rows != 2 || !slices.Equal(x.Data, []float64{1, 3}) || !slices.Equal(got.Y, []float64{2, 4}) {
		t.Errorf("rows %v, labels %v", x, got.Y)
	}
	if !slices.Equal(got.Queries.Of(), []int32{0, 1}) || !slices.Equal(got.Queries.IDs, []string{"q", "r"}) {
		t.Errorf("queries %v", got.Queries)
	}
}
