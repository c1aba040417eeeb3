package experiment

import (
	"context"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestDigits has three significant digits.
func TestDigits(t *testing.T) {
	for v, want := range map[float64]string{0: "0.00", 0.0012345: "0.00123", 0.5: "0.500", 12.345: "12.3",
		123.45: "123",
		98765:  "98765", math.NaN(): "–"} {
		if got := Digits(v); got != want {
			t.Errorf("Digits(%v) = %s, not %s", v, got, want)
		}
	}
}

// TestPowers ends at the last one that is not above.
func TestPowers(t *testing.T) {
	if got := Powers(-2, 3, 2); !slices.Equal(got, []float64{0.25, 1, 4}) {
		t.Errorf("%v", got)
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
	if err := Splice(page, "y", "more\n"); err != nil {
		t.Fatal(err)
	}
	got, err = os.ReadFile(page)
	if text, found := Spliced(string(got), "y"); err != nil || !found || text != "more\n" {
		t.Errorf("a section that was not there: %q, %v in %q, %v", text, found, got, err)
	}
	if err := os.WriteFile(page, []byte("<!-- x -->\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Splice(page, "x", "new\n"); err == nil {
		t.Error("no error for a section without an end")
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

// TestReport writes page, record and figure, and the page is what the record says;
// made again, a section takes the place of the old one.
func TestReport(t *testing.T) {
	type settings struct{ ours float64 }
	sections := []Section[settings]{
		{"one", func(_ context.Context, s settings) (r Result, err error) {
			table := NewTable("learner", "%s", "error", "%.3f", "seconds", "digits")
			table.Row("RankRLS", s.ours, 12)
			table.Row("none", math.NaN(), nil)
			r.Text("%d of %d.", 1, 2)
			r.Add(table)
			r.Draw("one.svg", "a line", "<svg/>")
			r.Find(Finding{Paper: "2009", Place: "table 3", What: "error", Format: "%.3f", Theirs: 0.34, Ours: s.ours,
				Within: 0.01, Of: "two standard errors"})
			return r, nil
		}},
		{"absent", func(context.Context, settings) (Result, error) { return Result{}, fs.ErrNotExist }},
	}
	out := &Output{Program: "name", Folder: t.TempDir(), Seed: 7}
	for _, ours := range []float64{0.5, 0.3321} {
		if err := Report(t.Context(), out, sections, settings{ours}); err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile(filepath.Join(out.Folder, "name.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := "1 of 2.\n\n| learner | error | seconds |\n|---|---|---|\n" +
		"| RankRLS | 0.332 | 12.0 |\n| none | – | – |\n\n![a line](one.svg)\n"
	if got, found := Spliced(string(page), "one"); !found || got != want {
		t.Errorf("%q, not %q", got, want)
	}
	if drawn, err := os.ReadFile(filepath.Join(out.Folder, "one.svg")); err != nil || string(drawn) != "<svg/>" {
		t.Errorf("figure %q, %v", drawn, err)
	}
	record, err := ReadRecord(filepath.Join(out.Folder, "name.json"))
	if err != nil || len(record.Sections) != 1 || record.Sections[0].Markdown() != want ||
		record.Sections[0].Made.Seed != 7 {
		t.Errorf("record %+v, %v", record, err)
	}
	if f := record.Findings(); len(f) != 1 || f[0].Ours != 0.3321 {
		t.Errorf("findings %v", f)
	}
}

// TestWrap breaks lines at spaces, and leaves rows of tables and words that are too long as they are.
func TestWrap(t *testing.T) {
	word := strings.Repeat("é", 59)
	row := "| " + strings.Repeat("cell ", 40) + "|"
	got := wrap(word + " " + word + " a b\n" + row + "\n" + word + word + word + " c")
	want := word + " " + word + "\na b\n" + row + "\n" + word + word + word + "\nc\n"
	if got != want {
		t.Errorf("%q, not %q", got, want)
	}
	if got := wrap(word + " " + word + " a"); got != word+" "+word+"\na\n" {
		t.Errorf("a line of 121 columns: %q", got)
	}
}
