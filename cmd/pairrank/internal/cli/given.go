package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Repeatable is the value of a flag that may be given more than once.
type Repeatable interface{ Repeatable() }

// Repeated is the value of a flag that may be given more than once: each text is read, and appended.
type Repeated[T any] struct {
	To   *[]T
	Kind string
	Read func(text string) (T, error)
}

func (f Repeated[T]) Type() string { return f.Kind }
func (f Repeated[T]) Repeatable()  {}

// String is the last text, or - where one is.
func (f Repeated[T]) String() (last string) {
	if f.To == nil { // as package flag asks for the zero value
		return ""
	}
	for _, v := range *f.To {
		if text, is := any(v).(string); is && last != "-" {
			last = text
		}
	}
	return last
}

func (f Repeated[T]) Set(text string) error {
	v, err := f.Read(text)
	if err == nil {
		*f.To = append(*f.To, v)
	}
	return err
}

// Texts is the value of a flag that may be given more than once, with texts of a kind.
func Texts(to *[]string, kind string) Repeated[string] {
	return Repeated[string]{to, kind, func(text string) (string, error) { return text, nil }}
}

// OneValue holds the value of a flag to the rule of all flags: it is given once,
// unless it is repeatable, and never as an empty text.
type OneValue struct {
	pflag.Value
	Texts []string // it was given as
	flag  *pflag.Flag
}

// Set is that of the value below, where the rule is kept.
func (v *OneValue) Set(text string) error {
	_, again := v.Value.(Repeatable)
	switch {
	case text == "":
		return &GivenError{fmt.Errorf("--%s is empty", v.flag.Name), "leave the flag out where there is no value; a " +
			"shell variable that is not set is an empty text"}
	case v.flag.Changed && !again && v.flag.Value.Type() == "bool":
		return &GivenError{fmt.Errorf("--%s is given twice", v.flag.Name), ""}
	case v.flag.Changed && !again:
		return &GivenError{fmt.Errorf("--%s is given twice, as %s", v.flag.Name,
			strings.Join(append(v.Texts, text), " and ")), ""}
	}
	if err := v.Value.Set(text); err != nil {
		return err
	}
	v.Texts = append(v.Texts, text)
	return nil
}

// GivenError tells how a flag may not be given, whatever its value means.
type GivenError struct {
	error
	hint string
}

// Hint is the way out.
func (e *GivenError) Hint() string { return e.hint }

// HoldToOneValue holds all flags of a verb, and those that it takes over from
// its parent, to the rule.
func HoldToOneValue(cmd *cobra.Command) {
	cmd.InitDefaultHelpFlag()
	hold := func(flag *pflag.Flag) {
		if _, held := flag.Value.(*OneValue); held {
			return
		}
		if flag.DefValue == "0s" {
			flag.DefValue = "0" // pflag knows the zero of a duration by a type that is now below ours
		}
		flag.Value = &OneValue{Value: flag.Value, flag: flag}
	}
	cmd.Flags().VisitAll(hold)
	cmd.PersistentFlags().VisitAll(hold)
}
