package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pairrank/internal/numeral"
	"pairrank/internal/option"
	"pairrank/internal/spell"
)

// Targets are where the values of options go, by their names: pointers to a bool, string, int, uint64, float64 or
// time.Duration, or a pflag.Value.
type Targets map[string]any

// Join are all targets; the last one of a name counts.
func Join(some ...Targets) Targets {
	all := Targets{}
	for _, t := range some {
		maps.Copy(all, t)
	}
	return all
}

// Bind gives a verb its options, as the table of package option has them. Options that a verb of a kind of data
// shows are hidden in the plain verb.
func Bind(cmd *cobra.Command, verb string, targets ...Targets) {
	cmd.Flags().SortFlags = false
	for _, o := range option.Of(verb) {
		at := slices.IndexFunc(targets, func(t Targets) bool { return t[o.Name] != nil })
		if at < 0 {
			panic(fmt.Sprintf("cli: --%s of %s has no place for its value", o.Name, verb))
		}
		add(cmd.Flags(), &o, targets[at][o.Name])
		flag := cmd.Flags().Lookup(o.Name)
		flag.NoOptDefVal = cmp.Or(o.Bare, flag.NoOptDefVal)
		flag.Hidden = o.HiddenIn(verb)
	}
}

// usageOf is the text of an option with the names that it takes.
func usageOf(o *option.Option) string {
	if o.Names == nil {
		return o.Help
	}
	return o.Help + ": " + strings.Join(o.Names, ", ")
}

// add adds a flag with its default.
func add(flags *pflag.FlagSet, o *option.Option, target any) {
	usage := usageOf(o)
	switch target := target.(type) {
	case pflag.Value:
		flags.VarP(target, o.Name, o.Short, usage)
	case *bool:
		flags.BoolVarP(target, o.Name, o.Short, false, usage)
	case *string:
		if *target = o.Default; o.Names != nil {
			flags.VarP(&Enum{target, o.Known()}, o.Name, o.Short, usage)
			return
		}
		flags.StringVarP(target, o.Name, o.Short, o.Default, usage)
	case *int:
		flags.IntVarP(target, o.Name, o.Short, fallback(o, strconv.Atoi), usage)
	case *uint64:
		n := fallback(o, func(s string) (uint64, error) { return strconv.ParseUint(s, 10, 64) })
		flags.Uint64VarP(target, o.Name, o.Short, n, usage)
	case *float64:
		*target = fallback(o, numeral.Parse)
		flags.VarP((*number)(target), o.Name, o.Short, usage)
	case *time.Duration:
		flags.DurationVarP(target, o.Name, o.Short, fallback(o, time.ParseDuration), usage)
	default:
		panic(fmt.Sprintf("cli: --%s cannot be a %T", o.Name, target))
	}
}

// fallback is the default of an option as a number, 0 where the table has none.
func fallback[T any](o *option.Option, parse func(string) (T, error)) (value T) {
	if o.Default == "" {
		return value
	}
	value, err := parse(o.Default)
	if err != nil {
		panic(fmt.Sprintf("cli: the default of --%s: %v", o.Name, err))
	}
	return value
}

type number float64

func (n *number) String() string { return strconv.FormatFloat(float64(*n), 'g', -1, 64) }
func (n *number) Type() string   { return "F" }
func (n *number) Set(text string) error {
	v, err := numeral.Parse(text)
	if err != nil {
		return fmt.Errorf("not a number")
	}
	*n = number(v)
	return nil
}

// RefuseOthers refuses flags that were given but are not for what is done, which the
// known ones are. Those of every verb are.
func RefuseOthers(flags *pflag.FlagSet, what string, known ...string) (err error) {
	known = append(known, "max-line", "json", "progress", "threads", "help")
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

// Enum is the value of a flag that takes one of some names.
type Enum struct {
	target *string
	Known  []string
}

func (e *Enum) String() string { return *e.target }
func (e *Enum) Type() string   { return "NAME" }
func (e *Enum) Set(text string) error {
	if !slices.Contains(e.Known, text) {
		if near := spell.Nearest(text, e.Known); near != "" {
			return fmt.Errorf("unknown value, did you mean %s? known are %s", near, strings.Join(e.Known, ", "))
		}
		return fmt.Errorf("unknown value: known are %s", strings.Join(e.Known, ", "))
	}
	*e.target = text
	return nil
}
