package replace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func put(text string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
}

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "m.txt")
	if err := File(path, put("old")); err != nil || content(t, path) != "old" {
		t.Fatalf("new file: %v, %q", err, content(t, path))
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("m.txt", link); err != nil {
		t.Skip("no symbolic links here")
	}
	if err := File(link, put("new")); err != nil || content(t, path) != "new" {
		t.Fatalf("by way of a link: %v, %q", err, content(t, path))
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("permissions are %v, want 0640 as before", info.Mode())
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link became %v", info.Mode())
	}
}

// After an error the old file stands as it was and nothing else is there.
func TestFileAfterError(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "m.txt")
	if err := File(path, put("old")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := File(path, func(w io.Writer) error {
		fmt.Fprint(w, strings.Repeat("part ", 1<<16))
		return broken
	})
	if !errors.Is(err, broken) || content(t, path) != "old" {
		t.Errorf("error %v, content %.20q", err, content(t, path))
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 1 {
		t.Errorf("the directory holds %v", names)
	}
}

func TestFileNowhere(t *testing.T) {
	dir := t.TempDir()
	err := File(filepath.Join(dir, "none", "m.txt"), put("x"))
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "none does not exist") {
		t.Errorf("missing directory: %v", err)
	}
	if err := File(dir, put("x")); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("a directory: %v", err)
	}
}

// A device is written to, not replaced; here a full disk.
func TestFileOnFullDevice(t *testing.T) {
	const full = "/dev/full"
	before, err := os.Stat(full)
	if err != nil {
		t.Skip("there is no " + full)
	}
	if err := File(full, put("x")); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error %v, want no space left", err)
	}
	if after, err := os.Stat(full); err != nil || after.Mode() != before.Mode() {
		t.Errorf("%s was %v and is %v", full, before.Mode(), after)
	}
}

// A link to a file that is not there yet stays a link, and the file is made; a link to itself is an error.
func TestFileThroughADanglingLink(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "models"), 0o777); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"link": "second", "second": "models/m.txt", "loop": "loop"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip("no symbolic links here")
		}
	}
	link := filepath.Join(dir, "link")
	if err := File(link, put("new")); err != nil || content(t, filepath.Join(dir, "models", "m.txt")) != "new" {
		t.Fatalf("through a link: %v", err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link became %v, %v", info, err)
	}
	if err := File(filepath.Join(dir, "loop"), put("x")); err == nil {
		t.Error("a link to itself was replaced")
	}
}

// A file that gets the permissions of another one has no others on the way.
func TestWithin(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sums")
	err := Within(path, 0o600, func(w io.Writer) error {
		names, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".sums.*.tmp"))
		if err != nil || len(names) != 1 {
			t.Fatalf("temporary files %v, %v", names, err)
		}
		if info, err := os.Stat(names[0]); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("the temporary file is %v, %v", info.Mode(), err)
		}
		return put("x")(w)
	})
	if info, statErr := os.Stat(path); err != nil || statErr != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v, %v", info, err, statErr)
	}
}
