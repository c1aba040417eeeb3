package model

import (
	"fmt"
	"slices"

	"pairrank/data"
	"pairrank/internal/modelfile"
)

// scales reports whether a normaliser has numbers, a pair for each feature.
func scales(norm *data.Normalizer) bool {
	return norm != nil && (norm.Kind == data.NormalizeZScore || norm.Kind == data.NormalizeMinMax)
}

// idle reports whether a normaliser changes nothing.
func idle(norm *data.Normalizer) bool {
	return norm == nil || norm.Kind == data.NormalizeNone || norm.Kind == ""
}

func checkNormalizer(norm *data.Normalizer, n int) error {
	if norm == nil {
		return nil
	}
	if _, err := data.ParseNormalize(norm.Kind); err != nil {
		return err
	}
	want := 0
	if scales(norm) {
		want = n
	}
	if len(norm.Shift) != want || len(norm.Scale) != want {
		return fmt.Errorf("normalizer %s has %d shifts and %d scales, want %d", norm.Kind,
			len(norm.Shift), len(norm.Scale), want)
	}
	if slices.ContainsFunc(norm.Shift, modelfile.NotFinite) || slices.ContainsFunc(norm.Scale, modelfile.NotFinite) {
		return fmt.Errorf("normalizer %s has a number that is not finite", norm.Kind)
	}
	return nil
}

// writeNormalizer writes the kind and, where it has numbers, a line "shift scale" a
// feature.
func writeNormalizer(w *modelfile.Writer, norm *data.Normalizer) {
	if idle(norm) {
		return
	}
	w.Line("normalizer", norm.Kind)
	for j := range norm.Shift {
		w.Numbers([]float64{norm.Shift[j], norm.Scale[j]})
	}
}

// readNormalizer reads a normaliser of n features.
func readNormalizer(r *modelfile.Reader, kind string, n int) (*data.Normalizer, error) {
	known, err := data.ParseNormalize(kind)
	if err != nil {
		return nil, err
	}
	if known != kind || known == data.NormalizeNone {
		return nil, fmt.Errorf("%q has no entry in a model file", kind)
	}
	norm := &data.Normalizer{Kind: kind}
	if !scales(norm) {
		return norm, nil
	}
	pairs, err := r.Dense(n, 2)
	if err != nil {
		return nil, err
	}
	norm.Shift, norm.Scale = make([]float64, n), make([]float64, n)
	for j := range n {
		norm.Shift[j], norm.Scale[j] = pairs.Row(j)[0], pairs.Row(j)[1]
	}
	return norm, nil
}
