package policy

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// in runs a command in a folder and returns what it prints.
func in(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// tracked are the files of the repository, below a copy of it where git lists them again, or the test is skipped.
func tracked(t *testing.T) (clone string, names []string) {
	t.Helper()
	for _, program := range []string{"bash", "git", "gofmt"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("there is no %s here, which release/module needs", program)
		}
	}
	list, err := exec.CommandContext(t.Context(), "git", "-C", root, "ls-files", "-z", "-co",
		"--exclude-standard").Output()
	if err != nil {
		t.Skip("this is no clone: git lists no files")
	}
	clone = t.TempDir()
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		from, to := filepath.Join(root, name), filepath.Join(clone, name)
		text, err := os.ReadFile(from)
		if os.IsNotExist(err) {
			continue // taken out, and not committed
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(from)
		if err == nil {
			err = os.WriteFile(to, text, info.Mode())
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	in(t, clone, "git", "init", "-q")
	in(t, clone, "git", "add", "-A")
	return clone, names
}

// release/module renames every import and every go.mod, so that all packages are found under the new path, and back
// again it leaves no difference.
func TestModuleIsRenamed(t *testing.T) {
	clone, names := tracked(t)
	rename := filepath.Join(clone, "release", "module")
	in(t, clone, rename, "example.org/rank/pairrank")
	for _, folder := range []string{".", "evidence/papers", "evidence/checks", "examples/embed"} {
		for path := range strings.Lines(in(t, filepath.Join(clone, folder), "go", "list", "-deps", "-test", "./...")) {
			if path == module+"\n" || strings.HasPrefix(path, module+"/") {
				t.Errorf("%s: a package needs %s", folder, path)
			}
		}
	}
	if out := in(t, clone, "gofmt", "-l", "."); out != "" {
		t.Errorf("gofmt would change:\n%s", out)
	}
	in(t, clone, rename, module)
	for _, name := range names {
		want, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(clone, name))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not the same after a rename and back (%v)", name, err)
		}
	}
	for _, wrong := range [][]string{{}, {"a", "b"}, {"example.org/a b"}, {"-x"}, {"/rank"}, {"rank/"}, {"a&b"}} {
		cmd := exec.CommandContext(t.Context(), rename, wrong...)
		if out, err := cmd.CombinedOutput(); err == nil || !bytes.HasPrefix(out, []byte("usage: ")) {
			t.Errorf("release/module %q: %v\n%s", wrong, err, out)
		}
	}
}

// The commands of docs/library.md make a module that uses the clone: here the program of the tutorial.
func TestReplaceInAnotherModule(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh here to run the commands")
	}
	_, section, _ := strings.Cut(read(t, "docs/library.md"), "\n## From another module\n")
	block := regexp.MustCompile("(?s)```sh\n(.*?)```").FindStringSubmatch(section)
	program := namedBlock.FindStringSubmatch(read(t, "docs/tutorial-go.md"))
	if block == nil || program == nil {
		t.Fatal("the section has no sh block, or the tutorial no program")
	}
	clone, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(program[2]), 0o666); err != nil {
		t.Fatal(err)
	}
	in(t, dir, "sh", "-e", "-c", strings.ReplaceAll(block[1], "../pairrank", clone))
	in(t, dir, "go", "build", stripped, "-o", filepath.Join(dir, "program"), ".")
}

// A module that reaches the program, or the library, by way of another one is seen here. Who imports the library gets
// one module that is not ours.
func TestModulesLinked(t *testing.T) {
	for name, want := range map[string][]string{"/cmd/pairrank": linked, "": {"golang.org/x/sys"}} {
		if got := modulesOf(t, module+name); !slices.Equal(got, want) {
			t.Errorf("%s is made of %v, and the policy is %v", module+name, got, want)
		}
	}
}

// modulesOf are the modules of others below a package, in any build.
func modulesOf(t *testing.T, name string) (got []string) {
	for _, b := range builds {
		packages := map[string]listed{}
		for _, p := range b.packages(t) {
			packages[p.ImportPath] = p
		}
		seen := map[string]bool{}
		var add func(path string)
		add = func(path string) {
			if seen[path] {
				return
			}
			seen[path] = true
			p := packages[path]
			if p.Module != nil && p.Module.Path != module {
				got = append(got, p.Module.Path)
			}
			for _, next := range p.Imports {
				add(next)
			}
		}
		add(name)
	}
	slices.Sort(got)
	return slices.Compact(got)
}
