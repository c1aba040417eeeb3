// Package naive has the oracles: the definitions of pairrank's learners, written
// out over explicit pairs with dense elimination and honest retraining. It is
// slow on purpose, shares no code with what it checks, and is imported by tests
// only.
package naive

import (
	"fmt"
	"math"
)

// Pair asks for f_I − f_J = Target, with weight Weight.
type Pair struct {
	I, J           int
	Target, Weight float64
}

// Pairs lists the compared pairs of scored rows: rows i<j of the same query
// (query[i] == query[j]), by the names of package pref. A tied pair is in only
// with ties "include".
func Pairs(y []float64, query []int, cost, ties, weight string) []Pair {
	var pairs []Pair
	rows, count := map[int]float64{}, map[int]float64{}
	for i := range y {
		rows[query[i]]++
		for j := i + 1; j < len(y); j++ {
			if query[i] != query[j] || y[i] == y[j] && ties != "include" {
				continue
			}
			count[query[i]]++
			p := Pair{I: i, J: j, Target: y[i] - y[j], Weight: 1}
			switch cost {
			case "unit":
				p.Target = 1
				if y[i] < y[j] {
					p.Target = -1
				}
			case "relative":
				p.Weight = 1 / ((y[i] - y[j]) * (y[i] - y[j]))
			}
			pairs = append(pairs, p)
		}
	}
	for k := range pairs {
		q := query[pairs[k].I]
		switch weight {
		case "size":
			pairs[k].Weight /= rows[q]
		case "edges":
			pairs[k].Weight /= count[q]
		}
	}
	return pairs
}

// Dual minimises Σ w ((f_i−f_j) − target)² + λ‖f‖² over f = K a, by solving
// (LK + λI) a = r, and returns a and f. k is m×m row-major. With regression
// labels (pairs nil, y given) the cost is Σ (y_i−f_i)².
func Dual(k []float64, pairs []Pair, y []float64, lambda float64) (a, f []float64) {
	m := int(math.Sqrt(float64(len(k))))
	a2 := make([]float64, m*m)
	r := make([]float64, m)
	if pairs == nil && y != nil {
		copy(a2, k)
		copy(r, y)
	}
	for _, p := range pairs {
		for c := range m {
			d := p.Weight * (k[p.I*m+c] - k[p.J*m+c])
			a2[p.I*m+c] += d
			a2[p.J*m+c] -= d
		}
		r[p.I] += p.Weight * p.Target
		r[p.J] -= p.Weight * p.Target
	}
	for i := range m {
		a2[i*m+i] += lambda
	}
	a = Solve(a2, r)
	return a, mul(k, a, m)
}

// Primal minimises the same over f = X w by solving (XᵀLX + λI) w = Xᵀr from
// explicit difference vectors, and returns w and f. x is m×n row-major.
func Primal(x []float64, n int, pairs []Pair, y []float64, lambda float64) (w, f []float64) {
	m := 0
	if n > 0 {
		m = len(x) / n
	}
	s := make([]float64, n*n)
	b := make([]float64, n)
	add := func(row []float64, target, weight float64) {
		for i, u := range row {
			b[i] += weight * target * u
			for j, v := range row {
				s[i*n+j] += weight * u * v
			}
		}
	}
	if pairs == nil && y != nil {
		for i := range m {
			add(x[i*n:i*n+n], y[i], 1)
		}
	}
	diff := make([]float64, n)
	for _, p := range pairs {
		for c := range diff {
			diff[c] = x[p.I*n+c] - x[p.J*n+c]
		}
		add(diff, p.Target, p.Weight)
	}
	for i := range n {
		s[i*n+i] += lambda
	}
	w = Solve(s, b)
	f = make([]float64, m)
	for i := range f {
		for c, v := range w {
			f[i] += x[i*n+c] * v
		}
	}
	return w, f
}

func mul(k, a []float64, m int) []float64 {
	f := make([]float64, len(k)/m)
	for i := range f {
		for j, v := range a {
			f[i] += k[i*m+j] * v
		}
	}
	return f
}

// Solve is Gaussian elimination with partial pivoting, with the residual of the
// solution solved for twice more. It panics on a singular matrix.
func Solve(a, b []float64) []float64 {
	n := len(b)
	x := make([]float64, n)
	for range 3 {
		r := make([]float64, n)
		for i := range n {
			r[i] = b[i]
			for j, v := range x {
				r[i] = math.FMA(-a[i*n+j], v, r[i])
			}
		}
		for i, d := range eliminate(a, r) {
			x[i] += d
		}
	}
	return x
}

func eliminate(a, b []float64) []float64 {
	n := len(b)
	a = append([]float64(nil), a...)
	b = append([]float64(nil), b...)
	for c := range n {
		p := c
		for i := c + 1; i < n; i++ {
			if math.Abs(a[i*n+c]) > math.Abs(a[p*n+c]) {
				p = i
			}
		}
		if a[p*n+c] == 0 {
			panic(fmt.Sprintf("naive: singular at column %d", c))
		}
		for j := range n {
			a[c*n+j], a[p*n+j] = a[p*n+j], a[c*n+j]
		}
		b[c], b[p] = b[p], b[c]
		for i := c + 1; i < n; i++ {
			f := a[i*n+c] / a[c*n+c]
			for j := c; j < n; j++ {
				a[i*n+j] -= f * a[c*n+j]
			}
			b[i] -= f * b[c]
		}
	}
	for c := n - 1; c >= 0; c-- {
		for j := c + 1; j < n; j++ {
			b[c] -= a[c*n+j] * b[j]
		}
		b[c] /= a[c*n+c]
	}
	return b
}

// Submatrix is the rows × cols part of the m-column k.
func Submatrix(k []float64, m int, rows, cols []int) []float64 {
	s := make([]float64, 0, len(rows)*len(cols))
	for _, i := range rows {
		for _, j := range cols {
			s = append(s, k[i*m+j])
		}
	}
	return s
}

// Without lists 0…m−1 without the given indices.
func Without(m int, out []int) []int {
	skip := map[int]bool{}
	for _, i := range out {
		skip[i] = true
	}
	var in []int
	for i := range m {
		if !skip[i] {
			in = append(in, i)
		}
	}
	return in
}

// Pick is the elements of s at the given indices.
func Pick[T any](s []T, at []int) []T {
	out := make([]T, len(at))
	for k, i := range at {
		out[k] = s[i]
	}
	return out
}

// Disagreement is the share of the pairs with different labels within a query
// that f orders wrongly, a tie counting ½, and the number of those pairs.
func Disagreement(y, f []float64, query []int) (share float64, pairs int) {
	wrong := 0.0
	for i := range y {
		for j := range y {
			if query[i] == query[j] && y[i] > y[j] {
				pairs++
				switch {
				case f[i] < f[j]:
					wrong++
				case f[i] == f[j]:
					wrong += 0.5
				}
			}
		}
	}
	return wrong / float64(pairs), pairs
}
