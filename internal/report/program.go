package report

import (
	"fmt"
	"io"
	"pairrank/internal/linalg"
	"runtime"
	"runtime/debug"
	"strings"
)

// Build is the document of the running program, and of its machine.
type Build struct {
	Kind        Kind     `json:"kind"`
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

// Version is the version of this program: its tag or commit. It costs O(1).
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(unknown)"
}

// NewBuild makes the document of this program on this machine. It returns an error if the environment variable
// PAIRRANK_KERNEL selects a kernel of dense products that the processor does not have. It costs O(1).
func NewBuild() (*Build, error) {
	b := &Build{
		Kind: KindBuild, Version: Version(), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		Kernel: linalg.Kernel(), Kernels: linalg.Kernels(), CPUFeatures: linalg.CPUFeatures(),
		CPUs: runtime.NumCPU(), Threads: runtime.GOMAXPROCS(0),
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b, linalg.KernelError()
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			b.Revision = s.Value + b.Revision
		case s.Key == "vcs.modified" && s.Value == "true":
			b.Revision += " (modified)"
		}
	}
	return b, linalg.KernelError()
}

// WriteText writes the document for people. It returns the errors of w.
func (b *Build) WriteText(w io.Writer) error {
	features := strings.Join(b.CPUFeatures, " ")
	if features == "" {
		features = "none that the program uses"
	}
	if _, err := fmt.Fprintf(w, "pairrank %s\n", b.Version); err != nil {
		return err
	}
	l := newLines(w, 13)
	if b.Revision != "" {
		l.line("revision", "%s", b.Revision)
	}
	l.line("go", "%s", b.Go)
	l.line("system", "%s/%s", b.OS, b.Arch)
	l.line("kernel", "%s (here there are %s)", b.Kernel, strings.Join(b.Kernels, ", "))
	l.line("cpu features", "%s", features)
	l.line("threads", "%d of %d cpus", b.Threads, b.CPUs)
	_, err := io.WriteString(w, l.String())
	return err
}
