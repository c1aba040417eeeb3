package comparison

import (
	"pairrank/comparison/internal/incidence"
	"pairrank/eval/metric"
	"pairrank/internal/linalg"
)

// PredictAgain is Board.Predict for any learner, by training again without each unit. It returns one HeldOut for each
// of some candidates. train learns from some lines and calls emit for each candidate with the scores of all items,
// which PredictAgain does not keep. byFeatures says that an item without comparisons has a score, so it can be left
// out. A single outcome can be left out only if no line counts more than one. The cost is one training for each unit.
func (p *Problem) PredictAgain(u Unit, seed uint64, byFeatures bool, candidates int,
	train func(lines []int, emit func(candidate int, scores []float64)) error) ([]*HeldOut, error) {
	sets, err := p.sets(u, seed, byFeatures)
	if err != nil {
		return nil, err
	}
	if u.Kind == "comparison" {
		if sets, err = p.singles(); err != nil {
			return nil, err
		}
	}
	out, views, most := make([]*HeldOut, candidates), make([][]view, candidates), make([]float64, candidates)
	for k := range out {
		out[k] = &HeldOut{Unit: u, Sets: len(sets)}
		views[k] = []view{newView(p.count())}
		if u.Kind == "item" {
			views[k] = append(views[k], newView(p.count()))
		}
		out[k].Margins = views[k][0].margins
	}
	for g, set := range sets {
		if len(set) == 0 {
			continue
		}
		err := train(incidence.Others(p.count(), set), func(k int, scores []float64) {
			most[k] = max(most[k], linalg.MaxAbs(scores))
			for _, c := range set {
				l, at := p.source().At(c), 0
				if u.Kind == "item" && l.Left != g {
					at = 1
				}
				views[k][at].set(c, scores[l.Left]-scores[l.Right], 0)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	for k, h := range out {
		if u.Kind == "item" {
			h.setSides(views[k])
		}
		h.measure(p, &Options{Loss: Squared}, sets, views[k], equal*most[k])
	}
	return out, nil
}

// Judge measures how given scores of the items order the wins of all lines. It is the HeldOut of scores from elsewhere,
// with nothing left out. Its standard error is that of pairs that were left out. Cost O(C log C).
func (p *Problem) Judge(scores []float64) *HeldOut {
	pairs, v := p.ByPair(), newView(p.count())
	for c := range p.count() {
		v.set(c, scores[p.source().At(c).Left]-scores[p.source().At(c).Right], 0)
	}
	h := &HeldOut{Unit: Unit{Kind: "pair"}, Sets: len(pairs), Margins: v.margins}
	h.measure(p, &Options{Loss: Squared}, pairs, []view{v}, equal*linalg.MaxAbs(scores))
	h.Loss = metric.Value{} // other scores have other scales
	return h
}
