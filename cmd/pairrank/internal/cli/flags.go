package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pairrank/internal/option"
)

// Targets are where the values of options go, by their names.
type Targets = option.Targets

// Join are all targets; the last one of a name counts.
func Join(some ...Targets) Targets {
	n := 0
	for _, t := range some {
		n += len(t)
	}
	all := make(Targets, n)
	for _, t := range some {
		maps.Copy(all, t)
	}
	return all
}

// Bind says where the values of the options of a verb go, beside those that every verb may have, and returns the verb.
// The options themselves are made by Define: a run needs those of one verb.
func (a *App) Bind(cmd *cobra.Command, targets func() Targets) *cobra.Command {
	if a.targets == nil {
		a.targets = map[*cobra.Command]func() Targets{}
	}
	a.targets[cmd] = targets
	return cmd
}

// Define gives a verb its options, as the table of package option has them, once. Options that a verb of a kind of
// data shows are hidden in the plain verb.
func (a *App) Define(cmd *cobra.Command) {
	if targets := a.targets[cmd]; targets != nil {
		delete(a.targets, cmd)
		verb := VerbOf(cmd)
		all := Join(targets(), Targets{"json": &a.JSON, "progress": &a.Mode, "max-line": &a.MaxLine})
		option.Bind(option.Of(verb), all, func(o *option.Option, v option.Value, usage string) {
			flag := cmd.Flags().VarPF(v, o.Name, o.Short, usage)
			if flag.NoOptDefVal = o.Bare.Value; v.Type() == "bool" {
				flag.NoOptDefVal = "true"
			}
			flag.Hidden = o.HiddenIn(verb)
		})
	}
	HoldToOneValue(cmd)
}

// WithValues are arguments where an option that may stand without a value has the next argument as its value, if that
// is one: --spline 6 becomes --spline=6, and in --spline FILE there is none. A file of such a name follows --spline=4.
func WithValues(args []string) []string {
	var all []string
	for k := 0; k < len(args); k++ {
		name, is := strings.CutPrefix(args[k], "--")
		if is && name == "" {
			return append(all, args[k:]...)
		}
		if all = append(all, args[k]); is && k+1 < len(args) && option.TakesNext(name, args[k+1]) {
			k++
			all[len(all)-1] += "=" + args[k]
		}
	}
	return all
}

// WholeOr reads an option that takes a whole number from 1, or a word that stands for a number.
func WholeOr(to *int64, words map[string]int64) option.Reader {
	return option.Into(to, func(text string) (int64, error) {
		if n, is := words[text]; is {
			return n, nil
		}
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 1 {
			known := slices.SortedFunc(maps.Keys(words), func(a, b string) int { return cmp.Compare(words[b], words[a]) })
			err = fmt.Errorf("%q is not %s or a whole number from 1 to %d", text, strings.Join(known, ", "), option.MostOf)
		}
		return n, err
	})
}

// RefuseOthers refuses flags that were given but are not for what is done, which the
// known ones are. Those of every verb are.
func RefuseOthers(flags *pflag.FlagSet, what string, known ...string) (err error) {
	known = append(known, "json", "progress", "threads", "help")
	flags.Visit(func(flag *pflag.Flag) {
		if err == nil && !slices.Contains(known, flag.Name) {
			err = Usagef("--%s is not for %s", flag.Name, what)
		}
	})
	return err
}

// Refuse refuses the named flags where they were given: they are about something
// else than what is done.
func Refuse(flags *pflag.FlagSet, what string, names ...string) error {
	for _, name := range names {
		if flags.Changed(name) {
			return Usagef("--%s is about %s", name, what)
		}
	}
	return nil
}
