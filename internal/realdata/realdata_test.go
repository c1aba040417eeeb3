package realdata

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// lay makes a module with a folder three levels down and a collection next to it, and returns the
// three.
func lay(t *testing.T, module string) (root, deep, collections string) {
	t.Helper()
	all := t.TempDir()
	root, collections = filepath.Join(all, "module"), filepath.Join(all, "shared", "data")
	deep = filepath.Join(root, "a", "b", "c")
	for _, dir := range []string{deep, filepath.Join(collections, "set")} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module "+module+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return root, deep, collections
}

// Dir finds the folder from any depth of the module, by the variable alone where it is set, and
// next to the working directory in another module.
func TestDir(t *testing.T) {
	same := func(where, want string) {
		t.Helper()
		got, err := filepath.Abs(Dir())
		if err != nil {
			t.Fatal(err)
		}
		if got, err = filepath.EvalSymlinks(filepath.Dir(filepath.Dir(got))); err != nil {
			t.Fatal(err)
		}
		if want, err = filepath.EvalSymlinks(want); err != nil || got != want {
			t.Errorf("%s: it is in %s, not %s (%v)", where, got, want, err)
		}
	}
	t.Setenv("PAIRRANK_DATA", "")
	root, deep, _ := lay(t, module)
	t.Chdir(deep)
	same("three levels down", filepath.Dir(root))
	t.Chdir(root)
	same("at the root", filepath.Dir(root))
	_, deep, _ = lay(t, "another")
	t.Chdir(deep)
	same("another module", filepath.Dir(deep))
	t.Setenv("PAIRRANK_DATA", "elsewhere")
	if got := Dir(); got != "elsewhere" {
		t.Errorf("%s in spite of PAIRRANK_DATA", got)
	}
}

// said is a test that records its messages.
type said struct{ log, skipped []string }

func (s *said) Helper()                         {}
func (s *said) Logf(format string, args ...any) { s.log = append(s.log, fmt.Sprintf(format, args...)) }
func (s *said) Skipf(format string, args ...any) {
	s.skipped = append(s.skipped, fmt.Sprintf(format, args...))
}

// Path returns an existing file, and skips the test for an absent one, with its name and the
// variable.
func TestPath(t *testing.T) {
	_, deep, collections := lay(t, module)
	t.Chdir(deep)
	t.Setenv("PAIRRANK_DATA", collections)
	var there, absent said
	if got := Path(&there, "set"); got != filepath.Join(collections, "set") {
		t.Errorf("%s", got)
	}
	if !slices.Equal(there.log, []string{"real data: set"}) || there.skipped != nil {
		t.Errorf("%+v", there)
	}
	Path(&absent, "set", "table.tsv")
	begins := "real data: " + filepath.Join("set", "table.tsv")
	if len(absent.skipped) != 1 || !strings.HasPrefix(absent.skipped[0], begins) ||
		!strings.Contains(absent.skipped[0], "PAIRRANK_DATA") {
		t.Errorf("%+v", absent)
	}
}
