//go:build !noasm

package linalg

func nativeKernels() []kernel { return nil }
