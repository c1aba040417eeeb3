package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// browser drives the page in Chromium.
func (r *run) browser() error {
	for _, tool := range []string{"node", "npm", r.chromium} {
		if _, err := exec.LookPath(tool); err != nil {
			fmt.Printf("      skipped: there is no %s\n", tool)
			return nil
		}
	}
	npm := exec.CommandContext(r.ctx, "npm", "install", "--no-save", "--no-audit", "--no-fund", "playwright-core")
	npm.Dir = r.path("playwright")
	if err := os.Mkdir(npm.Dir, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(npm.Dir, "package.json"), []byte("{}\n"), 0o666); err != nil {
		return err
	}
	if out, err := npm.CombinedOutput(); err != nil {
		fmt.Printf("      skipped: npm cannot fetch playwright-core: %s\n", out)
		return nil
	}
	cmd := exec.CommandContext(r.ctx, "node", "serve/browser/page.mjs", r.program, npm.Dir, r.path("pictures"),
		r.chromium)
	out, err := cmd.CombinedOutput()
	held := 0
	for in := bufio.NewScanner(strings.NewReader(string(out))); in.Scan(); {
		if strings.HasPrefix(in.Text(), "ok") {
			held++
		} else {
			fmt.Println("      " + in.Text())
		}
	}
	r.finding(err == nil, "%d checks of the page", held)
	return nil
}
