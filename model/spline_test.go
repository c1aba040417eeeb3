package model_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/kernel"
	"pairrank/model"
)

// bent is a model of splines over random rows, with weights of v outputs, and rows beyond its own.
func bent(r *rand.Rand, v int) (*model.Model, *data.Dense) {
	m, n := 2+r.IntN(30), 1+r.IntN(6)
	x := data.NewDense(m, n, nil)
	for i := range x.Data {
		x.Data[i] = math.Round(4*r.NormFloat64()) / float64(1+r.IntN(3))
	}
	spline := kernel.NewSplineMap(kernel.Spline{Knots: 1 + r.IntN(5), Bends: 0.5 + r.Float64()}, nil, x, nil)
	w := data.NewDense(v, spline.Features(), nil)
	for i := range w.Data {
		w.Data[i] = r.NormFloat64()
	}
	for i := range x.Data {
		x.Data[i] += r.NormFloat64()
	}
	info := model.Info{Learner: "rankrls", Rows: m, Queries: 1, Pairs: 1}
	return &model.Model{Info: info, Scorer: &model.Spline{Map: spline, Weights: w}}, x
}

// The score of a row is the weights times its features and hinges, sparse, short and one at a time, also after its
// file was read.
func TestSplineScores(t *testing.T) {
	const rounding = 1e-12
	r := rand.New(rand.NewPCG(46, 1))
	for range 200 {
		v := 1 + r.IntN(2)
		m, x := bent(r, v)
		scorer := m.Scorer.(*model.Spline)
		short := &data.Dense{Rows: x.Rows, Cols: r.IntN(x.Cols + 1), Stride: x.Stride, Data: x.Data}
		var text bytes.Buffer
		if err := m.Write(&text); err != nil {
			t.Fatal(err)
		}
		again, err := model.Read(bytes.NewReader(text.Bytes()), "m")
		if err != nil {
			t.Fatalf("%v\n%s", err, text.Bytes())
		}
		for _, z := range []data.Matrix{x, gen.Sparse(x, gen.NotZero), short} {
			got, read := make([]float64, x.Rows*v), make([]float64, x.Rows*v)
			scorer.ScoreTo(got, z)
			again.Scorer.ScoreTo(read, z)
			features := kernel.Mapped(scorer.Map, z)
			for i := range x.Rows {
				for o := range v {
					want, size := 0.0, 0.0
					for j, w := range scorer.Weights.Row(o) {
						want += w * features.Row(i)[j]
						size += math.Abs(w) * (math.Abs(features.Row(i)[j]) + 10)
					}
					if s := got[i*v+o]; !(math.Abs(s-want) <= rounding*size) || s != read[i*v+o] {
						t.Fatalf("%v, read %v, want %v", s, read[i*v+o], want)
					}
				}
				if v == 1 && z == data.Matrix(x) && m.ScoreRow(x.Row(i)) != got[i] {
					t.Fatal("a row alone has another score")
				}
			}
		}
	}
}
