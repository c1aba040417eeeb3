package onnx

import (
	"math"

	"pairrank/export/internal/plain"
	"pairrank/model"
)

// fourier is sin(X Ω + φ) W of random features: D angles, P of them moved by a quarter turn,
// whose sine is the cosine. Runtimes have Sin in double precision, and not all have Cos.
func (g *graph) fourier(m *model.Model, f *model.Fourier) {
	shift, scale, _ := plain.Normaliser(m)
	x := g.x
	if scale != nil {
		x = g.node("Sub", nil, x, g.row(shift))
	}
	n, features, v := f.Inputs, f.Kernel.Features, f.Weights.Rows
	pairs := features / 2
	frequencies := f.Map().Frequencies(n)
	angles := g.node("MatMul", nil, x, g.matrix(n, features, false, func(j int, row []float64) {
		copy(row, frequencies.Row(j))
		copy(row[pairs:], frequencies.Row(j))
		if scale != nil {
			for p := range row {
				row[p] *= scale[j]
			}
		}
	}))
	quarter := make([]float64, features)
	for p := range pairs {
		quarter[p] = math.Pi / 2
	}
	waves := g.node("Sin", nil, g.node("Add", nil, angles, g.row(quarter)))
	size := math.Sqrt(1 / float64(pairs))
	g.operator("MatMul", "score", nil, waves, g.matrix(features, v, true, func(o int, row []float64) {
		for p, w := range f.Weights.Row(o) {
			row[p] = size * w
		}
	}))
}
