package naive

import "math"

// RankSVM minimises λ‖w‖² + Σ c_p max(0, 1 − ⟨w, x_i − x_j⟩)^p over pairs of unit cost, where c_p is the weight of a
// pair divided by the sum of all. It solves the dual over explicit
// pairs by coordinate descent (Hsieh et al. 2008) until the duality gap is below
// gap times J, and returns w, J and the gap reached. x is m×n row-major.
func RankSVM(x []float64, n int, pairs []Pair, squared bool, lambda, gap float64) (w []float64, j, reached float64) {
	z, c := differences(x, n, pairs)
	w, alpha := make([]float64, n), make([]float64, len(z))
	for pass := 0; ; pass++ {
		for p, row := range z {
			norm := inner(row, row)
			g, q := inner(w, row)-1, norm/(2*lambda)
			upper := c[p]
			if squared {
				g += alpha[p] / (2 * c[p])
				q += 1 / (2 * c[p])
				upper = math.Inf(1)
			}
			next := upper
			if q > 0 {
				next = min(max(alpha[p]-g/q, 0), upper)
			}
			for k, v := range row {
				w[k] += (next - alpha[p]) * v / (2 * lambda)
			}
			alpha[p] = next
		}
		primal, dual := lambda*inner(w, w), -lambda*inner(w, w)
		for p, row := range z {
			loss := max(0, 1-inner(w, row))
			dual += alpha[p]
			if squared {
				loss *= loss
				dual -= alpha[p] * alpha[p] / (4 * c[p])
			}
			primal += c[p] * loss
		}
		if reached = primal - dual; reached <= gap*primal || pass == 20_000 {
			return w, primal, reached
		}
	}
}

// RiskSVM returns Σ c_p max(0, 1 − ⟨w, x_i − x_j⟩)^p of RankSVM, and its gradient for the squared loss.
func RiskSVM(x []float64, n int, pairs []Pair, squared bool, w []float64) (risk float64, gradient []float64) {
	z, c := differences(x, n, pairs)
	gradient = make([]float64, n)
	for p, row := range z {
		loss := max(0, 1-inner(w, row))
		for k, v := range row {
			gradient[k] -= 2 * c[p] * loss * v
		}
		if squared {
			loss *= loss
		}
		risk += c[p] * loss
	}
	return risk, gradient
}

// differences is x_i − x_j of every pair, i the better row, and its share of all weights.
func differences(x []float64, n int, pairs []Pair) (z [][]float64, c []float64) {
	total := 0.0
	for _, p := range pairs {
		if p.Target < 0 {
			p.I, p.J = p.J, p.I
		}
		row := make([]float64, n)
		for k := range row {
			row[k] = x[p.I*n+k] - x[p.J*n+k]
		}
		z, c = append(z, row), append(c, p.Weight)
		total += p.Weight
	}
	for p := range c {
		c[p] /= total
	}
	return z, c
}

func inner(x, y []float64) float64 {
	sum := 0.0
	for k, v := range x {
		sum += v * y[k]
	}
	return sum
}
