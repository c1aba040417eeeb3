package kernel

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/numeral"
	"pairrank/internal/parallel"
)

// Term is a kernel of a Sum with its weight.
type Term struct {
	// Weight is at least 0. It is 0 in every term of a sum whose weights training learns.
	Weight float64
	Kernel Kernel
}

// Sum is Σ w_i k_i with weights w_i > 0, which is positive semidefinite as its terms are. NewSum and Parse make it, so
// that sums of the same terms are equal by ==.
type Sum struct {
	// Spec is String.
	Spec string
}

// NewSum returns the sum of some terms, all of them with a weight above 0 or none. Its String is
// 0.4*linear+0.6*gaussian:gamma=1, or without weights linear+gaussian:gamma=1. It panics unless Parse reads that back:
// for Precomputed, Fourier and kernels of other packages, for two equal kernels, and without a term.
func NewSum(terms ...Term) Sum {
	texts := make([]string, len(terms))
	for i, t := range terms {
		if texts[i] = t.Kernel.String(); t.Weight != 0 {
			texts[i] = strings.Replace(shortest(t.Weight), "e+", "e", 1) + "*" + texts[i]
		}
	}
	s := Sum{strings.Join(texts, "+")}
	if _, grids, err := splitSum(s.Spec); err != nil || len(grids) != len(terms) {
		panic(fmt.Sprintf("kernel: %q is no sum that Parse reads: %v", s.Spec, err))
	}
	return s
}

// Terms returns the terms of a Sum in their order, and k itself with weight 1 for any other kernel.
func Terms(k Kernel) []Term {
	s, is := k.(Sum)
	if !is {
		return []Term{{1, k}}
	}
	weights, grids, err := splitSum(s.Spec)
	if err != nil {
		panic("kernel: " + err.Error())
	}
	terms := make([]Term, len(grids))
	for i, g := range grids {
		terms[i] = Term{weights[i], g[0]}
	}
	return terms
}

// Learns reports whether k is a Sum whose weights training learns.
func Learns(k Kernel) bool { return Terms(k)[0].Weight == 0 }

// String is the specification that Parse reads back.
func (s Sum) String() string { return s.Spec }

// isSum reports whether a specification is one of a sum.
func isSum(spec string) bool { return len(splitTerms(spec)) > 1 || weighted(spec) }

// weighted reports whether a text starts with a weight.
func weighted(term string) bool {
	weight, _, is := strings.Cut(term, "*")
	return is && !strings.ContainsAny(weight, ":+")
}

// splitTerms cuts a specification before each + that a kernel, or its weight, follows: not in 1e+21, in factors, nor in
// quotes.
func splitTerms(spec string) (terms []string) {
	from := 0
	for i := 1; i+1 < len(spec); i++ {
		if quoted, err := strconv.QuotedPrefix(spec[i:]); spec[i] == '"' && err == nil && i+len(quoted)+1 < len(spec) {
			i += len(quoted)
		}
		next := spec[i+1]
		exponent := spec[i-1] == 'e' && i > 1 && '.' <= spec[i-2] && spec[i-2] <= '9'
		if spec[i] == '+' && !exponent && ('a' <= next && next <= 'z' || weighted(spec[i+1:])) {
			terms, from = append(terms, spec[from:i]), i+1
		}
	}
	return append(terms, spec[from:])
}

// splitSum reads the terms of a sum, each a grid of kernels, with their weights.
func splitSum(spec string) (weights []float64, grids [][]Kernel, err error) {
	seen, given := map[string]bool{}, 0
	for _, text := range splitTerms(spec) {
		w := 0.0
		if weighted(text) {
			number, rest, _ := strings.Cut(text, "*")
			if w, err = numeral.Parse(number); err != nil || !(w > 0) {
				return nil, nil, fmt.Errorf("the weight of %s in a sum of kernels is a number above 0, not %q", rest, number)
			}
			text, given = rest, given+1
		}
		grid, err := parseSingle(text)
		if err != nil {
			return nil, nil, err
		}
		switch grid[0].(type) {
		case Precomputed:
			return nil, nil, errors.New("precomputed is no term of a sum: a sum has a value for every two rows, and a given " +
				"matrix has none of new rows")
		case Fourier:
			return nil, nil, errors.New("fourier is no term of a sum: random features are learnt from as features, without " +
				"kernel values; take gaussian")
		case Spline:
			return nil, nil, errors.New("spline is no term of a sum: splines are learnt from as features, whose knots are " +
				"those of the training")
		}
		for _, k := range grid {
			if seen[k.String()] {
				return nil, nil, fmt.Errorf("a sum of kernels has %s twice", k)
			}
			seen[k.String()] = true
		}
		weights, grids = append(weights, w), append(grids, grid)
	}
	if given > 0 && given < len(grids) {
		return nil, nil, fmt.Errorf("%q has weights of some kernels: give all, or none to learn them", spec)
	}
	return weights, grids, nil
}

// parseSum is ParseGrid of a sum: a sum for every combination of the terms, the last changing fastest.
func parseSum(spec string) ([]Kernel, error) {
	weights, grids, err := splitSum(spec)
	if err != nil {
		return nil, err
	}
	sums := [][]Term{nil}
	for i, grid := range grids {
		if len(sums)*len(grid) > numeral.MaxGrid {
			return nil, fmt.Errorf("more than %d kernels in %q", numeral.MaxGrid, spec)
		}
		var longer [][]Term
		for _, terms := range sums {
			for _, k := range grid {
				longer = append(longer, append(terms[:i:i], Term{weights[i], k}))
			}
		}
		sums = longer
	}
	out := make([]Kernel, len(sums))
	for i, terms := range sums {
		out[i] = NewSum(terms...)
	}
	return out, nil
}

// MatrixTo fills dst, m×p, with Σ w_i k_i(a_i, b_j), at the cost of its terms, and memory for another matrix. It panics
// when the shapes do not fit, or the weights are not known.
func (s Sum) MatrixTo(dst *data.Dense, a, b data.Matrix) {
	check(dst, a, b)
	one := data.NewDense(dst.Rows, dst.Cols, nil)
	for i, t := range s.known() {
		into := dst
		if i > 0 {
			into = one
		}
		t.Kernel.MatrixTo(into, a, b)
		parallel.For(dst.Rows, func(_, r int) {
			if i == 0 {
				linalg.Scal(t.Weight, dst.Row(r))
			} else {
				linalg.Axpy(t.Weight, one.Row(r), dst.Row(r)) // as rowTo
			}
		})
	}
}

// known are the terms with their weights.
func (s Sum) known() []Term {
	if Learns(s) {
		panic(fmt.Sprintf("kernel: the weights of %s are not learnt yet", s))
	}
	return Terms(s)
}

// self is k(x,x) of row i of x.
func (s Sum) self(x data.Matrix, i int) (sum float64) {
	for _, t := range s.known() {
		sum += t.Weight * Self(t.Kernel, x, i)
	}
	return sum
}

// preparedSum is the terms of a sum with fixed rows.
type preparedSum struct {
	weights []float64
	terms   []*Prepared
}

func prepareSum(s Sum, rows data.Matrix) *preparedSum {
	p := &preparedSum{}
	for _, t := range s.known() {
		p.weights, p.terms = append(p.weights, t.Weight), append(p.terms, Prepare(t.Kernel, rows))
	}
	return p
}

// rowTo sets dst_j = Σ w_i k_i(x, z_j), with the memory of one.
func (p *preparedSum) rowTo(dst, one, x []float64) {
	clear(dst)
	for i, t := range p.terms {
		t.RowTo(one, x)
		linalg.Axpy(p.weights[i], one, dst)
	}
}
