package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Two names of one file that is not there yet are one output, however they are written.
func TestTwoOutputsOfOneName(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.Mkdir("sub", 0o777); err != nil {
		t.Fatal(err)
	}
	a := &App{Ctx: t.Context()}
	for _, c := range []struct {
		a, b string
		one  bool
	}{
		{"x", "./x", true}, {"x", filepath.Join(dir, "x"), true}, {"sub/../x", filepath.Join(dir, "x"), true},
		{"x", "y", false}, {"x", "sub/x", false}, {filepath.Join(dir, "sub", "x"), "sub/x", true},
	} {
		err := a.CheckOutputs([]string{c.a, "", c.b})
		if got := err != nil && strings.Contains(err.Error(), "two outputs go to"); got != c.one || err != nil &&
			!c.one {
			t.Errorf("%s and %s: %v", c.a, c.b, err)
		}
	}
}
