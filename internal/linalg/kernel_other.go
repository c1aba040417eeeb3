//go:build noasm || (!amd64 && !arm64)

package linalg

// nativeKernels is empty: this build has no assembly.
func nativeKernels() []kernel { return nil }
