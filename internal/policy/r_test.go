package policy

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// rBlock is a program of R, and the text block that follows it: what it prints.
var rBlock = regexp.MustCompile("(?s)```r\n(.*?)```.*?```text\n(.*?)```")

// The programs of R in the pages print what the pages show. .ci/run installs R.
func TestProgramsOfR(t *testing.T) {
	if err := exec.Command("Rscript", "-e", "library(jsonlite)").Run(); err != nil {
		t.Skip("there is no R with jsonlite here to run the programs of docs/r.md")
	}
	t.Setenv("PATH", filepath.Dir(build(t))+string(filepath.ListSeparator)+os.Getenv("PATH"))
	library := t.TempDir()
	install := exec.CommandContext(t.Context(), "R", "CMD", "INSTALL", "--library="+library, filepath.Join(root, "r"))
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("R_LIBS", library)
	programs := rBlock.FindAllStringSubmatch(read(t, "docs/r.md"), -1)
	if len(programs) == 0 {
		t.Error("docs/r.md has no program")
	}
	for _, p := range programs {
		dir := t.TempDir()
		if err := os.CopyFS(filepath.Join(dir, "examples"), os.DirFS(filepath.Join(root, "examples"))); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "page.R"), []byte(p[1]), 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "Rscript", "--vanilla", "page.R")
		cmd.Dir, cmd.Stderr = dir, os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if !pattern(strings.Split(strings.TrimRight(p[2], "\n"), "\n")).Match(out) {
			t.Errorf("docs/r.md shows\n%s\nand it prints\n%s", p[2], out)
		}
	}
}
