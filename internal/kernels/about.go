package kernels

import (
	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/numeral"
	"pairrank/internal/parallel"
	"pairrank/kernel"
)

// AboutPoint is a polynomial kernel about a point z,
//
//	k(x,y) − k(x,z) − k(z,y) + k(z,z)
//
// computed without the digits that the difference of its parts would lose where rows are far from 0 and alike.
// A learner whose coefficients sum to 0, such as RankRLS, learns the same function from both but for a constant, which
// Beside has. Its String is that of the polynomial kernel.
type AboutPoint struct {
	kernel.Polynomial
	at    []float64
	value float64 // u = γ⟨z,z⟩ + c
}

// About returns k about a point.
func About(k kernel.Polynomial, at []float64) *AboutPoint {
	return &AboutPoint{k, at, k.Gamma*linalg.Dot(at, at) + k.Coef0}
}

// Size is k(z,z).
func (k *AboutPoint) Size() float64 { return numeral.Power(k.value, k.Degree) }

// MatrixTo is that of Kernel. It costs a copy of dense rows, and degree² multiplications for each value.
func (k *AboutPoint) MatrixTo(dst *data.Dense, a, b data.Matrix) {
	rows, first := k.moved(a)
	others, second := rows, first
	if a != b {
		others, second = k.moved(b)
	}
	kernel.Linear{}.MatrixTo(dst, rows, others)
	parallel.For(dst.Rows, func(_, i int) {
		row := dst.Row(i)
		for j, v := range row {
			row[j] = k.mixed(first[i], second[j]) + k.step(k.value+first[i]+second[j], k.Gamma*v)
		}
	})
}

// moved are rows less the point, and γ times their inner products with it.
func (k *AboutPoint) moved(x data.Matrix) (*data.Dense, []float64) {
	rows := data.ToDense(data.Clone(x))
	along := make([]float64, rows.Rows)
	for i := range along {
		row := rows.Row(i)
		for j, v := range k.at {
			row[j] -= v
		}
		along[i] = k.Gamma * linalg.Dot(row, k.at)
	}
	return rows, along
}

// Beside is k(x_i,z) − k(z,z) of each row.
func (k *AboutPoint) Beside(x data.Matrix) []float64 {
	_, along := k.moved(x)
	for i, a := range along {
		along[i] = k.step(k.value, a)
	}
	return along
}

// step is (u + e)^d − u^d = e Σ (u + e)^i u^(d−1−i).
func (k *AboutPoint) step(u, e float64) float64 {
	sum := 0.0
	for i := range k.Degree {
		sum += numeral.Power(u+e, i) * numeral.Power(u, k.Degree-1-i)
	}
	return e * sum
}

// mixed is (u + a + b)^d − (u + a)^d − (u + b)^d + u^d = Σ_{i,j ≥ 1} d!/(i! j! (d−i−j)!) a^i b^j u^(d−i−j).
func (k *AboutPoint) mixed(a, b float64) float64 {
	sum, of := 0.0, 1.0 // of is the binomial coefficient of d and i
	for i := 1; i < k.Degree; i++ {
		of *= float64(k.Degree-i+1) / float64(i)
		rest := k.Degree - i
		among := of
		for j := 1; j <= rest; j++ {
			among *= float64(rest-j+1) / float64(j)
			sum += among * numeral.Power(a, i) * numeral.Power(b, j) * numeral.Power(k.value, rest-j)
		}
	}
	return sum
}
