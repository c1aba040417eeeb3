package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
)

const replacedMeanwhile = "was replaced by another run after this one read it"

// An update in place does not take away what another one added after it read the model.
func TestUpdateOfReplacedModel(t *testing.T) {
	t.Chdir(t.TempDir())
	names := writeParts(t, 3)
	mustRun(t, "stream", "train", names[0], "-o", "m.model", "--keep-moments")
	text := contentOf(t, names[1])
	in, data := io.Pipe()
	var stderr bytes.Buffer
	ended := make(chan error)
	go func() {
		err := run(t.Context(), []string{"stream", "update", "m.model", "-", "-o", "m.model"}, in, io.Discard, &stderr)
		in.Close()
		ended <- err
	}()
	if _, err := data.Write(text[:10]); err != nil { // it has read the model
		t.Fatal(err)
	}
	mustRun(t, "stream", "update", "m.model", names[2], "-o", "m.model")
	want := contentOf(t, "m.model")
	if _, err := data.Write(text[10:]); err != nil {
		t.Fatal(err)
	}
	data.Close()
	if err := <-ended; cli.ExitCode(err) != cli.ExitRuntime || !strings.Contains(err.Error(), replacedMeanwhile) {
		t.Errorf("%v, %s", err, &stderr)
	}
	if !bytes.Equal(contentOf(t, "m.model"), want) {
		t.Error("the other model is gone")
	}
	mustRun(t, "stream", "update", "m.model", names[1], "-o", "m.model")
}

// Updates of one model at a time leave a model with its sums, and each is in it or says
// that it is not.
func TestUpdatesAtOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files are not locked")
	}
	t.Chdir(t.TempDir())
	names := writeParts(t, 6)
	mustRun(t, append([]string{"stream", "train", "-o", "want.model"}, names...)...)
	mustRun(t, "stream", "train", names[0], "-o", "m.model", "--keep-moments")
	var wg sync.WaitGroup
	for _, name := range names[1:] {
		wg.Go(func() {
			for {
				var stderr bytes.Buffer
				err := run(t.Context(), []string{"stream", "update", "m.model", name, "-o", "m.model"}, strings.NewReader(""),
					io.Discard, &stderr)
				if err == nil {
					return
				}
				if !strings.Contains(err.Error(), replacedMeanwhile) {
					t.Errorf("%s: %v, %s", name, err, &stderr)
					return
				}
			}
		})
	}
	wg.Wait()
	if d := distance(t, "m.model", "want.model"); d > nearWeights {
		t.Errorf("weights differ by %g", d)
	}
	if found, err := filepath.Glob("m.model.moments*"); err != nil || len(found) != 1 {
		t.Errorf("%v, %v", found, err)
	}
}

// An update removes what killed updates left of the sums: with and without digits, temporary or not. Other files stay.
func TestUpdateRemovesLeftovers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files are not locked")
	}
	t.Chdir(t.TempDir())
	names := writeParts(t, 2)
	mustRun(t, "stream", "train", names[0], "-o", "m.model", "--keep-moments")
	const digits = "m.model.moments.0123456789abcdef"
	left := []string{".m.model.moments.89abcdef.tmp", digits, "." + digits + ".89abcdef.tmp"}
	others := []string{".m.model.moments.tmp", digits + ".89abcdef.tmp", "." + digits, "n.model.moments.0123456789abcdef"}
	for _, name := range slices.Concat(left, others) {
		putFile(t, ".", name, "half")
	}
	mustRun(t, "stream", "update", "m.model", names[1], "-o", "m.model")
	for _, name := range left {
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left: %v", name, err)
		}
	}
	for _, name := range others {
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
}

// The sums are beside the model that a symbolic link leads to, so that the model has them
// under both names.
func TestMomentsOfLink(t *testing.T) {
	t.Chdir(t.TempDir())
	names := writeParts(t, 3)
	if err := os.Mkdir("models", 0o777); err != nil {
		t.Fatal(err)
	}
	mustRun(t, "stream", "train", names[0], "-o", "models/m.model", "--keep-moments")
	if err := os.Symlink("models/m.model", "link.model"); err != nil {
		t.Skip(err)
	}
	mustRun(t, "stream", "update", "link.model", names[1], "-o", "link.model")
	mustRun(t, "stream", "update", "models/m.model", names[2], "-o", "models/m.model")
	mustRun(t, "stream", "update", "link.model", "-o", "copy.model")
	if found, err := filepath.Glob("link.model.*"); err != nil || len(found) > 0 {
		t.Errorf("%v, %v", found, err)
	}
}

func TestMomentsOfDevice(t *testing.T) {
	t.Chdir(t.TempDir())
	names := writeParts(t, 1)
	code, stderr := runAll(t, "stream", "train", names[0], "-o", os.DevNull, "--keep-moments")
	if code != cli.ExitUsage || !strings.Contains(stderr, "name a file") {
		t.Errorf("%d: %s", code, stderr)
	}
}

// Nothing but a model replaces MODEL, and nothing but its sums its sums.
func TestUpdateOutputs(t *testing.T) {
	t.Chdir(t.TempDir())
	names := writeParts(t, 2)
	mustRun(t, "stream", "train", names[0], "-o", "m.model", "--keep-moments")
	if err := os.Mkdir("dir.moments", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(names[1], "new.moments"); err != nil {
		t.Fatal(err)
	}
	model, sums := contentOf(t, "m.model"), contentOf(t, "m.model.moments")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"-o", "o.model", "--report", "o.model.moments"}, cli.ExitUsage, "two outputs go to o.model.moments"},
		{[]string{"-o", "o.model", "--report", "m.model"}, cli.ExitUsage, "m.model would overwrite an input"},
		{[]string{"-o", "m.model", "--report", "m.model.moments"}, cli.ExitUsage, "m.model.moments"},
		{[]string{"-o", "m.model.moments"}, cli.ExitUsage, "m.model.moments would overwrite an input"},
		{[]string{"new.moments", "-o", "new"}, cli.ExitUsage, "new.moments would overwrite an input"},
		{[]string{"-o", "dir"}, cli.ExitRuntime, "dir.moments is a directory"},
	} {
		if code, stderr := runAll(t, append([]string{"stream", "update", "m.model"}, c.args...)...); code != c.code ||
			!strings.Contains(stderr, c.want) {
			t.Errorf("%v: %d, %s", c.args, code, stderr)
		}
	}
	if !bytes.Equal(contentOf(t, "m.model"), model) || !bytes.Equal(contentOf(t, "m.model.moments"), sums) {
		t.Error("the model or its sums are changed")
	}
	if _, err := os.Stat("dir"); err == nil {
		t.Error("a model without sums")
	}
}

// What cannot be added or forgotten is said in the words of update, and leaves the model.
func TestUpdateRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	names := writeParts(t, 2)
	mustRun(t, "stream", "train", names[0], "-o", "m.model", "--keep-moments")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{names[0]}, "is in the model already"},
		{[]string{"--forget", names[1]}, "were not added"},
		{[]string{"--forget", names[0]}, "nothing is left to train from"},
	} {
		before := contentOf(t, "m.model")
		code, stderr := runAll(t, append([]string{"stream", "update", "m.model", "-o", "m.model"}, c.args...)...)
		if code != cli.ExitData || !strings.Contains(stderr, c.want) || !bytes.Equal(contentOf(t, "m.model"), before) {
			t.Errorf("%v: %d, %s", c.args, code, stderr)
		}
	}
}

// Sums are at most as readable as their model, and keep their permissions when they are replaced.
func TestPermissionsOfMoments(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permissions here")
	}
	t.Chdir(t.TempDir())
	names := writeParts(t, 2)
	mustRun(t, "stream", "train", names[0], "-o", "m.model", "--keep-moments")
	for _, c := range []struct{ model, sums, want os.FileMode }{
		{0o600, 0o600, 0o600}, {0o600, 0o644, 0o600}, {0o640, 0o600, 0o600}, {0o600, 0, 0o600},
	} {
		if c.sums == 0 {
			if err := os.Remove("m.model.moments"); err != nil {
				t.Fatal(err)
			}
		} else if err := os.Chmod("m.model.moments", c.sums); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod("m.model", c.model); err != nil {
			t.Fatal(err)
		}
		mustRun(t, "stream", "train", names[1], "-o", "m.model", "--keep-moments")
		if info, err := os.Stat("m.model.moments"); err != nil || info.Mode().Perm() != c.want {
			t.Errorf("model %o, sums %o: the sums have %v, %v", c.model, c.sums, info, err)
		}
		if info, err := os.Stat("m.model"); err != nil || info.Mode().Perm() != c.model {
			t.Errorf("the model has %v, %v", info, err)
		}
	}
}
