package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pairrank/internal/numeral"
	"pairrank/internal/spell"
)

// enumFlag is a flag that takes one of the known names, which the shell completes,
// and refuses others with the list.
func enumFlag(cmd *cobra.Command, target *string, name, value string, known []string, usage string) {
	*target = value
	cmd.Flags().Var(&enum{target, known}, name, usage+": "+strings.Join(known, ", "))
}

// numberFlag is a flag that takes a number, also as a power: 2^-8.
func numberFlag(cmd *cobra.Command, target *float64, name string, value float64, usage string) {
	*target = value
	cmd.Flags().Var((*number)(target), name, usage)
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

// refuseOthers refuses flags that were given but are not for what is done, which the
// known ones are. Those of every verb are.
func refuseOthers(flags *pflag.FlagSet, what string, known ...string) (err error) {
	known = append(known, "max-line", "json", "progress", "threads", "help")
	flags.Visit(func(flag *pflag.Flag) {
		if err == nil && !slices.Contains(known, flag.Name) {
			err = usagef("--%s is not for %s", flag.Name, what)
		}
	})
	return err
}

// refuse refuses the named flags where they were given: they are about something
// else than what is done.
func refuse(flags *pflag.FlagSet, what string, names ...string) error {
	for _, name := range names {
		if flags.Changed(name) {
			return usagef("--%s is about %s", name, what)
		}
	}
	return nil
}

type enum struct {
	target *string
	known  []string
}

func (e *enum) String() string { return *e.target }
func (e *enum) Type() string   { return "NAME" }
func (e *enum) Set(text string) error {
	if !slices.Contains(e.known, text) {
		if near := spell.Nearest(text, e.known); near != "" {
			return fmt.Errorf("unknown value, did you mean %s? known are %s", near, strings.Join(e.known, ", "))
		}
		return fmt.Errorf("unknown value: known are %s", strings.Join(e.known, ", "))
	}
	*e.target = text
	return nil
}
