package goals

import (
	"math"
	"slices"

	"pairrank/data"
	"pairrank/pref"
)

// Holding rows H out of the loss, while they stay in the regulariser, changes only the residuals of
// H (Pahikkala et al. 2009, section 3.4, lemma 2). If the targets of H follow the predictions, the
// remaining loss is that of the other rows S, with the Schur complement
//
//	L/H = L_SS − L_SH L_HH⁺ L_HS
//
// as its Laplacian. Let L' be the Laplacian of the goal of the rows S alone. Holding out H equals
// training again without H, exactly, where L/H = c L' for a number c > 0: then fᵀ(L/H)f + cλ‖f‖² is
// c times the objective without H at λ, so the shortcut takes cλ in place of λ. The methods below
// say where this holds, and with which c.

// NotExactError says why rows cannot be held out without training again.
type NotExactError struct{ Reason string }

func (e *NotExactError) Error() string { return "no exact shortcut: " + e.Reason }

// CanHoldOut returns nil where every group of a partition of the m rows can be held out exactly,
// else a *NotExactError with the reason. These groups can:
//
//   - whole components of L, for every goal: L has no entry between components, and L/H is L
//     without them (Pahikkala et al. 2009, section 3.3). Of censored times whole strata, where the weight is by size or
//     by censoring, which rows of a stratum have that are not compared, each a component;
//   - any rows where CanHoldOutAny returns nil.
//
// It panics unless groups has m rows. Cost O(m).
func (g *Goal) CanHoldOut(groups *data.Partition) error {
	data.CheckPartition("goals: groups", groups, g.L.Dim())
	whole := g.L.Components()
	if g.times != nil && (g.Weight == pref.Size || g.times.options.CensoringWeights) {
		whole = g.times.strata
	}
	if whole.Refines(groups) {
		return nil
	}
	return g.CanHoldOutAny()
}

// CanHoldOutAny returns nil where every set of rows, also a pair or a single row, can be held out
// exactly, else a *NotExactError with the reason. This is so
//
//   - in regression: L = I, and L/H = I;
//   - in complete queries with pair weight 1/m_q (Size): L centres each query, and L/H centres the
//     rows that stay;
//   - in one complete list of any weight w: L = wm C with the centring C. L/H is wm C' with the
//     centring C' of the m−h rows that stay, and the goal of these rows has w'(m−h) C' (Pahikkala
//     et al. 2009, section 3.4, for pairs).
//
// It is not so in other cases. Where there are several complete queries, holding out part of one
// rescales that query and no other. Where tied pairs are left out, L/H is not the Laplacian of the
// rows that stay. Cost O(1).
func (g *Goal) CanHoldOutAny() error {
	switch {
	case g.Kind == Rows:
		return nil
	case g.Kind == Explicit:
		return &NotExactError{"preferences connect a held-out group with other rows; hold out whole components"}
	case g.Kind == Censored:
		return &NotExactError{"censored times compare each row with its own others, so that leaving out part of a stratum " +
			"changes every weight; hold out whole strata"}
	case g.Kind != Complete:
		return &NotExactError{"part of a query cannot be held out where tied pairs are left out; hold out whole " +
			"queries, or include ties"}
	case g.Weight == pref.Size || g.L.Components().Len() == 1:
		return nil
	}
	return &NotExactError{"holding out part of a query reweights the rest; hold out whole queries, or weight " +
		"by size"}
}

// LambdaScales returns the factor c on λ as a function of the number of a group, for groups that
// CanHoldOut accepts. It returns nil where every factor is 1, as for whole components. Cost O(m).
// It panics unless groups has m rows.
func (g *Goal) LambdaScales(groups *data.Partition) func(p int) float64 {
	data.CheckPartition("goals: groups", groups, g.L.Dim())
	if g.Kind != Complete || g.Weight == pref.Size || g.L.Components().Refines(groups) {
		return nil
	}
	scale := g.LambdaScale()
	return func(p int) float64 { return scale(groups.Part(p)...) }
}

// LambdaScale returns the factor c on λ as a function of the rows that are held out, where CanHoldOutAny
// returns nil. c is 1 in regression and with pair weight 1/m_q. For one list of m rows without h it is wm/(w'(m−h)):
//
//	w = 1             Pairs   m/(m−h)
//	w = 2/(m(m−1))    Edges   (m−h−1)/(m−1)
//
// With weights of the rows, m is their sum s, m−h the sum s' of those that stay, and with the sums q and q' of their
// squares c is s/s' for Pairs and (s/s')(s'²−q')/(s²−q) for Edges. c is 1 where fewer than two rows stay, since they
// have no pair. Cost O(m) once, and O(h) for each c.
func (g *Goal) LambdaScale() func(rows ...int32) float64 {
	m := float64(g.L.Dim())
	a := g.RowWeights
	if g.Kind != Complete || g.Weight == pref.Size {
		return func(...int32) float64 { return 1 }
	}
	all := g.L.Components().Rows
	s, pairs := Mass(all, a), pairsOf(all, a)
	return func(rows ...int32) float64 {
		left := m - float64(len(rows))
		switch {
		case left < 2:
			return 1
		case a == nil && g.Weight == pref.Edges:
			return (left - 1) / (m - 1)
		case a == nil:
			return m / left
		}
		out := Mass(rows, a)
		stay := s - out
		if g.Weight == pref.Edges {
			// Pairs that stay are all without those of the rows that leave, among themselves and with others.
			return s / stay * (pairs - pairsOf(rows, a) - out*stay) / pairs
		}
		return s / stay
	}
}

// PairScale is LambdaScale of two rows. uniform says that it is that of every two; else it is NaN.
func (g *Goal) PairScale() (c float64, uniform bool) {
	if g.Kind == Complete && g.Weight != pref.Size && g.RowWeights != nil {
		return math.NaN(), false
	}
	return g.LambdaScale()(0, 1), true
}

// CanSplit reports whether the goal compares every two rows of a query, without which no part of a
// component can be held out exactly. Other goals hold out whole components only.
func (g *Goal) CanSplit() bool { return g.Kind == Complete }

// Informs reports whether the m_p rows of component p say anything about output c: whether r is not
// 0 somewhere on them. On a complete query r is c(y − ȳ), times the weight of the row, which rounding may move off 0 by
// the same amount everywhere; there r, over the weight, must take two values. Where no component informs, f = 0 is the
// solution for every λ. Cost O(m_p). It panics when p or c is out of range.
func (g *Goal) Informs(p, c int) bool {
	rows := g.L.Components().Part(p)
	none := 0.0
	if g.Kind == Complete && len(rows) > 0 {
		none = g.Level(rows[0], c)
	}
	for _, i := range rows {
		if g.Level(i, c) != none {
			return true
		}
	}
	return false
}

// Level is a value of row i and output c that rows of a component share where their r, over the weights of the rows, is
// the same: r or, with weights, where the quotient rounds, the label. It is 0 where r is 0 in regression. It panics
// when i or c is out of range.
func (g *Goal) Level(i int32, c int) float64 {
	if g.labels != nil {
		return g.labels[int(i)*g.Outputs+c]
	}
	return g.R[int(i)*g.Outputs+c]
}

// SameLaplacian reports whether both goals have the same L, m×m, for any labels: both are
// regression over m rows, or both have the same complete queries with the same weight; and the rows have the same
// weights. It is false where tied pairs are left out or the labels weigh the pairs, since L then depends on the
// labels. Cost O(m).
func (g *Goal) SameLaplacian(o *Goal) bool {
	if g.Kind != o.Kind || g.Weight != o.Weight || g.Kind != Rows && g.Kind != Complete || g.L.Dim() != o.L.Dim() {
		return false
	}
	if !slices.Equal(g.RowWeights, o.RowWeights) {
		return false
	}
	p, q := g.L.Components(), o.L.Components()
	return p.Refines(q) && q.Refines(p)
}
