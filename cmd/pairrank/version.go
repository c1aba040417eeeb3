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
		Short: "print the version, the build and what runs on this machine",
		Long: `version prints the version, the Go version, the system, the kernel of the dense
products in use (see PAIRRANK_KERNEL), the features of the processor that
kernels ask for, and the number of threads.`,
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
