package policy

import (
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
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

// The command in examples/README.md makes the sample data, byte for byte.
func TestSampleIsMadeAgain(t *testing.T) {
	program := build(t)
	dir := t.TempDir()
	var args []string
	for _, c := range commandsOf(read(t, "examples/README.md")) {
		if strings.HasPrefix(c.text, "pairrank synth ") {
			args = strings.Fields(c.text)[1:]
		}
	}
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("pairrank %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	sample, err := os.ReadFile(filepath.Join(dir, "sample.txt"))
	if err != nil {
		t.Fatal(err)
	}
	first := bytes.Index(sample, []byte(" qid:26 "))
	if first < 0 {
		t.Fatal("the sample has no query 26")
	}
	cut := bytes.LastIndexByte(sample[:first], '\n') + 1
	for name, want := range map[string][]byte{"train.txt": sample[:cut], "test.txt": sample[cut:]} {
		if got := read(t, "examples/letor/"+name); got != string(want) {
			t.Errorf("examples/letor/%s is not what %v makes", name, args)
		}
	}
}
