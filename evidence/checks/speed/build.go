package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// tree is a source tree with what was built from it.
type tree struct {
	name, dir, bin string // bin has pairrank and the test binaries
}

// command is the pairrank of a tree.
func (t tree) command() string { return filepath.Join(t.bin, "pairrank") }

// buildAll builds the command of every tree, with absolute paths, as processes run
// in other folders.
func buildAll(ctx context.Context, s settings) (trees []tree, err error) {
	work, err := filepath.Abs(s.work)
	if err != nil {
		return nil, err
	}
	for _, t := range []tree{{name: "before", dir: s.before}, {name: "after", dir: s.after}} {
		if t.dir == "" {
			continue
		}
		if t.dir, err = filepath.Abs(t.dir); err != nil {
			return nil, err
		}
		t.bin = filepath.Join(work, t.name)
		if err := t.build(ctx, "build", t.command(), "./cmd/pairrank"); err != nil {
			return nil, err
		}
		trees = append(trees, t)
	}
	return trees, nil
}

// build runs `go build` or `go test -c`. Without paths in them, trees share what is compiled of equal packages.
func (t tree) build(ctx context.Context, verb, to, pkg string) error {
	cmd := exec.CommandContext(ctx, "go", append(strings.Fields(verb), "-trimpath", "-o", to, pkg)...)
	cmd.Dir, cmd.Stderr = t.dir, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: building %s: %w", t.name, pkg, err)
	}
	return nil
}
