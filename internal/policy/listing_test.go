package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
)

// listed is a package as go list describes it.
type listed struct {
	ImportPath                         string
	Standard                           bool
	Module                             *struct{ Path string }
	Imports, TestImports, XTestImports []string
	Error                              *struct{ Err string }
}

type target struct{ os, arch, tags string }

// builds are the kinds of build that the graph is checked for: files that one
// leaves out are in another.
var builds = []target{
	{"linux", "amd64", ""}, {"linux", "amd64", "noasm"}, {"linux", "arm64", ""}, {"linux", "riscv64", ""},
	{"windows", "amd64", ""}, {"darwin", "arm64", ""},
}

// listings are the packages of each build, listed once for all tests.
var listings = map[target]func() ([]listed, error){}

func init() {
	for _, b := range builds {
		listings[b] = sync.OnceValues(b.list)
	}
}

// list is go list of all packages and their tests, with everything that they import.
func (b target) list() (packages []listed, err error) {
	cmd := exec.Command("go", "list", "-e", "-deps", "-test", "-tags="+b.tags,
		"-json=ImportPath,Standard,Module,Imports,TestImports,XTestImports,Error", "./...")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	cmd.Env = append(os.Environ(), "GOOS="+b.os, "GOARCH="+b.arch, "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%v: %w", cmd, err)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p listed
		if err := d.Decode(&p); err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
	return packages, nil
}

// packages are those of a build.
func (b target) packages(t *testing.T) []listed {
	t.Helper()
	packages, err := listings[b]()
	if err != nil {
		t.Fatal(err)
	}
	return packages
}
