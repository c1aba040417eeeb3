package pairrank

import (
	"context"
	"fmt"
	"slices"

	"pairrank/data"
	"pairrank/internal/fault"
	"pairrank/internal/holdout"
	"pairrank/internal/memory"
	"pairrank/internal/parallel"
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

// prepareSplines takes the knots of splines from the rows.
func (t *trainer) prepareSplines() error {
	for _, k := range t.o.Kernels {
		spline, is := k.(kernel.Spline)
		if !is {
			continue
		}
		m, n := t.x.Dims()
		values := float64(parallel.Workers()) * 2 * float64(m) // of a feature with their weights, to be sorted
		if _, dense := t.x.(*data.Dense); !dense {
			values += float64(m) * float64(n)
		}
		if need, is := memory.Beyond(8 * values); is {
			return &fault.Error{Kind: fault.Memory, Code: faultSpline, Err: fmt.Errorf("the knots of %d features of %d rows "+
				"would take about %s of memory, and %s are free", n, m, memory.Size(8*values), memory.Size(need))}
		}
		if t.splines == nil {
			t.splines = map[kernel.Spline]*kernel.SplineMap{}
		}
		t.splines[spline] = kernel.NewSplineMap(spline, t.x, t.weights)
	}
	return nil
}

// faultSpline is the code of splines that do not fit into memory.
const faultSpline fault.Code = "spline"

// width is the number of weights: the features, or the largest number that a map makes of them.
func (t *trainer) width() int {
	if !mapped(t.o.Kernels) {
		return t.features()
	}
	most := 0
	for _, k := range t.o.Kernels {
		switch k := k.(type) {
		case kernel.Fourier:
			most = max(most, k.Features)
		case kernel.Spline:
			most = max(most, t.splines[k].Features())
		}
	}
	return most
}

// widthText is the name and the number of these features.
func (t *trainer) widthText() string {
	name := "features"
	switch {
	case random(t.o.Kernels):
		name = "random features"
	case mapped(t.o.Kernels):
		name = "features and hinges"
	}
	return fmt.Sprintf("%s (%d)", name, t.width())
}

// mapMemory is the memory of the rows as the features of a map, and of the frequencies of random ones.
func (t *trainer) mapMemory() float64 {
	if !mapped(t.o.Kernels) {
		return 0
	}
	rows := float64(t.rows())
	if t.valid != nil {
		rows += float64(len(t.valid.Y))
	}
	if random(t.o.Kernels) {
		rows += float64(t.features()) / 2
	}
	return 8 * float64(t.width()) * rows
}

// mapCode is the code of features of maps that do not fit into memory.
func (t *trainer) mapCode() fault.Code {
	if random(t.o.Kernels) {
		return FaultRandomFeatures
	}
	return faultSpline
}

// featureMap is the map of the kernel, nil for the linear one beside splines. The knots of a spline are those of all
// rows, or of the rows that were asked for anew.
func (t *trainer) featureMap() kernel.FeatureMap {
	switch k := t.spec.(type) {
	case kernel.Fourier:
		return kernel.NewFourierMap(k)
	case kernel.Spline:
		if t.anew {
			return kernel.NewSplineMap(k, t.x, t.weights)
		}
		return t.splines[k]
	}
	return nil
}

// mapRows are other rows as features of the map.
func (t *trainer) mapRows(x data.Matrix) data.Matrix {
	if t.z == nil {
		return data.Clone(x) // which is centred
	}
	return kernel.Mapped(t.z, x)
}

// explicit returns t as a trainer of the linear kernel on the features that its kernel makes, where a kernel to choose
// from makes some. Those of a part are those of the whole, unless it makes them anew.
func (t *trainer) explicit() *trainer {
	if !mapped(t.o.Kernels) {
		return t
	}
	t.kernel = kernel.Linear{}
	if t.whole != nil && !t.anew {
		t.sample = t.withFeatures(data.Select(t.whole.x, t.within), t.whole.offset, nil)
		return t
	}
	t.z = t.featureMap()
	valid := t.valid
	if valid != nil {
		other := *valid
		other.X = t.mapRows(valid.X)
		valid = &other
	}
	t.origin, t.sample = t.sample, t.withFeatures(t.mapRows(t.x), nil, valid)
	t.centre()
	return t
}

// partAnew is part, with the knots of splines taken from its own rows.
func (t *trainer) partAnew(some []int) *trainer {
	if !mapped(t.o.Kernels) || random(t.o.Kernels) {
		return t.part(some)
	}
	part := t.of(t.origin.labelsOf(some), t.round)
	part.whole, part.within, part.anew = t, some, true
	part.x = data.Select(t.origin.x, some)
	return part.explicit()
}

// predictAnew trains on the rows of a part that was made anew, and predicts others of the whole.
func (t *trainer) predictAnew(ctx context.Context, others []int, candidates []float64,
	emit func(l int, held holdout.Held)) error {
	x := t.mapRows(data.Select(t.whole.origin.x, others))
	if d, dense := x.(*data.Dense); dense && t.offset != nil {
		subtract(d, t.offset.point)
	}
	return t.whole.retrained(ctx, t, &heldRows{x: x}, others, candidates, emit)
}
