package onnx

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/gen"
	"pairrank/kernel"
	"pairrank/model"
	"pairrank/relation/pairmodel"
	"pairrank/relation/pairwise"
)

// roundoff bounds differences of scores, relative to the largest: sums of some hundred terms in
// another order.
const roundoff = 1e-12

func normal(r *rand.Rand, rows, cols int) *data.Dense {
	x := data.NewDense(rows, cols, nil)
	for k := range x.Data {
		x.Data[k] = 0.5 + r.NormFloat64()
	}
	return x
}

func sparse(x *data.Dense) *data.CSR {
	return gen.Sparse(x, func(i, j int, _ float64) bool { return (i+j)%2 == 0 })
}

func tensorOf(x *data.Dense) tensor { return tensor{x.Rows, x.Cols, x.Data, true} }

// largest is the largest difference, relative to the largest value.
func largest(got, want []float64) float64 {
	if len(got) != len(want) {
		return math.Inf(1)
	}
	worst, scale := 0.0, 0.0
	for i, v := range want {
		worst, scale = max(worst, math.Abs(got[i]-v)), max(scale, math.Abs(v))
	}
	if worst == 0 {
		return 0
	}
	return worst / scale
}

// rowModels are models of rows of n features of every kind.
func rowModels(r *rand.Rand, n int) map[string]*model.Model {
	all := map[string]*model.Model{}
	for _, kind := range []string{"none", "zscore", "minmax"} {
		norm, err := data.FitNormalizer(kind, &data.Set{X: normal(r, 30, n), Y: make([]float64, 30)})
		if err != nil {
			panic(err)
		}
		if kind != "none" && n > 1 {
			norm.Shift[1], norm.Scale[1] = 0, 0
		}
		s := &model.Stumps{Features: n}
		for range 20 {
			s.Terms = append(s.Terms, model.Stump{Feature: r.IntN(n), Threshold: r.NormFloat64(),
				Weight: r.NormFloat64()})
		}
		bent := kernel.NewSplineMap(kernel.Spline{Knots: 4, Bends: 2, In: "1=6"}, nil, normal(r, 30, n), nil)
		for name, scorer := range map[string]model.Scorer{
			"spline": &model.Spline{Map: bent, Weights: normal(r, 2, bent.Features())},
			"linear": &model.Linear{Weights: normal(r, 1, n)},
			"fourier": &model.Fourier{Kernel: kernel.Fourier{Gamma: 0.02, Features: 30, Seed: 2},
				Inputs: n, Weights: normal(r, 2, 30)},
			"outputs": &model.Linear{Weights: normal(r, 3, n)},
			"stumps":  s,
			"gaussian": &model.Kernel{Kernel: kernel.Gaussian{Gamma: 0.2}, Support: normal(r, 9, n),
				Coef: normal(r, 9, 2)},
			"polynomial": &model.Kernel{Kernel: kernel.Polynomial{Gamma: 0.2, Coef0: 1, Degree: 7},
				Support: sparse(normal(r, 9, n)), Coef: normal(r, 9, 1)},
			"sum": &model.Kernel{Kernel: kernel.NewSum(kernel.Term{Weight: 0.4, Kernel: kernel.Linear{}},
				kernel.Term{Weight: 2, Kernel: kernel.Gaussian{Gamma: 0.2}},
				kernel.Term{Weight: 0.01, Kernel: kernel.Polynomial{Gamma: 0.2, Coef0: 1, Degree: 3}}),
				Support: normal(r, 9, n), Coef: normal(r, 9, 2)},
			"degree 1": &model.Kernel{Kernel: kernel.Polynomial{Gamma: 0.2, Coef0: 1, Degree: 1},
				Support: normal(r, 1, n), Coef: normal(r, 1, 1)},
			"expansion": &model.Kernel{Kernel: kernel.Linear{}, Support: normal(r, 9, n), Coef: normal(r, 9, 1)},
		} {
			all[fmt.Sprintf("%s, %s, %d features", name, kind, n)] = &model.Model{Info: model.Info{Learner: "rankrls"},
				Normalizer: norm, Scorer: scorer}
		}
	}
	return all
}

// NaN is what stood for a missing value in training, and makes the score NaN where the training refused it.
func TestMissingValues(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	nan := math.NaN()
	for name, m := range rowModels(r, 3) {
		if err := m.Info.SetSubstitutes(&data.Substitutes{Mean: []float64{0.25, 0, 0},
			By: []data.Missing{data.MissingMean, data.MissingZero, data.MissingError}}); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := WriteRows(&b, m, ""); err != nil {
			t.Fatal(err)
		}
		gaps := data.NewDense(3, 3, []float64{nan, nan, 1, 2, nan, 3, 1, 2, nan})
		got := readNetwork(t, b.Bytes()).run(map[string]tensor{"X": tensorOf(gaps)})
		want, err := m.Score(&data.Set{X: data.NewDense(2, 3, []float64{0.25, 0, 1, 2, 0, 3})})
		v := m.Outputs()
		if diff := largest(got.v[:2*v], want); err != nil || !(diff <= roundoff) {
			t.Errorf("%s: the scores differ by %v of the largest, %v", name, diff, err)
		}
		s, stumps := m.Scorer.(*model.Stumps)
		asks := !stumps || slices.ContainsFunc(s.Terms, func(t model.Stump) bool { return t.Feature == 2 })
		if refused := got.v[2*v]; asks && refused == refused {
			t.Errorf("%s: a refused value has the score %v", name, refused)
		}
	}
}

// NaN of a feature whose missing values have a level is the mean in training and the level, a further number that the
// graph makes.
func TestLevelsOfMissingValues(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	nan := math.NaN()
	for name, m := range rowModels(r, 4) {
		if err := m.Info.SetSubstitutes(&data.Substitutes{Mean: []float64{0.25, 0, -2}, Own: []int{2},
			By: []data.Missing{data.MissingMean, data.MissingError, data.MissingOwn, data.MissingError}}); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := WriteRows(&b, m, ""); err != nil {
			t.Fatal(err)
		}
		gaps := data.NewDense(3, 3, []float64{nan, 3, nan, 2, 1, 3, 1, 2, nan})
		got := readNetwork(t, b.Bytes()).run(map[string]tensor{"X": tensorOf(gaps)})
		want, err := m.Score(&data.Set{X: data.NewDense(3, 4, []float64{0.25, 3, -2, 1, 2, 1, 3, 0, 1, 2, -2, 1})})
		if diff := largest(got.v, want); err != nil || !(diff <= roundoff) {
			t.Errorf("%s: the scores differ by %v of the largest, %v", name, diff, err)
		}
	}
}

// The graph of every model of rows, computed operator by operator, gives its scores.
func TestRowsComputeTheScores(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 6} {
		for name, m := range rowModels(r, n) {
			checkRows(t, name, m, normal(r, 25, n))
		}
	}
	given := &model.Kernel{Kernel: kernel.Precomputed{}, SupportRows: []int{2, 5}, Coef: normal(r, 2, 2)}
	checkRows(t, "precomputed", &model.Model{Info: model.Info{Learner: "rankrls", Rows: 6}, Scorer: given},
		normal(r, 8, 6))
}

func checkRows(t *testing.T, name string, m *model.Model, x *data.Dense) {
	t.Helper()
	var b bytes.Buffer
	if _, err := WriteRows(&b, m, ""); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	n := readNetwork(t, b.Bytes())
	if n.ir != 8 || n.opset != 13 || n.output != "score" || n.outputColumns != m.Outputs() ||
		n.metadata["learner"] != "rankrls" {
		t.Errorf("%s: IR version %d, opset %d, output %s of %d columns, metadata %v", name, n.ir, n.opset,
			n.output, n.outputColumns, n.metadata)
	}
	want, err := m.Score(&data.Set{X: x, Y: make([]float64, x.Rows)})
	if err != nil {
		t.Fatal(err)
	}
	if got := n.run(map[string]tensor{"X": tensorOf(x)}); largest(got.v, want) > roundoff {
		t.Errorf("%s: scores %v, want %v", name, got.v, want)
	}
}

// pairModels are models of pairs of every kernel that has a form.
func pairModels(r *rand.Rand) map[string]*pairmodel.Model {
	const p1, p2, n1, n2 = 7, 5, 3, 2
	all := map[string]*pairmodel.Model{}
	side := func(k kernel.Kernel, p, n int, normalize bool) pairmodel.Side {
		s := pairmodel.Side{Kernel: k, Support: normal(r, p, n), Normalize: normalize}
		for i := range p {
			s.ID = append(s.ID, fmt.Sprint(i))
		}
		return s
	}
	for _, pair := range pairwise.Kernels {
		for _, k := range []kernel.Kernel{kernel.Linear{}, kernel.Gaussian{Gamma: 0.3},
			kernel.Polynomial{Gamma: 0.2, Coef0: 1, Degree: 3},
			kernel.NewSum(kernel.Term{Weight: 0.4, Kernel: kernel.Linear{}}, kernel.Term{Weight: 0.6,
				Kernel: kernel.Gaussian{Gamma: 0.3}}),
			kernel.NewSum(kernel.Term{Weight: 2, Kernel: kernel.Gaussian{Gamma: 0.3}})} {
			for _, edges := range []int{0, 2, 60} {
				for _, normalize := range []bool{false, true} {
					p := &pairmodel.Model{Info: pairmodel.Info{Learner: "rankrls"}, Kernel: pair,
						Rows: side(k, p1, n1, normalize)}
					cols := p1
					if !pair.OneDomain() {
						s := side(k, p2, n2, normalize)
						p.Cols, cols = &s, p2
					}
					if edges == 0 {
						p.Coef = normal(r, p1, cols)
					} else {
						p.Edges = &pairmodel.EdgeCoef{}
						for range edges {
							p.Edges.Row, p.Edges.Col, p.Edges.Value = append(p.Edges.Row, int32(r.IntN(p1))),
								append(p.Edges.Col, int32(r.IntN(cols))), append(p.Edges.Value, r.NormFloat64())
						}
					}
					all[fmt.Sprintf("%s, %s, %d edges, normalised %v", pair, k, edges, normalize)] = p
				}
			}
		}
	}
	for _, normalize := range []bool{false, true} {
		all[fmt.Sprint("weights, normalised ", normalize)] = &pairmodel.Model{Info: pairmodel.Info{Learner: "rankrls"},
			Kernel: pairwise.Kronecker, Weights: normal(r, n1, n2),
			Rows: pairmodel.Side{Kernel: kernel.Linear{}, Normalize: normalize,
				Names: []string{"a", "b", "c"}}, Cols: &pairmodel.Side{Kernel: kernel.Linear{}, Normalize: normalize}}
	}
	all["precomputed"] = &pairmodel.Model{Info: pairmodel.Info{Learner: "rankrls"}, Kernel: pairwise.Symmetric,
		Coef: normal(r, 2, 2),
		Rows: pairmodel.Side{Kernel: kernel.Precomputed{}, ID: []string{"a", "b"}}}
	return all
}

// The graph of every model of pairs gives its scores, of as many rows as columns and of one row
// with all columns.
func TestPairsComputeTheScores(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, p := range pairModels(r) {
		var b bytes.Buffer
		if _, err := WritePairs(&b, p, "pairs"); p.Kernel == pairwise.Cartesian {
			var refused *fault.RefusedError
			if !errors.As(err, &refused) || b.Len() > 0 {
				t.Errorf("%s: %v", name, err)
			}
			continue
		} else if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		n := readNetwork(t, b.Bytes())
		const pairs = 6
		for _, rows := range []int{pairs, 1} {
			x, y := normal(r, rows, n.inputs["rows"]), normal(r, pairs, n.inputs["cols"])
			got := n.run(map[string]tensor{"rows": tensorOf(x), "cols": tensorOf(y)})
			if want := scoresOf(t, p, x, y); largest(got.v, want) > roundoff {
				t.Errorf("%s, %d rows: scores %v, want %v", name, rows, got.v, want)
			}
		}
		if p.Weights != nil && n.metadata["rows_features"] != `["a","b","c"]` {
			t.Errorf("%s: metadata %v", name, n.metadata)
		}
	}
}

// scoresOf is the scores of pairs of the same place, or of one row with all columns.
func scoresOf(t *testing.T, p *pairmodel.Model, x, y *data.Dense) []float64 {
	t.Helper()
	rows, err := p.RowValues(&pairmodel.Nodes{X: x})
	if err != nil {
		t.Fatal(err)
	}
	cols, err := p.ColValues(&pairmodel.Nodes{X: y})
	if err != nil {
		t.Fatal(err)
	}
	row, col := make([]int32, y.Rows), make([]int32, y.Rows)
	for k := range col {
		row[k], col[k] = int32(min(k, x.Rows-1)), int32(k)
	}
	want := make([]float64, y.Rows)
	p.ScorePairsTo(want, rows, cols, row, col)
	return want
}

// Few edges are gathered, and many make a matrix.
func TestFormOfEdges(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for name, p := range pairModels(r) {
		if p.Edges == nil || p.Kernel != pairwise.Kronecker {
			continue
		}
		var b bytes.Buffer
		if _, err := WritePairs(&b, p, ""); err != nil {
			t.Fatal(err)
		}
		if got, want := readNetwork(t, b.Bytes()).operators["Gather"], len(p.Edges.Value) < 10; got != want {
			t.Errorf("%s: gathered %v", name, got)
		}
	}
}

// The same model gives the same bytes, and the operators are the plain ones alone.
func TestBytesAndOperators(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for name, m := range rowModels(r, 4) {
		m.Names = []string{"a", "b", "<", `"`}
		var b, again bytes.Buffer
		if _, err := WriteRows(&b, m, "g"); err != nil {
			t.Fatal(err)
		}
		if _, err := WriteRows(&again, m, "g"); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
			t.Errorf("%s: other bytes, %v", name, err)
		}
		n := readNetwork(t, b.Bytes())
		for op := range n.operators {
			if !slices.Contains(strings.Fields("MatMul Add Sub Mul Exp Sin Gather Greater Relu Cast"), op) {
				t.Errorf("%s has %s", name, op)
			}
		}
		if n.metadata["features"] != `["a","b","\u003c","\""]` {
			t.Errorf("%s: metadata %v", name, n.metadata)
		}
	}
}

func TestRefusals(t *testing.T) {
	info := model.Info{Learner: "rankrls"}
	for what, m := range map[string]*model.Model{
		"by query": {Info: info, Normalizer: &data.Normalizer{Kind: data.NormalizeQueryMinMax},
			Scorer: &model.Linear{Weights: data.NewDense(1, 1, nil)}},
		"without features": {Info: info, Scorer: &model.Linear{Weights: data.NewDense(1, 0, nil)}},
		"without stumps":   {Info: info, Scorer: &model.Stumps{Features: 1}},
		"without support rows": {Info: info, Scorer: &model.Kernel{Kernel: kernel.Linear{},
			Support: data.NewDense(0, 1, nil), Coef: data.NewDense(0, 1, nil)}},
		"its files end at 2 GB": {Info: info, Scorer: &model.Kernel{Kernel: kernel.Linear{},
			Support: &data.CSR{Rows: 200, Cols: 1 << 21, Ptr: make([]int, 201)}, Coef: data.NewDense(200, 1, nil)}},
	} {
		var b bytes.Buffer
		_, err := WriteRows(&b, m, "")
		var refused *fault.RefusedError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), what) || refused.Hint() == "" || b.Len() > 0 {
			t.Errorf("%s: %v, %d bytes", what, err, b.Len())
		}
	}
	huge := &model.Model{Info: info, Normalizer: &data.Normalizer{Kind: data.NormalizeMinMax, Shift: []float64{0},
		Scale: []float64{1e200}}, Scorer: &model.Linear{Weights: data.NewDense(1, 1, []float64{1e200})}}
	if _, err := WriteRows(&bytes.Buffer{}, huge, ""); err == nil || !strings.Contains(err.Error(), "overflows") {
		t.Errorf("a weight that overflows: %v", err)
	}
	side := pairmodel.Side{Kernel: kernel.Precomputed{}, ID: []string{"a"}, Normalize: true, Diag: []float64{1}}
	for _, p := range []*pairmodel.Model{
		{Info: info, Kernel: pairmodel.Similarity, Rows: pairmodel.Side{Kernel: kernel.Linear{}}},
		{Info: info, Kernel: pairwise.Kronecker, Rows: side, Coef: data.NewDense(1, 1, nil)},
		{Info: info, Kernel: pairwise.Kronecker, Rows: pairmodel.Side{Kernel: kernel.Precomputed{}, ID: []string{"a"},
			Shift: 1}, Coef: data.NewDense(1, 1, nil)},
		{Info: info, Kernel: pairwise.Kronecker, Rows: pairmodel.Side{Kernel: kernel.Precomputed{}, ID: []string{"a"},
			Terms: []pairmodel.Term{{Name: "b", Weight: 1}}}, Coef: data.NewDense(1, 1, nil)},
		{Info: info, Kernel: pairwise.Kronecker, Rows: pairmodel.Side{Kernel: kernel.Linear{},
			Support: data.NewDense(1, 0, nil), ID: []string{"a"}}, Coef: data.NewDense(1, 1, nil)},
		{Info: info, Kernel: pairwise.Kronecker, Rows: pairmodel.Side{Kernel: kernel.Linear{},
			Support: data.NewDense(0, 1, nil), ID: []string{}}, Coef: data.NewDense(0, 0, nil)},
	} {
		var refused *fault.RefusedError
		if _, err := WritePairs(&bytes.Buffer{}, p, ""); !errors.As(err, &refused) || refused.Hint() == "" {
			t.Errorf("%s of %s: %v", p.Kernel, p.Rows.Kernel, err)
		}
	}
	zero := &pairmodel.Model{Info: info, Kernel: pairwise.Kronecker,
		Rows: pairmodel.Side{Kernel: kernel.Linear{}, Support: data.NewDense(1, 1, nil), ID: []string{"a"},
			Normalize: true}, Coef: data.NewDense(1, 1, nil)}
	if _, err := WritePairs(&bytes.Buffer{}, zero, ""); err == nil ||
		!strings.Contains(err.Error(), "needs a value above 0") {
		t.Errorf("a node of length 0: %v", err)
	}
}
