package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"pairrank/internal/figure"
	"pairrank/internal/spell"
	"pairrank/model"
)

// inspectStumps sums up the stumps of a model by feature, the largest first; top 0 is all.
func inspectStumps(m *model.Model, s *model.Stumps, top int) *InspectedStumps {
	at := map[int]int{}
	out := &InspectedStumps{Rounds: len(s.Terms), Features: []InspectedFeature{}}
	for _, t := range s.Terms {
		k, seen := at[t.Feature]
		if !seen {
			k = len(out.Features)
			at[t.Feature] = k
			out.Features = append(out.Features, InspectedFeature{Feature: t.Feature + 1})
			if m.Names != nil {
				out.Features[k].Name = m.Names[t.Feature]
			}
		}
		out.Features[k].Stumps++
		out.Features[k].Weight += math.Abs(t.Weight)
	}
	slices.SortFunc(out.Features, func(a, b InspectedFeature) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Feature, b.Feature))
	})
	if top > 0 {
		out.Features = out.Features[:min(top, len(out.Features))]
	}
	return out
}

// tell adds the features, and returns their figure, nil without any.
func (s *InspectedStumps) tell(v *View) *Figure {
	t := &Table{Caption: "Features by the weight of their stumps", Len: len(s.Features), Most: mostWeights,
		Above: fmt.Sprintf("largest weights of stumps, %s, %s", spell.Plural(s.Rounds, "round"),
			spell.Plural(len(s.Features), "feature"))}
	t.features(func(l int) (int, string) { return s.Features[l].Feature, s.Features[l].Name })
	column := len(t.Columns)
	c := t.add("weight", 0, func(l int) string { return fmt.Sprintf("%.6g", s.Features[l].Weight) })
	c.Left, c.OnPage = true, func(l int) string { return figure.Short(s.Features[l].Weight) }
	c = t.add("stumps", 0, func(l int) string { return spell.Plural(s.Features[l].Stumps, "stump") })
	c.Left, c.OnPage = true, func(l int) string { return strconv.Itoa(s.Features[l].Stumps) }
	t.Point = func(l int) Spot { return Spot{Value: s.Features[l].Weight} }
	v.tell(t)
	if t.Len == 0 {
		return nil
	}
	f := &Figure{Title: fmt.Sprintf("Among %s, those of %s have the largest total weight",
		spell.Plural(s.Rounds, "stump"), t.name(0)), Desc: "A bar for each feature.", Table: t,
		Rows: &Rows{Label: "sum of the magnitudes of the weights of its stumps", Bars: true, Column: column},
		Text: []string{"Each stump tests whether one feature is above a threshold, and adds its weight to the score."}}
	f.smaller(t.Len)
	return f
}
