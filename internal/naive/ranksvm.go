package naive

import "math"

// RankSVM minimises λ‖w‖² + Σ c_p max(0, 1 − ⟨w, x_i − x_j⟩)^p over the pairs of
// rows of one query with y_i > y_j, where c_p is 1/N or, with weight "edges",
// 1/(queries with a pair · pairs of the query). It solves the dual over explicit
// pairs by coordinate descent (Hsieh et al. 2008) until the duality gap is below
// gap times J, and returns w, J and the gap reached. x is m×n row-major.
func RankSVM(x []float64, n int, y []float64, query []int, weight string, squared bool,
	lambda, gap float64) (w []float64, j, reached float64) {
	z, c := differences(x, n, y, query, weight)
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

// differences is x_i − x_j and the weight of every pair with y_i > y_j.
func differences(x []float64, n int, y []float64, query []int, weight string) (z [][]float64, c []float64) {
	count := map[int]float64{}
	var of []int
	for i := range y {
		for j := range y {
			if query[i] != query[j] || !(y[i] > y[j]) {
				continue
			}
			row := make([]float64, n)
			for k := range row {
				row[k] = x[i*n+k] - x[j*n+k]
			}
			z, of = append(z, row), append(of, query[i])
			count[query[i]]++
		}
	}
	for _, q := range of {
		if weight == "edges" {
			c = append(c, 1/(float64(len(count))*count[q]))
		} else {
			c = append(c, 1/float64(len(z)))
		}
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
