// Package realdata finds the collections of real data, which are no part of the project:
// papers and checks read them, and tests of them are skipped where they are not.
package realdata

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

// Dir returns the folder of the collections: $PAIRRANK_DATA, or shared/data next to the root of the
// module that contains the working directory, at any depth. Outside the module it is shared/data
// next to the working directory.
func Dir() string {
	if dir := os.Getenv("PAIRRANK_DATA"); dir != "" {
		return dir
	}
	return filepath.Join(root("."), "..", "shared", "data")
}

// module is the path of the project's module.
var module = strings.TrimSuffix(reflect.TypeFor[Test]().PkgPath(), "/internal/realdata")

// root is the nearest folder from dir upwards that has the go.mod of the project, dir
// itself where none has it.
func root(dir string) string {
	last, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	for up, previous := dir, ""; last != previous; up = filepath.Join(up, "..") {
		text, err := os.ReadFile(filepath.Join(up, "go.mod"))
		if err == nil && bytes.HasPrefix(text, []byte("module "+module+"\n")) {
			return up
		}
		last, previous = filepath.Dir(last), last
	}
	return dir
}

// Test has the methods of a test that Path uses.
type Test interface {
	Helper()
	Logf(format string, args ...any)
	Skipf(format string, args ...any)
}

// Path returns a file or folder of the collections, and skips the test where it is absent. In both
// cases the log of the test has a line that begins with "real data: ", by which the test report
// counts.
func Path(t Test, elem ...string) string {
	t.Helper()
	name := filepath.Join(elem...)
	path := filepath.Join(Dir(), name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("real data: %s is not in %s: set PAIRRANK_DATA to the folder of the collections", name, Dir())
	}
	t.Logf("real data: %s", name)
	return path
}
