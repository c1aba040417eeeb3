package pairrank

import (
	"slices"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/kernel"
)

// isClinical reports whether a kernel is the clinical one, or a sum with it.
func isClinical(k kernel.Kernel) bool {
	return slices.ContainsFunc(kernel.Terms(k), func(t kernel.Term) bool {
		_, is := t.Kernel.(kernel.Clinical)
		return is
	})
}

// withClinical is a kernel with another clinical one, in a sum, too.
func withClinical(of kernel.Kernel, other func(kernel.Clinical) (kernel.Clinical, error)) (kernel.Kernel, error) {
	terms := kernel.Terms(of)
	for i, t := range terms {
		if c, is := t.Kernel.(kernel.Clinical); is {
			k, err := other(c)
			if err != nil {
				return nil, err
			}
			terms[i].Kernel = k
		}
	}
	if _, is := of.(kernel.Sum); is {
		return kernel.NewSum(terms...), nil
	}
	return terms[0].Kernel, nil
}

// clinical reports whether all kernels are clinical.
func (p *plan) clinical() bool { return isClinical(p.o.Kernels[0]) }

// resolveClinical refuses the clinical kernel together with others, or with a normalisation, and sets its own: features
// are normalised once for all kernels, and it takes numbers in [0,1].
func (o *EstimateOptions) resolveClinical() error {
	other := slices.IndexFunc(o.Kernels, func(k kernel.Kernel) bool { return !isClinical(k) })
	switch {
	case !slices.ContainsFunc(o.Kernels, isClinical):
		return nil
	case other >= 0:
		return fault.Optionf("Kernels", "are all clinical, which divides numbers by their range, or none is, and %s is not",
			o.Kernels[other])
	case o.Normalize != data.NormalizeNone:
		return fault.Optionf("Normalize", "%s is not for the clinical kernel, which divides each number by its range",
			o.Normalize)
	}
	o.Normalize = data.NormalizeMinMax
	return nil
}

// toldClinical are clinical kernels with the factors of a table and the number of variables that are not constant, for
// the normalised features x. As with any normalisation, ranges are those of all rows, also of held-out ones.
func toldClinical(
	kernels []kernel.Kernel, set *data.Set, x data.Matrix, norm *data.Normalizer,
) ([]kernel.Kernel, error) {
	factors, err := factorSpans(set)
	if err != nil {
		return nil, err
	}
	told := slices.Clone(kernels)
	for i := range told {
		told[i], err = withClinical(told[i], func(k kernel.Clinical) (kernel.Clinical, error) {
			k, spans, err := k.WithFactors(len(norm.Scale), factors...)
			if err != nil {
				return k, fault.Optionf("Kernels", "cannot be taken: %w", err)
			}
			if k.Variables == 0 {
				k.Variables = max(1, varying(norm.Scale, spans))
			}
			return k, checkLevels(set, x, spans)
		})
		if err != nil {
			return nil, err
		}
	}
	return told, nil
}

// factorSpans are the first and last feature of each factor of a table.
func factorSpans(set *data.Set) (spans [][2]int, err error) {
	if set.Schema == nil {
		return nil, nil
	}
	for _, f := range set.Schema.Factors {
		names := make([]string, len(f.Levels))
		for v, level := range f.Levels {
			names[v] = f.FeatureName(level)
		}
		if len(names) == 0 {
			continue
		}
		first := slices.Index(set.Names, names[0])
		last := first + len(names) - 1
		if first < 0 || last >= len(set.Names) || !slices.Equal(set.Names[first:last+1], names) {
			return nil, fault.Dataf("there are no features of the %d texts of factor %q, side by side, for the clinical "+
				"kernel", len(f.Levels), f.Column)
		}
		spans = append(spans, [2]int{first, last})
	}
	return spans, nil
}

// checkLevels refuses a row with two levels of a factor, or with a part of one.
func checkLevels(set *data.Set, x data.Matrix, spans [][2]int) error {
	m, n := x.Dims()
	row := make([]float64, n)
	for i := range m {
		x.RowTo(row, i)
		for _, s := range spans {
			levels := slices.DeleteFunc(slices.Clone(row[s[0]:s[1]+1]), func(v float64) bool { return v == 0 })
			if len(levels) > 1 || len(levels) == 1 && levels[0] != 1 {
				return fault.Dataf("%s has not one feature of a factor that is 1, and 0 for others, among features %d to %d",
					set.Called(i), s[0]+1, s[1]+1)
			}
		}
	}
	return nil
}

// varying is the number of factors and of other features that are not constant.
func varying(scales []float64, spans [][2]int) (n int) {
	varies := func(scale float64) bool { return scale != 0 }
	scales = slices.Clone(scales)
	for _, s := range spans {
		of := scales[s[0] : s[1]+1]
		if slices.ContainsFunc(of, varies) {
			n++
		}
		clear(of)
	}
	return n + len(slices.DeleteFunc(scales, func(scale float64) bool { return !varies(scale) }))
}

// withConstant is the trainer of the same rows with 0 for feature j, so that the numbers of features remain, on which
// factors depend. Rows with that level of a factor then have none; a number is a variable less.
func (t *trainer) withConstant(j int) *trainer {
	k, _ := withClinical(t.used(), func(k kernel.Clinical) (kernel.Clinical, error) {
		k, spans, err := k.WithFactors(t.features())
		if t.norm.Scale[j] != 0 && !slices.ContainsFunc(spans, func(s [2]int) bool { return s[0] <= j && j <= s[1] }) {
			k.Variables = max(1, k.Variables-1)
		}
		return k, err
	})
	n := t.features()
	one := &data.Normalizer{Kind: data.NormalizeMinMax, Shift: make([]float64, n), Scale: slices.Repeat([]float64{1}, n)}
	one.Scale[j] = 0
	rows := &data.Set{X: data.Clone(t.x)}
	if err := one.Apply(rows); err != nil {
		panic("pairrank: " + err.Error()) // nothing moves
	}
	other := t.of(t.withFeatures(rows.X, nil, t.valid), t.round)
	other.spec, other.kernel = k, k
	return other
}
