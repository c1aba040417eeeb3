package main

import (
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/option"
)

func newCompletion(a *app) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "print the script that completes verbs and flags in a shell",
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
