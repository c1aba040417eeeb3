package pairrank

import (
	"slices"

	"pairrank/internal/fault"
	"pairrank/kernel"
)

// randomFeatures is the number D of random features of kernels that they approximate, else 0.
func randomFeatures(kernels []kernel.Kernel) int {
	for _, k := range kernels {
		if f, is := k.(kernel.Fourier); is {
			return f.Features
		}
	}
	return 0
}

// checkRandomFeatures refuses random features together with other kernels, or in different numbers: one solver
// solves all kernels to choose from.
func checkRandomFeatures(kernels []kernel.Kernel) error {
	features := randomFeatures(kernels)
	if features == 0 {
		return nil
	}
	for _, k := range kernels {
		f, is := k.(kernel.Fourier)
		switch {
		case !is:
			return fault.Optionf("Kernels", "are all of random features, or none is, and %s is not", k)
		case f.Features != features:
			return fault.Optionf("Kernels", "have one number of random features, not both %d and %d", features,
				f.Features)
		}
		if err := f.Check(); err != nil {
			return fault.Optionf("Kernels", "have one that is none: %w", err)
		}
	}
	return nil
}

// isExplicit reports whether the functions of a kernel are weights of features.
func isExplicit(k kernel.Kernel) bool { return isLinear(k) || randomFeatures([]kernel.Kernel{k}) > 0 }

// linear reports whether all kernels are linear in features, original or random.
func linear(kernels []kernel.Kernel) bool {
	return !slices.ContainsFunc(kernels, func(k kernel.Kernel) bool { return !isExplicit(k) })
}
