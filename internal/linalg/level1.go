package linalg

import "math"

// Dot returns Σ x[i] y[i]. It panics if y is shorter than x.
func Dot(x, y []float64) float64 { return active.dot(x, y[:len(x)]) }

// Axpy adds alpha x to y. It panics if y is shorter than x.
func Axpy(alpha float64, x, y []float64) { active.axpy(alpha, x, y[:len(x)]) }

// Scal multiplies x by alpha: x := alpha x.
func Scal(alpha float64, x []float64) {
	for i := range x {
		x[i] *= alpha
	}
}

// divideBy divides x by d: by a multiplication where 1/d is an ordinary number.
func divideBy(d float64, x []float64) {
	inverse := 1 / d
	if size := math.Abs(inverse); size >= smallestNormal && size <= math.MaxFloat64 {
		Scal(inverse, x)
		return
	}
	for i := range x {
		x[i] /= d
	}
}

// Sum returns Σ x[i], accumulated in eight interleaved partial sums; 0 for an empty x.
func Sum(x []float64) float64 {
	var s [8]float64
	for len(x) >= 8 {
		p := x[:8]
		s[0] += p[0]
		s[1] += p[1]
		s[2] += p[2]
		s[3] += p[3]
		s[4] += p[4]
		s[5] += p[5]
		s[6] += p[6]
		s[7] += p[7]
		x = x[8:]
	}
	for i, v := range x {
		s[i] += v
	}
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}

// Squares inside this range neither overflow nor lose digits to underflow
// when summed; outside it norms are taken of scaled vectors.
const (
	smallSquare = 1e-280
	largeSquare = 1e280
)

// smallestNormal is the least number with all its digits.
const smallestNormal = 0x1p-1022

// Nrm2 returns the Euclidean norm √Σ x[i]², without intermediate overflow or underflow; 0 for an
// empty x, NaN if an entry is NaN.
func Nrm2(x []float64) float64 {
	ss := Dot(x, x)
	if smallSquare < ss && ss < largeSquare {
		return math.Sqrt(ss)
	}
	largest := MaxAbs(x)
	if largest == 0 || math.IsInf(largest, 1) || math.IsNaN(largest) {
		return largest
	}
	_, exp := math.Frexp(largest)
	ss = 0
	for _, v := range x {
		v = math.Ldexp(v, -exp)
		ss += v * v
	}
	return math.Ldexp(math.Sqrt(ss), exp)
}

// MaxAbs is the largest |x[i]|, 0 for no elements, NaN if one is NaN.
func MaxAbs(x []float64) float64 {
	largest := 0.0
	for _, v := range x {
		largest = max(largest, math.Abs(v))
	}
	return largest
}

// Finite reports whether no x[i] is NaN or infinite.
func Finite(x []float64) bool {
	sum := 0.0
	for _, v := range x {
		sum += v * 0 // NaN unless v is finite
	}
	return sum == 0
}
