package main

import (
	"bytes"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// pagesOf are the manual pages of the program, by verb.
func pagesOf(t *testing.T) (*cobra.Command, map[string]string) {
	t.Helper()
	root := newTestRoot(t)
	pages := map[string]string{}
	for _, name := range append(verbNames(root), "") {
		args := []string{"man"}
		if name != "" {
			args = append(args, name)
		}
		var page bytes.Buffer
		if err := run(t.Context(), args, strings.NewReader(""), &page, io.Discard); err != nil {
			t.Fatal(err)
		}
		pages[name] = page.String()
	}
	return root, pages
}

// A manual page has every flag of its verb, and the page of the program every verb.
func TestManualsHaveAllFlags(t *testing.T) {
	root, pages := pagesOf(t)
	for _, verb := range root.Commands() {
		if !verb.IsAvailableCommand() {
			continue
		}
		if !strings.Contains(pages[""], "pairrank\\-"+verb.Name()+"(1)") {
			t.Errorf("the page of pairrank does not have the verb %s", verb.Name())
		}
		verb.Flags().VisitAll(func(f *pflag.Flag) {
			name := `\fB\-\-` + strings.ReplaceAll(f.Name, "-", `\-`)
			if f.Shorthand != "" {
				name = `\fB\-` + f.Shorthand + `, \-\-` + strings.ReplaceAll(f.Name, "-", `\-`)
			}
			if !f.Hidden && strings.Count(pages[verb.Name()], name) == 0 {
				t.Errorf("the page of %s does not have --%s", verb.Name(), f.Name)
			}
		})
	}
}

// troff has nothing to warn of in any page.
func TestManualsAreRoff(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not here: ", err)
	}
	_, pages := pagesOf(t)
	for name, page := range pages {
		cmd := exec.Command(groff, "-man", "-Tutf8", "-ww", "-z", "-K", "utf8")
		cmd.Stdin = strings.NewReader(page)
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("the page of %q: %v\n%s", name, err, out)
		}
	}
}
