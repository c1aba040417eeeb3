package pairmodel

import (
	"math"
	"testing"

	"pairrank/internal/pairterms"
	"pairrank/relation/pairwise"
)

// naiveBilinear is xᵀ B y, added up entry by entry.
func naiveBilinear(b *Bilinear, x, y []float64) (sum float64) {
	if b.Dense != nil {
		for i := range b.Rows {
			for j := range b.Cols {
				sum += x[i] * b.Dense.Row(i)[j] * y[j]
			}
		}
		return sum
	}
	for e, v := range b.Value {
		sum += v * x[b.Row[e]] * y[b.Col[e]]
	}
	return sum
}

// naiveOwn is the sum of own terms.
func naiveOwn(o *OwnTerms, x []float64) (sum float64) {
	for i, v := range o.Plain {
		sum += v * x[i]
	}
	for i, v := range o.Squared {
		sum += v * x[i] * x[i]
	}
	if o.Twice != nil {
		sum += naiveBilinear(o.Twice, x, x)
	}
	return sum
}

// The plain sums of a form are the definition of the model.
func TestFormIsTheDefinition(t *testing.T) {
	eachProblem(t, 120, func(q *pairProblem) {
		f, err := q.p.Form()
		if q.p.Kernel == Similarity || q.p.Kernel == pairwise.Cartesian {
			if err == nil {
				t.Errorf("%s has a form", q.name)
			}
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", q.name, err)
		}
		for i := range q.given[0].Rows {
			for j := range q.given[1].Rows {
				a, b := q.values(pairterms.Row, i), q.values(pairterms.Col, j)
				got := naiveOwn(&f.Ends[pairterms.Row], a) + naiveOwn(&f.Ends[pairterms.Col], b)
				if f.Both != nil {
					got += naiveBilinear(f.Both, a, b)
				}
				if want := q.define(i, j); !(math.Abs(got-want) <= pairRoundoff*(1+math.Abs(want))) {
					t.Errorf("%s: pair (%d,%d) has %g, want %g", q.name, i, j, got, want)
				}
			}
		}
	})
}

// values are the kernel values of node i of an end with the training nodes, by definition.
func (q *pairProblem) values(at pairterms.End, i int) []float64 {
	train := q.train[at]
	out := make([]float64, train.Rows)
	for k := range out {
		out[k] = naiveNodeKernel(q.p.side(at), q.given[at].Row(i), train.Row(k))
	}
	return out
}

func TestFormRefuses(t *testing.T) {
	p := &Model{Kernel: pairwise.Kronecker}
	if _, err := p.Form(); err == nil {
		t.Error("a model without coefficients has a form")
	}
	if p.Check() == nil {
		t.Error("a model without coefficients is right")
	}
}
