package policy

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// built is the program, built once for all tests, in a folder that TestMain
// removes.
var built struct {
	sync.Once
	dir, program string
	output       []byte
	err          error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.dir != "" {
		os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

// stripped leaves out what only a debugger reads, as a release does: half the time of linking.
const stripped = "-ldflags=-s -w"

// build returns the name of the program, built without cgo.
func build(t *testing.T) string {
	t.Helper()
	built.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "pairrank"); built.err != nil {
			return
		}
		built.program = filepath.Join(built.dir, "pairrank")
		if runtime.GOOS == "windows" {
			built.program += ".exe"
		}
		cmd := exec.Command("go", "build", stripped, "-o", built.program, "./cmd/pairrank")
		cmd.Dir, cmd.Env = root, append(os.Environ(), "CGO_ENABLED=0")
		built.output, built.err = cmd.CombinedOutput()
	})
	if built.err != nil {
		t.Fatalf("building the program: %v\n%s", built.err, built.output)
	}
	return built.program
}

// The program needs nothing on the machine: no loader and no library.
func TestProgramIsStatic(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only ELF files are looked into")
	}
	f, err := elf.Open(build(t))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			t.Errorf("the program has a segment %v, so that it is linked dynamically", p.Type)
		}
	}
	if needed, err := f.ImportedLibraries(); err == nil && len(needed) > 0 {
		t.Errorf("the program needs %v", needed)
	}
}
