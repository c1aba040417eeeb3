package relation

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/gen"
	"pairrank/internal/journal"
	"pairrank/internal/linalg"
	"pairrank/kernel"
	"pairrank/relation/edge"
	"pairrank/relation/pairmodel"
)

// similarities are kernel matrices of n nodes.
func similarities(r *rand.Rand, n, count int) (all []*data.Dense) {
	for range count {
		x := linalg.NewMat(n, 3)
		for i := range x.Data {
			x.Data[i] = r.NormFloat64()
		}
		k := x.MulT(x)
		for i := range n {
			k.Row(i)[i] += 0.1
		}
		all = append(all, data.NewDense(n, n, k.Data))
	}
	return all
}

// sumProblem has two similarities of the rows and three of the columns, and labels by the second of the rows.
func sumProblem(seed uint64, complete bool) (Problem, *rand.Rand) {
	r := rand.New(rand.NewPCG(seed, 465))
	p, n := 7+r.IntN(4), 6+r.IntN(4)
	out := Problem{Rows: &Nodes{Similarities: similarities(r, p, 2)}, Cols: &Nodes{Similarities: similarities(r, n, 3)}}
	f := linalg.Mat(*out.Rows.Similarities[1]).Mul(randomMat(r, p, n)).Mul(linalg.Mat(*out.Cols.Similarities[2]))
	for i := range p {
		for j := range n {
			if complete || r.IntN(5) > 0 {
				out.Edges.Row, out.Edges.Col = append(out.Edges.Row, int32(i)), append(out.Edges.Col, int32(j))
				out.Y = append(out.Y, math.Round(f.Row(i)[j]+r.NormFloat64()))
			}
		}
	}
	return out, r
}

func randomMat(r *rand.Rand, rows, cols int) linalg.Mat {
	m := linalg.NewMat(rows, cols)
	for i := range m.Data {
		m.Data[i] = r.NormFloat64()
	}
	return m
}

// estimatedSums is the error of each λ, and the scores of the best.
func estimatedSums(t *testing.T, p Problem, o EstimateOptions) *Estimated {
	t.Helper()
	o.Intervals, o.HeldOut = cv.IntervalsNone, o.Setting != edge.Both
	e, err := Estimate(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// alike reports whether two estimates have the same scores up to rounding, each within its scale.
func alike(a, b *Estimated) bool {
	for i, v := range a.HeldOut {
		if !(math.Abs(v-b.HeldOut[i]) <= 1e-9*(1+math.Abs(v))) {
			return false
		}
	}
	return a.Choice.Point().Error == b.Choice.Point().Error
}

// One similarity of several is the only one to the bit; a side with one twice is that one; the order of kernels changes
// nothing but the order of the weights; and features with a sum learn what similarities of its terms learn.
func TestSumLaws(t *testing.T) {
	for seed := range uint64(gen.Count(t, 12)) {
		p, r := sumProblem(seed, true)
		setting := edge.Settings[seed%4]
		o := EstimateOptions{Options: Options{Setting: setting}}
		name := fmt.Sprintf("seed %d, %s", seed, setting)
		of := func(rows ...*data.Dense) Problem {
			other := p
			other.Rows = &Nodes{Similarities: rows}
			other.Cols = &Nodes{Similarity: p.Cols.Similarities[0]}
			return other
		}
		k, second := p.Rows.Similarities[0], p.Rows.Similarities[1]
		plain := of()
		plain.Rows = &Nodes{Similarity: k}
		one, alone := estimatedSums(t, plain, o), estimatedSums(t, of(k), o)
		for i, v := range one.HeldOut {
			if v != alone.HeldOut[i] {
				t.Fatalf("%s: one kernel in a list scores %v, by itself %v", name, alone.HeldOut[i], v)
			}
		}
		o.Lambdas = []float64{1}
		twice := estimatedSums(t, of(k, k), o)
		sum := twice.Choice.Rows
		o.Lambdas = []float64{1 / (sum[0].Weight + sum[1].Weight)} // of the same problem in another unit
		one = estimatedSums(t, plain, o)
		o.Lambdas = nil
		if !alike(one, twice) {
			t.Errorf("%s: a kernel that stands twice has the error %v, once %v", name, twice.Choice.Point(),
				one.Choice.Point())
		}
		there, back := estimatedSums(t, of(k, second), o), estimatedSums(t, of(second, k), o)
		if a, b := there.Choice.Rows, back.Choice.Rows; a[0].Weight != b[1].Weight || a[1].Weight != b[0].Weight ||
			!alike(there, back) {
			t.Errorf("%s: weights %v, in another order %v", name, a, b)
		}
		x := randomMat(r, k.Rows, 3)
		features := &Nodes{X: data.NewDense(k.Rows, 3, x.Data), Kernel: kernel.NewSum(kernel.Term{Kernel: kernel.Linear{}},
			kernel.Term{Kernel: kernel.Gaussian{Gamma: 0.5}})}
		some := of(kernel.Matrix(kernel.Linear{}, features.X, features.X),
			kernel.Matrix(kernel.Gaussian{Gamma: 0.5}, features.X, features.X))
		given := some
		given.Rows = features
		if a, b := estimatedSums(t, some, o), estimatedSums(t, given, o); !alike(a, b) {
			t.Errorf("%s: similarities have the error %v, the same kernels of features %v", name, a.Choice.Point(),
				b.Choice.Point())
		}
	}
}

// Outer folds learn weights from their edges alone: the scores are those of training on these edges, with the whole
// matrices at hand for new nodes.
func TestNestedWeightsAreHonest(t *testing.T) {
	for seed := range uint64(gen.Count(t, 8)) {
		for _, one := range []bool{false, true} {
			p, _ := sumProblem(seed, true)
			if one {
				n := p.Rows.Len()
				p.Cols = nil
				p.Edges, p.Y = edge.Edges{}, nil
				r := rand.New(rand.NewPCG(seed, 9))
				for i := range n {
					for j := range n {
						p.Edges.Row, p.Edges.Col = append(p.Edges.Row, int32(i)), append(p.Edges.Col, int32(j))
						p.Y = append(p.Y, math.Round(3*r.NormFloat64()))
					}
				}
			}
			o := EstimateOptions{Options: Options{Setting: edge.Rows, Lambdas: []float64{0.1, 1, 10}}}
			o.Nested = &cv.Method{Kind: cv.KFold, Folds: 3}
			p.checkShapes()
			o.Options = o.Resolved()
			ready, err := prepare(&p, o, &journal.Journal{}, false)
			if err != nil {
				t.Fatal(err)
			}
			s := ready.source()
			var in, out []int
			for e, i := range p.Edges.Row {
				if i < 2 {
					out = append(out, e)
				} else {
					in = append(in, e)
				}
			}
			if _, err := s.Estimate(context.Background(), nil); err != nil {
				t.Fatal(err)
			}
			part := s.Part(in, 1).(*source)
			if _, err := part.Estimate(context.Background(), nil); err != nil {
				t.Fatal(err)
			}
			weights := part.g.sums.weights
			changed := p
			changed.Y = append([]float64{}, p.Y...)
			for _, e := range out {
				changed.Y[e] = -7 * changed.Y[e] // what is left out has no say
			}
			ready, err = prepare(&changed, o, &journal.Journal{}, false)
			if err != nil {
				t.Fatal(err)
			}
			other := ready.source()
			again := other.Part(in, 1).(*source)
			if _, err := again.Estimate(context.Background(), nil); err != nil {
				t.Fatal(err)
			}
			for side := range weights {
				for i, w := range weights[side] {
					if w != again.g.sums.weights[side][i] {
						t.Errorf("seed %d: labels left out change a weight from %v to %v", seed, w,
							again.g.sums.weights[side][i])
					}
				}
			}
			if whole := s.g.sums.weights; whole[0][0] == weights[0][0] && whole[0][1] == weights[0][1] && seed == 0 {
				t.Errorf("a part has the weights of the whole, %v", whole)
			}
		}
	}
}

// A saved model scores training nodes and new ones by its sum, and its files name what is missing.
func TestSumModels(t *testing.T) {
	for seed := range uint64(gen.Count(t, 12)) {
		p, _ := sumProblem(seed, seed%3 > 0)
		o := Options{Setting: edge.Settings[seed%4], Normalize: seed%2 == 0, PSD: edge.Shift,
			Loss: []edge.Loss{edge.Ranking, edge.Regression}[seed/2%2]}
		p.Rows.Sources = []string{"a.tsv", "b.tsv"}
		p.Rows.Similarities[0].Row(0)[0] -= 0.05 // for the shift
		for i := range p.Rows.Similarities[1].Rows {
			p.Rows.Similarities[1].Row(i)[i] -= 0.3
		}
		if o.Normalize {
			for i := range p.Rows.Similarities[1].Rows {
				p.Rows.Similarities[1].Row(i)[i] += 2
			}
		}
		result, err := Train(context.Background(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := result.Model.Write(&text); err != nil {
			t.Fatal(err)
		}
		m, err := pairmodel.Read(&text, "model")
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(m.Rows.Terms, result.Choice.Rows) {
			t.Errorf("seed %d: the model has %v, and %v was learnt", seed, m.Rows.Terms, result.Choice.Rows)
		}
		nodes := func(s *pairmodel.Side, given []*data.Dense, keep int) *pairmodel.Nodes {
			var parts []*pairmodel.Nodes
			for _, k := range given {
				parts = append(parts, &pairmodel.Nodes{X: data.NewDense(keep, k.Cols, k.Data[:keep*k.Cols]), ID: s.ID[:keep],
					Names: s.ID})
			}
			return &pairmodel.Nodes{Parts: parts}
		}
		scores := func(rows, cols *pairmodel.Nodes) *data.Dense {
			a, err := m.RowValues(rows)
			if err != nil {
				t.Fatal(err)
			}
			b, err := m.ColValues(cols)
			if err != nil {
				t.Fatal(err)
			}
			out := data.NewDense(a.Len(), b.Len(), nil)
			m.ScoreBlockTo(out, a, b)
			return out
		}
		kept := scores(m.Rows.Trained(), m.Cols.Trained())
		again := scores(nodes(&m.Rows, p.Rows.Similarities, p.Rows.Len()), nodes(m.Cols, p.Cols.Similarities, 2))
		for i := range again.Rows {
			for j, v := range again.Row(i) {
				if want := kept.Row(i)[j]; !(math.Abs(v-want) <= 1e-9*(1+math.Abs(want))) {
					t.Errorf("seed %d: pair %d, %d scores %v, of the training %v", seed, i, j, v, want)
				}
			}
		}
		if _, err := m.RowValues(&pairmodel.Nodes{Parts: []*pairmodel.Nodes{m.Rows.Trained()}}); err == nil ||
			!strings.Contains(err.Error(), "a.tsv, b.tsv") {
			t.Errorf("seed %d: one matrix of two has the error %v", seed, err)
		}
		lacks := &pairmodel.Nodes{X: p.Rows.Similarities[0], ID: append([]string{"new"}, m.Rows.ID[1:]...)}
		if _, err := m.RowValues(&pairmodel.Nodes{Parts: []*pairmodel.Nodes{m.Rows.Trained(), lacks}}); err == nil ||
			!strings.Contains(err.Error(), "similarities b.tsv lack 1 nodes") {
			t.Errorf("seed %d: other nodes have the error %v", seed, err)
		}
	}
}

// Weights are those of centred alignment, as a note says, where the error of what is left out has no closed form.
func TestAlignedWeights(t *testing.T) {
	for name, c := range map[string]struct {
		complete bool
		o        Options
	}{
		"not every pair of nodes has exactly one edge": {false, Options{}},
		"leaving out a row with a column":              {true, Options{Setting: edge.Both}},
		"two-step learning has two errors":             {true, Options{Learner: TwoStep}},
		"the iterative solver was asked for":           {true, Options{Solver: CG, Lambdas: []float64{1}}},
		"the pairwise kernel cartesian":                {true, Options{Kernel: "cartesian", Lambdas: []float64{1}}},
	} {
		p, _ := sumProblem(1, c.complete)
		r, err := Train(context.Background(), p, c.o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		found := false
		for _, n := range r.Notes {
			found = found || n.Code == noteAligned && strings.Contains(n.Text, name)
		}
		if !found {
			t.Errorf("%s: the notes are %v", name, r.Notes)
		}
	}
}
