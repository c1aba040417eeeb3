package model

import (
	"fmt"
	"slices"

	"pairrank/data"
)

// scales reports whether a normaliser has numbers of its own, one pair a
// feature.
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
		return fmt.Errorf("normalizer %s has %d shifts and %d scales, want %d", norm.Kind, len(norm.Shift), len(norm.Scale), want)
	}
	if slices.ContainsFunc(norm.Shift, notFinite) || slices.ContainsFunc(norm.Scale, notFinite) {
		return fmt.Errorf("normalizer %s has a number that is not finite", norm.Kind)
	}
	return nil
}

// normalizer writes the kind and, where it has numbers, a line "shift scale" a
// feature.
func (p *printer) normalizer(norm *data.Normalizer) {
	if idle(norm) {
		return
	}
	p.line("normalizer", norm.Kind)
	for j := range norm.Shift {
		p.numbers([]float64{norm.Shift[j], norm.Scale[j]})
	}
}

func (b *builder) normalizer(kind string) error {
	if err := b.need("features"); err != nil {
		return err
	}
	known, err := data.ParseNormalize(kind)
	if err != nil {
		return err
	}
	if known != kind || known == data.NormalizeNone {
		return fmt.Errorf("%q is not written down", kind)
	}
	norm := &data.Normalizer{Kind: kind}
	b.model.Normalizer = norm
	if !scales(norm) {
		return nil
	}
	if err := b.room(b.n, 2); err != nil {
		return err
	}
	norm.Shift, norm.Scale = make([]float64, b.n), make([]float64, b.n)
	var pair [2]float64
	for j := range b.n {
		if err := b.numbers(pair[:]); err != nil {
			return err
		}
		norm.Shift[j], norm.Scale[j] = pair[0], pair[1]
	}
	return nil
}
