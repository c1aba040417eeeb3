package contribution_test

import (
	"math"
	"math/rand/v2"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/kernel"
	"pairrank/model"
)

// roundoff bounds the difference of two ways to add up some dozen terms of order one.
const roundoff = 1e-12

const (
	features = 7
	rows     = 12
)

func random(rows, cols int, seed uint64) *data.Dense { return gen.Normal(rows, cols, seed) }

// thinned keeps about half of the entries of x, as a dense and as a sparse matrix.
func thinned(x *data.Dense) (*data.Dense, *data.CSR) {
	s := &data.CSR{Rows: x.Rows, Cols: x.Cols, Ptr: []int{0}}
	d := data.NewDense(x.Rows, x.Cols, nil)
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			if (i*i+3*j)%4 < 2 {
				s.Col, s.Val = append(s.Col, int32(j)), append(s.Val, v)
				d.Row(i)[j] = v
			}
		}
		s.Ptr = append(s.Ptr, len(s.Val))
	}
	return d, s
}

// stumps are terms with repeated features and thresholds, some below zero.
func stumps() *model.Stumps {
	r := rand.New(rand.NewPCG(8, 9))
	s := &model.Stumps{Features: features}
	for range 40 {
		s.Terms = append(s.Terms, model.Stump{Feature: r.IntN(features - 1), Threshold: float64(r.IntN(7)-3) / 4,
			Weight: r.NormFloat64()})
	}
	return s
}

// scorers returns one of each kind; the precomputed one has as many training rows as there are
// features.
func scorers() map[string]model.Scorer {
	_, sparse := thinned(random(9, features, 5))
	return map[string]model.Scorer{
		"linear": &model.Linear{Weights: random(1, features, 3)},
		"gaussian": &model.Kernel{Kernel: kernel.Gaussian{Gamma: 0.1}, Support: random(9, features, 5),
			Coef: random(9, 1, 6)},
		"polynomial": &model.Kernel{Kernel: kernel.Polynomial{Gamma: 0.5, Coef0: 1, Degree: 2},
			Support: random(9, features, 7), Coef: random(9, 1, 8)},
		"sparse gaussian": &model.Kernel{Kernel: kernel.Gaussian{Gamma: 0.1}, Support: sparse, Coef: random(9, 1, 9)},
		"precomputed": &model.Kernel{Kernel: kernel.Precomputed{}, SupportRows: []int{1, 3, features},
			Coef: random(3, 1, 10)},
		"stumps":    stumps(),
		"no stumps": &model.Stumps{Features: features},
	}
}

// normalizers are one of each kind, and none. Those with numbers leave zeros where they
// are when still.
func normalizers(still bool) map[string]*data.Normalizer {
	scale := random(1, features, 11).Data
	scale[2] = 0
	shift := random(1, features, 12).Data
	if still {
		clear(shift)
	}
	return map[string]*data.Normalizer{
		"none":                    nil,
		data.NormalizeZScore:      {Kind: data.NormalizeZScore, Shift: shift, Scale: scale},
		data.NormalizeMinMax:      {Kind: data.NormalizeMinMax, Shift: shift, Scale: scale},
		data.NormalizeQueryMinMax: {Kind: data.NormalizeQueryMinMax},
		"idle":                    {Kind: data.NormalizeNone},
	}
}

// cases are models with rows that they score, of three queries.
func cases(visit func(name string, m *model.Model, set *data.Set)) {
	dense, sparse := thinned(random(rows, features, 2))
	for k := range dense.Data {
		dense.Data[k] = math.Abs(dense.Data[k]) // or query-minmax moves zeros
	}
	for k := range sparse.Val {
		sparse.Val[k] = math.Abs(sparse.Val[k])
	}
	of := make([]int32, rows)
	for i := range of {
		of[i] = int32(i % 3)
	}
	queries := data.NewQueries(of, []string{"a", "b", "c"})
	for name, s := range scorers() {
		for kind, norm := range normalizers(false) {
			m := &model.Model{Info: model.Info{Learner: "rankrls", Rows: features}, Scorer: s, Normalizer: norm}
			if m.Precomputed() && norm != nil {
				continue
			}
			visit(name+"/"+kind+"/dense", m, &data.Set{X: dense, Queries: queries})
			m.Normalizer = normalizers(true)[kind]
			visit(name+"/"+kind+"/sparse", m, &data.Set{X: sparse, Queries: queries})
		}
	}
}

func alike(a, b float64) bool { return math.Abs(a-b) <= roundoff*(1+math.Abs(a)+math.Abs(b)) }
