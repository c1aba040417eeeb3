package pairrank

import "pairrank/internal/linalg"

// Arithmetic is what dense products run on.
type Arithmetic struct {
	// Kernel is the one in use, as avx512, and Kernels are those that this processor
	// has.
	Kernel  string
	Kernels []string
	// Features are those that the processor has of what kernels ask for, as avx2.
	Features []string
}

// Machine says what dense products run on here. It returns an error where the
// environment asks, by PAIRRANK_KERNEL, for what the processor does not have.
func Machine() (Arithmetic, error) {
	return Arithmetic{linalg.Kernel(), linalg.Kernels(), linalg.CPUFeatures()}, linalg.KernelError()
}
