package workers

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// folder is a folder with the files of the texts a, b, …, last changed an hour ago.
func folder(t *testing.T, texts ...string) (names []string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for k, text := range texts {
		names = append(names, string(rune('a'+k)))
		change(t, names[k], text, time.Hour)
	}
	return names
}

// change writes a file that was last changed some time ago.
func change(t *testing.T, name, text string, ago time.Duration) {
	t.Helper()
	then := time.Now().Add(-ago)
	if err := errors.Join(os.WriteFile(name, []byte(text), 0o666), os.Chtimes(name, then, then)); err != nil {
		t.Fatal(err)
	}
}

var someOptions = map[string]string{"cost": "magnitude", "ties": "include"}

func claim(t *testing.T, options map[string]string, names ...string) (*Directory, error) {
	t.Helper()
	m, err := NewManifest(options, names)
	if err != nil {
		t.Fatal(err)
	}
	return Claim("dir", m)
}

// sum does the k-th file, whose sums are its text in capitals.
func sum(t *testing.T, d *Directory, k int) *Record {
	t.Helper()
	r, err := d.Read(k)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	record, err := r.End()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Keep(record, bytes.ToUpper(text)); err != nil {
		t.Fatal(err)
	}
	return record
}

func done(t *testing.T, d *Directory, k int) bool {
	t.Helper()
	r, err := d.Done(k)
	if err != nil {
		t.Fatal(err)
	}
	return r != nil
}

// The manifest has the same bytes whoever writes it, and stays as it is.
func TestManifestIsTheSame(t *testing.T) {
	names := folder(t, "one", "two")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := claim(t, someOptions, names...); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	first, err := os.ReadFile("dir/" + ManifestName)
	if err != nil {
		t.Fatal(err)
	}
	os.RemoveAll("dir")
	if _, err := claim(t, someOptions, names...); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile("dir/" + ManifestName); err != nil || !bytes.Equal(first, again) {
		t.Errorf("%v:\n%s\n%s", err, first, again)
	}
	entries, err := os.ReadDir("dir")
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

// Another worker with other options or files is refused, by name.
func TestConflicts(t *testing.T) {
	names := folder(t, "one", "two", "three")
	if _, err := claim(t, someOptions, names[:2]...); err != nil {
		t.Fatal(err)
	}
	for want, ask := range map[string]func() (*Directory, error){
		"--ties is exclude here, and include in dir/manifest.json": func() (*Directory, error) {
			return claim(t, map[string]string{"cost": "magnitude", "ties": "exclude"}, names[:2]...)
		},
		"--folds is 3 here, and not given in dir/manifest.json": func() (*Directory, error) {
			return claim(t, map[string]string{"cost": "magnitude", "ties": "include", "folds": "3"}, names[:2]...)
		},
		"file 2 is c here, and b in":       func() (*Directory, error) { return claim(t, someOptions, "a", "c") },
		"there are 3 files here, and 2 in": func() (*Directory, error) { return claim(t, someOptions, names...) },
		"there are 1 files here, and 2 in": func() (*Directory, error) { return claim(t, someOptions, "a") },
	} {
		refused(t, want, ask)
	}
	change(t, "b", "longer", 0)
	refused(t, "b has 6 bytes here, and 3 in", func() (*Directory, error) { return claim(t, someOptions, "a", "b") })
}

// refused fails the test unless the error is a conflict with some words.
func refused(t *testing.T, want string, ask func() (*Directory, error)) {
	t.Helper()
	_, err := ask()
	var conflict *ConflictError
	if !errors.As(err, &conflict) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

func TestManifestRefuses(t *testing.T) {
	folder(t, "one", "")
	for want, names := range map[string][]string{
		"./a is named twice, also as a": {"a", "./a"},
		"is not a regular file":         {"a", "."},
		"no such file":                  {"x"},
		"is not UTF-8":                  {"caf\xe9"},
	} {
		if _, err := NewManifest(someOptions, names); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", names, err, want)
		}
	}
	for want, text := range map[string]string{
		"it is damaged": `{"format":`,
		"more follows": `{"format":"pairrank units","version":1,"options":{},"files":[{"name":"a",` +
			`"bytes":3}]} x`,
		`unknown field "colour"`:         `{"colour":1}`,
		"its format is":                  `{"format":"other","version":1}`,
		"it is of version 2":             `{"format":"pairrank units","version":2}`,
		"dir/manifest.json: it names no": `{"format":"pairrank units","version":1}`,
	} {
		if err := errors.Join(os.MkdirAll("dir", 0o777), os.WriteFile("dir/manifest.json", []byte(text),
			0o666)); err != nil {
			t.Fatal(err)
		}
		_, err := Open("dir")
		var damage *DamageError
		if !errors.As(err, &damage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// A file is done until it changes, whatever its size and time say then.
func TestDone(t *testing.T) {
	names := folder(t, "one", "two")
	d, err := claim(t, someOptions, names...)
	if err != nil {
		t.Fatal(err)
	}
	if done(t, d, 0) {
		t.Error("done before it was summed")
	}
	record := sum(t, d, 0)
	if !done(t, d, 0) || done(t, d, 1) {
		t.Error("not done after it was summed, or another file is")
	}
	if missing, err := d.Missing(); err != nil || strings.Join(missing, " ") != "b" {
		t.Errorf("missing %v, %v", missing, err)
	}
	if record.Modified == 0 {
		t.Error("the time of an old file is not kept")
	}

	change(t, "a", "one", time.Minute) // touched
	if !done(t, d, 0) {
		t.Error("a file that was touched is not done")
	}
	if again, err := d.Record(0); err != nil || again.Modified == record.Modified || again.Unit != record.Unit {
		t.Errorf("%+v, %v: want the new time", again, err)
	}
	change(t, "a", "ONE", time.Minute) // the same size
	if done(t, d, 0) {
		t.Error("a file that changed is done")
	}
	other := sum(t, d, 0)
	if other.Unit == record.Unit {
		t.Error("two contents have one unit")
	}
	if _, err := os.Stat(d.UnitPath(record.Unit)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the unit of the earlier content is still there: %v", err)
	}
	if err := os.Truncate(d.UnitPath(other.Unit), 1); err != nil || done(t, d, 0) {
		t.Errorf("done with a unit that was cut, %v", err)
	}
	sum(t, d, 0)
	if err := os.Remove(d.UnitPath(other.Unit)); err != nil || done(t, d, 0) {
		t.Errorf("done without its unit, %v", err)
	}
}

// A file that was written just now may change within the same time: its time is not kept,
// and the content decides.
func TestTimeOfRecentFile(t *testing.T) {
	folder(t, "one")
	now := time.Now()
	if err := os.Chtimes("a", now, now); err != nil {
		t.Fatal(err)
	}
	d, err := claim(t, someOptions, "a")
	if err != nil {
		t.Fatal(err)
	}
	if r := sum(t, d, 0); r.Modified != 0 {
		t.Errorf("the time is kept: %+v", r)
	}
	if !done(t, d, 0) {
		t.Error("not done by its content")
	}
	if err := errors.Join(os.WriteFile("a", []byte("eno"), 0o666), os.Chtimes("a", now, now)); err != nil {
		t.Fatal(err)
	}
	if done(t, d, 0) {
		t.Error("a change within the same time is not seen")
	}
}

// A file that grows or shrinks while it is read is refused.
func TestChangeWhileRead(t *testing.T) {
	folder(t, "one")
	d, err := claim(t, someOptions, "a")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"longer", "s", "eno"} {
		change(t, "a", "one", time.Hour)
		r, err := d.Read(0)
		if err != nil {
			t.Fatal(err)
		}
		change(t, "a", text, 0)
		if _, err := r.End(); err == nil || !strings.Contains(err.Error(), "changed while it was read") {
			t.Errorf("%q: %v", text, err)
		}
		r.Close()
	}
	change(t, "a", "longer", time.Hour)
	r, err := d.Read(0)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var conflict *ConflictError
	if _, err := r.End(); !errors.As(err, &conflict) {
		t.Errorf("another length than in the manifest: %v", err)
	}
}

// Other options make other units, and a directory whose manifest was taken away keeps
// what is still right.
func TestAnotherManifest(t *testing.T) {
	names := folder(t, "one", "two", "three")
	d, err := claim(t, someOptions, names[:2]...)
	if err != nil {
		t.Fatal(err)
	}
	record := sum(t, d, 0)
	sum(t, d, 1)
	if err := os.Remove("dir/" + ManifestName); err != nil {
		t.Fatal(err)
	}
	if d, err = claim(t, someOptions, names...); err != nil {
		t.Fatal(err)
	}
	if !done(t, d, 0) || !done(t, d, 1) || done(t, d, 2) {
		t.Error("with one more file the other two are not done")
	}
	if err := os.Remove("dir/" + ManifestName); err != nil {
		t.Fatal(err)
	}
	now, err := claim(t, map[string]string{"cost": "unit"}, names...)
	if err != nil {
		t.Fatal(err)
	}
	if done(t, now, 0) {
		t.Error("done with other options")
	}
	if err := d.Again(); err == nil || !strings.Contains(err.Error(), "--cost is magnitude here, and unit in") {
		t.Errorf("the manifest was replaced: %v", err)
	}
	if r := sum(t, now, 0); r.Unit == record.Unit {
		t.Error("the unit does not depend on the options")
	}
	if missing, err := now.Missing(); err != nil || strings.Join(missing, " ") != "b c" {
		t.Errorf("missing %v, %v", missing, err)
	}
}

// A record that is damaged, or another one's, is told, and written again.
func TestDamagedRecord(t *testing.T) {
	folder(t, "one", "two")
	d, err := claim(t, someOptions, "a", "b")
	if err != nil {
		t.Fatal(err)
	}
	sum(t, d, 0)
	sum(t, d, 1)
	path := d.recordPath("a")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile(d.recordPath("b"))
	if err != nil {
		t.Fatal(err)
	}
	for want, text := range map[string][]byte{
		"damaged":                     whole[:len(whole)/2],
		"of the file b, and not of a": other,
		"version 7":                   bytes.Replace(whole, []byte(`"version": 1`), []byte(`"version": 7`), 1),
	} {
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := d.Record(0)
		var damage *DamageError
		if !errors.As(err, &damage) || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), filepath.Base(path)) {
			t.Errorf("%v, want %q", err, want)
		}
		if done(t, d, 0) {
			t.Errorf("done by a record that is %s", want)
		}
	}
	sum(t, d, 0)
	if !done(t, d, 0) {
		t.Error("a damaged record is not replaced")
	}
}
