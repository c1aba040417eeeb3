package linalg

import "golang.org/x/sys/cpu"

// CPUFeatures lists those processor features that kernels use and this processor has, in lower
// case.
func CPUFeatures() []string {
	names := []string{}
	for _, f := range []struct {
		has  bool
		name string
	}{
		{cpu.X86.HasAVX, "avx"},
		{cpu.X86.HasAVX2, "avx2"},
		{cpu.X86.HasFMA, "fma"},
		{cpu.X86.HasAVX512F, "avx512f"},
		{cpu.X86.HasAVX512VL, "avx512vl"},
		{cpu.X86.HasAVX512DQ, "avx512dq"},
		{cpu.ARM64.HasASIMD, "asimd"},
		{cpu.ARM64.HasSVE, "sve"},
	} {
		if f.has {
			names = append(names, f.name)
		}
	}
	return names
}
