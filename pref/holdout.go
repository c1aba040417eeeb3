package pref

import "pairrank/data"

// Holding rows H out of the loss, while they stay in the regulariser, changes
// nothing but their own residuals (Pahikkala et al. 2009, section 3.4, lemma 2).
// With the targets of H free to follow the predictions, what is left of the loss
// is that of the rows S that stay, with the Schur complement
//
//	L/H = L_SS − L_SH L_HH⁺ L_HS
//
// as its Laplacian. The goal made anew of the rows S has a Laplacian L'. Holding
// out is training again without H, exactly, where L/H = c L' for a number c > 0:
// then fᵀ(L/H)f + cλ‖f‖² is c times the objective without H at λ, so that the
// shortcut is asked for at cλ. The methods below say where that is so, and what c
// is.

// NotExactError says why rows cannot be held out without training again.
type NotExactError struct{ Reason string }

func (e *NotExactError) Error() string { return "no exact shortcut: " + e.Reason }

// CanHoldOut returns nil where each of the groups, a partition of the m rows, can
// be held out exactly, and a *NotExactError with the reason where one cannot:
//
//   - whole components of L can, whatever the goal: no entry of L leaves them, and
//     L/H is L without them (Pahikkala et al. 2009, section 3.3);
//   - and any rows where CanHoldOutAny says so.
//
// It panics where the groups are not of m rows. Cost O(m).
func (g *Goal) CanHoldOut(groups *Partition) error {
	data.CheckPartition("pref: groups", groups, g.L.Dim())
	if g.L.Components().Refines(groups) {
		return nil
	}
	return g.CanHoldOutAny()
}

// CanHoldOutAny returns nil where any set of rows can be held out exactly, pairs and
// single rows too, and a *NotExactError with the reason where not. It can be
//
//   - in regression: L = I, and L/H = I;
//   - in complete queries that weigh 1/m_q (Size): L is the centring of each query, and
//     L/H is that of the rows that stay;
//   - in one complete list of any weight w: L = wm C with the centring C, and L/H is wm
//     times the centring C' of the m−h rows that stay, where the goal made anew has
//     w'(m−h) C' (Pahikkala et al. 2009, section 3.4, for pairs).
//
// In other cases it cannot: holding out part of a complete query of several rescales that
// query and no other; and where tied pairs are left out, L/H is not the Laplacian of the
// rows that stay. Cost O(1).
func (g *Goal) CanHoldOutAny() error {
	switch {
	case g.Kind == Rows:
		return nil
	case g.Kind == Explicit:
		return &NotExactError{"a group cuts through preferences that connect its rows with others; hold out whole components"}
	case g.Kind != Complete:
		return &NotExactError{"part of a query is held out and tied pairs are left out; hold out whole queries, or include ties"}
	case g.Weight == Size || g.L.Components().Len() == 1:
		return nil
	}
	return &NotExactError{"part of a query is held out, which changes the weight of the rest of it; hold out whole queries, or weight by size"}
}

// LambdaScales returns the factor c on λ for each of the groups, by number, that
// CanHoldOut accepts; nil where every factor is 1, as for whole components. Cost O(m). It
// panics where the groups are not of m rows.
func (g *Goal) LambdaScales(groups *Partition) func(p int) float64 {
	data.CheckPartition("pref: groups", groups, g.L.Dim())
	if g.Kind != Complete || g.Weight == Size || g.L.Components().Refines(groups) {
		return nil
	}
	return func(p int) float64 { return g.LambdaScale(float64(len(groups.Part(p)))) }
}

// LambdaScale returns the factor c on λ for holding out rows of weight h of those of
// weight m, where CanHoldOutAny accepts them; each row weighs 1. It is 1 in regression
// and where queries weigh 1/m_q, and for one list wm/(w'(m−h)),
//
//	w = 1             Pairs   m/(m−h)
//	w = 2/(m(m−1))    Edges   (m−h−1)/(m−1)
//
// It is 1 where less than the weight of two rows is left, since nothing is compared. Cost O(1).
func (g *Goal) LambdaScale(h float64) float64 {
	m := float64(g.L.Dim())
	left := m - h
	switch {
	case g.Kind != Complete || g.Weight == Size || left < 2:
		return 1
	case g.Weight == Edges:
		return (left - 1) / (m - 1)
	}
	return m / left
}

// CanSplit reports whether part of a component can be held out exactly: only in complete
// queries. Components of any other kind are held out whole.
func (g *Goal) CanSplit() bool { return g.Kind == Complete }

// Informs reports whether the m_p rows of component p say anything about output c:
// whether r is not 0 somewhere on them. On a complete query r is c(y − ȳ), which rounding
// may move off 0 by the same amount everywhere, so that there r has to differ. Where no
// component informs, f = 0 is the solution for every λ. Cost O(m_p). It panics when p or
// c is out of range.
func (g *Goal) Informs(p, c int) bool {
	rows := g.L.Components().Part(p)
	none := 0.0
	if g.Kind == Complete && len(rows) > 0 {
		none = g.R[int(rows[0])*g.Outputs+c]
	}
	for _, i := range rows {
		if g.R[int(i)*g.Outputs+c] != none {
			return true
		}
	}
	return false
}

// SameLaplacian reports whether both goals have the same L, m×m, whatever their labels
// are: regression over as many rows, or complete queries of the same rows with the same
// weight. It is false where tied pairs are left out or the labels weigh the pairs, since
// L depends on the labels then. Cost O(m).
func (g *Goal) SameLaplacian(o *Goal) bool {
	if g.Kind != o.Kind || g.Weight != o.Weight || g.Kind != Rows && g.Kind != Complete || g.L.Dim() != o.L.Dim() {
		return false
	}
	p, q := g.L.Components(), o.L.Components()
	return p.Refines(q) && q.Refines(p)
}
