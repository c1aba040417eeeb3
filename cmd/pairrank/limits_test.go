package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/option"

	"github.com/spf13/pflag"
)

// A whole number beyond its limit is refused before anything is read.
func TestWholeNumbersHaveLimits(t *testing.T) {
	root := newTestRoot(t)
	for _, cmd := range allVerbs(root) {
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			o := option.Find(cli.VerbOf(cmd), flag.Name)
			if flag.Value.Type() != "int" || o == nil {
				return
			}
			most := cmp.Or(o.Most, option.MostOf)
			if most < 256 {
				t.Errorf("--%s is at most %d", flag.Name, most)
			}
			for _, n := range []int{most + 1, math.MaxInt64, o.Least - 1} {
				words := strings.Fields(cli.VerbOf(cmd))
				again, _, err := newTestRoot(t).Find(words)
				if err == nil {
					err = again.ParseFlags([]string{fmt.Sprintf("--%s=%d", flag.Name, n)})
				}
				if err != nil {
					t.Fatal(err)
				}
				if err := cli.CheckLimits(again); cli.ExitCode(err) != cli.ExitUsage {
					t.Errorf("%s --%s %d: %v", cli.VerbOf(cmd), flag.Name, n, err)
				}
			}
		})
	}
}

// What a limit lets pass is told apart from what it refuses.
func TestLimitsAreSaid(t *testing.T) {
	for args, want := range map[string]string{
		"version --threads 2147483647": fmt.Sprintf("--threads is at most %d, not 2147483647",
			max(256, runtime.NumCPU())),
		"compare x --scores a --resamples 99":         "--resamples is at least 100, not 99",
		"train x -o m --tolerance 0 --solver cg":      "--tolerance is greater than 0, not 0",
		"train x -o m --time-limit 0s":                "--time-limit is greater than 0, not 0s",
		"train x -o m --learner ranksvm --epsilon -1": "--epsilon is greater than 0, not -1",
	} {
		err := run(t.Context(), words(args), strings.NewReader(""), io.Discard, io.Discard)
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}
