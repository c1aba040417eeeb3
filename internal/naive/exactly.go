package naive

import (
	"fmt"
	"math/big"
)

// digits is the precision in bits, enough for λ and features of any sizes:
// it spans the squares of all numbers.
const digits = 4096

func exact(v float64) *big.Float { return new(big.Float).SetPrec(digits).SetFloat64(v) }

// plus adds x y to sum.
func plus(sum, x, y *big.Float) { sum.Add(sum, new(big.Float).SetPrec(digits).Mul(x, y)) }

// Subset minimises Σ w ((f_i−f_j) − target)² + λ‖f‖² over the span of the linear
// kernel with the basis rows, f = X w with w = X_Bᵀ a and ‖f‖ = ‖w‖, by solving
// (DᵀD + λK_BB) a = Dᵀt in 4096 bits, exactly for the purpose, where D has the differences of K_mB over the
// pairs. It returns w. x is m×n row-major, and the basis rows are independent.
func Subset(x []float64, n int, basis []int, pairs []Pair, lambda float64) []float64 {
	row := func(i int) []*big.Float {
		out := make([]*big.Float, n)
		for c := range out {
			out[c] = exact(x[i*n+c])
		}
		return out
	}
	inner := func(u, v []*big.Float) *big.Float {
		sum := exact(0)
		for c := range u {
			plus(sum, u[c], v[c])
		}
		return sum
	}
	b := len(basis)
	points, a, t := make([][]*big.Float, b), make([][]*big.Float, b), make([]*big.Float, b)
	for k, i := range basis {
		points[k], a[k], t[k] = row(i), make([]*big.Float, b), exact(0)
	}
	for k := range a {
		for l := range a {
			a[k][l] = new(big.Float).Mul(exact(lambda), inner(points[k], points[l]))
		}
	}
	d := make([]*big.Float, b)
	for _, p := range pairs {
		apart := row(p.I)
		for c, v := range row(p.J) {
			apart[c].Sub(apart[c], v)
		}
		for k := range d {
			d[k] = inner(apart, points[k])
		}
		for k := range d {
			weighted := new(big.Float).Mul(d[k], exact(p.Weight))
			plus(t[k], weighted, exact(p.Target))
			for l := range d {
				plus(a[k][l], weighted, d[l])
			}
		}
	}
	solveExactly(a, t)
	w := make([]float64, n)
	for c := range w {
		sum := exact(0)
		for k := range points {
			plus(sum, t[k], points[k][c])
		}
		w[c], _ = sum.Float64()
	}
	return w
}

// solveExactly replaces t by a⁻¹ t, by Gaussian elimination with partial
// pivoting. It destroys a, and panics on a singular matrix.
func solveExactly(a [][]*big.Float, t []*big.Float) {
	n := len(t)
	factor := func(i, c int) *big.Float { return new(big.Float).Neg(new(big.Float).Quo(a[i][c], a[c][c])) }
	for c := range n {
		p := c
		for i := c + 1; i < n; i++ {
			if new(big.Float).Abs(a[i][c]).Cmp(new(big.Float).Abs(a[p][c])) > 0 {
				p = i
			}
		}
		if a[p][c].Sign() == 0 {
			panic(fmt.Sprintf("naive: singular at column %d", c))
		}
		a[c], a[p], t[c], t[p] = a[p], a[c], t[p], t[c]
		for i := c + 1; i < n; i++ {
			f := factor(i, c)
			for j := c; j < n; j++ {
				plus(a[i][j], f, a[c][j])
			}
			plus(t[i], f, t[c])
		}
	}
	for c := n - 1; c >= 0; c-- {
		for j := c + 1; j < n; j++ {
			plus(t[c], new(big.Float).Neg(a[c][j]), t[j])
		}
		t[c].Quo(t[c], a[c][c])
	}
}

// PrimalExactly is Primal in 4096 bits, exactly for the purpose; it returns w.
func PrimalExactly(x []float64, n int, pairs []Pair, y []float64, lambda float64) []float64 {
	a, t := make([][]*big.Float, n), make([]*big.Float, n)
	for c := range a {
		a[c], t[c] = make([]*big.Float, n), exact(0)
		for d := range a[c] {
			a[c][d] = exact(0)
		}
		a[c][c] = exact(lambda)
	}
	add := func(row []*big.Float, target, weight float64) {
		for c := range row {
			weighted := new(big.Float).Mul(row[c], exact(weight))
			plus(t[c], weighted, exact(target))
			for d := range row {
				plus(a[c][d], weighted, row[d])
			}
		}
	}
	row := func(i, j int) []*big.Float { // less row j, where there is one
		out := make([]*big.Float, n)
		for c := range out {
			if out[c] = exact(x[i*n+c]); j >= 0 {
				out[c].Sub(out[c], exact(x[j*n+c]))
			}
		}
		return out
	}
	if pairs == nil {
		for i, target := range y {
			add(row(i, -1), target, 1)
		}
	}
	for _, p := range pairs {
		add(row(p.I, p.J), p.Target, p.Weight)
	}
	solveExactly(a, t)
	w := make([]float64, n)
	for c := range w {
		w[c], _ = t[c].Float64()
	}
	return w
}

// GaussianExactly is the Gaussian kernel matrix of the m rows of x, m×n row-major, of 4096 bits.
func GaussianExactly(x []float64, n int, gamma float64) [][]*big.Float {
	m := len(x) / n
	return kernelExactly(m, func(i, j int) *big.Float {
		d := exact(0)
		for c := range n {
			apart := new(big.Float).Sub(exact(x[i*n+c]), exact(x[j*n+c]))
			plus(d, apart, apart)
		}
		d.Mul(d, exact(-gamma))
		sum, term := exact(1), exact(1)
		for k := 1; term.Sign() != 0 && term.MantExp(nil) > -digits; k++ {
			term.Mul(term, d)
			term.Quo(term, exact(float64(k)))
			sum.Add(sum, term)
		}
		return sum
	})
}

// PolynomialExactly is the matrix of (γ⟨x,z⟩ + coef0)^degree, of 4096 bits; of degree 1 and
// coef0 0 it is the linear kernel.
func PolynomialExactly(x []float64, n int, gamma, coef0 float64, degree int) [][]*big.Float {
	m := len(x) / n
	return kernelExactly(m, func(i, j int) *big.Float {
		u := exact(0)
		for c := range n {
			plus(u, exact(x[i*n+c]), exact(x[j*n+c]))
		}
		u.Mul(u, exact(gamma))
		u.Add(u, exact(coef0))
		power := exact(1)
		for range degree {
			power.Mul(power, u)
		}
		return power
	})
}

func kernelExactly(m int, k func(i, j int) *big.Float) [][]*big.Float {
	matrix := make([][]*big.Float, m)
	for i := range matrix {
		matrix[i] = make([]*big.Float, m)
		for j := range m {
			matrix[i][j] = k(i, j)
		}
	}
	return matrix
}

// ListExactly trains on the rows listed, which are one list all of whose pairs are compared, and returns
// the scores of the others listed: f = K a with (LK + λI) a = Ly for L = mI − 11ᵀ, exactly for the purpose.
func ListExactly(k [][]*big.Float, y []float64, train, test []int, lambda float64) []float64 {
	a, t := make([][]*big.Float, len(train)), make([]*big.Float, len(train))
	for p, i := range train {
		a[p], t[p] = make([]*big.Float, len(train)), exact(0)
		for q, j := range train {
			plus(t[p], exact(1), new(big.Float).Sub(exact(y[i]), exact(y[j])))
			sum := exact(0)
			for _, h := range train {
				plus(sum, exact(1), new(big.Float).Sub(k[i][j], k[h][j]))
			}
			if p == q {
				sum.Add(sum, exact(lambda))
			}
			a[p][q] = sum
		}
	}
	solveExactly(a, t)
	f := make([]float64, len(test))
	for p, i := range test {
		sum := exact(0)
		for q, j := range train {
			plus(sum, k[i][j], t[q])
		}
		f[p], _ = sum.Float64()
	}
	return f
}
