package replace

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestMain is also the program that a test kills: with PAIRRANK_WRITE=FILE it
// begins to write FILE, says so, and waits.
func TestMain(m *testing.M) {
	path := os.Getenv("PAIRRANK_WRITE")
	if path == "" {
		os.Exit(m.Run())
	}
	_ = File(path, func(w io.Writer) error {
		os.Stdout.WriteString("writing\n")
		_, _ = io.Copy(io.Discard, os.Stdin)
		return errors.New("not killed")
	})
}

// listing is the names in a directory.
func listing(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// The next run that writes a file removes what a killed run left of it; files of a living writer,
// and all others, stay.
func TestLeftovers(t *testing.T) {
	probe, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := tryLock(probe); err != nil {
		t.Skip("there are no locks here:", err)
	}
	probe.Close()
	dir := t.TempDir()
	path := filepath.Join(dir, "m.txt")
	others := []string{".m.txt.tmp", ".m.txt.0123456.tmp", ".m.txt.0123456x.tmp", ".m.txt.012345678.tmp",
		".n.txt.01234567.tmp", ".x.m.txt.01234567.tmp", "m.txt.01234567.tmp"}
	for _, name := range others {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".m.txt.89abcdef.tmp"), 0o777); err != nil {
		t.Fatal(err)
	}
	kept := listing(t, dir)

	begin := func() (*exec.Cmd, io.Closer) {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "PAIRRANK_WRITE="+path)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(out, make([]byte, len("writing\n"))); err != nil {
			t.Fatal(err)
		}
		return cmd, in
	}
	temporaries := func() (list []string) {
		for _, name := range listing(t, dir) {
			if !slices.Contains(kept, name) && name != "m.txt" {
				list = append(list, name)
			}
		}
		return list
	}
	killed, _ := begin()
	left := temporaries()
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait()
	if len(left) != 1 || !slices.Equal(temporaries(), left) {
		t.Fatalf("the killed run left %v", temporaries())
	}
	alive, in := begin() // which removes leftovers
	writing := temporaries()
	if len(writing) != 1 || writing[0] == left[0] {
		t.Fatalf("%v was left, and while another run writes there is %v", left, writing)
	}
	if err := File(path, put("new")); err != nil || content(t, path) != "new" {
		t.Fatalf("%v, %q", err, content(t, path))
	}
	if !slices.Equal(temporaries(), writing) {
		t.Errorf("a run that lives was writing %v, and now there is %v", writing, temporaries())
	}
	in.Close()
	_ = alive.Wait()
	if list := temporaries(); list != nil {
		t.Errorf("after all runs there is %v", list)
	}
	if got := slices.DeleteFunc(listing(t, dir), func(name string) bool { return name == "m.txt" }); !slices.Equal(got,
		kept) {
		t.Errorf("other files were %v and are %v", kept, got)
	}
}

// A run that is taken for dead before it has its lock writes under another name.
func TestLockLostToAnother(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, ".m.txt.01234567.tmp")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := tryLock(f); err != nil {
		t.Skip("there are no locks here:", err)
	}
	if _, mine := lockNew(name, f); mine {
		t.Error("a file that another one has locked is ours")
	}
	removed, err := os.Create(filepath.Join(dir, "gone"))
	if err != nil {
		t.Fatal(err)
	}
	defer removed.Close()
	if err := os.Remove(removed.Name()); err != nil {
		t.Fatal(err)
	}
	if _, mine := lockNew(removed.Name(), removed); mine {
		t.Error("a file that was removed is ours")
	}
}

// Writable predicts the error of an output, and leaves and changes nothing.
func TestWritable(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "old.txt")
	if err := os.WriteFile(old, []byte("old"), 0o444); err != nil {
		t.Fatal(err)
	}
	shut := filepath.Join(dir, "shut")
	if err := os.Mkdir(shut, 0o555); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, want string }{
		{filepath.Join(dir, "new.txt"), ""},
		{old, ""},
		{os.DevNull, ""},
		{dir, "is a directory"},
		{filepath.Join(dir, "none", "m.txt"), "none does not exist"},
		{filepath.Join(old, "m.txt"), "old.txt"}, // a file in place of the directory
		{filepath.Join(dir, strings.Repeat("x", 250)), "file name too long"},
		{filepath.Join(shut, "m.txt"), "permission denied"},
	} {
		if runtime.GOOS == "windows" && c.want == "file name too long" || os.Getuid() <= 0 &&
			c.want == "permission denied" {
			continue // root may write anywhere
		}
		err := Writable(c.path)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%.60s: %v, want %q", c.path, err, c.want)
		}
		if c.want != "" && err != nil {
			if later := File(c.path, put("x")); later == nil || later.Error() != err.Error() {
				t.Errorf("before: %v; at the end: %v", err, later)
			}
		}
	}
	if names := listing(t, dir); !slices.Equal(names, []string{"old.txt", "shut"}) || content(t, old) != "old" {
		t.Errorf("there is %v, %q", names, content(t, old))
	}
	if err := Writable(filepath.Join(dir, "none", "m.txt")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v is not fs.ErrNotExist", err)
	}
}
