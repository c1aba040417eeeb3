package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/internal/option"
	"pairrank/internal/spell"
)

// run is the program: it obeys the arguments, writes data to stdout and
// everything else, its error too, to stderr. cli.ExitCode turns its error into the
// exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	out := cli.NewStandardOutput(stdout)
	a := &app{&cli.App{Ctx: ctx, In: stdin, Out: out, Err: stderr, MaxLine: data.MaxLine, Mode: "auto"}}
	root := newRoot(a)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		a.defineAll(root)
		completeNames(root)
	} else if cmd, _, err := root.Find(args); err == nil {
		a.Define(cmd)
	}
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if unwritten := out.End(); err == nil && unwritten != nil {
		err = a.DescribeWrite("standard output", cli.CannotWrite(unwritten))
	}
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		a.Tell(err)
	}
	return err
}

// app is one run of the program, whose methods are the verbs.
type app struct{ *cli.App }

// newRoot is the program with its verbs, whose options are not defined yet.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "pairrank",
		Short: "learn to rank from pairwise preferences",
		Long: `pairrank learns to rank from pairwise preferences and tells, exactly, how well
it will rank what it has not seen.

A file named - is standard input or output. Compressed input (gzip, zstd) is
recognised by its content. Data goes to standard output, everything else to
standard error.

Exit codes: 0 ok, 1 runtime error, 2 wrong usage, 3 bad input data, 4 a gate was
missed (--fail-under), 5 numerical failure, 6 units of others are missing (merge),
130 interrupted.`,
		Example: `  pairrank check train.txt
  pairrank train train.txt -o model.txt
  pairrank predict model.txt test.txt -o scores.txt
  pairrank evaluate test.txt --scores scores.txt -m ndcg@10,map`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noVerb,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkKernel(); err != nil {
				return err
			}
			if err := cmp.Or(cli.CheckLimits(cmd), cli.CheckTogether(cmd)); err != nil {
				return err
			}
			return a.ApplyThreads(cmd)
		},
	}
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetFlagErrorFunc(flagError)
	root.CompletionOptions.DisableDefaultCmd = true // completion.go has it
	a.ThreadsFlag(root)
	root.AddCommand(
		newTrain(a), newPredict(a), newRelation(a), newStream(a), hidden(newRank(a)), newEvaluate(a), newCV(a),
		newCompare(a),
		newReport(a), newInspect(a), newExplain(a), newExport(a), newImport(a), newServe(a),
		hidden(newStats(a)), hidden(newMerge(a)), hidden(newUpdate(a)),
		newCheck(a), newConvert(a), newSynth(a), newLeaderboard(a),
		newVersion(a), newMan(a), newCompletion(a),
	)
	a.HelpInGroups(root)
	cli.HoldToOneValue(root)
	for _, cmd := range allVerbs(root) {
		cmd.Flags().SortFlags = false
		cmd.Args = usageArgs(cmd.Args)
		cmd.DisableFlagsInUseLine = true
	}
	return root
}

// hidden is a verb that the help does not list: the plain form, which scripts have, of a verb of a kind of data.
func hidden(cmd *cobra.Command) *cobra.Command {
	cmd.Hidden = true
	return cmd
}

// defineAll defines the options of all verbs.
func (a *app) defineAll(root *cobra.Command) {
	for _, cmd := range allVerbs(root) {
		a.Define(cmd)
	}
}

// allVerbs are the verbs below a command, those of kinds of data too.
func allVerbs(root *cobra.Command) (all []*cobra.Command) {
	for _, cmd := range root.Commands() {
		all = append(append(all, cmd), allVerbs(cmd)...)
	}
	return all
}

// noVerb refuses a word that is no verb, and says which verb is near.
func noVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	known := verbNames(cmd)
	hint := "the verbs are " + strings.Join(known, ", ")
	if near := spell.Nearest(args[0], known); near != "" {
		hint = "did you mean " + cmd.CommandPath() + " " + near + "?"
	}
	return cli.WithHint(cli.Usagef("unknown verb %q", args[0]), "%s", hint)
}

// usageArgs makes a wrong number of arguments a usage error that shows the
// form of the verb.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if check == nil {
			return nil
		}
		if err := check(cmd, args); err != nil {
			return cli.WithHint(cli.AsUsage(err), "the form is %s; pairrank help %s tells more", formOf(cmd),
				cli.VerbOf(cmd))
		}
		return nil
	}
}

// formOf is how a verb is called.
func formOf(cmd *cobra.Command) string { return cmd.Parent().CommandPath() + " " + cmd.Use }

// flagError makes a wrong flag a usage error, with the flag that was meant.
func flagError(cmd *cobra.Command, err error) error {
	var given *cli.GivenError
	if errors.As(err, &given) {
		return cli.AsUsage(given)
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return cli.WithHint(cli.AsUsage(err), "pairrank help %s lists the flags", cli.VerbOf(cmd))
	}
	var known []string
	visit := func(f *pflag.Flag) { known = append(known, f.Name) }
	cmd.Flags().VisitAll(visit)
	cmd.InheritedFlags().VisitAll(visit)
	name := unknown.GetSpecifiedName()
	if r := option.NotFor(cli.VerbOf(cmd), name); r != nil {
		return cli.AsUsage(r)
	}
	if near := spell.Nearest(name, known); near != "" && len(name) > 1 {
		return cli.WithHint(cli.AsUsage(err), "did you mean --%s?", near)
	}
	return cli.WithHint(cli.AsUsage(err), "pairrank help %s lists the flags", cli.VerbOf(cmd))
}

// exactly says which arguments a verb takes, by their names.
func exactly(names ...string) cobra.PositionalArgs { return between(len(names), names...) }

// atLeast says which arguments a verb takes, by their names: the first few must be there,
// and the last one may be given any number of times. None is an empty text.
func atLeast(least int, names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < least {
			return fmt.Errorf("%s is missing", names[len(args)])
		}
		if at := slices.Index(args, ""); at >= 0 {
			return fmt.Errorf("%s is empty", names[min(at, len(names)-1)])
		}
		return nil
	}
}

// between says which arguments a verb takes, of which the first few must be
// there. None is an empty text.
func between(least int, names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < least {
			return fmt.Errorf("%s is missing", names[len(args)])
		}
		if len(args) > len(names) {
			return fmt.Errorf("too many arguments, %q is one more than expected", args[len(names)])
		}
		if at := slices.Index(args, ""); at >= 0 {
			return fmt.Errorf("%s is empty", names[at])
		}
		return nil
	}
}
