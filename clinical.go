package pairrank

import (
	"slices"

	"pairrank/data"
	"pairrank/internal/fault"
	"pairrank/kernel"
)

// isClinical reports whether a kernel is the clinical one.
func isClinical(k kernel.Kernel) bool {
	_, is := k.(kernel.Clinical)
	return is
}

// clinical reports whether all kernels are clinical.
func (p *plan) clinical() bool { return isClinical(p.o.Kernels[0]) }

// resolveClinical refuses the clinical kernel together with others, or with a normalisation, and sets its own: features
// are normalised once for all kernels, and it takes numbers in [0,1].
func (o *EstimateOptions) resolveClinical() error {
	if !slices.ContainsFunc(o.Kernels, isClinical) {
		return nil
	}
	for _, k := range o.Kernels {
		if !isClinical(k) {
			return fault.Optionf("Kernels", "are all clinical, which divides numbers by their range, or none is, and %s is "+
				"not", k)
		}
	}
	if o.Normalize != data.NormalizeNone {
		return fault.Optionf("Normalize", "%s is not for the clinical kernel, which divides each number by its range",
			o.Normalize)
	}
	o.Normalize = data.NormalizeMinMax
	return nil
}

// setClinical tells clinical kernels the factors of the table and the number of variables that are not constant, of
// features that are normalised. As with any normalisation, ranges are those of all rows, also of held-out ones.
func (t *trainer) setClinical() error {
	if !t.clinical() {
		return nil
	}
	told, err := t.factorSpans()
	if err != nil {
		return err
	}
	kernels := slices.Clone(t.o.Kernels)
	for i := range kernels {
		k := kernels[i].(kernel.Clinical)
		if k, err = k.WithFactors(told); err == nil {
			err = k.Check(t.features())
		}
		if err != nil {
			return fault.Optionf("Kernels", "cannot be taken: %w", err)
		}
		spans, _ := k.Spans()
		if err := t.checkLevels(spans); err != nil {
			return err
		}
		if k.Variables == 0 {
			k.Variables = max(1, t.varying(spans))
		}
		kernels[i] = k
	}
	t.o.Kernels = kernels
	return nil
}

// factorSpans are the first and last feature of each factor of the table.
func (t *trainer) factorSpans() (spans [][2]int, err error) {
	set := t.problem.Set
	if set.Schema == nil {
		return nil, nil
	}
	for _, f := range set.Schema.Factors {
		if len(f.Levels) == 0 {
			continue
		}
		first := slices.Index(set.Names, f.FeatureName(f.Levels[0]))
		for v, level := range f.Levels {
			if j := first + v; first < 0 || j >= len(set.Names) || set.Names[j] != f.FeatureName(level) {
				return nil, fault.Dataf("there are no features of the %d texts of factor %q, side by side, for the clinical "+
					"kernel", len(f.Levels), f.Column)
			}
		}
		spans = append(spans, [2]int{first, first + len(f.Levels) - 1})
	}
	return spans, nil
}

// checkLevels refuses a row with two levels of a factor, or with a part of one.
func (t *trainer) checkLevels(spans [][2]int) error {
	row := make([]float64, t.features())
	for i := range t.rows() {
		t.x.RowTo(row, i)
		for _, s := range spans {
			levels := 0
			for j := s[0]; j <= s[1]; j++ {
				if v := row[j]; v != 0 {
					levels++
				}
				if v := row[j]; levels > 1 || v != 0 && v != 1 {
					return fault.Dataf("%s has not one feature of a factor that is 1, and 0 for others, among features %d to %d",
						t.problem.Set.Called(i), s[0]+1, s[1]+1)
				}
			}
		}
	}
	return nil
}

// varying is the number of factors and of other features that are not constant.
func (t *trainer) varying(spans [][2]int) (n int) {
	varies := func(scale float64) bool { return scale != 0 }
	scales := slices.Clone(t.norm.Scale)
	for _, s := range spans {
		of := scales[s[0] : s[1]+1]
		if slices.ContainsFunc(of, varies) {
			n++
		}
		clear(of)
	}
	for _, scale := range scales {
		if varies(scale) {
			n++
		}
	}
	return n
}

// withConstant is the trainer of the same rows with 0 for feature j, so that the numbers of features remain, on which
// factors depend. Rows with that level of a factor then have none; a number is a variable less.
func (t *trainer) withConstant(j int) *trainer {
	k := t.spec.(kernel.Clinical)
	spans, _ := k.Spans()
	if t.norm.Scale[j] != 0 && !slices.ContainsFunc(spans, func(s [2]int) bool { return s[0] <= j && j <= s[1] }) {
		k.Variables = max(1, k.Variables-1)
	}
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
