package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

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

// write prints the features for people.
func (s *InspectedStumps) write(w io.Writer) error {
	fmt.Fprintf(w, "\nlargest weights of stumps, %s, %s\n", spell.Plural(s.Rounds, "round"),
		spell.Plural(len(s.Features), "feature"))
	var rows [][]string
	for _, f := range s.Features {
		row := namedRow(f.Feature, f.Name)
		rows = append(rows, append(row, fmt.Sprintf("%.6g", f.Weight), spell.Plural(f.Stumps, "stump")))
	}
	return writeList(w, rows)
}
