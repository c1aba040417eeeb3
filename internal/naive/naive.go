// Package naive holds the oracles of tests: the definitions of pairrank's learners over explicit
// pairs, solved by dense elimination in extended precision, and retraining. It is slow on purpose
// and shares no code with the packages that it checks. Only tests import it.
package naive

import "math"

// Pair has the target f_I − f_J = Target, with weight Weight. With J below 0 it is f_I = Target.
type Pair struct {
	I, J           int
	Target, Weight float64
}

// Pairs lists the compared pairs of scored rows: rows i<j of the same query
// (query[i] == query[j]), by the names of package pref. A tied pair is in only
// with ties "include".
func Pairs(y []float64, query []int, cost, ties, weight string) []Pair {
	return WeightedPairs(y, query, nil, cost, ties, weight)
}

// WeightedRows lists the rows of a regression with weights.
func WeightedRows(y, weights []float64) []Pair {
	pairs := []Pair{}
	for i := range y {
		pairs = append(pairs, Pair{I: i, J: -1, Target: y[i], Weight: weights[i]})
	}
	return pairs
}

// WeightedPairs is Pairs of rows with weights, nil for 1 each: a pair counts their product.
func WeightedPairs(y []float64, query []int, weights []float64, cost, ties, weight string) []Pair {
	of := func(i int) float64 {
		if weights == nil {
			return 1
		}
		return weights[i]
	}
	var pairs []Pair
	for i := range y {
		for j := i + 1; j < len(y); j++ {
			if query[i] != query[j] || y[i] == y[j] && ties != "include" {
				continue
			}
			p := Pair{I: i, J: j, Target: y[i] - y[j], Weight: of(i) * of(j)}
			switch cost {
			case "unit":
				p.Target = 1
				if y[i] < y[j] {
					p.Target = -1
				}
			case "relative":
				p.Weight /= ((y[i] - y[j]) * (y[i] - y[j]))
			}
			pairs = append(pairs, p)
		}
	}
	return weighQueries(pairs, query, of, weight)
}

// weighQueries divides the weights of pairs by the number of rows or of pairs of their query; rows count as of says.
func weighQueries(pairs []Pair, query []int, of func(i int) float64, weight string) []Pair {
	rows, count := map[int]float64{}, map[int]float64{}
	for i, q := range query {
		rows[q] += of(i)
	}
	for _, p := range pairs {
		count[query[p.I]] += of(p.I) * of(p.J)
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
	lk := make([]extended, m*m)
	r := make([]extended, m)
	if pairs == nil && y != nil {
		for i, v := range k {
			lk[i] = wide(v)
		}
		for i, v := range y {
			r[i] = wide(v)
		}
	}
	for _, p := range pairs {
		w := wide(p.Weight)
		for c := range m {
			if p.J < 0 {
				lk[p.I*m+c] = lk[p.I*m+c].add(w.mul(wide(k[p.I*m+c])))
				continue
			}
			d := w.mul(wide(k[p.I*m+c]).add(wide(-k[p.J*m+c])))
			lk[p.I*m+c] = lk[p.I*m+c].add(d)
			lk[p.J*m+c] = lk[p.J*m+c].add(d.neg())
		}
		t := w.mul(wide(p.Target))
		if r[p.I] = r[p.I].add(t); p.J < 0 {
			continue
		}
		r[p.J] = r[p.J].add(t.neg())
	}
	for i := range m {
		lk[i*m+i] = lk[i*m+i].add(wide(lambda))
	}
	a = solve(lk, r)
	return a, Product(k, a)
}

// Primal minimises the same over f = X w by solving (XᵀLX + λI) w = Xᵀr from
// explicit difference vectors, and returns w and f. x is m×n row-major.
func Primal(x []float64, n int, pairs []Pair, y []float64, lambda float64) (w, f []float64) {
	s := make([]extended, n*n)
	b := make([]extended, n)
	add := func(row []extended, target, weight float64) {
		for i, u := range row {
			u = u.mul(wide(weight))
			b[i] = b[i].add(u.mul(wide(target)))
			for j, v := range row {
				s[i*n+j] = s[i*n+j].add(u.mul(v))
			}
		}
	}
	row := make([]extended, n)
	if pairs == nil {
		for i, t := range y {
			for c := range row {
				row[c] = wide(x[i*n+c])
			}
			add(row, t, 1)
		}
	}
	for _, p := range pairs {
		for c := range row {
			if row[c] = wide(x[p.I*n+c]); p.J >= 0 {
				row[c] = row[c].add(wide(-x[p.J*n+c]))
			}
		}
		add(row, p.Target, p.Weight)
	}
	for i := range n {
		s[i*n+i] = s[i*n+i].add(wide(lambda))
	}
	w = solve(s, b)
	return w, Product(x, w)
}

// Product is the matrix k, with as many columns as a has values, times a.
func Product(k, a []float64) []float64 {
	f := make([]float64, len(k)/len(a))
	for i := range f {
		sum := extended{}
		for j, v := range a {
			sum = sum.add(wide(k[i*len(a)+j]).mul(wide(v)))
		}
		f[i] = sum.hi
	}
	return f
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
