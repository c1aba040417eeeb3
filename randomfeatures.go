package pairrank

import (
	"fmt"
	"slices"

	"pairrank/data"
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

// width is the number of weights: D for random features, else n.
func (t *trainer) width() int {
	if features := randomFeatures(t.o.Kernels); features > 0 {
		return features
	}
	return t.features()
}

// widthText is the name and the number of these features.
func (t *trainer) widthText() string {
	if features := randomFeatures(t.o.Kernels); features > 0 {
		return fmt.Sprintf("random features (%d)", features)
	}
	return fmt.Sprintf("features (%d)", t.features())
}

// mapMemory is the memory of the rows as random features, and of their frequencies.
func (t *trainer) mapMemory() float64 {
	features := float64(randomFeatures(t.o.Kernels))
	if features == 0 {
		return 0
	}
	rows := t.rows()
	if t.valid != nil {
		rows += len(t.valid.Y)
	}
	return 8 * features * (float64(rows) + float64(t.features())/2)
}

// explicit returns s, whose kernel has random features, as a space of the linear kernel on these features.
func (s *trainer) explicit() *trainer {
	k, is := s.spec.(kernel.Fourier)
	if !is {
		return s
	}
	s.kernel = kernel.Linear{}
	if s.whole != nil {
		s.sample = s.withFeatures(data.Select(s.whole.x, s.within), s.whole.offset, nil)
		return s
	}
	z := kernel.NewFourierMap(k)
	valid := s.valid
	if valid != nil {
		mapped := *valid
		mapped.X = kernel.Mapped(z, valid.X)
		valid = &mapped
	}
	s.origin, s.sample = s.sample, s.withFeatures(kernel.Mapped(z, s.x), nil, valid)
	s.centre()
	return s
}
