package cli

import (
	"math"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// wide is the limit of the numbers that size nothing: 32 bits, so that sums and
// products of them stay whole numbers.
const wide = math.MaxInt32

// MostOf is the greatest value of every whole number on the command line, by the
// name of its flag: no flag asks for memory without a limit. The least value is
// checked where the flag is used.
var MostOf = map[string]int{
	"threads":         max(256, runtime.NumCPU()), // each has a stack and buffers of its own
	"resamples":       10_000_000,                 // 8 bytes each
	"max-line":        1 << 30,                    // a line is in memory some times over
	"permutations":    10_000_000,                 // 8 bytes each
	"rows":            wide,                       // of synth: what a reader takes
	"features":        wide,                       // package synth knows less of some kinds
	"queries":         wide,
	"games":           wide,
	"basis":           wide, // at most the rows
	"random-features": wide,
	"max-iterations":  wide,
	"patience":        wide,
	"index":           wide, // of a worker
	"count":           wide,
	"top":             wide,
	"limit":           wide,
	"score-column":    wide,
	"max-body":        1 << 30, // bodies are in memory
	"max-held":        wide,
	"max-rows":        10_000_000, // scores and order, 16 bytes each
	"max-concurrent":  10_000,     // each has memory for a body and its numbers
	"max-queue":       1_000_000,
	"max-per-client":  1_000_000,
}

// CheckLimits refuses whole numbers that are beyond the limit of their flag.
func CheckLimits(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if err != nil || flag.Value.Type() != "int" {
			return
		}
		most, known := MostOf[flag.Name]
		if n, bad := strconv.Atoi(flag.Value.String()); known && bad == nil && n > most {
			err = Usagef("--%s is at most %d, not %d", flag.Name, most, n)
		} else if flag.Name == "max-line" && n < 1 {
			err = Usagef("--max-line is at least 1, not %d", n)
		}
	})
	return err
}
