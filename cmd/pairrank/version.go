package main

import (
	"sync"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/report"
)

func newVersion(a *app) *cobra.Command {
	return a.Bind(&cobra.Command{
		Use:   "version [--json]",
		Short: "print the version, the build and the processor features in use",
		Long: `version prints the version, the Go version, the system, the assembly kernel of dense
products in use (see PAIRRANK_KERNEL), the features of the processor that matter to
it, and the number of threads.`,
		Example: `  pairrank version
  pairrank version --json
  PAIRRANK_KERNEL=go pairrank version`,
		Args: exactly(),
		RunE: func(*cobra.Command, []string) error {
			build, _ := report.NewBuild() // its error ended the run before
			if a.JSON {
				return a.WriteJSON(build)
			}
			return a.Write("-", build.WriteText)
		},
	}, func() cli.Targets { return nil })
}

// checkKernel refuses a PAIRRANK_KERNEL that this machine does not have.
var checkKernel = sync.OnceValue(func() error {
	_, err := report.NewBuild()
	return cli.AsUsage(err)
})
