package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pairrank/internal/option"
)

// CheckOptions refuses options that are beyond their limits, that do not go together or with the arguments, or that are
// missing.
func CheckOptions(cmd *cobra.Command, args []string) error {
	flags, arguments := Given(cmd.Flags()), argumentsOf(cmd)
	given := func(name string) (string, bool) {
		switch k := slices.Index(arguments, name); {
		case k < 0:
			return flags(name)
		case k < len(args):
			return args[k], true
		}
		return "", false
	}
	err := cmp.Or(CheckLimits(cmd), AsUsage(option.CheckTogether(VerbOf(cmd), given)), checkTexts(cmd))
	var refusal *option.Refusal
	if errors.As(err, &refusal) && refusal.Why == option.Missing {
		return HintForm(cmd, err)
	}
	return err
}

// argumentsOf are the names of the arguments of a verb, which begin its form: update MODEL NEW… -o MODEL2.
func argumentsOf(cmd *cobra.Command) (names []string) {
	for _, word := range strings.Fields(cmd.Use)[1:] {
		name := strings.TrimSuffix(word, "…")
		if !option.IsArgument(name) {
			break
		}
		names = append(names, name)
	}
	return names
}

// Given tells the values of flags.
func Given(flags *pflag.FlagSet) option.Given {
	return func(name string) (string, bool) {
		flag := flags.Lookup(name)
		if flag == nil {
			return "", false
		}
		return flag.Value.String(), flag.Changed
	}
}

// HintForm adds to an error how a verb is called.
func HintForm(cmd *cobra.Command, err error) error {
	return WithHint(err, "the form is %s %s; pairrank help %s tells more", cmd.Parent().CommandPath(), cmd.Use,
		VerbOf(cmd))
}

// checkTexts refuses texts of which no value can be made.
func checkTexts(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		one, held := flag.Value.(*OneValue)
		if !held || err != nil {
			return
		}
		if v, checked := one.Value.(option.Checked); checked && v.Wrong() != nil {
			err = AsUsage(fmt.Errorf("--%s: %w", flag.Name, v.Wrong()))
		}
	})
	return err
}

// CheckLimits refuses numbers that are beyond the limits of their option: no option asks for memory without a limit.
func CheckLimits(cmd *cobra.Command) (err error) {
	verb := VerbOf(cmd)
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		o := option.Find(verb, flag.Name)
		if err != nil || o == nil {
			return
		}
		text := flag.Value.String()
		n, whole := strconv.Atoi(text)
		switch {
		case flag.Value.Type() == "int" && whole == nil:
			err = AsUsage(o.CheckWhole(n))
		case o.Positive && (strings.HasPrefix(text, "-") || text == "0" || text == "0s"):
			err = Usagef("--%s is greater than 0, not %s", flag.Name, text)
		case flag.Value.Type() == "duration" && strings.HasPrefix(text, "-"):
			err = Usagef("--%s is at least 0, not %s", flag.Name, text)
		}
	})
	return err
}
