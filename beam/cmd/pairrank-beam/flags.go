package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"pairrank/internal/option"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
)

// logTo sets the level of Beam's log to standard error.
func logTo(level string) error {
	switch level {
	case "none":
		slog.SetDefault(slog.New(slog.DiscardHandler))
		log.SetLogger(lastWords{})
	case "debug", "info", "warn", "error":
		log.SetupLogging(level, "text")
	default:
		return usagef("--log is none, error, warn, info or debug, not %q", level)
	}
	return nil
}

// lastWords logs only the message with which Beam ends the program.
type lastWords struct{}

// Log logs a message of the severity fatal.
func (lastWords) Log(_ context.Context, severity log.Severity, _ int, message string) {
	if severity >= log.SevFatal {
		fmt.Fprintln(os.Stderr, "pairrank-beam:", message)
	}
}

// parse reads flags and arguments in any order, and returns the arguments.
func parse(flags *flag.FlagSet, args []string) (rest []string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, errUsage{err}
		}
		left := flags.Args()
		ended := len(args) > len(left) && args[len(args)-len(left)-1] == "--"
		if len(left) == 0 || ended {
			return append(rest, left...), nil
		}
		rest, args = append(rest, left[0]), left[1:]
	}
}

// beamFlag is a flag of Beam in a set of flags of ours. It is set in Beam's own, which are
// sent to the workers.
type beamFlag struct{ *flag.Flag }

func (f beamFlag) Set(value string) error { return flag.Set(f.Name, value) }

func (f beamFlag) String() string {
	if f.Flag == nil {
		return ""
	}
	return f.Value.String()
}

// IsBoolFlag says whether the flag may stand without a value.
func (f beamFlag) IsBoolFlag() bool {
	b, is := f.Value.(interface{ IsBoolFlag() bool })
	return is && b.IsBoolFlag()
}

// addBeamFlags adds the flags of Beam and its runners.
func addBeamFlags(flags *flag.FlagSet) {
	flag.VisitAll(func(f *flag.Flag) { flags.Var(beamFlag{f}, f.Name, f.Usage) })
}

// bind gives a verb options of the table; one with a short name has that.
func bind(flags *flag.FlagSet, options []option.Option, targets option.Targets) {
	option.Bind(options, targets, func(o *option.Option, v option.Value, usage string) {
		flags.Var(v, cmp.Or(o.Short, o.Name), usage)
	})
}

// givenOf tells the values of those options that were given.
func givenOf(flags *flag.FlagSet, options []string) func(name string) (string, bool) {
	values := map[string]string{}
	flags.Visit(func(f *flag.Flag) {
		if slices.Contains(options, f.Name) {
			values[f.Name] = f.Value.String()
		}
	})
	return func(name string) (string, bool) {
		value, given := values[name]
		return value, given
	}
}

// names are those of the flags of a set.
func names(flags *flag.FlagSet) map[string]bool {
	all := map[string]bool{}
	flags.VisitAll(func(f *flag.Flag) { all[f.Name] = true })
	return all
}

// help prints our flags, then those of Beam.
func help(flags *flag.FlagSet, ours map[string]bool) {
	out := flags.Output()
	section := func(title string, mine bool) {
		some := flag.NewFlagSet("", flag.ContinueOnError)
		some.SetOutput(out)
		flags.VisitAll(func(f *flag.Flag) {
			if ours[f.Name] == mine {
				some.Var(f.Value, f.Name, f.Usage)
			}
		})
		fmt.Fprintf(out, "\n%s:\n", title)
		some.PrintDefaults()
	}
	fmt.Fprintf(out, "%s\n", flags.Name())
	section("Flags", true)
	section("Flags of Beam and its runners", false)
}
