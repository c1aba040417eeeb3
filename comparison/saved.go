package comparison

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"pairrank/comparison/internal/incidence"
	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/model"
)

// Model returns the scores as a linear model of the items: of their features, and of a factor of their names for the
// scores or the parts of scores that single items have. Names that it does not know are refused where scores are of
// names alone; with features they have no part of their own. Coefficients of covariates are facts of the model, not
// of its scores. Features are less their means over the compared items, as those of the board. Cost O(N + n).
func (b *Board) Model() (*model.Model, error) {
	s, p := b.s, b.p
	schema := &data.Schema{ID: "id"}
	if p.Schema != nil {
		copied := *p.Schema
		schema = &copied
	}
	n := 0 // features that are no item's own
	own := map[string]float64{}
	if p.Features == nil {
		for i, item := range p.Items {
			own[item] = b.Scores[i]
		}
	} else {
		n = p.Features.Cols - len(p.Own)
		for k, i := range p.Own { // whose features are the means
			own[p.Items[i]] = b.unknown[n+k] + linalg.Dot(s.Means, b.unknown[:n])
		}
		if p.Residual > 0 {
			for i, item := range p.Items {
				own[item] += s.Basis.Row(i)[p.Features.Cols+i] * b.unknown[p.Features.Cols+i]
			}
		}
	}
	weights := slices.Clone(b.unknown[:n])
	var names []string
	for j := range n {
		names = append(names, p.featureName(j))
	}
	if len(own) > 0 {
		f := data.Factor{Column: schema.ID, Levels: slices.Sorted(maps.Keys(own)), Open: p.Features != nil}
		for _, level := range f.Levels {
			names, weights = append(names, f.FeatureName(level)), append(weights, own[level])
		}
		schema.Factors = append(slices.Clip(schema.Factors), f)
	}
	m := &model.Model{Names: names, Scorer: &model.Linear{Weights: data.NewDense(1, len(weights), weights)}}
	if n > 0 {
		m.Normalizer = &data.Normalizer{Kind: data.NormalizeZScore, Shift: make([]float64, len(weights)),
			Scale: slices.Repeat([]float64{1}, len(weights))}
		copy(m.Normalizer.Shift, s.Means)
	}
	m.Info = b.facts()
	if err := cmp.Or(m.Info.SetSchema(schema), m.Info.SetSubstitutes(p.Substitutes)); err != nil {
		return nil, err
	}
	return m, m.Check()
}

// featureName is the name of a feature, its number from 1 where it has none.
func (p *Problem) featureName(j int) string {
	if p.Names != nil {
		return p.Names[j]
	}
	return strconv.Itoa(j + 1)
}

// facts are those of the training.
func (b *Board) facts() model.Info {
	p, o := b.p, b.o
	info := model.Info{Learner: "leaderboard", Solver: "newton", Lambda: o.Lambda, Loss: string(o.Loss),
		Rows:    len(p.Items),
		Queries: p.Components().Len()}
	info.Pairs, _ = p.Outcomes()
	fact := func(name, format string, args ...any) {
		info.Further = append(info.Further, model.Fact{Name: name, Value: fmt.Sprintf(format, args...)})
	}
	switch {
	case o.Loss == Squared:
		info.Solver = "direct"
		info.Objective = "sum w (z - (s_left - s_right))^2 + lambda |f|^2"
	case o.Ties == Davidson:
		info.Objective = "-sum w log P + lambda |f|^2, P of a win, a loss and a tie by Davidson's model"
		fact("nu", "%v", b.Nu)
	case o.BiasReduced:
		info.Objective = "sum w log(1 + exp(-(s_winner - s_loser))) - log det(H) / 2"
	case incidence.Graded(p.source()):
		info.Objective = "sum w (log(1 + exp(f)) - y f) + lambda |f|^2, f = s_left - s_right"
	default:
		info.Objective = "sum w log(1 + exp(-(s_winner - s_loser))) + lambda |f|^2"
	}
	if o.Loss == Logistic {
		info.Ties = string(o.Ties)
	}
	if t := b.Trusted; t != nil {
		fact("trusted", "%v votes, corrected by %v of the judge's %v", t.Votes, t.Share, t.Judged)
	}
	if p.Residual > 0 {
		fact("residual", "%v", p.Residual)
	}
	for j, name := range p.Covariates {
		fact("covariate", "%v %s", b.Gamma[j], name)
	}
	return info
}
