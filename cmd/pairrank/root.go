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
	return prepare(args).run(ctx, args, stdin, stdout, stderr)
}

// prepared is a run of the program with its verbs and options, before it has arguments and streams.
type prepared struct {
	a     *app
	root  *cobra.Command
	verbs []string

	again *cobra.Command // verb whose arguments are read and checked, and which may run with them again
	args  []string       // these arguments
}

// prepare makes the verbs that the arguments need, and their options.
func prepare(args []string) *prepared {
	a := &app{&cli.App{MaxLine: data.MaxLine, Mode: "auto"}}
	p := &prepared{a: a, verbs: verbsFor(args)}
	if p.root = newRoot(a, p.verbs...); len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		a.defineAll(p.root)
		completeNames(p.root)
	}
	p.define(args)
	return p
}

// define makes the options of the verb, if they are not made yet.
func (p *prepared) define(args []string) {
	if cmd, _, err := p.root.Find(args); err == nil {
		p.a.Define(cmd)
	}
}

// fits reports whether the verbs are those that the arguments need, or these are the arguments of the run before.
func (p *prepared) fits(args []string) bool {
	if p.again != nil {
		return slices.Equal(p.args, args)
	}
	return slices.Equal(p.verbs, verbsFor(args))
}

// execute reads and checks the arguments, unless they are those of the run before, and runs their verb. predict is the
// verb of many short runs, and changes no value of its flags.
func (p *prepared) execute(ctx context.Context, args []string) (*cobra.Command, error) {
	if cmd := p.again; cmd != nil {
		return cmd, cmp.Or(p.a.ApplyThreads(cmd), cmd.RunE(cmd, cmd.Flags().Args()))
	}
	p.define(args)
	p.root.SetArgs(cli.WithValues(args))
	helpOfVerbs(p.root)
	cmd, err := p.root.ExecuteContextC(ctx)
	if err == nil && cmd.CommandPath() == "pairrank predict" && !cmd.Flags().Changed("help") {
		p.again, p.args = cmd, slices.Clone(args)
	}
	return cmd, err
}

// run obeys arguments that fit.
func (p *prepared) run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	a, out := p.a, cli.NewStandardOutput(stdout)
	a.Begun(ctx, stdin, out, stderr, args)
	p.root.SetIn(stdin)
	p.root.SetOut(out)
	p.root.SetErr(stderr)
	cmd, err := p.execute(ctx, args)
	err = a.suggested(labelsHint(err, cmd), cmd)
	if err != nil && ctx.Err() != nil {
		err = ctx.Err() // standard output may still be written to
	} else if unwritten := out.End(); err == nil && unwritten != nil {
		err = a.DescribeWrite("standard output", cli.CannotWrite(unwritten))
	}
	if err != nil {
		a.Tell(err)
	}
	return err
}

// app is one run of the program, whose methods are the verbs.
type app struct{ *cli.App }

// verb makes a verb that has a name, and stands under a title in the help.
type verb struct {
	name, group string
	make        func(a *app) *cobra.Command
}

// ofBeginners is the title of the verbs that a beginner needs, in the order of their use, and ofProgram that of the
// verbs about the program itself, help among them.
const (
	ofBeginners = "Begin with"
	ofProgram   = "Program"
)

// init keeps the order of verbs in helps, which cobra would sort.
func init() { cobra.EnableCommandSorting = false }

// verbs are all verbs, in the order of the help.
func verbs() []verb {
	return []verb{
		{"check", ofBeginners, newCheck}, {"cv", ofBeginners, newCV}, {"train", ofBeginners, newTrain},
		{"predict", ofBeginners, newPredict},
		{"leaderboard", "Rank", newLeaderboard}, {"relation", "Rank", newRelation},
		{"evaluate", "Estimate", newEvaluate}, {"compare", "Estimate", newCompare},
		{"report", "Look", newReport}, {"explain", "Look", newExplain}, {"inspect", "Look", newInspect},
		{"serve", "Use", newServe}, {"export", "Use", newExport}, {"import", "Use", newImport},
		{"convert", "Data", newConvert}, {"synth", "Data", newSynth},
		{"stream", "Large data", newStream},
		{"version", ofProgram, newVersion}, {"worker", ofProgram, newWorker}, {"man", ofProgram, newMan},
		{"completion", ofProgram, newCompletion},
	}
}

// verbsFor are the verbs that the arguments need: one where they begin with it, all where they may be about others.
func verbsFor(args []string) (names []string) {
	for _, v := range verbs() {
		if len(args) > 0 && args[0] == v.name && v.name != "man" && v.name != "completion" {
			return []string{v.name}
		}
		names = append(names, v.name)
	}
	return names
}

// newRoot is the program with the named verbs, whose options are not defined yet.
func newRoot(a *app, names ...string) *cobra.Command {
	root := &cobra.Command{
		Use:   "pairrank",
		Short: "learn to rank from pairwise preferences",
		Long: `pairrank learns to rank from pairwise preferences, and estimates how well it
will rank unseen data. The error on held-out data is computed exactly; it is an
estimate of the error on new data.

A file named - is standard input or output. Compressed input (gzip, zstd) is
recognised by its content. Data goes to standard output, everything else to
standard error.

Exit codes: 0 ok, 1 runtime error, 2 wrong usage, 3 bad input data, 4 a metric
missed its bound (--fail-under, --fail-worse), 5 numerical failure, 6 units of other
workers are missing (merge), 7 nothing says whether a bound of --fail-worse was
missed, 130 interrupted.`,
		Example: `  pairrank check train.txt
  pairrank cv train.txt
  pairrank train train.txt -o model.txt
  pairrank predict model.txt test.txt -o scores.txt`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noVerb,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			if err := checkKernel(); err != nil {
				return err
			}
			if err := cli.CheckOptions(cmd, args); err != nil {
				return err
			}
			return a.ApplyThreads(cmd)
		},
	}
	root.SetFlagErrorFunc(flagError)
	root.CompletionOptions.DisableDefaultCmd = true // completion.go has it
	a.ThreadsFlag(root)
	for _, v := range verbs() {
		if !slices.Contains(names, v.name) {
			continue
		}
		if !root.ContainsGroup(v.group) {
			root.AddGroup(&cobra.Group{ID: v.group, Title: v.group})
		}
		cmd := v.make(a)
		if cmd.GroupID = v.group; v.group == ofProgram {
			root.SetHelpCommandGroupID(ofProgram)
		}
		root.AddCommand(cmd)
	}
	a.HelpInGroups(root)
	cli.HoldToOneValue(root)
	for _, cmd := range allVerbs(root) {
		cmd.Flags().SortFlags = false
		cmd.Args = usageArgs(cmd.Args)
		cmd.DisableFlagsInUseLine = true
	}
	return root
}

// helpOfVerbs makes help refuse a word that is no verb, as the verbs do.
func helpOfVerbs(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "help" {
			continue
		}
		cmd.Short = "explain a verb, with examples"
		show := cmd.Run
		cmd.Run, cmd.RunE = nil, func(help *cobra.Command, args []string) error {
			if of, rest, err := root.Find(args); err == nil && len(rest) > 0 && of.HasSubCommands() {
				return noVerb(of, rest)
			}
			show(help, args)
			return nil
		}
	}
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

// noVerb refuses a word that is no verb, and says which verb is near, or which family has it.
func noVerb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	for _, of := range allVerbs(cmd) {
		if of.Name() == args[0] {
			return cli.WithHint(cli.Usagef("%s is a verb of %s", args[0], of.Parent().Name()), "pairrank help %s",
				cli.VerbOf(of))
		}
	}
	return cli.Unknown("verb", args[0], verbNames(cmd), cmd.CommandPath()+" ")
}

// usageArgs makes a wrong number of arguments a usage error that shows the
// form of the verb.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if check == nil {
			return nil
		}
		if err := check(cmd, args); err != nil {
			return cli.HintForm(cmd, cli.AsUsage(err))
		}
		return nil
	}
}

// flagError makes a wrong flag a usage error, with the flag that was meant.
func flagError(cmd *cobra.Command, err error) error {
	var given *cli.GivenError
	if errors.As(err, &given) {
		return cli.AsUsage(given)
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		if r := option.NotFor(cli.VerbOf(cmd), invalid.GetFlag().Name, invalid.GetValue()); r != nil {
			return cli.AsUsage(r)
		}
		return cli.Usagef("--%s %s: %w", invalid.GetFlag().Name, invalid.GetValue(), invalid.Unwrap())
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return cli.WithHint(cli.AsUsage(err), "pairrank help %s lists the flags", cli.VerbOf(cmd))
	}
	if args := cmd.Flags().Args(); cmd == cmd.Root() && len(args) > 0 {
		return noVerb(cmd, args)
	}
	var known []string
	visit := func(f *pflag.Flag) { known = append(known, f.Name) }
	cmd.Flags().VisitAll(visit)
	cmd.InheritedFlags().VisitAll(visit)
	name := unknown.GetSpecifiedName()
	if family := option.FamilyOf(cli.VerbOf(cmd), name); family != "" {
		verb := family + " " + cli.VerbOf(cmd)
		return cli.WithHint(cli.Usagef("--%s is for %s, not %s", name, verb, cli.VerbOf(cmd)), "pairrank help %s", verb)
	}
	if r := option.NotFor(cli.VerbOf(cmd), name, ""); r != nil {
		return cli.AsUsage(r)
	}
	if verbs := verbsWith(name); verbs != nil {
		return cli.WithHint(cli.Usagef("%s has no --%s", cli.VerbOf(cmd), name), "--%s is of %s", name, spell.List(verbs))
	}
	if near := spell.Nearest(name, known); near != "" && len(name) > 1 {
		return cli.WithHint(cli.AsUsage(err), "did you mean --%s?", near)
	}
	return cli.WithHint(cli.AsUsage(err), "pairrank help %s lists the flags", cli.VerbOf(cmd))
}

// verbsWith are the verbs that have an option.
func verbsWith(name string) (verbs []string) {
	for _, cmd := range allVerbs(newRoot(&app{&cli.App{}}, verbsFor(nil)...)) {
		if verb := cli.VerbOf(cmd); option.Has(verb, name) {
			verbs = append(verbs, verb)
		}
	}
	return verbs
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

// between says which arguments a verb takes. The first few must be there, and
// none is an empty text.
func between(least int, names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > len(names) {
			return fmt.Errorf("too many arguments, %q is one more than expected", args[len(names)])
		}
		return atLeast(least, names...)(cmd, args)
	}
}
