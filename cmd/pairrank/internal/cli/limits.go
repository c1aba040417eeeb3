package cli

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pairrank/internal/option"
)

// CheckTogether refuses options that do not go together.
func CheckTogether(cmd *cobra.Command) error {
	return AsUsage(option.CheckTogether(VerbOf(cmd), cmd.Flags().Changed))
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
