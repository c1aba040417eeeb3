package main

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"pairrank/cmd/pairrank/internal/cli"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// eachFlag visits the flags of every verb, those of all verbs too.
func eachFlag(root *cobra.Command, visit func(verb string, flag *pflag.Flag)) {
	for _, cmd := range append(allVerbs(root), root) {
		verb := cmp.Or(cli.VerbOf(cmd), cmd.Name())
		if slices.Contains([]string{"relation predict", "relation explain", "relation evaluate"}, verb) {
			continue // the plain verb has their flags, too, and the model says which are for it
		}
		own := func(flag *pflag.Flag) { visit(verb, flag) }
		cmd.Flags().VisitAll(own)
		cmd.InheritedFlags().VisitAll(own)
	}
}

// newTestRoot is the tree of verbs, which writes nothing.
func newTestRoot(t *testing.T) *cobra.Command {
	a := &app{&cli.App{Ctx: t.Context(), In: strings.NewReader(""), Out: io.Discard, Err: io.Discard,
		Mode: "auto"}}
	root := newRoot(a, verbsFor(nil)...)
	a.defineAll(root)
	return root
}

// Every flag of every verb refuses an empty value and, but for these, a second one.
func TestEveryFlagIsGivenOnce(t *testing.T) {
	again := []string{"evaluate --scores", "evaluate --model", "evaluate --fail-under", "evaluate --fail-over",
		"compare --scores", "compare --model", "compare --beside", "compare --fail-worse", "compare --fail-unless",
		"leaderboard --fail-worse", "leaderboard --fail-unless",
		"predict --rows", "predict --cols", "relation train --rows", "relation train --cols", "relation cv --rows",
		"relation cv --cols", "relation rank --rows", "relation rank --cols", "relation check --rows",
		"relation check --cols", "report --rows", "report --cols", "explain --rows", "explain --cols",
		"serve --golden", "serve --rows", "serve --cols", "serve --host", "stream update --forget-qid"}
	flags := 0
	eachFlag(newTestRoot(t), func(verb string, flag *pflag.Flag) {
		flags++
		name := verb + " --" + flag.Name
		flag.Changed = false
		var given *cli.GivenError
		if err := flag.Value.Set(""); !errors.As(err, &given) || err.Error() != "--"+flag.Name+" is empty" {
			t.Errorf("%s: the empty value is %v", name, err)
		}
		flag.Changed = true
		err := flag.Value.Set("x")
		if twice := errors.As(err, &given) && strings.Contains(err.Error(),
			"is given twice"); twice == slices.Contains(again, name) {
			t.Errorf("%s: a second value is %v", name, err)
		}
	})
	if flags < 200 {
		t.Errorf("there are %d flags only", flags)
	}
}
