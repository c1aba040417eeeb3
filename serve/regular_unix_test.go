//go:build unix

package serve

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// A pipe in the place of any file is refused at once, at the start and by a reload, and does
// not keep the server from its end.
func TestPipesAreRefused(t *testing.T) {
	dir := t.TempDir()
	o := Options{Models: []Source{ones(t, dir, 1)}}
	o.CertFile, o.KeyFile, _ = certificate(t, dir)
	o.TokenFile = write(t, dir+"/token", "first-token-of-two\n")
	o.Models[0].Golden = write(t, dir+"/golden.json", `{"rows":[[1,1,1]],"scores":[3]}`)
	edges := saved(t, dir, "edges", pairs())
	edges.Rows = write(t, dir+"/rows.tsv", "id\tu\tv\nr1\t1\t0\n")
	edges.Cols = write(t, dir+"/cols.tsv", "id\tw\nc1\t0\n")
	o.Models = append(o.Models, edges)
	s := made(t, o)
	_, stop := running(t, s)
	for _, path := range []string{o.Models[0].File, o.CertFile, o.KeyFile, o.TokenFile, o.Models[0].Golden,
		edges.File, edges.Rows, edges.Cols} {
		aside := path + ".aside"
		if err := os.Rename(path, aside); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Skip(err)
		}
		want := path + " is a pipe, but a server reads its files repeatedly"
		if err := s.Reload(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a reload of %s: %v", path, err)
		}
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a start with %s: %v", path, err)
		}
		if err := os.Rename(aside, path); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Reload(); err != nil {
		t.Error(err)
	}
	for path, want := range map[string]string{dir: "a directory", os.DevNull: "a device"} {
		if _, err := open(path); err == nil || !strings.Contains(err.Error(), path+" is "+want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}
