package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"

	"github.com/spf13/pflag"
)

// Every whole number on the command line has a limit, and is refused one beyond it
// before anything is read.
func TestWholeNumbersHaveLimits(t *testing.T) {
	seen := map[string]bool{}
	check := func(verb string, flag *pflag.Flag) {
		if flag.Value.Type() != "int" {
			return
		}
		most, known := cli.MostOf[flag.Name]
		if !known {
			t.Errorf("%s --%s has no limit", verb, flag.Name)
			return
		}
		seen[flag.Name] = true
		for _, text := range []string{strconv.Itoa(most + 1), "9223372036854775807"} {
			cmd, _, err := newRoot(&app{&cli.App{}}).Find([]string{verb})
			if err == nil {
				err = cmd.ParseFlags([]string{"--" + flag.Name, text})
			}
			if err != nil {
				t.Fatal(err)
			}
			var usage *cli.UsageError
			if err := cli.CheckLimits(cmd); !errors.As(err, &usage) {
				t.Errorf("%s --%s %s: %v", verb, flag.Name, text, err)
			}
		}
	}
	root := newRoot(&app{&cli.App{Ctx: t.Context(), In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}})
	root.PersistentFlags().VisitAll(func(flag *pflag.Flag) { check("version", flag) })
	for _, cmd := range root.Commands() {
		cmd.Flags().VisitAll(func(flag *pflag.Flag) { check(cmd.Name(), flag) })
	}
	for name := range cli.MostOf {
		if !seen[name] {
			t.Errorf("there is no flag --%s", name)
		}
	}
}

// What a limit lets pass is told apart from what it refuses.
func TestLimitsAreSaid(t *testing.T) {
	for flag, most := range cli.MostOf {
		if most < 256 {
			t.Errorf("--%s is at most %d", flag, most)
		}
	}
	var out, errs bytes.Buffer
	err := run(t.Context(), []string{"version", "--threads", "2147483647"}, strings.NewReader(""), &out, &errs)
	if want := fmt.Sprintf("--threads is at most %d, not 2147483647", cli.MostOf["threads"]); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
