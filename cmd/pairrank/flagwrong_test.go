package main

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"

	"github.com/spf13/pflag"
)

// A value that is refused is told with its option, in every command of the corpus, also where only the data refuse it.
// Files are named themselves.
func TestRefusedValuesAreToldWithTheirOption(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand runs of the program, one after another")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	corpus := makeCorpus(t)
	named := strings.Fields("FILE MODEL DIR TAG")
	eachFlag(newTestRoot(t), func(verb string, flag *pflag.Flag) {
		kind, _ := pflag.UnquoteUsage(flag)
		if flag.Value.Type() == "bool" || slices.Contains(named, kind) || verb == "export" && flag.Name == "name" {
			return
		}
		for _, c := range corpus[verb] {
			if c.code != cli.ExitOK || slices.Contains(c.args, "--"+flag.Name) {
				continue
			}
			for _, value := range []string{"wrong", "lqo", "auc"} {
				got := outcomeOf(t, append(slices.Clone(c.args), "--"+flag.Name+"="+value))
				if got.code == cli.ExitUsage && !strings.Contains(got.stderr, "--"+flag.Name) {
					t.Errorf("%s --%s=%s: %s", c.name, flag.Name, value, got.stderr)
				}
			}
		}
	})
}
