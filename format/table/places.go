package table

import (
	"errors"
	"fmt"

	"pairrank/data"
)

// place numbers the features in the order of the table.
func (l *layout) place() error {
	hasNames := l.heading.names != nil && !l.heading.bare
	if hasNames {
		l.names = []string{}
	}
	for k, r := range l.roles {
		if r == factor {
			l.factors[k] = &levels{Factor: data.Factor{Column: l.called(k)}, at: l.width}
		}
		if r != feature {
			continue
		}
		l.places[k] = l.width
		l.width++
		if hasNames {
			l.names = append(l.names, l.heading.names[k])
		}
	}
	if l.has(factor) {
		return nil // the rows tell the number of features
	}
	if err := l.opts.checkFeatures(l.width); err != nil {
		return l.fault(-1, errors.Unwrap(err), "%s", err)
	}
	return nil
}

// placeByName gives the features the places that they have in the model. Equal names keep their
// order. A feature of the model that the table lacks is an error, and so is one that the
// model lacks, unless it is to be left out.
func (l *layout) placeByName() error {
	l.width, l.names = len(l.opts.Names), l.opts.Names
	at := make(map[string][]int, l.width)
	for j, name := range l.names {
		at[name] = append(at[name], j)
	}
	take := func(name string) int {
		places := at[name]
		if len(places) == 0 {
			return -1
		}
		at[name] = places[1:]
		return places[0]
	}
	var extra []int
	for k, r := range l.roles {
		switch r {
		case feature:
			if l.places[k] = take(l.heading.names[k]); l.places[k] < 0 {
				if _, is := at[l.heading.names[k]]; is {
					return l.fault(k, nil, "more columns than features of the model have this name: ignore column %d or another "+
						"one by its number", k+1-l.lead)
				}
				extra = append(extra, k)
			}
		case factor:
			if err := l.placeFactor(k, take); err != nil {
				return err
			}
		case id, rowNames:
			if s := l.opts.Schema; s == nil || factorOf(s, l.called(k)) == nil {
				continue
			}
			if err := l.placeFactor(k, take); err != nil {
				return err
			}
		}
	}
	var lacking []string
	for _, name := range l.names {
		if take(name) >= 0 {
			lacking = append(lacking, name)
		}
	}
	return l.refusePlaces(lacking, extra)
}

// refusePlaces refuses features of the model that the table lacks, and columns that are none of them unless they are
// to be left out.
func (l *layout) refusePlaces(lacking []string, extra []int) error {
	if lacking != nil {
		what := "a feature of the model is"
		if len(lacking) > 1 {
			what = fmt.Sprintf("%d features of the model are", len(lacking))
		}
		return l.fault(-1, nil, "%s not among the columns: %s", what,
			listed(len(lacking), ", ", func(k int) string { return quotedID(lacking[k]) }))
	}
	if extra != nil && !l.opts.Extra {
		what := "a column is"
		if len(extra) > 1 {
			what = fmt.Sprintf("%d columns are", len(extra))
		}
		return l.fault(extra[0], data.ErrExtraFeatures, "%s no feature of the model: %s", what,
			listed(len(extra), ", ", func(e int) string { return quotedID(l.heading.names[extra[e]]) }))
	}
	for _, k := range extra {
		l.roles[k] = ignored
		l.schema.Ignored = append(l.schema.Ignored, l.heading.names[k])
	}
	return nil
}

// placeFactor gives the known levels of a factor the places of their features.
func (l *layout) placeFactor(k int, take func(name string) int) error {
	var of *data.Factor
	if l.opts.Schema != nil {
		of = factorOf(l.opts.Schema, l.called(k))
	}
	if of == nil {
		return l.fault(k, nil, "this column is no factor of the model")
	}
	f := &levels{Factor: *of, number: map[string]int{}, places: make([]int, len(of.Levels))}
	for v, level := range of.Levels {
		f.number[level] = v
		if f.places[v] = take(of.FeatureName(level)); f.places[v] < 0 {
			return l.fault(k, nil, "the model has no feature %q", of.FeatureName(level))
		}
	}
	l.factors[k] = f
	return nil
}
