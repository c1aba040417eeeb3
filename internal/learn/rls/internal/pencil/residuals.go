package pencil

import "pairrank/internal/linalg"

// Residuals are Q and a of a single list, or of regression, from which the predictions without any few rows H follow:
//
//	y_H − f_H = Q_HH⁻¹ a_H
//
// in one scale of Q and a, which cancels. They are of one output. It is nil for other losses, where Q alone does not
// suffice.
type Residuals struct{ rows *pairRows }

// NewResiduals prepares Residuals, in O(mk²) in the primal form.
func (p *Pencil) NewResiduals() *Residuals {
	r := p.newPairRows()
	if r.weight == 0 || p.Outputs() != 1 {
		return nil
	}
	return &Residuals{r}
}

// At returns Q, m×m, and a at one λ, in O(m²k). It returns an *OverflowError where they are not finite.
func (r *Residuals) At(lambda float64) (q linalg.Mat, a []float64, err error) {
	s := r.rows.at(lambda)
	if err := s.overflow(); err != nil {
		return q, nil, err
	}
	m := len(s.qii)
	s.fill(0, m)
	for i, v := range s.qii {
		row := s.q.Row(i)
		row[i] = v
		for j := range i {
			row[j] = s.q.Row(j)[i]
		}
	}
	return s.q, s.a.Row(0), nil
}
