package relation

import (
	"math"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/fault"
	"pairrank/relation/edge"
)

// checkData refuses, before any work, numbers that are NaN or infinite, and two nodes with the same name. Its
// errors have kind Data and name the edge or the node. early may be nil.
func (p *Problem) checkData(early *EarlyStop) error {
	sides := []*side{{Nodes: p.Rows, name: "the row nodes"}}
	if !p.OneDomain() {
		sides = append(sides, &side{Nodes: p.Cols, name: "the column nodes"})
	}
	for _, s := range sides {
		if s.Source != "" {
			s.name = s.Source
		}
		for _, check := range []func() error{s.checkNames, s.checkNumbers} {
			if err := check(); err != nil {
				return err
			}
		}
	}
	if err := p.checkLabelsFinite("", p.Edges, p.Y); err != nil || early == nil {
		return err
	}
	return p.checkLabelsFinite(" for early stopping", early.Edges, early.Y)
}

// grade returns a label that is no relevance label, a whole number from 0, if there is one.
func (p *Problem) grade() (label float64, none bool) {
	for _, y := range p.Y {
		if y < 0 || y != math.Trunc(y) {
			return y, true
		}
	}
	return 0, false
}

// undefine makes further metrics of relevant edges undefined if the labels say of none whether it is relevant.
func (p *problem) undefine(e *cv.Estimate) {
	if _, none := p.grade(); none {
		for l := range e.Points {
			for k := range e.Points[l].Also {
				if p.o.Also[k].CountsRelevant() {
					e.Points[l].Also[k] = metric.Value{}
				}
			}
		}
	}
}

// checkRelevant refuses a metric of relevant edges to choose by if the labels are no relevance labels.
func (p *Problem) checkRelevant(m *metric.Metric) error {
	if m == nil || !m.CountsRelevant() {
		return nil
	}
	if y, none := p.grade(); none {
		return fault.Dataf("%s needs labels that say which edges are relevant, whole numbers from 0, and one is %v: "+
			"choose by the error or tau-b", m, y)
	}
	return nil
}

// checkNames refuses two nodes with one name.
func (s *side) checkNames() error {
	first := make(map[string]int, len(s.ID))
	for i, id := range s.ID {
		if at, seen := first[id]; seen {
			return fault.Dataf("%s: nodes %d and %d are both named %q", s.name, at+1, i+1, id)
		}
		first[id] = i
	}
	return nil
}

// checkNumbers refuses features and similarities that are NaN or infinite.
func (s *side) checkNumbers() error {
	all, what := []*data.Dense{s.X}, "feature"
	if s.precomputed() {
		all, what = s.similarities(), "similarity"
	}
	for k, x := range all {
		if i, j := notFinite(x); i >= 0 {
			name := s.name
			if s.several() {
				name = s.source(k)
			}
			return fault.Dataf("%s: %s %d of node %q is %v", name, what, j+1, s.Nodes.name(i), x.Row(i)[j])
		}
	}
	return nil
}

// notFinite returns the position of the first number of a matrix that is NaN or infinite; -1 if there is none.
func notFinite(x *data.Dense) (i, j int) {
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return i, j
			}
		}
	}
	return -1, -1
}

// checkLabelsFinite refuses labels that are NaN or infinite, or whose squares overflow or vanish.
func (p *Problem) checkLabelsFinite(of string, edges edge.Edges, y []float64) error {
	for e, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fault.Dataf("edge %d%s, from %q to %q: the label is %v", e+1,
				of, p.Rows.name(int(edges.Row[e])), p.cols().name(int(edges.Col[e])), v)
		}
	}
	return fault.LabelSizes(y)
}
