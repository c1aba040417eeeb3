package pairrank

import (
	"slices"

	"pairrank/fault"
	"pairrank/kernel"
)

// Kernels whose functions are weights of features that a map makes of each row: kernel.Fourier of random features, and
// kernel.Spline. They are solved as the linear kernel on these features.

// isMapped reports whether a map makes the features of a kernel.
func isMapped(k kernel.Kernel) bool {
	_, spline := k.(kernel.Spline)
	return spline || isRandom(k)
}

// isRandom reports whether the features of a kernel are random.
func isRandom(k kernel.Kernel) bool {
	_, random := k.(kernel.Fourier)
	return random
}

// isExplicit reports whether the functions of a kernel are weights of features.
func isExplicit(k kernel.Kernel) bool { return isLinear(k) || isMapped(k) }

// mapped reports whether a map makes the features of some of the kernels, and random whether they are random.
func mapped(kernels []kernel.Kernel) bool { return slices.ContainsFunc(kernels, isMapped) }

func random(kernels []kernel.Kernel) bool { return slices.ContainsFunc(kernels, isRandom) }

func isSpline(k kernel.Kernel) bool {
	_, is := k.(kernel.Spline)
	return is
}

// linear reports whether all kernels are linear in features, original ones or those of a map.
func linear(kernels []kernel.Kernel) bool {
	return !slices.ContainsFunc(kernels, func(k kernel.Kernel) bool { return !isExplicit(k) })
}

// checkMapped refuses maps that cannot be made, and those together with kernels of another form: one solver solves all
// kernels to choose from. Random features are all of one number.
func checkMapped(kernels []kernel.Kernel) error {
	if !mapped(kernels) {
		return nil
	}
	first, isFourier := kernels[0].(kernel.Fourier)
	for _, k := range kernels {
		if of, checks := k.(interface{ Check() error }); checks {
			if err := of.Check(); err != nil {
				return fault.Optionf("Kernels", "have one that is none: %w", err)
			}
		}
		switch f, is := k.(kernel.Fourier); {
		case random(kernels) && is != isFourier:
			return fault.Optionf("Kernels", "are all of random features, or none is, not both %s and %s", kernels[0], k)
		case is && f.Features != first.Features:
			return fault.Optionf("Kernels", "have one number of random features, not both %d and %d", first.Features,
				f.Features)
		case !isExplicit(k):
			return fault.Optionf("Kernels", "are splines and the linear one, or none is a spline, and %s is neither", k)
		}
	}
	return nil
}

// refuseMapped refuses an option of learners where a map makes features, which are so many more, or others.
func refuseMapped(kernels []kernel.Kernel, asked bool, option, random string) error {
	if !asked || !mapped(kernels) {
		return nil
	}
	if isRandom(kernels[0]) {
		return fault.Optionf(option, "%s", random)
	}
	return fault.Optionf(option, "is not for splines, which are weights of features and their hinges")
}

// faultSpline is the code of splines that do not fit into memory.
const faultSpline fault.Code = "spline"

// comparesSplines reports whether the linear kernel is among the kernels, with splines.
func comparesSplines(kernels []kernel.Kernel) bool {
	return mapped(kernels) && !random(kernels) && slices.ContainsFunc(kernels, isLinear)
}

// refuseSimpler refuses the choice between the linear kernel and splines where there is no squared loss of labels.
func refuseSimpler(p *Problem, o *EstimateOptions, squared bool) error {
	return fault.Refuse(comparesSplines(o.Kernels) && (!squared || p.compares()), "Kernels",
		"cannot choose between the linear one and splines without the squared loss of held-out labels, "+
			"which is that of rankrls and rls: take one of them")
}
