package naive

import "math/big"

// Rationals is a problem with a kernel matrix in rational numbers, so that equal held-out scores
// are exactly equal.
type Rationals struct {
	K     [][]*big.Rat // m×m
	Y     []*big.Rat
	Query []int // nil is regression on Y
	// Unit has the target ±1 of each pair, else it is the difference of the labels.
	Unit bool
	// Untied leaves out tied pairs.
	Untied bool
	// BySize divides the weights of a query by the number of its training rows.
	BySize bool
}

// Rational is a float64 as a ratio.
func Rational(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// PolynomialKernel is (γ⟨x,z⟩ + c)^d of rows of n features.
func PolynomialKernel(x []float64, n int, gamma, coef0 float64, degree int) [][]*big.Rat {
	m := len(x) / n
	k := make([][]*big.Rat, m)
	for i := range k {
		k[i] = make([]*big.Rat, m)
		for j := range k[i] {
			inner := new(big.Rat)
			for c := range n {
				inner.Add(inner, new(big.Rat).Mul(Rational(x[i*n+c]), Rational(x[j*n+c])))
			}
			inner.Mul(inner, Rational(gamma)).Add(inner, Rational(coef0))
			k[i][j] = new(big.Rat).SetInt64(1)
			for range degree {
				k[i][j].Mul(k[i][j], inner)
			}
		}
	}
	return k
}

// Scores trains on some rows by solving (LK + λI) a = r and returns f = Ka of others.
func (p *Rationals) Scores(train, held []int, lambda *big.Rat) []*big.Rat {
	l, r := p.laplacian(train)
	n := len(train)
	system := make([][]*big.Rat, n)
	for a := range system {
		system[a] = make([]*big.Rat, n+1)
		for b, j := range train {
			sum := new(big.Rat)
			for c, i := range train {
				if l[a][c].Sign() != 0 {
					sum.Add(sum, new(big.Rat).Mul(l[a][c], p.K[i][j]))
				}
			}
			if a == b {
				sum.Add(sum, lambda)
			}
			system[a][b] = sum
		}
		system[a][n] = r[a]
	}
	coef := eliminate(system)
	out := make([]*big.Rat, len(held))
	for b, h := range held {
		out[b] = new(big.Rat)
		for a, i := range train {
			out[b].Add(out[b], new(big.Rat).Mul(p.K[h][i], coef[a]))
		}
	}
	return out
}

// laplacian is L and r of the pairs of some rows, or of regression.
func (p *Rationals) laplacian(train []int) (l [][]*big.Rat, r []*big.Rat) {
	n := len(train)
	l, r = make([][]*big.Rat, n), make([]*big.Rat, n)
	rows := map[int]int64{}
	for a, i := range train {
		l[a], r[a] = make([]*big.Rat, n), new(big.Rat)
		for b := range l[a] {
			l[a][b] = new(big.Rat)
		}
		if p.Query == nil {
			l[a][a].SetInt64(1)
			r[a].Set(p.Y[i])
		} else {
			rows[p.Query[i]]++
		}
	}
	if p.Query == nil {
		return l, r
	}
	for a, i := range train {
		for b, j := range train {
			order := p.Y[i].Cmp(p.Y[j])
			if a == b || p.Query[i] != p.Query[j] || p.Untied && order == 0 {
				continue
			}
			weight, target := big.NewRat(1, 1), new(big.Rat).Sub(p.Y[i], p.Y[j])
			if p.BySize {
				weight.SetFrac64(1, rows[p.Query[i]])
			}
			if p.Unit {
				target.SetInt64(int64(order))
			}
			l[a][a].Add(l[a][a], weight)
			l[a][b].Sub(l[a][b], weight)
			r[a].Add(r[a], target.Mul(target, weight))
		}
	}
	return l, r
}

// eliminate solves a system whose rows end with the right side, by fraction-free
// elimination (Bareiss 1968, Sylvester's identity and multistep integer-preserving Gaussian
// elimination).
func eliminate(system [][]*big.Rat) []*big.Rat {
	n := len(system)
	a := make([][]*big.Int, n)
	for i, row := range system {
		common := big.NewInt(1)
		for _, v := range row {
			divisor := new(big.Int).GCD(nil, nil, common, v.Denom())
			common.Mul(common, new(big.Int).Quo(v.Denom(), divisor))
		}
		a[i] = make([]*big.Int, len(row))
		for j, v := range row {
			a[i][j] = new(big.Int).Mul(v.Num(), new(big.Int).Quo(common, v.Denom()))
		}
	}
	last := big.NewInt(1)
	for c := range n {
		p := c
		for p < n && a[p][c].Sign() == 0 {
			p++
		}
		if p == n {
			panic("naive: a singular system of rationals")
		}
		a[c], a[p] = a[p], a[c]
		for i := c + 1; i < n; i++ {
			for j := n; j >= c; j-- {
				v := new(big.Int).Mul(a[c][c], a[i][j])
				v.Sub(v, new(big.Int).Mul(a[i][c], a[c][j]))
				a[i][j] = v.Quo(v, last)
			}
		}
		last = a[c][c]
	}
	x := make([]*big.Rat, n)
	for i := n - 1; i >= 0; i-- {
		sum := new(big.Rat).SetInt(a[i][n])
		for j := i + 1; j < n; j++ {
			sum.Sub(sum, new(big.Rat).Mul(new(big.Rat).SetInt(a[i][j]), x[j]))
		}
		x[i] = sum.Quo(sum, new(big.Rat).SetInt(a[i][i]))
	}
	return x
}
