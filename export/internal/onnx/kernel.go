package onnx

import (
	"fmt"
	"math"

	"pairrank/data"
	"pairrank/kernel"
)

// kernelOf adds the kernel values of the rows x times scale, of n features, with the p rows of z,
// rows × p; a nil scale means 1. For a kernel of inner products the scale is folded into z, since
// runtimes would fuse a scalar product next to MatMul with it.
func (g *graph) kernelOf(k kernel.Kernel, x string, scale []float64, z data.Matrix) string {
	p, n := z.Dims()
	switch k := k.(type) {
	case kernel.Linear:
		return g.node("MatMul", nil, x, g.transposed(z, 1, scale))
	case kernel.Polynomial:
		inner := g.node("MatMul", nil, x, g.transposed(z, k.Gamma, scale))
		shifted := g.node("Add", nil, inner, g.matrix(1, p, false, func(_ int, row []float64) {
			for j := range row {
				row[j] = k.Coef0
			}
		}))
		return g.power(shifted, k.Degree)
	case kernel.Gaussian:
		if scale != nil {
			x = g.node("Mul", nil, x, g.row(scale))
		}
		return g.gaussian(k.Gamma, x, z, p, n)
	case kernel.Sum:
		sum := ""
		for _, t := range kernel.Terms(k) {
			one := g.node("Mul", nil, g.kernelOf(t.Kernel, x, scale, z), g.row([]float64{t.Weight}))
			if sum == "" {
				sum = one
			} else {
				sum = g.node("Add", nil, sum, one)
			}
		}
		return sum
	}
	panic(fmt.Sprintf("onnx: a kernel of type %T", k))
}

// transposed is factor (z scale)ᵀ, n×p.
func (g *graph) transposed(z data.Matrix, factor float64, scale []float64) string {
	p, n := z.Dims()
	return g.matrix(n, p, true, func(i int, row []float64) {
		z.RowTo(row, i)
		for j := range row {
			row[j] *= factor
		}
		for j, v := range scale {
			row[j] *= v
		}
	})
}

// gaussian is exp(−γ‖x − z‖²) = exp(2γ⟨x,z⟩ − γ‖x‖² − γ‖z‖²), all around the mean of z, so
// that rows far from the origin keep their digits.
func (g *graph) gaussian(gamma float64, x string, z data.Matrix, p, n int) string {
	mean := columnMeans(z)
	centre := func(i int, row []float64) {
		z.RowTo(row, i)
		for j := range row {
			row[j] -= mean[j]
		}
	}
	around := g.node("Sub", nil, x, g.row(mean))
	inner := g.node("MatMul", nil, around, g.matrix(n, p, true, func(i int, row []float64) {
		centre(i, row)
		for j := range row {
			row[j] *= 2 * gamma
		}
	}))
	own := g.node("MatMul", nil, g.node("Mul", nil, around, around), g.constantColumn(n, -gamma))
	norms, row := make([]float64, p), make([]float64, n)
	for i := range norms {
		centre(i, row)
		for _, v := range row {
			norms[i] -= gamma * v * v
		}
	}
	exponent := g.node("Add", nil, g.node("Add", nil, inner, own), g.row(norms))
	return g.node("Exp", nil, exponent)
}

func columnMeans(z data.Matrix) []float64 {
	p, n := z.Dims()
	mean, row := make([]float64, n), make([]float64, n)
	for i := range p {
		z.RowTo(row, i)
		for j, v := range row {
			mean[j] += v / float64(p)
		}
	}
	return mean
}

// power is x^d for d ≥ 1, by squares.
func (g *graph) power(x string, d int) string {
	out := ""
	for square := x; ; square = g.node("Mul", nil, square, square) {
		switch {
		case d&1 == 1 && out == "":
			out = square
		case d&1 == 1:
			out = g.node("Mul", nil, out, square)
		}
		if d >>= 1; d == 0 {
			return out
		}
	}
}

// selfRoots adds √k(x,x) of the rows x of n features, rows × 1, for a kernel other than the
// Gaussian, whose value is 1.
func (g *graph) selfRoots(k kernel.Kernel, x string, n int) string {
	return g.node("Sqrt", nil, g.self(k, g.node("Mul", nil, x, x), n))
}

// self adds k(x,x) of rows whose features have these squares.
func (g *graph) self(k kernel.Kernel, square string, n int) string {
	switch k := k.(type) {
	case kernel.Polynomial:
		inner := g.node("MatMul", nil, square, g.constantColumn(n, k.Gamma))
		return g.power(g.node("Add", nil, inner, g.row([]float64{k.Coef0})), k.Degree)
	case kernel.Sum:
		sum, one := "", 0.0
		for _, t := range kernel.Terms(k) {
			if _, gaussian := t.Kernel.(kernel.Gaussian); gaussian {
				one += t.Weight
				continue
			}
			term := g.node("Mul", nil, g.self(t.Kernel, square, n), g.row([]float64{t.Weight}))
			if sum != "" {
				term = g.node("Add", nil, sum, term)
			}
			sum = term
		}
		if sum == "" { // a value for each row
			sum = g.node("MatMul", nil, square, g.constantColumn(n, 0))
		}
		return g.node("Add", nil, sum, g.row([]float64{one}))
	}
	return g.node("MatMul", nil, square, g.constantColumn(n, 1))
}

// selfRootsOf is √k(z,z) of training rows. It returns an error for one that is not above 0.
func selfRootsOf(k kernel.Kernel, z data.Matrix) ([]float64, error) {
	p, _ := z.Dims()
	roots := make([]float64, p)
	for i := range roots {
		self := kernel.Self(k, z, i)
		if !(self > 0) || math.IsInf(self, 1) {
			return nil, fmt.Errorf("the kernel of training node %d with itself is %g: normalising it needs a value "+
				"above 0", i+1, self)
		}
		roots[i] = math.Sqrt(self)
	}
	return roots, nil
}
