package workers

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"pairrank/internal/replace"
)

// recent is how long before it is read a file must have changed last for its time to be
// kept: more than the steps in which file systems keep times (2 s on FAT).
const recent = 3 * time.Second

// Record is what was done with a file.
type Record struct {
	Format    string `json:"format"`
	Version   int    `json:"version"`
	File      string `json:"file"`
	Bytes     int64  `json:"bytes"`
	Modified  int64  `json:"modified"` // nanoseconds since 1970, 0 where it tells nothing
	SHA256    string `json:"sha256"`   // of the file, as it is stored
	Unit      string `json:"unit"`     // Key
	UnitBytes int64  `json:"unit_bytes"`
	Rows      int64  `json:"rows"`
	Queries   int    `json:"queries"`
	Features  int    `json:"features"`
}

// recordPath is where the record of a file is.
func (d *Directory) recordPath(name string) string {
	const digits = 16
	sum := sha256.Sum256([]byte(name))
	return filepath.Join(d.Path, hex.EncodeToString(sum[:])[:digits]+".json")
}

// Record is the record of the k-th file, nil where it has none, where that is of an
// earlier manifest with other options or another length of the file, or where its unit is
// not there. One that is damaged or of another file is a *DamageError.
func (d *Directory) Record(k int) (*Record, error) {
	file := d.Files[k]
	path := d.recordPath(file.Name)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r := &Record{}
	if err := decode(text, r); err != nil {
		return nil, &DamageError{path, err}
	}
	switch {
	case r.Format != format || r.Version != version:
		err = fmt.Errorf("it is %q of version %d, and not %q of version %d", r.Format, r.Version, format, version)
	case r.File != file.Name:
		err = fmt.Errorf("it is of the file %s, and not of %s", r.File, file.Name)
	}
	if err != nil {
		return nil, &DamageError{path, err}
	}
	if r.Bytes != file.Bytes || r.Unit != d.Key(r.File, r.SHA256) {
		return nil, nil
	}
	if _, err := os.Stat(d.UnitPath(r.Unit)); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return r, nil
}

// Done is the record of the k-th file where its unit is that of the file as it is now; nil
// where it has to be summed. A file that only its time tells from what was summed is
// hashed; its record then gets the time.
func (d *Directory) Done(k int) (*Record, error) {
	r, err := d.Record(k)
	var damage *DamageError
	if errors.As(err, &damage) {
		return nil, nil // it is written again
	}
	if r == nil || err != nil {
		return nil, err
	}
	if info, err := os.Stat(d.UnitPath(r.Unit)); err != nil || info.Size() != r.UnitBytes {
		return nil, nil
	}
	info, err := os.Stat(r.File)
	switch {
	case err != nil:
		return nil, err
	case info.Size() != r.Bytes:
		return nil, nil
	case r.Modified != 0 && info.ModTime().UnixNano() == r.Modified:
		return r, nil
	}
	reading, err := d.Read(k)
	if err != nil {
		return nil, err
	}
	defer reading.Close()
	now, err := reading.End()
	if err != nil || now.SHA256 != r.SHA256 {
		return nil, err
	}
	if r.Modified == now.Modified {
		return r, nil
	}
	r.Modified = now.Modified
	return r, d.write(r)
}

// Reading is a file that is read for a unit.
type Reading struct {
	file   *os.File
	d      *Directory
	want   File
	before fs.FileInfo
	began  time.Time
	hash   hash.Hash
	bytes  int64
}

// Read opens the k-th file.
func (d *Directory) Read(k int) (*Reading, error) {
	r := &Reading{d: d, want: d.Files[k], began: time.Now(), hash: sha256.New()}
	var err error
	if r.file, err = os.Open(r.want.Name); err != nil {
		return nil, err
	}
	if r.before, err = r.file.Stat(); err != nil {
		r.file.Close()
		return nil, err
	}
	return r, nil
}

// Read reads on.
func (r *Reading) Read(p []byte) (int, error) {
	n, err := r.file.Read(p)
	r.hash.Write(p[:n])
	r.bytes += int64(n)
	return n, err
}

// Stat describes the file as it was when it was opened.
func (r *Reading) Stat() (fs.FileInfo, error) { return r.before, nil }

// Close closes the file.
func (r *Reading) Close() error { return r.file.Close() }

// End reads what is left of the file and describes it, without its sums. It is an error
// when the file changed while it was read, or is not that of the manifest.
func (r *Reading) End() (*Record, error) {
	if _, err := io.Copy(io.Discard, r); err != nil {
		return nil, err
	}
	after, err := r.file.Stat()
	if err != nil {
		return nil, err
	}
	modified := r.before.ModTime()
	switch {
	case !after.ModTime().Equal(modified) || after.Size() != r.before.Size() || r.bytes != after.Size():
		return nil, fmt.Errorf("%s changed while it was read: run stats again when nobody writes to it", r.want.Name)
	case r.bytes != r.want.Bytes:
		return nil, &ConflictError{fmt.Errorf("%s has %d bytes, and %d in %s: it has changed since", r.want.Name,
			r.bytes, r.want.Bytes, filepath.Join(r.d.Path, ManifestName))}
	}
	sum := hex.EncodeToString(r.hash.Sum(nil))
	record := &Record{Format: format, Version: version, File: r.want.Name, Bytes: r.bytes, SHA256: sum,
		Unit: r.d.Key(r.want.Name, sum)}
	if r.began.Sub(modified) > recent {
		record.Modified = modified.UnixNano()
	}
	return record, nil
}

// Keep writes the unit of a file, and then its record. A unit that the file had before it
// changed is removed.
func (d *Directory) Keep(r *Record, unit []byte) error {
	before := ""
	if text, err := os.ReadFile(d.recordPath(r.File)); err == nil {
		old := &Record{}
		if decode(text, old) == nil && isKey(old.Unit) {
			before = old.Unit
		}
	}
	err := replace.File(d.UnitPath(r.Unit), func(w io.Writer) error {
		_, err := w.Write(unit)
		return err
	})
	if err != nil {
		return err
	}
	r.UnitBytes = int64(len(unit))
	if err := d.write(r); err != nil {
		return err
	}
	if before != "" && before != r.Unit {
		if err := os.Remove(d.UnitPath(before)); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// isKey reports whether a text has the form of a Key.
func isKey(text string) bool {
	b, err := hex.DecodeString(text)
	return err == nil && len(b) == sha256.Size
}

func (d *Directory) write(r *Record) error {
	return replace.File(d.recordPath(r.File), func(w io.Writer) error { return encode(w, r) })
}

// Missing are the files that have no unit.
func (d *Directory) Missing() (names []string, err error) {
	for k, file := range d.Files {
		r, err := d.Record(k)
		var damage *DamageError
		if err != nil && !errors.As(err, &damage) {
			return nil, err
		}
		if r == nil && err == nil {
			names = append(names, file.Name)
		}
	}
	return names, nil
}
