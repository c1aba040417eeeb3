package main

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/eval/compare"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/export"
	"pairrank/format/foreign"
	"pairrank/internal/learn/ranksvm"
	"pairrank/internal/option"
	"pairrank/relation"
	"pairrank/relation/edge"
	"pairrank/relation/pairwise"
	"pairrank/serve"
)

// The names in the table of options are those of the library.
func TestNamesOfTheLibrary(t *testing.T) {
	intervals := []string{"auto", string(cv.IntervalsHalves), string(cv.IntervalsNone)}
	parts := []string{"auto", "edge", "row", "column", "feature-pair", "feature"}
	for _, name := range parts[1:] {
		if partKinds[name] == "" {
			t.Errorf("--by %s stands for no part", name)
		}
	}
	for _, c := range []struct {
		verb, option string
		want         []string
	}{
		{"train", "loss", named(ranksvm.Losses)},
		{"relation train", "loss", named([]edge.Loss{edge.Ranking, edge.Regression})},
		{"relation train", "learner", named(relation.Learners)},
		{"train", "counter", named(ranksvm.Counters)},
		{"train", "setting", named(edge.Settings)},
		{"train", "relation", named([]edge.Relation{edge.Arbitrary, edge.Symmetric, edge.Reciprocal})},
		{"train", "pair-kernel", named(pairwise.Kernels)},
		{"cv", "interval", intervals},
		{"evaluate", "style", metric.StyleNames()},
		{"compare", "zeros", compare.ZerosNames()},
		{"explain", "by", parts},
		{"export", "to", export.Targets()},
		{"import", "from", foreign.Formats()},
	} {
		for _, o := range option.Of(c.verb) {
			if o.Name == c.option && !slices.Equal(o.Names, c.want) {
				t.Errorf("%s --%s takes %v in the table, %v in the library", c.verb, c.option, o.Names, c.want)
			}
		}
	}
}

// The defaults in the table of options are those of the library.
func TestDefaultsOfTheLibrary(t *testing.T) {
	for name, want := range map[string]string{
		"train --max-line": strconv.Itoa(data.MaxLine), "train --learner": "rankrls",
		"compare --style": metric.Default.String(),
		"compare --zeros": compare.DropZeros.String(), "serve --max-body": strconv.FormatInt(serve.Defaults.MaxBody, 10),
		"serve --max-rows":   strconv.Itoa(serve.Defaults.MaxRows),
		"serve --max-queue":  strconv.Itoa(serve.Defaults.MaxQueue),
		"serve --queue-wait": serve.Defaults.QueueWait.String(), "serve --drain": serve.Defaults.Drain.String(),
		"serve --read-header-timeout": serve.Defaults.ReadHeaderTimeout.String(),
		"serve --read-timeout":        serve.Defaults.ReadTimeout.String(),
		"serve --write-timeout":       serve.Defaults.WriteTimeout.String(),
		"serve --idle-timeout":        serve.Defaults.IdleTimeout.String(),
	} {
		verb, flag, _ := strings.Cut(name, " --")
		if got := option.Find(verb, flag).Default; got != want {
			t.Errorf("the default of %s is %s in the table, %s in the library", name, got, want)
		}
	}
}

// A figure that the help of a verb names can be drawn, and the other way round.
func TestNamesOfFigures(t *testing.T) {
	for _, cmd := range allVerbs(newTestRoot(t)) {
		flag := cmd.Flags().Lookup("figure")
		if flag == nil {
			continue
		}
		names := flag.Value.(*cli.OneValue).Value.(figureFlag).of.names
		if _, list, several := strings.Cut(flag.Usage, "draws another: "); several &&
			list != strings.Join(names, ", ") {
			t.Errorf("%s draws %v, and its help says %s", cli.VerbOf(cmd), names, list)
		}
	}
}

// named turns names of a type of their own into text.
func named[S ~string](names []S) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = string(n)
	}
	return out
}
