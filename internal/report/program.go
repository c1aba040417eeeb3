package report

import (
	"runtime"
	"runtime/debug"
	"strings"

	"pairrank/internal/linalg"
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

// View is the program and its machine.
func (b *Build) View() *View {
	features := strings.Join(b.CPUFeatures, " ")
	if features == "" {
		features = "none that the program uses"
	}
	v := &View{Keys: 13, Above: "pairrank " + b.Version}
	v.state("revision", "%s", b.Revision)
	v.state("go", "%s", b.Go)
	v.state("system", "%s/%s", b.OS, b.Arch)
	v.state("kernel", "%s (here there are %s)", b.Kernel, strings.Join(b.Kernels, ", "))
	v.state("cpu features", "%s", features)
	v.state("threads", "%d of %d cpus", b.Threads, b.CPUs)
	return v
}
