package rows

import (
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/goals"
)

// The sizes of the numbers that held-out scores of iterative learners are made of. Where these cancel, the scores that
// are left are rounding: they tie (see cv.PredictionsOf).

// lostOfKernel are the bits that coefficients of a kernel lose beyond those of a score: the iteration ends at some 1e-3
// of the risk, and steps at a small λ cancel.
const lostOfKernel = 1 << 10

// summands is the size of the summands of the scores of weights w, and of the constant, times what they lose.
func (r RankSVM) summands(x data.Matrix, w *data.Dense, constant []float64) float64 {
	rows, _ := x.Dims()
	dense, _ := x.(*data.Dense)
	largest := 0.0
	for i := range rows {
		sum := 0.0
		if dense == nil {
			data.Each(x, i, func(j int, v float64) { sum += v * v * w.Data[j] * w.Data[j] })
		} else { // without a call for each value
			of := w.Data[:dense.Cols]
			for j, v := range dense.Row(i) {
				sum += v * v * of[j] * of[j]
			}
		}
		largest = max(largest, sum)
	}
	beside := 0.0
	if len(constant) == len(w.Data) {
		for j, c := range constant {
			beside += c * c * w.Data[j] * w.Data[j]
		}
	}
	size := math.Sqrt(largest) + math.Sqrt(beside)
	if r.byMap {
		size *= lostOfKernel
	}
	return size
}

// summands returns the size of the labels, as far as a linear function of the rows of x with a norm that λ allows can
// learn them: max|r_i|/d · κ/(κ + λ), with d the largest entry of the diagonal of L, and κ = 2d Σ x_ij², which no
// eigenvalue of XᵀLX exceeds.
func summands(x data.Matrix, goals []*goals.Goal) func(lambda float64) float64 {
	squares := 0.0
	rows, _ := x.Dims()
	for i := range rows {
		squares += data.SquaredNorm(x, i)
	}
	label, size := 0.0, 0.0
	for _, g := range goals {
		diagonal := make([]float64, g.L.Dim())
		g.L.DiagonalTo(diagonal)
		d := slices.Max(diagonal)
		for _, v := range g.R {
			label = max(label, math.Abs(v)/d)
		}
		size = max(size, 2*d*squares)
	}
	return func(lambda float64) float64 { return label * size / (size + lambda) }
}
