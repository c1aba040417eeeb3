package main

import (
	"fmt"
	"math/rand/v2"

	"pairrank/data"
	"pairrank/kernel"
	"pairrank/model"
	"pairrank/relation/pairmodel"
	"pairrank/relation/pairwise"
)

// rowsCase is a model of rows, rows, and their scores by the model.
type rowsCase struct {
	name string
	m    *model.Model
	x    *data.Dense
	want []float64
}

// count is the rows that are scored.
const count = 200

func normal(r *rand.Rand, rows, cols int, scale, shift float64) *data.Dense {
	x := data.NewDense(rows, cols, nil)
	for k := range x.Data {
		x.Data[k] = shift + scale*r.NormFloat64()
	}
	return x
}

// fitted is a normaliser of rows.
func fitted(kind string, x data.Matrix) (*data.Normalizer, error) {
	rows, _ := x.Dims()
	return data.FitNormalizer(kind, &data.Set{X: x, Y: make([]float64, rows)})
}

func newRowsCase(name string, m *model.Model, x *data.Dense) (rowsCase, error) {
	if m.Info.Learner == "" {
		m.Info.Learner = "rankrls"
	}
	want, err := m.Score(&data.Set{X: x, Y: make([]float64, x.Rows)})
	if err != nil {
		return rowsCase{}, fmt.Errorf("%s: %w", name, err)
	}
	return rowsCase{name, m, x, want}, nil
}

// names are those of n features; some need quotation marks.
func names(n int) []string {
	odd := []string{`bm25 "title"`, "it's", "SELECT", "größe", "a,b", "</script>", "score$"}
	all := make([]string, n)
	for j := range all {
		if all[j] = fmt.Sprintf("x%d", j+1); j < len(odd) {
			all[j] = odd[j]
		}
	}
	return all
}

// simpleCases are linear models of one output, stumps and splines, with every normaliser, of few, of
// one and of many features, and of values far from the origin.
func simpleCases() (all []rowsCase, err error) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, shape := range []struct {
		n     int
		shift float64
	}{{46, 0}, {1, 3}, {1500, 0}, {20, 1e4}} {
		x := normal(r, count, shape.n, 2, shape.shift)
		for _, kind := range []string{"none", "zscore", "minmax"} {
			norm, err := fitted(kind, normal(r, 300, shape.n, 2, shape.shift))
			if err != nil {
				return nil, err
			}
			if shape.n > 1 && kind != "none" {
				norm.Shift[1], norm.Scale[1] = 0, 0 // a feature that was constant
			}
			text := fmt.Sprintf("%d features, %s", shape.n, kind)
			if shape.shift > 3 {
				text += fmt.Sprintf(", around %g", shape.shift)
			}
			linear := &model.Model{Normalizer: norm, Names: names(shape.n),
				Scorer: &model.Linear{Weights: normal(r, 1, shape.n, 1, 0)}}
			stumps := &model.Stumps{Features: shape.n}
			for range 100 {
				t := model.Stump{Feature: r.IntN(shape.n), Threshold: r.NormFloat64(), Weight: r.NormFloat64()}
				if kind == "none" {
					t.Threshold = x.Row(r.IntN(count))[t.Feature] // the value of a row: not above it
				}
				stumps.Terms = append(stumps.Terms, t)
			}
			steps := &model.Model{Normalizer: norm, Names: names(shape.n), Scorer: stumps}
			bent := kernel.NewSplineMap(kernel.Spline{Knots: 4, Bends: 1}, nil, normal(r, 300, shape.n, 1, 0), nil)
			if kind == "none" {
				bent = kernel.NewSplineMap(bent.Kernel(), nil, x, nil)
			}
			curves := &model.Model{Normalizer: norm, Names: names(shape.n),
				Scorer: &model.Spline{Map: bent, Weights: normal(r, 1, bent.Features(), 1, 0)}}
			for k, m := range []*model.Model{linear, steps, curves} {
				c, err := newRowsCase([]string{"linear, ", "stumps, ", "spline, "}[k]+text, m, x)
				if err != nil {
					return nil, err
				}
				all = append(all, c)
			}
		}
	}
	return all, nil
}

// kernelCases are linear models of three outputs and kernel expansions, dense and sparse, near
// the origin and far from it, and of one feature and one support row, whose constants have a
// single number.
func kernelCases() (all []rowsCase, err error) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, s := range []struct {
		kernel kernel.Kernel
		b, n   int
		v      int
		shift  float64
		norm   string
		sparse bool
	}{
		{kernel.Gaussian{Gamma: 0.02}, 400, 50, 1, 0, "none", false},
		{kernel.Gaussian{Gamma: 0.02}, 400, 50, 1, 1000, "none", false},
		{kernel.Gaussian{Gamma: 0.02}, 400, 50, 2, 5, "zscore", false},
		{kernel.Gaussian{Gamma: 0.1}, 300, 40, 1, 0, "none", true},
		{kernel.Gaussian{Gamma: 1}, 1, 1, 1, 2, "minmax", false},
		{kernel.Gaussian{Gamma: 1}, 1, 1, 1, 2, "zscore", false},
		{kernel.Polynomial{Gamma: 0.02, Coef0: 1, Degree: 3}, 400, 50, 1, 0, "none", false},
		{kernel.Polynomial{Gamma: 0.02, Coef0: 1, Degree: 3}, 400, 50, 2, 5, "zscore", false},
		{kernel.Polynomial{Gamma: 0.1, Coef0: 0, Degree: 2}, 300, 40, 1, 0, "minmax", true},
		{kernel.Polynomial{Gamma: 0.3, Coef0: 2, Degree: 5}, 1, 1, 1, 0, "none", false},
		{kernel.Polynomial{Gamma: 0.3, Coef0: 2, Degree: 1}, 1, 1, 1, 0, "zscore", false},
		{kernel.Linear{}, 100, 10, 1, 0, "minmax", false}, {kernel.Linear{}, 1, 1, 1, 0, "zscore", false},
	} {
		support := normal(r, s.b, s.n, 1, s.shift)
		k := &model.Kernel{Kernel: s.kernel, Support: support, Coef: normal(r, s.b, s.v, 1, 0)}
		norm, err := fitted(s.norm, normal(r, 100, s.n, 1, s.shift))
		if err != nil {
			return nil, err
		}
		text := fmt.Sprintf("%s, %d×%d support, %s", s.kernel, s.b, s.n, s.norm)
		if s.v > 1 {
			text += fmt.Sprintf(", %d outputs", s.v)
		}
		if s.sparse {
			k.Support, text = sparse(support), text+", sparse"
		}
		if s.shift > 5 {
			text += fmt.Sprintf(", around %g", s.shift)
		}
		if s.norm != "none" {
			k.Support = normal(r, s.b, s.n, 1, 0) // of normalised rows
		}
		c, err := newRowsCase(text, &model.Model{Normalizer: norm, Scorer: k}, normal(r, count, s.n, 1, s.shift))
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	given := &model.Kernel{Kernel: kernel.Precomputed{}, SupportRows: []int{1, 3, 4}, Coef: normal(r, 3, 1, 1, 0)}
	c, err := newRowsCase("precomputed, 5 rows", &model.Model{Info: model.Info{Rows: 5}, Scorer: given},
		normal(r, count, 5, 1, 0))
	if err != nil {
		return nil, err
	}
	several, err := newRowsCase("linear, 30 features, 3 outputs",
		&model.Model{Scorer: &model.Linear{Weights: normal(r, 3, 30, 1, 0)}}, normal(r, count, 30, 1, 0))
	return append(all, c, several), err
}

// sparse keeps a quarter of the entries of x.
func sparse(x *data.Dense) *data.CSR {
	s := &data.CSR{Rows: x.Rows, Cols: x.Cols, Ptr: []int{0}}
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			if (i+j)%4 == 0 {
				s.Col, s.Val = append(s.Col, int32(j)), append(s.Val, v)
			}
		}
		s.Ptr = append(s.Ptr, len(s.Val))
	}
	return s
}

// pairsCase is a model of pairs, nodes, and the scores of pairs of the same place.
type pairsCase struct {
	name       string
	p          *pairmodel.Model
	rows, cols *data.Dense
	want       []float64
}

// pairCases are all pairwise kernels but the cartesian one, with coefficients of all pairs and
// of some edges, weights, and kernels that are normalised.
func pairCases() (all []pairsCase, err error) {
	r := rand.New(rand.NewPCG(5, 6))
	const p1, p2, n1, n2 = 60, 40, 12, 7
	nodes := map[string]kernel.Kernel{"gaussian": kernel.Gaussian{Gamma: 0.05},
		"polynomial": kernel.Polynomial{Gamma: 0.1, Coef0: 1, Degree: 2}, "linear": kernel.Linear{}}
	for _, pair := range pairwise.Kernels {
		if pair == pairwise.Cartesian {
			continue
		}
		for _, node := range []string{"gaussian", "polynomial", "linear"} {
			for _, edges := range []bool{false, true} {
				for _, normalize := range []bool{false, true} {
					p := &pairmodel.Model{Kernel: pair, Rows: side(r, nodes[node], p1, n1, normalize)}
					cols, rows := p1, p1
					if !pair.OneDomain() {
						second := side(r, nodes[node], p2, n2, normalize)
						p.Cols, cols = &second, p2
					}
					if edges {
						p.Edges = someEdges(r, rows, cols)
					} else {
						p.Coef = normal(r, rows, cols, 1, 0)
					}
					c, err := newPairsCase(fmt.Sprintf("%s of %s, edges %v, normalised %v", pair, node, edges,
						normalize), p, r)
					if err != nil {
						return nil, err
					}
					all = append(all, c)
				}
			}
		}
	}
	for _, normalize := range []bool{false, true} {
		w := &pairmodel.Model{Kernel: pairwise.Kronecker, Weights: normal(r, n1, n2, 1, 0),
			Rows: pairmodel.Side{Kernel: kernel.Linear{}, Normalize: normalize},
			Cols: &pairmodel.Side{Kernel: kernel.Linear{}, Normalize: normalize}}
		c, err := newPairsCase(fmt.Sprintf("weights, normalised %v", normalize), w, r)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

func side(r *rand.Rand, k kernel.Kernel, p, n int, normalize bool) pairmodel.Side {
	s := pairmodel.Side{Kernel: k, Support: normal(r, p, n, 1, 0.5), Normalize: normalize}
	for i := range p {
		s.ID = append(s.ID, fmt.Sprintf("n%d", i))
	}
	return s
}

func someEdges(r *rand.Rand, rows, cols int) *pairmodel.EdgeCoef {
	e := &pairmodel.EdgeCoef{}
	for range rows * cols / 10 {
		e.Row, e.Col, e.Value = append(e.Row, int32(r.IntN(rows))), append(e.Col, int32(r.IntN(cols))),
			append(e.Value, r.NormFloat64())
	}
	return e
}

func newPairsCase(name string, p *pairmodel.Model, r *rand.Rand) (c pairsCase, err error) {
	p.Info.Learner = "rankrls"
	n := [2]int{}
	for at, s := range []*pairmodel.Side{&p.Rows, p.ColSide()} {
		switch {
		case s.Support != nil:
			_, n[at] = s.Support.Dims()
		case at == 0:
			n[at] = p.Weights.Rows
		default:
			n[at] = p.Weights.Cols
		}
	}
	c = pairsCase{name: name, p: p, rows: normal(r, count, n[0], 1, 0.5), cols: normal(r, count, n[1], 1, 0.5),
		want: make([]float64, count)}
	rows, err := p.RowValues(&pairmodel.Nodes{X: c.rows})
	if err != nil {
		return c, err
	}
	cols, err := p.ColValues(&pairmodel.Nodes{X: c.cols})
	if err != nil {
		return c, err
	}
	at := make([]int32, count)
	for k := range at {
		at[k] = int32(k)
	}
	p.ScorePairsTo(c.want, rows, cols, at, at)
	return c, nil
}
