package kron

import (
	"fmt"
	"slices"

	"pairrank/data"
)

// resolved is s with its default. It panics if there is no such setting.
func resolved(s Setting) Setting {
	if s == "" {
		return Pairs
	}
	if !slices.Contains(settings, s) {
		panic(fmt.Sprintf("kron: unknown setting %q: known are %v", string(s), settings))
	}
	return s
}

// NotExactError says that a setting has no exact shortcut.
type NotExactError struct {
	Setting Setting
	Reason  string
}

func (e *NotExactError) Error() string {
	return fmt.Sprintf("leaving out %s is not exact here: %s", e.Setting, e.Reason)
}

// Exact returns nil if HoldOut has a shortcut for the setting, else a *NotExactError with the reason. It panics
// if there is no such setting. It costs O(1).
func (p *Path) Exact(s Setting) error {
	s = resolved(s)
	switch {
	case p.o.Relation != Arbitrary:
		return &NotExactError{s,
			fmt.Sprintf("the edges (u,v) and (v,u) of a %s relation have to be left out together", p.o.Relation)}
	case s == Both:
		return &NotExactError{s, "every pair of a row and a column is a problem of its own: HoldOutBoth solves " +
			"them one by one"}
	}
	return nil
}

// HoldOut returns the p×r scores of the training pairs, each from a training without its edge (Pairs), without
// the edges of its row (Rows) or of its column (Cols). The nodes stay in the regulariser; without a loss they
// change nothing there. With the smoother S of f = SLy, Q = (L − LSL)/λ and a = L(y−f)/λ, the scores of the
// held-out edges H are
//
//	f'_H = f_H − (SL)_HH Q_HH⁺ a_H
//
// (Pahikkala, Tsivtsivadze, Airola, Järvinen and Boberg 2009, An efficient algorithm for learning to rank from
// preference graphs, section 3.4, lemma 2, for any quadratic loss). For a row or a column, both matrices are
// diagonal in the eigenvectors of the other side; see Leverage.
//
// The cost, in products of p×p with p×r or p×r with r×r, is four for Pairs and three for Rows and for Cols with
// the regression loss; five, three and four with the ranking loss; and for Rows and Cols one more for every new
// set of labels. The fifth is the mean of a row, which centred residuals do not have. HoldOut returns a
// *NotExactError if there is no shortcut. It panics unless λ is positive and finite and there is such a setting.
func (p *Path) HoldOut(lambda float64, s Setting) (*data.Dense, error) {
	l, err := p.Leverage(lambda, s)
	if err != nil {
		return nil, err
	}
	return p.HoldOutBy(l), nil
}
