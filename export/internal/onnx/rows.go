package onnx

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/export/internal/plain"
	"pairrank/fault"
	"pairrank/model"
)

// defaultGraph is the name of a graph where none is given.
const defaultGraph = "pairrank"

// WriteRows writes a model of rows as a graph with the input X, rows × n, and the output
// score, rows × v: linear, splines, stumps, random features, and kernel expansions, with their normaliser. For a
// precomputed kernel X is the kernel values with the training rows. It costs O(bn) for b
// support rows of n features, and memory for the file. It returns a *fault.RefusedError for a model that normalises by
// query, one without features or support rows, and one beyond 2 GB.
func WriteRows(w io.Writer, m *model.Model, name string) ([]string, error) {
	if err := plain.CheckRows("onnx", m); err != nil {
		return nil, err
	}
	if m.Features() == 0 {
		return nil, &fault.RefusedError{Target: "onnx", What: "a model without features", Help: "train with features"}
	}
	g := &graph{}
	levels, given := plain.Levels(m)
	g.value(graphInput, "X", "rows", given)
	g.value(graphOutput, "score", "rows", m.Outputs())
	g.fill(plain.Substitutes(m), given)
	g.level(levels)
	var notes []string
	var err error
	switch s := m.Scorer.(type) {
	case *model.Linear:
		g.curves(m, s.Weights, nil)
	case *model.Spline:
		g.curves(m, s.Weights, s)
	case *model.Stumps:
		err = g.stumps(m)
	case *model.Fourier:
		g.fourier(m, s)
	case *model.Kernel:
		notes, err = g.expansion(m, s)
	default:
		panic(fmt.Sprintf("onnx: a scorer of type %T", s))
	}
	if err != nil {
		return nil, err
	}
	doc := fmt.Sprintf("X is rows of %d features in double precision; the higher the score, the better the row", given)
	if m.Precomputed() {
		doc = fmt.Sprintf("X is the kernel values of rows with the %d training rows in double precision; the higher "+
			"the score, the better the row", m.Features())
	}
	facts := []fact{{"learner", m.Info.Learner}}
	if m.Names != nil {
		facts = append(facts, fact{"features", namesText(m.Names[:given])})
	}
	return notes, g.write(w, cmp.Or(name, defaultGraph), doc, facts)
}

// fill puts in the place of NaN what stood for missing values in training; NaN stays where that is NaN.
func (g *graph) fill(missing []float64, given int) {
	if g.x = "X"; missing == nil {
		return
	}
	g.lacks = true
	values := g.row(missing[:given])
	g.lacks = false
	g.x = g.node("Where", nil, g.node("IsNaN", nil, "X"), values, "X")
}

// level puts a level behind the features for each whose missing values have one: 1 where X is NaN, else 0.
func (g *graph) level(levels []int) {
	if levels == nil {
		return
	}
	gaps := g.node("IsNaN", nil, g.node("Gather", []attribute{{"axis", 1}}, "X",
		g.integers(len(levels), func(k int) int64 { return int64(levels[k]) })))
	g.x = g.node("Concat", []attribute{{"axis", 1}}, g.x, g.node("Cast", []attribute{{"to", typeDouble}}, gaps))
}

// namesText is names as a JSON list.
func namesText(names []string) string {
	text, err := json.Marshal(names)
	if err != nil {
		panic(err) // of strings there is no error
	}
	return string(text)
}

// curves is ((X − shift) W), the scale folded into the first n weights W, n×v, of each output, and for a spline
// max(Z − knots, 0) B, Z the normalised columns that bend, B their weights.
func (g *graph) curves(m *model.Model, w *data.Dense, s *model.Spline) {
	shift, scale, _ := plain.Normaliser(m)
	x := g.x
	if scale != nil {
		x = g.node("Sub", nil, x, g.row(shift))
	}
	v, n := w.Rows, m.Features()
	weights := g.matrix(n, v, true, func(o int, row []float64) {
		copy(row, w.Row(o))
		for j := range scale {
			row[j] *= scale[j]
		}
	})
	var bends []plain.Bend
	if s != nil {
		bends = plain.Bends(s, 0)
	}
	if len(bends) == 0 {
		g.operator("MatMul", "score", nil, x, weights)
		return
	}
	columns := g.node("Gather", []attribute{{"axis", 1}}, x,
		g.integers(len(bends), func(k int) int64 { return int64(bends[k].Feature) }))
	if scale != nil {
		scales := each(bends, func(b plain.Bend) float64 { return scale[b.Feature] })
		columns = g.node("Mul", nil, columns, g.row(scales))
	}
	knots := g.row(each(bends, func(b plain.Bend) float64 { return b.Knot }))
	above := g.node("Relu", nil, g.node("Sub", nil, columns, knots))
	added := g.node("MatMul", nil, above, g.matrix(len(bends), v, true, func(o int, row []float64) {
		copy(row, each(plain.Bends(s, o), func(b plain.Bend) float64 { return b.Weight }))
	}))
	g.operator("Add", "score", nil, g.node("MatMul", nil, x, weights), added)
}

// each is a number of each bend.
func each(bends []plain.Bend, number func(plain.Bend) float64) []float64 {
	all := make([]float64, len(bends))
	for k, b := range bends {
		all[k] = number(b)
	}
	return all
}

// stumps is the steps: the columns that they name, side by side, are above their thresholds
// or not, as numbers times the weights.
func (g *graph) stumps(m *model.Model) error {
	s, err := plain.NewSteps("onnx", m)
	if err != nil {
		return err
	}
	t := len(s.Terms)
	if t == 0 {
		return &fault.RefusedError{Target: "onnx", What: "a model without stumps", Help: "train for more rounds"}
	}
	thresholds, weights := make([]float64, t), make([]float64, t)
	for k, term := range s.Terms {
		thresholds[k], weights[k] = term.Threshold, term.Weight
	}
	columns := g.node("Gather", []attribute{{"axis", 1}}, g.x,
		g.integers(t, func(k int) int64 { return int64(s.Terms[k].Feature) }))
	above := g.node("Greater", nil, columns, g.row(thresholds))
	numbers := g.node("Cast", []attribute{{"to", typeDouble}}, above)
	if s.Missing != nil && !slices.ContainsFunc(s.Missing, math.IsNaN) {
		g.operator("MatMul", "score", nil, numbers, g.column(weights))
		return nil
	}
	sum := g.node("MatMul", nil, numbers, g.column(weights))
	g.operator("Add", "score", nil, sum, g.node("MatMul", nil, columns, g.constantColumn(t, 0))) // NaN of a missing value
	return nil
}

// expansion is K C for the kernel values K with the support rows and the coefficients C, b×v.
func (g *graph) expansion(m *model.Model, k *model.Kernel) ([]string, error) {
	b, v := k.Coef.Rows, k.Coef.Cols
	if b == 0 {
		return nil, &fault.RefusedError{Target: "onnx", What: "a kernel model without support rows", Help: "train with rows"}
	}
	if k.Support == nil {
		weights := g.matrix(m.Features(), v, true, func(o int, row []float64) {
			for i, at := range k.SupportRows {
				row[at-1] = k.Coef.Row(i)[o]
			}
		})
		g.operator("MatMul", "score", nil, g.x, weights)
		return nil, nil
	}
	x := g.x
	shift, scale, _ := plain.Normaliser(m)
	if scale != nil {
		x = g.node("Sub", nil, x, g.row(shift))
	}
	values := g.kernelOf(k.Kernel, x, scale, k.Support)
	g.operator("MatMul", "score", nil, values, g.matrix(b, v, false,
		func(i int, row []float64) { copy(row, k.Coef.Row(i)) }))
	return denseNote(k.Support), nil
}

// denseNote is the note about sparse rows written dense.
func denseNote(x data.Matrix) []string {
	if _, sparse := x.(*data.CSR); !sparse {
		return nil
	}
	rows, cols := x.Dims()
	return []string{fmt.Sprintf("the %d×%d support values are sparse in the model and dense in the graph", rows, cols)}
}
