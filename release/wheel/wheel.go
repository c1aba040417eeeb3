package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// wheel is a package for one system.
type wheel struct {
	version   string
	platforms []string
	files     []file // RECORD is made from them
}

// file is a file of a wheel, by its name below the folder of installed packages.
type file struct {
	name       string
	text       []byte
	executable bool
}

// licences are files of an archive that a wheel has, too.
var licences = []string{"LICENSE", "LICENSES-OF-MODULES"}

// newWheel reads the program and its licences from an archive's folder, and the package from the sources.
func newWheel(archive, sources, version string) (*wheel, error) {
	w := &wheel{version: version}
	program, text, err := findProgram(archive)
	if err != nil {
		return nil, err
	}
	if w.platforms, err = platforms(text); err != nil {
		return nil, fmt.Errorf("%s: %w", program, err)
	}
	if err := w.addPackage(sources); err != nil {
		return nil, err
	}
	w.files = append(w.files, file{name: "pairrank/bin/" + program, text: text, executable: true},
		file{name: versionFile, text: fmt.Appendf(nil, versionText, version)})
	slices.SortFunc(w.files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return w, w.addInfo(archive, sources)
}

// versionFile is a file that the tree has, too, with a version that is none.
const (
	versionFile = "pairrank/_version.py"
	versionText = "\"\"\"The version of the package, which release/wheel writes.\"\"\"\n\n__version__ = \"%s\"\n"
)

func findProgram(archive string) (name string, text []byte, err error) {
	for _, name := range []string{"pairrank", "pairrank.exe"} {
		if text, err := os.ReadFile(filepath.Join(archive, name)); !os.IsNotExist(err) {
			return name, text, err
		}
	}
	return "", nil, fmt.Errorf("%s has no program pairrank or pairrank.exe", archive)
}

// addPackage adds the modules and the marker of their types: what else is in the folder a work tree has left there.
func (w *wheel) addPackage(sources string) error {
	folder := os.DirFS(sources)
	err := fs.WalkDir(folder, "pairrank", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == versionFile || path.Ext(name) != ".py" && path.Base(name) != "py.typed" {
			return err
		}
		text, err := fs.ReadFile(folder, name)
		w.files = append(w.files, file{name: name, text: text})
		return err
	})
	if err == nil && !slices.ContainsFunc(w.files, func(f file) bool { return f.name == "pairrank/__init__.py" }) {
		return fmt.Errorf("%s has no package pairrank", sources)
	}
	return err
}

// addInfo adds the files about the package, which stand last.
func (w *wheel) addInfo(archive, sources string) error {
	info := func(name string, text []byte) {
		w.files = append(w.files, file{name: fmt.Sprintf("pairrank-%s.dist-info/%s", w.version, name), text: text})
	}
	for _, name := range licences {
		text, err := os.ReadFile(filepath.Join(archive, name))
		if err != nil {
			return err
		}
		info(name, text)
	}
	description, err := os.ReadFile(filepath.Join(sources, "README.md"))
	if err != nil {
		return err
	}
	info("METADATA", w.metadata(description))
	info("WHEEL", w.tags())
	info("entry_points.txt", []byte("[console_scripts]\npairrank = pairrank.__main__:main\n"))
	return nil
}

// name is the name of the file, of the version, Python, no binary interface, and the systems.
func (w *wheel) name() string {
	return fmt.Sprintf("pairrank-%s-py3-none-%s.whl", w.version, strings.Join(w.platforms, "."))
}

func (w *wheel) metadata(description []byte) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `Metadata-Version: 2.1
Name: pairrank
Version: %s
Summary: Learning to rank from pairwise preferences, with exact estimates of the error on unseen data
License: MIT
Classifier: License :: OSI Approved :: MIT License
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering
Requires-Python: >=3.9
Requires-Dist: numpy
Description-Content-Type: text/markdown
`, w.version)
	for _, name := range licences {
		fmt.Fprintf(&b, "License-File: %s\n", name)
	}
	fmt.Fprintf(&b, "\n%s", description)
	return []byte(b.String())
}

// tags is the file WHEEL: one tag for each system of the name.
func (w *wheel) tags() []byte {
	var b strings.Builder
	b.WriteString("Wheel-Version: 1.0\nGenerator: release/wheel of pairrank\nRoot-Is-Purelib: false\n")
	for _, p := range w.platforms {
		fmt.Fprintf(&b, "Tag: py3-none-%s\n", p)
	}
	return []byte(b.String())
}

// record lists the files with their SHA-256 and sizes. No name has a comma or a quote.
func (w *wheel) record() file {
	var b strings.Builder
	for _, f := range w.files {
		sum := sha256.Sum256(f.text)
		fmt.Fprintf(&b, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.text))
	}
	name := fmt.Sprintf("pairrank-%s.dist-info/RECORD", w.version)
	fmt.Fprintf(&b, "%s,,\n", name)
	return file{name: name, text: []byte(b.String())}
}

// write writes the wheel, every file as of one time.
func (w *wheel) write(to io.Writer, at time.Time) error {
	z := zip.NewWriter(to)
	for _, f := range append(slices.Clone(w.files), w.record()) {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at}
		h.SetMode(0o644)
		if f.executable {
			h.SetMode(0o755)
		}
		entry, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := entry.Write(f.text); err != nil {
			return err
		}
	}
	return z.Close()
}
