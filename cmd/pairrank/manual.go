package main

import (
	"io"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/report"
)

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
