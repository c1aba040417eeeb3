package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// repeatable is the value of a flag that may be given more than once.
type repeatable interface{ repeatable() }

// oneValue holds the value of a flag to the rule of all flags: it is given once,
// unless it is repeatable, and never as an empty text.
type oneValue struct {
	pflag.Value
	flag  *pflag.Flag
	first string // text it was given as
}

// Set is that of the value below, where the rule is kept.
func (v *oneValue) Set(text string) error {
	_, again := v.Value.(repeatable)
	switch {
	case text == "":
		return &givenError{fmt.Errorf("--%s is empty", v.flag.Name), "leave the flag out where there is no value; a shell variable that is not set is an empty text"}
	case v.flag.Changed && !again && v.flag.Value.Type() == "bool":
		return &givenError{fmt.Errorf("--%s is given twice", v.flag.Name), ""}
	case v.flag.Changed && !again:
		return &givenError{fmt.Errorf("--%s is given twice, as %s and %s", v.flag.Name, v.first, text), ""}
	}
	if err := v.Value.Set(text); err != nil {
		return err
	}
	v.first = text
	return nil
}

// givenError tells how a flag may not be given, whatever its value means.
type givenError struct {
	error
	hint string
}

// holdToOneValue holds all flags of a verb, and those that it takes over from
// its parent, to the rule.
func holdToOneValue(cmd *cobra.Command) {
	cmd.InitDefaultHelpFlag()
	hold := func(flag *pflag.Flag) {
		if _, held := flag.Value.(*oneValue); held {
			return
		}
		if flag.DefValue == "0s" {
			flag.DefValue = "0" // pflag knows the zero of a duration by a type that is now below ours
		}
		flag.Value = &oneValue{Value: flag.Value, flag: flag}
	}
	cmd.Flags().VisitAll(hold)
	cmd.PersistentFlags().VisitAll(hold)
}
