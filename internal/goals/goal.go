package goals

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/pref"
)

// Goal is the loss of a least-squares learner: the Laplacian L of the comparisons
// and their linear term r, so that the loss of scores f is fᵀLf − 2rᵀf plus Constant().
type Goal struct {
	L Laplacian
	// R is r, m×v row-major: one column for each output.
	R []float64
	// Outputs is v.
	Outputs int
	// Constants are the costs of f = 0 for each of the v outputs: Σ w_ij target_ij² over the
	// compared pairs, or Σ y_i² for regression.
	Constants []float64
	// Pairs is the number of unordered pairs that are compared, the number of edges for a graph,
	// and 0 for regression.
	Pairs float64
	// Kind is the family of the goal. CanHoldOut and other methods depend on it.
	Kind Kind
	// Weight is the weighting that the goal was made with.
	Weight pref.Weight
	// RowWeights are the m weights of the rows, nil where each is 1: a pair counts their product.
	RowWeights []float64

	labels []float64 // m×v, of complete queries and regression with weights of rows; see Level
	times  *timesOf  // of censored times, else nil
}

// Kind is the family of a Goal.
type Kind int

const (
	// Rows is plain regression: no rows are compared.
	Rows Kind = iota
	// Complete compares every two rows of a query, tied or not.
	Complete
	// Untied compares every two rows of a query that have different labels.
	Untied
	// Explicit compares the pairs of a preference graph.
	Explicit
	// Censored compares the comparable pairs of censored times.
	Censored
)

// Constant returns the sum of Constants: the cost of f = 0.
func (g *Goal) Constant() float64 {
	sum := 0.0
	for _, c := range g.Constants {
		sum += c
	}
	return sum
}

// Centred reports whether a constant on a component has no effect, L1 = 0. This holds for every
// goal that compares rows, and not for regression.
func (g *Goal) Centred() bool { return g.Kind != Rows }

// ErrNothingToLearn is returned where no two compared rows have different labels. All scoring
// functions are then equally good.
var ErrNothingToLearn = errors.New("no two compared rows have different labels, so nothing can be learnt about their " +
	"order")

// Regression returns the goal of plain regularised least squares, L = I and r = y, for
// labels y, m×v row-major, which are copied: ridge regression (Hoerl and Kennard 1970).
// Cost O(mv). It panics when v < 1 or the length of y is not a multiple of v.
func Regression(y []float64, v int) *Goal { return WeightedRegression(y, v, nil) }

// WeightedRegression is Regression of rows with weights a, above 0: L is their diagonal, and r_i = a_i y_i. It keeps
// them; nil is 1 for each. It panics unless there are m finite weights above 0.
func WeightedRegression(y []float64, v int, weights []float64) *Goal {
	checkLabels("Regression", y, v)
	checkRowWeights(weights, len(y)/v)
	g := &Goal{R: slices.Clone(y), Outputs: v, Kind: Rows, Weight: pref.Pairs, Constants: make([]float64, v),
		RowWeights: weights}
	if weights == nil {
		g.L = Identity(len(y) / v)
	} else {
		g.L, g.labels = weightedIdentity(weights), slices.Clone(y)
	}
	for i, label := range y {
		if weights != nil {
			g.R[i] *= weights[i/v]
		}
		g.Constants[i%v] += label * g.R[i]
	}
	return g
}

// Scored returns the goal that compares the rows within each part of queries by their labels y, m×v
// row-major:
//
//	L = Σ_q w_q (m_q I − 1_q1_qᵀ)    r = Ly    with tied pairs in
//
// Without tied pairs L is as in Blocks or DenseBlocks (Pahikkala et al. 2009, section 2.4,
// equations 20 to 25). Several outputs (v > 1) need tied pairs in, since otherwise each output
// would have a different Laplacian. Cost O(mv + m log m), and Σ m_q² for the relative cost. Scored
// copies y and keeps queries.
//
// It returns ErrNothingToLearn where no query has two labels, and an error for options that are
// unknown or exclude each other. It panics unless len(y) = m·v.
func Scored(y []float64, v int, queries *data.Partition, o pref.Options) (*Goal, error) {
	return WeightedScored(y, v, queries, nil, o)
}

// WeightedScored is Scored of rows with weights a, above 0: the pair i, j counts a_i a_j times. For a query with the
// sum s of the weights and the sum q of their squares, the pair weight of tied pairs is 1 (Pairs), 1/s (Size) and
// 2/(s²−q) (Edges), and L = w_q (s A − aaᵀ) with the diagonal A of a. It keeps the weights; nil is 1 for each. It
// panics unless there are m finite weights above 0.
func WeightedScored(y []float64, v int, queries *data.Partition, weights []float64, o pref.Options) (*Goal, error) {
	checkLabels("Scored", y, v)
	checkRowWeights(weights, len(y)/v)
	data.CheckPartition("goals: queries", queries, len(y)/v)
	o, err := o.Resolved()
	if err != nil {
		return nil, err
	}
	if !anyUntied(y, v, queries) {
		return nil, ErrNothingToLearn
	}
	if err := CheckOutputs(o, v); err != nil {
		return nil, err
	}
	return scored(y, v, queries, weights, o), nil
}

// Summand returns the part that one query of m rows with labels y, m×v row-major, has in the goal
// of many queries. Over all queries, the L, r, Constants and Pairs of the Summands make up those of
// Scored. Unlike Scored, Summand accepts a query in which all labels are equal: its r and Constants
// are exactly 0, and its tied pairs count where ties are compared. Cost O(mv + m log m), and m² for
// the relative cost. It copies y.
//
// It returns an error for options that are unknown or exclude each other. It panics unless v
// divides len(y), and the rows have finite weights above 0; nil is 1 for each.
func Summand(y []float64, v int, weights []float64, o pref.Options) (*Goal, error) {
	checkLabels("Summand", y, v)
	checkRowWeights(weights, len(y)/v)
	o, err := o.Resolved()
	if err != nil {
		return nil, err
	}
	if err := CheckOutputs(o, v); err != nil {
		return nil, err
	}
	query := data.OneList(len(y) / v)
	g := scored(y, v, query, weights, o)
	for c := range v {
		if g.Informs(0, c) {
			continue
		}
		g.Constants[c] = 0 // where rounding left something
		for i := c; i < len(g.R); i += v {
			g.R[i] = 0
		}
	}
	return g, nil
}

// CheckOutputs returns an error for v > 1 outputs where o, resolved, leaves tied pairs out: each
// output would then compare different pairs.
func CheckOutputs(o pref.Options, v int) error {
	if v != 1 && o.Ties != pref.IncludeTies {
		return fmt.Errorf("%d outputs need tied pairs to be included: without them each output would compare "+
			"different pairs", v)
	}
	return nil
}

// scored is Scored for options that are resolved.
func scored(y []float64, v int, queries *data.Partition, weights []float64, o pref.Options) *Goal {
	if o.Ties == pref.IncludeTies {
		return complete(y, v, queries, weights, o)
	}
	return untied(y, queries, weights, o)
}

func checkLabels(name string, y []float64, v int) {
	if v < 1 || len(y)%v != 0 {
		panic(fmt.Sprintf("goals: %s with %d labels of %d outputs", name, len(y), v))
	}
}

// anyUntied reports whether some part of queries has two rows of different labels.
func anyUntied(y []float64, v int, queries *data.Partition) bool {
	for p := range queries.Len() {
		rows := queries.Part(p)
		for _, i := range rows {
			if !slices.Equal(y[int(i)*v:int(i)*v+v], y[int(rows[0])*v:int(rows[0])*v+v]) {
				return true
			}
		}
	}
	return false
}

// Preferences returns the goal of an explicit preference graph over m rows,
//
//	L = MWMᵀ    r = MWz
//
// for the oriented incidence matrix M of the edges, m×edges, their weights W and magnitudes z
// (Pahikkala et al. 2009, section 2.3, equations 12 and 17). An edge of magnitude 0 is a tie. An empty
// cost is Magnitude. With Unit each edge has magnitude 1, with Relative its weight is divided by z²,
// and both leave out ties, as those of labels. It takes O(m + edges), and copies edges.
//
// It returns ErrNothingToLearn where r = 0, and an error for an unknown cost. It also returns an
// error, with the 1-based number of the edge, for a row out of range, a row compared with itself, a
// weight that is not positive and finite (an omitted weight is 0), and a magnitude that is not
// finite.
func Preferences(m int, edges []pref.Edge, cost pref.Cost) (*Goal, error) {
	if err := checkWeights(edges); err != nil {
		return nil, err
	}
	if _, err := newGraph(m, edges); err != nil {
		return nil, err
	}
	edges = slices.Clone(edges)
	switch cost {
	case "", pref.Magnitude:
	case pref.Unit, pref.Relative:
		edges = slices.DeleteFunc(edges, func(e pref.Edge) bool { return e.Magnitude == 0 })
	default:
		_, err := pref.Options{Cost: cost}.Resolved()
		return nil, err
	}
	for e := range edges {
		switch z := edges[e].Magnitude; cost {
		case pref.Unit:
			edges[e].Magnitude = 1
		case pref.Relative:
			edges[e].Weight /= z * z
		}
	}
	l, err := newGraph(m, edges)
	if err != nil {
		return nil, err
	}
	g := &Goal{L: l, R: l.linearTerm(), Outputs: 1, Kind: Explicit, Weight: pref.Pairs, Constants: make([]float64, 1)}
	for _, e := range edges {
		if e.Weight > 0 {
			g.Pairs++
		}
		g.Constants[0] += e.Weight * e.Magnitude * e.Magnitude
	}
	if !slices.ContainsFunc(g.R, func(v float64) bool { return math.Abs(v) > 0 }) {
		return nil, ErrNothingToLearn
	}
	return g, nil
}
