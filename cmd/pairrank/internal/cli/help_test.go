package cli

import (
	"bytes"
	"testing"
	"time"

	"pairrank/internal/option"

	"github.com/spf13/cobra"
)

// helped is the help of a verb where COLUMNS is width.
func helped(t *testing.T, width string) string {
	t.Helper()
	t.Setenv("COLUMNS", width)
	root := &cobra.Command{Use: "tool", Long: "tool does it"}
	cmd := &cobra.Command{
		Use:     "do FILE",
		Long:    "do does what is to be done, as it says.",
		Example: "  tool do it --name a --into file.txt --float 2",
		Run:     func(*cobra.Command, []string) {},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringP("into", "o", "-", "`FILE` that is written")
	flags.Uint64("seed", 0, "seed (default: from the clock) of all")
	flags.Duration("limit", 0, "time after which it ends")
	flags.Bool("fast", false, "do not wait")
	flags.String("fold", "", "`METHOD` of folding")
	flags.Lookup("fold").NoOptDefVal = "five"
	var name string
	var f float64
	option.Bind([]option.Option{{Name: "name", Names: []string{"a", "b"}, Default: "a", Help: "what is done"},
		{Name: "float", Default: "0.5", Help: "a number"}}, Targets{"name": &name, "float": &f},
		func(o *option.Option, v option.Value, usage string) { flags.Var(v, o.Name, usage) })
	flags.Int("hidden", 0, "not shown")
	_ = flags.MarkHidden("hidden")
	root.AddCommand(cmd)
	root.PersistentFlags().Int("threads", 0, "how many threads are at work")
	root.CompletionOptions.DisableDefaultCmd = true
	cmd.DisableFlagsInUseLine = true
	(&App{}).HelpInGroups(root)
	HoldToOneValue(root)
	HoldToOneValue(cmd)
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetArgs([]string{"help", "do"})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestHelpWithoutGroups(t *testing.T) {
	const want = `do does what is to be done, as it says.

Usage:
  tool do FILE

Examples:
  tool do it --name a --into file.txt \
      --float 2

Flags:
  -o, --into FILE  FILE that is written
                   (default: -)
      --seed N     seed of all (default:
                   from the clock)
      --limit TIME
                   time after which it ends
      --fast       do not wait
      --fold[=METHOD]
                   METHOD of folding
      --name NAME  what is done: a, b
                   (default: a)
      --float F    a number (default: 0.5)
  -h, --help       help for do
      --threads N  how many threads are at
                   work
`
	if got := helped(t, "44"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if helped(t, "") != helped(t, "80") || helped(t, "nonsense") != helped(t, "80") {
		t.Error("without a terminal and COLUMNS a help is not 80 wide")
	}
	if helped(t, "1000") != helped(t, "100") || helped(t, "1") != helped(t, "40") {
		t.Error("the width of a help is not from 40 to 100")
	}
}

// A flag of the standard library's kinds shows none of its types.
func TestFlagKinds(t *testing.T) {
	cmd := &cobra.Command{Use: "x"}
	flags := cmd.Flags()
	flags.Int("int", 1, "x")
	flags.Uint64("uint", 1, "x")
	flags.Float64("float", 1, "x")
	flags.Bool("bool", true, "x")
	flags.Duration("time", time.Second, "x")
	flags.String("file", "x", "x `FILE`")
	for name, want := range map[string]string{"int": "N", "uint": "N", "float": "F", "bool": "", "time": "TIME",
		"file": "FILE"} {
		if kind, _ := flagKind(flags.Lookup(name)); kind != want {
			t.Errorf("the kind of %s is %q, want %q", name, kind, want)
		}
	}
}
