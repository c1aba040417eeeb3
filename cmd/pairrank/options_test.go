package main

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/eval/compare"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/export"
	"pairrank/format/foreign"
	"pairrank/internal/option"
	"pairrank/learn/ranksvm"
	"pairrank/relation"
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
		{"relation train", "loss", named([]relation.Loss{relation.Ranking, relation.Regression})},
		{"relation train", "learner", named(relation.Learners)},
		{"train", "counter", named(ranksvm.Counters)},
		{"train", "setting", named(relation.Settings)},
		{"train", "relation", named([]relation.Kind{relation.Arbitrary, relation.Symmetric, relation.Reciprocal})},
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
		"compare --zeros": compare.DropZeros.String(), "serve --max-body": strconv.Itoa(serve.DefaultMaxBody),
		"serve --max-rows":   strconv.Itoa(serve.DefaultMaxRows),
		"serve --max-queue":  strconv.Itoa(serve.DefaultMaxQueue),
		"serve --queue-wait": serve.DefaultQueueWait.String(), "serve --drain": serve.DefaultDrain.String(),
		"serve --read-header-timeout": serve.DefaultReadHeaderTimeout.String(),
		"serve --read-timeout":        serve.DefaultReadTimeout.String(),
		"serve --write-timeout":       serve.DefaultWriteTimeout.String(),
		"serve --idle-timeout":        serve.DefaultIdleTimeout.String(),
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

// kindForm is a command in the form of its kind of data; nil where the plain form is the only one.
func kindForm(args []string) []string {
	at := func(name string) int { return slices.Index(args, name) }
	verb := args[0]
	switch k := at("--edges"); {
	case k > 0 && k+1 < len(args) && slices.Contains([]string{"train", "cv", "check"}, verb) && at("--stream") < 0:
		return slices.Concat([]string{"relation", verb, args[k+1]}, args[1:k], args[k+2:])
	case verb == "rank", slices.Contains([]string{"predict", "explain"}, verb) &&
		(at("--rows") > 0 || at("--given") > 0):
		return append([]string{"relation"}, args...)
	case slices.Contains([]string{"stats", "merge", "update"}, verb):
		return append([]string{"stream"}, args...)
	case verb == "train" && at("--stream") > 0:
		return append([]string{"stream"}, slices.DeleteFunc(slices.Clone(args),
			func(a string) bool { return a == "--stream" })...)
	}
	return nil
}

// A verb of a kind of data does what the plain form does, byte for byte.
func checkKindForms(t *testing.T, corpus commands, base map[string]outcome) {
	compared := map[string]int{}
	for _, verb := range corpus {
		for _, c := range verb {
			form := []string(nil)
			if len(c.args) > 0 {
				form = kindForm(c.args)
			}
			if form == nil || c.code == cli.ExitUsage {
				continue
			}
			compared[form[0]+" "+form[1]]++
			if what := outcomeOf(t, form).changes(base[c.name]); len(what) > 0 {
				t.Errorf("%v: %v is not that of %v", form, what, c.args)
			}
		}
	}
	if len(compared) != 10 {
		t.Errorf("only these verbs were compared: %v", compared)
	}
}

// The verbs of kinds of data have no option that the plain form lacks, and take no other values.
func TestOptionsOfKinds(t *testing.T) {
	root := newTestRoot(t)
	for _, cmd := range allVerbs(root) {
		kind, plain := option.KindOf(cli.VerbOf(cmd))
		if kind == 0 || plain == cli.VerbOf(cmd) {
			continue
		}
		of, _, err := root.Find([]string{plain})
		if err != nil {
			t.Fatal(err)
		}
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			own := strings.ReplaceAll(cli.VerbOf(cmd), " ", ".")
			if o := option.Find(cli.VerbOf(cmd), flag.Name); o != nil && slices.Contains(strings.Fields(o.Verbs), own) {
				return
			}
			if of.Flags().Lookup(flag.Name) == nil && of.InheritedFlags().Lookup(flag.Name) == nil {
				t.Errorf("%s has --%s, and %s has not", cli.VerbOf(cmd), flag.Name, plain)
			}
		})
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
