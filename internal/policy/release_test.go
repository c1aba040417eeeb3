package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The recipes of Homebrew and Scoop have the checksum of each archive, beside its address, and are the same each time.
func TestRecipes(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash here to run release/recipes")
	}
	targets := []string{"linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64", "windows-arm64"}
	var sums strings.Builder
	for i, target := range targets {
		fmt.Fprintf(&sums, "%064x  pairrank-v1.2.3-%s.tar.gz\n", i+10, target)
		fmt.Fprintf(&sums, "%064x  pairrank-v1.2.3-%s.cdx.json\n", i+90, target)
	}
	write := func(sums string) (formula, manifest []byte, err error) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "pairrank-v1.2.3.sha256"), []byte(sums), 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "bash", filepath.Join(root, "release", "recipes"), "v1.2.3",
			"https://example.org/pairrank", dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			return nil, nil, fmt.Errorf("%w: %s", err, out)
		}
		formula, _ = os.ReadFile(filepath.Join(dir, "pairrank.rb"))
		manifest, err = os.ReadFile(filepath.Join(dir, "pairrank.json"))
		return formula, manifest, err
	}
	formula, manifest, err := write(sums.String())
	if err != nil {
		t.Fatal(err)
	}
	again, second, err := write(sums.String())
	if err != nil || !bytes.Equal(formula, again) || !bytes.Equal(manifest, second) {
		t.Errorf("other recipes from the same checksums (%v)", err)
	}
	if left := regexp.MustCompile(`@[A-Za-z0-9-]+@`).FindAll(append(formula, manifest...), -1); left != nil {
		t.Errorf("not filled in: %q", left)
	}
	if !json.Valid(manifest) {
		t.Errorf("the recipe of Scoop is no JSON:\n%s", manifest)
	}
	const url = "https://example.org/pairrank/releases/download/v1.2.3/pairrank-v1.2.3-"
	for i, target := range targets {
		beside := regexp.MustCompile(fmt.Sprintf(`"%s%s\.tar\.gz",?\s+"?(sha256|hash":) "%064x"`, url, target, i+10))
		text := formula
		if strings.HasPrefix(target, "windows") {
			text = manifest
		}
		if !beside.Match(text) {
			t.Errorf("no address with its checksum for %s:\n%s", target, text)
		}
	}
	lines := strings.SplitAfter(sums.String(), "\n")
	if _, _, err := write(strings.Join(lines[2:], "")); err == nil || !strings.Contains(err.Error(), targets[0]) {
		t.Errorf("recipes without the archive for %s: %v", targets[0], err)
	}
}
