package main

import (
	"io"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/option"
	"pairrank/internal/report"
)

func newVersion(a *app) *cobra.Command {
	return a.Bind(&cobra.Command{
		Use:   "version [--json]",
		Short: "print version, build and processor features",
		Long: `version prints the version, the Go version, the system, the assembly kernel of dense
products in use (see PAIRRANK_KERNEL), the features of the processor that matter to
it, and the number of threads.`,
		Example: `  pairrank version
  pairrank version --json
  PAIRRANK_KERNEL=go pairrank version`,
		Args: exactly(),
		RunE: func(*cobra.Command, []string) error {
			build, _ := report.NewBuild() // its error ended the run before
			return a.Print(a.Ctx, build)
		},
	}, func() cli.Targets { return nil })
}

// checkKernel refuses a PAIRRANK_KERNEL that this machine does not have.
var checkKernel = sync.OnceValue(func() error {
	_, err := report.NewBuild()
	return cli.AsUsage(err)
})

func newMan(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "man [VERB]",
		Short: "print the manual page of a verb",
		Long: `man prints the manual page of a verb, or that of pairrank, as roff for man(1). The
text is that of the help.`,
		Example: `  pairrank man train | man -l -
  pairrank man relation train | man -l -
  pairrank man > /usr/local/share/man/man1/pairrank.1`,
		Args: atLeast(0, "VERB"),
		RunE: func(cmd *cobra.Command, args []string) error {
			page := cmd.Root()
			for _, word := range args {
				found, err := verbNamed(page, word)
				if err != nil {
					return err
				}
				page = found
			}
			a.Define(page)
			return a.Write("-", func(w io.Writer) error { return cli.WriteManual(w, page, report.Version()) })
		},
	}
}

// verbNamed is the verb of that name.
func verbNamed(root *cobra.Command, name string) (*cobra.Command, error) {
	for _, c := range root.Commands() {
		if c.Name() == name && c.Runnable() {
			return c, nil
		}
	}
	return nil, cli.Unknown("verb", name, verbNames(root), "")
}

// verbNames are the names of the verbs.
func verbNames(root *cobra.Command) (names []string) {
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

func newCompletion(a *app) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "print the completion script of a shell",
		Long: `completion prints the script for bash, zsh, fish or powershell. It asks pairrank
itself for the verbs, flags and names, so that it stays right when pairrank is
updated.`,
		Example: `  pairrank completion bash > /etc/bash_completion.d/pairrank
  source <(pairrank completion zsh)
  pairrank completion fish > ~/.config/fish/completions/pairrank.fish`,
		Args:      exactly("SHELL"),
		ValidArgs: shells,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			write := map[string]func(io.Writer) error{
				"bash":       func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
				"zsh":        root.GenZshCompletion,
				"fish":       func(w io.Writer) error { return root.GenFishCompletion(w, true) },
				"powershell": root.GenPowerShellCompletionWithDesc,
			}[args[0]]
			if write == nil {
				return cli.Unknown("shell", args[0], shells, "")
			}
			return a.Write("-", write)
		},
	}
}

// completeNames registers the values of the flags of all verbs that take names. Only a run
// that completes a command line needs them, and cobra keeps them until the program ends.
func completeNames(root *cobra.Command) {
	for _, cmd := range allVerbs(root) {
		cmd.Flags().VisitAll(func(flag *pflag.Flag) {
			_, flag.Usage = pflag.UnquoteUsage(flag) // a shell shows it as it is
			one, held := flag.Value.(*cli.OneValue)
			if !held {
				return
			}
			if names, some := one.Value.(*option.Names); some {
				// the flag is there and is told of once, so that this cannot go wrong
				_ = cmd.RegisterFlagCompletionFunc(flag.Name, cobra.FixedCompletions(names.Known,
					cobra.ShellCompDirectiveNoFileComp))
			}
		})
	}
}
