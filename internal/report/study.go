package report

import (
	"slices"

	"pairrank"
	"pairrank/data"
)

// Study has the facts of a study of patients that neither its estimate nor its table have: the items of the checklist
// of TRIPOD (Collins, Reitsma, Altman and Moons 2015, Transparent reporting of a multivariable prediction model for
// individual prognosis or diagnosis) that the program knows.
type Study struct {
	Source    string `json:"source"`             // the file
	Features  int    `json:"features,omitempty"` // 0 for a kernel matrix
	Positives int    `json:"positives"`          // rows with the larger label
	Negatives int    `json:"negatives"`
	// Labels are the two labels, ascending.
	Labels    [2]float64 `json:"labels"`
	Groups    int        `json:"groups,omitempty"` // of rows that leave together
	Normalize string     `json:"normalize,omitempty"`
	Seed      uint64     `json:"seed"`
	Version   string     `json:"version"` // of the program
	Command   string     `json:"command,omitempty"`
}

// NewStudy returns the facts of a problem from a file, nil unless its rows have exactly two labels. It costs O(rows).
func NewStudy(source string, p *pairrank.Problem, o *pairrank.Options) *Study {
	if p.Set == nil || p.Preferences != nil || p.Comparisons != nil {
		return nil
	}
	y := p.Set.Y
	if p.Labels != nil {
		y = p.Labels.Data
	}
	if o.Threshold != nil {
		y = append([]float64(nil), y...)
		data.Binarize(y, *o.Threshold)
	}
	s := &Study{Source: source, Seed: o.Seed, Version: Version()}
	if o.Normalize != data.NormalizeNone {
		s.Normalize = o.Normalize
	}
	if p.Set.X != nil && p.Kernel == nil {
		_, s.Features = p.Set.X.Dims()
	}
	if p.Set.Groups != nil {
		s.Groups = p.Set.Groups.Len()
	}
	if !s.count(y) {
		return nil
	}
	return s
}

// count counts the rows with the least and with the greatest label, and reports whether these two are all labels.
func (s *Study) count(y []float64) bool {
	low, high := slices.Min(y), slices.Max(y)
	s.Labels = [2]float64{low, high}
	for _, label := range y {
		switch label {
		case high:
			s.Positives++
		case low:
			s.Negatives++
		}
	}
	return low != high && s.Positives+s.Negatives == len(y)
}
