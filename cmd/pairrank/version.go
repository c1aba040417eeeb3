package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"pairrank"
	"pairrank/cmd/pairrank/internal/cli"
)

// buildFacts is what version tells.
type buildFacts struct {
	Version     string   `json:"version"`
	Revision    string   `json:"revision,omitempty"`
	Go          string   `json:"go"`
	OS          string   `json:"os"`
	Arch        string   `json:"arch"`
	Kernel      string   `json:"kernel"`
	Kernels     []string `json:"kernels"`
	CPUFeatures []string `json:"cpu_features"`
	CPUs        int      `json:"cpus"`
	Threads     int      `json:"threads"`
}

func newVersion(a *app) *cobra.Command {
	cmd := &cobra.Command{
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
			facts := currentBuild()
			if a.JSON {
				return a.WriteJSON(facts)
			}
			return a.Write("-", facts.write)
		},
	}
	a.JSONFlag(cmd)
	return cmd
}

func currentBuild() buildFacts {
	arithmetic, _ := pairrank.Machine() // its error ended the run before
	facts := buildFacts{
		Version: "(unknown)", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		Kernel: arithmetic.Kernel, Kernels: arithmetic.Kernels, CPUFeatures: arithmetic.Features,
		CPUs: runtime.NumCPU(), Threads: runtime.GOMAXPROCS(0),
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return facts
	}
	if info.Main.Version != "" {
		facts.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			facts.Revision = s.Value + facts.Revision
		case s.Key == "vcs.modified" && s.Value == "true":
			facts.Revision += " (modified)"
		}
	}
	return facts
}

func (f buildFacts) write(w io.Writer) error {
	features := strings.Join(f.CPUFeatures, " ")
	if features == "" {
		features = "none of those asked for"
	}
	_, err := fmt.Fprintf(w, "pairrank %s\n", f.Version)
	for _, line := range [][2]string{
		{"revision", f.Revision},
		{"go", f.Go},
		{"system", f.OS + "/" + f.Arch},
		{"kernel", f.Kernel + " (here there are " + strings.Join(f.Kernels, ", ") + ")"},
		{"cpu features", features},
		{"threads", fmt.Sprintf("%d of %d cpus", f.Threads, f.CPUs)},
	} {
		if err == nil && line[1] != "" {
			_, err = fmt.Fprintf(w, "%-13s %s\n", line[0], line[1])
		}
	}
	return err
}

// checkKernel refuses a PAIRRANK_KERNEL that this machine does not have.
func checkKernel() error {
	_, err := pairrank.Machine()
	return cli.AsUsage(err)
}
