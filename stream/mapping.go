package stream

import (
	"fmt"
	"slices"
	"sync"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/kernels"
	"pairrank/internal/memory"
	"pairrank/kernel"
	"pairrank/model"
)

// Mapping replaces the features of single rows by explicit features of a kernel, so that each row is read only
// once: the random features of kernel.Fourier, the hinges of kernel.Spline, or the Nyström features of any kernel with
// basis rows (see kernels.Nystrom).
type Mapping struct {
	// Kernel is a kernel.Fourier, a kernel.Spline, or a kernel of features that kernel.Parse knows.
	Kernel kernel.Kernel
	// Basis has the b×n basis rows for any kernel except kernel.Fourier and kernel.Spline, normalised as the rows will
	// be. Features of the rows beyond the width of the basis are 0 in it. Their kernel matrix must not be singular
	// in double precision.
	Basis data.Matrix
	// Knots are those of a kernel.Spline, of features that are normalised as the rows will be: a list for each
	// feature, ascending. Further features are straight lines. Only Sum takes nil, and finds them in the rows.
	Knots [][]float64

	made *madeMap // the map, after the mapping was resolved
}

// madeMap is the map of a mapping, made on first use.
type madeMap struct {
	making  sync.Once
	of      kernel.FeatureMap
	nystrom *kernels.Nystrom // nil for random features
	err     error
}

// resolved is a copy of m with a copy of the basis; nil if m is nil.
func (m *Mapping) resolved() (*Mapping, error) {
	if m == nil || m.made != nil {
		return m, nil
	}
	out := &Mapping{Kernel: m.Kernel, made: &madeMap{}}
	if m.Kernel == nil {
		return nil, fault.Optionf("Map", "has no kernel")
	}
	bent, spline := m.Kernel.(kernel.Spline)
	if m.Knots != nil && !spline {
		return nil, fault.Optionf("Map", "has knots, which are of splines, and the kernel %s", m.Kernel)
	}
	random, is := m.Kernel.(kernel.Fourier)
	if is {
		if m.Basis != nil {
			return nil, fault.Optionf("Map", "has basis rows and random features, which are two ways to approximate "+
				"a kernel")
		}
		if err := random.Check(); err != nil {
			return nil, fault.Optionf("Map", "has a kernel that is none: %w", err)
		}
		return out, nil
	}
	if spline {
		out.Knots = m.copyKnots()
		return out, m.checkKnots(bent)
	}
	return out, m.resolveBasis(out)
}

// resolveBasis copies the basis rows to out, and refuses those that are none, and kernels that take none.
func (m *Mapping) resolveBasis(out *Mapping) error {
	known, err := kernel.Parse(m.Kernel.String())
	_, clinical := known.(kernel.Clinical)
	switch {
	case err != nil || known != m.Kernel:
		return fault.Optionf("Map", "has the kernel %s, which is not one of features that kernel.Parse reads",
			m.Kernel)
	case clinical:
		return fault.Optionf("Map", "has the kernel %s, whose ranges are of all rows, and one query at a time is read",
			known)
	case known == kernel.Kernel(kernel.Precomputed{}):
		return fault.Optionf("Map", "is of features, and a precomputed kernel has none")
	case m.Basis == nil:
		return fault.Optionf("Map", "of kernel %s has no basis rows: only the gaussian kernel has random "+
			"features, which need none", m.Kernel)
	}
	data.Check("stream: the basis of a Mapping", m.Basis)
	if i, v := data.FirstNotFinite(m.Basis); i >= 0 {
		return fault.Optionf("Map", "has the value %v in basis row %d", v, i+1)
	}
	if b, _ := m.Basis.Dims(); b == 0 {
		return fault.Optionf("Map", "has no basis rows")
	}
	out.Basis = data.Clone(m.Basis)
	return nil
}

// width is the number of features of the map for rows of n features; n without a map.
func (m *Mapping) width(n int) int {
	if m == nil {
		return n
	}
	switch k := m.Kernel.(type) {
	case kernel.Fourier:
		return k.Features
	case kernel.Spline:
		d := max(n, len(m.Knots))
		for _, knots := range m.Knots {
			d += len(knots)
		}
		return d
	}
	b, _ := m.Basis.Dims()
	return b
}

// least is the number of features that a model of the map has, whatever the rows.
func (m *Mapping) least() int {
	if m == nil || m.Basis == nil {
		return len(m.knots())
	}
	_, n := m.Basis.Dims()
	return n
}

// memory is the bytes that the map takes for rows of n features.
func (m *Mapping) memory(n int) float64 {
	if m == nil {
		return 0
	}
	d := float64(m.width(n))
	if m.Knots != nil {
		return 0 // some numbers a feature
	}
	if m.Basis == nil {
		return 8 * float64(n) * d / 2 // the frequencies
	}
	return 8 * (float64(n)*d + 4*d*d)
}

// features returns the map, which is made once.
func (m *Mapping) features() (*madeMap, error) {
	made := m.made
	made.making.Do(func() {
		switch k := m.Kernel.(type) {
		case kernel.Fourier:
			made.of = kernel.NewFourierMap(k)
			return
		case kernel.Spline:
			made.of = kernel.SplineOf(k, m.Knots)
			return
		}
		_, n := m.Basis.Dims()
		if free, beyond := memory.Beyond(m.memory(n)); beyond {
			made.err = &fault.Error{Kind: fault.Memory, Code: codes.FaultKernelMap,
				Err: fmt.Errorf("the map of %d basis rows would take about %s of memory, and %s are free",
					m.width(n), memory.Size(m.memory(n)), memory.Size(free))}
			return
		}
		if made.nystrom, made.err = kernels.NewNystrom(m.Kernel, m.Basis); made.err != nil {
			made.err = fault.As(fault.Data, "", made.err)
			return
		}
		if doubt := made.nystrom.Warning(); doubt != "" {
			// The eigenvectors of the basis differ between machines, so their sums could not be added.
			made.err = fault.Dataf("%s: the basis rows of a map are all different, and not too near for the kernel",
				doubt)
			return
		}
		made.of = made.nystrom
	})
	return made, made.err
}

// rows maps the rows x of a query, in the memory of scratch.
func (m *madeMap) rows(x data.Matrix, scratch *queryScratch) *data.Dense {
	rows, n := x.Dims()
	d, further := m.of.Features(), 0
	if spline, is := m.of.(*kernel.SplineMap); is {
		further = max(0, n-spline.Inputs())
	}
	size := rows * (d + further)
	scratch.z = slices.Grow(scratch.z[:0], size)[:size]
	z := data.NewDense(rows, d+further, scratch.z)
	if further > 0 {
		x = behind(z, x, further)
	}
	m.of.RowsTo(&data.Dense{Rows: rows, Cols: d, Stride: z.Stride, Data: z.Data}, x)
	return z
}

// scorer is a model of n features with weights of the map, D×v. Call it after rows were mapped.
func (m *Mapping) scorer(n int, coef *data.Dense) (model.Scorer, error) {
	if random, is := m.Kernel.(kernel.Fourier); is {
		return &model.Fourier{Kernel: random, Inputs: n, Weights: coef.T()}, nil
	}
	if spline, is := m.Kernel.(kernel.Spline); is {
		return m.curves(spline, n, coef), nil
	}
	made, err := m.features()
	if err != nil {
		return nil, err
	}
	return &model.Kernel{Kernel: m.Kernel, Support: data.Widen(m.Basis, n), Coef: made.nystrom.Coefficients(coef)}, nil
}

// sameMapping names the difference of two mappings, "" if there is none.
func sameMapping(a, b *Mapping) error {
	text := func(m *Mapping) string {
		if m == nil {
			return "none"
		}
		return m.Kernel.String()
	}
	if text(a) != text(b) {
		return fault.Optionf("Map", "is %s and %s, and statistics of different options are not added", text(a), text(b))
	}
	if a == nil || a == b {
		return nil
	}
	if len(a.Knots) != len(b.Knots) {
		return fault.Optionf("Map", "has knots of %d and of %d features", len(a.Knots), len(b.Knots))
	}
	for j, knots := range a.Knots {
		if !slices.Equal(knots, b.Knots[j]) {
			return fault.Optionf("Map", "has the knots %v and %v of feature %d, and statistics of different options are not "+
				"added", knots, b.Knots[j], j+1)
		}
	}
	if a.Basis == nil {
		return nil
	}
	m, n := a.Basis.Dims()
	p, q := b.Basis.Dims()
	if m != p || n != q {
		return fault.Optionf("Map", "has a basis of %d×%d and one of %d×%d", m, n, p, q)
	}
	first, other := make([]float64, n), make([]float64, n)
	for i := range m {
		a.Basis.RowTo(first, i)
		if b.Basis.RowTo(other, i); !slices.Equal(first, other) {
			return fault.Optionf("Map", "has two different basis rows %d, and statistics of different options are "+
				"not added", i+1)
		}
	}
	return nil
}
