package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// The bill has each module of the program once, by the words of go.sum, and the same bytes each time.
func TestBillOfATest(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out, again bytes.Buffer
	for _, to := range []io.Writer{&out, &again} {
		if err := run([]string{"-version", "v1.2.3", "-time", "1700000000", program}, to, io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(out.Bytes(), again.Bytes()) {
		t.Error("two bills differ")
	}
	var b map[string]any
	if err := json.Unmarshal(out.Bytes(), &b); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"bomFormat": "CycloneDX"`, `"timestamp": "2023-11-14T22:13:20Z"`, `"version": "v1.2.3"`,
		fmt.Sprintf("%x", sha256.Sum256(text)), `"purl": "pkg:golang/std@1.`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the bill lacks %s:\n%s", want, out.String())
		}
	}
}

func TestModules(t *testing.T) {
	info := &debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Path: "example.org/p"},
		Settings: []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "-ldflags", Value: "-s"}},
		Deps: []*debug.Module{{Path: "a.org/b", Version: "v1.0.0+incompatible", Sum: "h1:x="},
			{Path: "c.org/d", Version: "v0.1.0", Replace: &debug.Module{Path: "e.org/f", Version: "v2.0.0"}}}}
	b := billOf(info, sha256.Sum256([]byte("it")), "v1.2.3", time.Unix(0, 0))
	var told []string
	for _, c := range append(b.Components, b.Metadata.Component) {
		told = append(told, fmt.Sprint(c.PURL, c.Properties))
	}
	if got, want := strings.Join(told, " "), "pkg:golang/std@1.26.0[] "+
		"pkg:golang/a.org/b@v1.0.0%2Bincompatible[{go.sum h1:x=}] "+
		"pkg:golang/e.org/f@v2.0.0[] pkg:golang/example.org/p@v1.2.3[{GOOS linux}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if len(b.Serial) != len("urn:uuid:")+36 || b.Serial[23] != '8' {
		t.Errorf("the serial number is %s", b.Serial)
	}
}

func TestBillRefuses(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no program"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{text}, {"-version", "v1"}, {"-version", "v1", text}, {"-version", "v1", text + "x"}} {
		if err := run(args, io.Discard, io.Discard); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}
