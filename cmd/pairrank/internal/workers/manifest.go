package workers

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"pairrank/internal/replace"
)

// ManifestName is the name of the manifest in its directory.
const ManifestName = "manifest.json"

// format and version are those of manifests and records.
const (
	format  = "pairrank units"
	version = 1
)

// Manifest is what all workers of a directory have in common. The bytes of its file are
// the same whoever writes it.
type Manifest struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	// Options are the flags that decide what is summed, without dashes, and their values,
	// those that were not given too.
	Options map[string]string `json:"options"`
	Files   []File            `json:"files"`
}

// File is a unit of work.
type File struct {
	Name  string `json:"name"` // as it was given
	Bytes int64  `json:"bytes"`
}

// NewManifest is the manifest of files that are there. A file that is named twice, is
// no regular file or has a name that is not UTF-8 is an error.
func NewManifest(options map[string]string, names []string) (*Manifest, error) {
	m := &Manifest{Format: format, Version: version, Options: options}
	seen := map[string]string{}
	for _, name := range names {
		if !utf8.ValidString(name) {
			return nil, fmt.Errorf("the name %q is not UTF-8, and %s holds nothing else", name, ManifestName)
		}
		clean := filepath.Clean(name)
		if before, twice := seen[clean]; twice {
			return nil, fmt.Errorf("%s is named twice, also as %s", name, before)
		}
		seen[clean] = name
		info, err := os.Stat(name)
		switch {
		case err != nil:
			return nil, err
		case !info.Mode().IsRegular():
			return nil, fmt.Errorf("%s is not a regular file, and every worker must be able to read it again", name)
		}
		m.Files = append(m.Files, File{name, info.Size()})
	}
	return m, nil
}

// Directory is a directory of units with its manifest.
type Directory struct {
	Path string
	*Manifest
	options [sha256.Size]byte // hash of what decides the sums
}

// ConflictError tells that a directory belongs to other sums.
type ConflictError struct{ error }

func (e *ConflictError) Unwrap() error { return e.error }

// DamageError tells of a file of the directory that is not as it was written.
type DamageError struct {
	Path string
	Err  error
}

func (e *DamageError) Error() string { return fmt.Sprintf("%s: %v", e.Path, e.Err) }
func (e *DamageError) Unwrap() error { return e.Err }

// Claim is the directory at path for the sums of a manifest. It makes the directory where
// there is none, and writes the manifest where there is none; one that is there must say
// the same, else the error is a *ConflictError that names what differs.
func Claim(path string, m *Manifest) (*Directory, error) {
	if err := os.Mkdir(path, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	name := filepath.Join(path, ManifestName)
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		err := replace.File(name, func(w io.Writer) error { return encode(w, m) })
		if err != nil {
			return nil, err
		}
	}
	d, err := Open(path)
	if err != nil {
		return nil, err
	}
	return d, d.Check(m)
}

// Open is the directory at path, which has a manifest.
func Open(path string) (*Directory, error) {
	name := filepath.Join(path, ManifestName)
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	m := &Manifest{}
	if err := decode(text, m); err != nil {
		return nil, &DamageError{name, err}
	}
	switch {
	case m.Format != format:
		return nil, &DamageError{name, fmt.Errorf("its format is %q, and not %q", m.Format, format)}
	case m.Version != version:
		return nil, &DamageError{name, fmt.Errorf("it is of version %d, and this program knows version %d", m.Version,
			version)}
	case len(m.Files) == 0:
		return nil, &DamageError{name, errors.New("it names no file")}
	}
	d := &Directory{Path: path, Manifest: m}
	options, err := json.Marshal(struct {
		Version int
		Options map[string]string
	}{m.Version, m.Options})
	d.options = sha256.Sum256(options)
	return d, err
}

// Again reads the manifest again, which must be as it was: of two workers that both found
// none, and differ, the later one has replaced it.
func (d *Directory) Again() error {
	now, err := Open(d.Path)
	if err != nil {
		return err
	}
	return now.Check(d.Manifest)
}

// Check compares the manifest of the directory with that of a worker. The error is a
// *ConflictError that says what differs.
func (d *Directory) Check(m *Manifest) error {
	err := d.compareOptions(m)
	if err == nil {
		err = d.compareFiles(m.Files)
	}
	if err != nil {
		return &ConflictError{err}
	}
	return nil
}

func (d *Directory) compareOptions(m *Manifest) error {
	there := filepath.Join(d.Path, ManifestName)
	all := maps.Clone(d.Options)
	maps.Copy(all, m.Options)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if here, other := m.Options[name], d.Options[name]; here != other {
			return fmt.Errorf("--%s is %s here, and %s in %s, from another worker", name, shown(here), shown(other),
				there)
		}
	}
	return nil
}

// shown is the value of an option in a message.
func shown(value string) string {
	if value == "" {
		return "not given"
	}
	return value
}

func (d *Directory) compareFiles(files []File) error {
	there := filepath.Join(d.Path, ManifestName)
	for k := range min(len(files), len(d.Files)) {
		switch here, other := files[k], d.Files[k]; {
		case here.Name != other.Name:
			return fmt.Errorf("file %d is %s here, and %s in %s, from another worker: all are given the same files "+
				"in the same order", k+1, here.Name, other.Name, there)
		case here.Bytes != other.Bytes:
			return fmt.Errorf("%s has %d bytes here, and %d in %s: it has changed since, or is another one here",
				here.Name, here.Bytes, other.Bytes, there)
		}
	}
	if len(files) != len(d.Files) {
		return fmt.Errorf("there are %d files here, and %d in %s, from another worker: all are given the same files",
			len(files), len(d.Files), there)
	}
	return nil
}

// Key is the name of the unit of a file: the SHA-256, in hexadecimal, of what decides the
// sums, the name of the file and its content, whose SHA-256 is given.
func (d *Directory) Key(name, content string) string {
	h := sha256.New()
	h.Write(d.options[:])
	fmt.Fprintf(h, "%d\n%s\n%s\n", len(name), name, content)
	return hex.EncodeToString(h.Sum(nil))
}

// Owns reports whether a path is that of a file of the directory, as it is named here, be
// it there or not.
func (d *Directory) Owns(path string) bool {
	if a, err := os.Stat(d.Path); err != nil {
		return false
	} else if b, err := os.Stat(filepath.Dir(path)); err != nil || !os.SameFile(a, b) {
		return false
	}
	ext := filepath.Ext(path)
	return ext == ".json" || ext == ".stats"
}

// UnitPath is where the unit of a name is.
func (d *Directory) UnitPath(key string) string { return filepath.Join(d.Path, key+".stats") }

// encode writes a document as all are written.
func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// decode reads one document with known fields only.
func decode(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("it is damaged: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("it is damaged: more follows the document")
	}
	return nil
}
