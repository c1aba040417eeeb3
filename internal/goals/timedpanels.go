package goals

// panelRows is the number of rows of a panel.
const panelRows = 256

// TimedPanel is some rows x of a component, less their mean in it, in descending order of their levels, with the rows
// of Q = DX − S and of S: the diagonal d of L, and w_i times the sum over the a_j x_j of later levels, so that XᵀLX is
// the sum of XᵀQ − SᵀX over all panels. X, Q and S are n×k.
type TimedPanel struct {
	Rows    []int32
	X, Q, S []float64
}

// Panels calls f with the panels of a matrix of k columns, of which rowTo copies a row, in O(mk) and without a copy of
// it. f must not keep a panel.
func (t *Timed) Panels(k int, rowTo func(dst []float64, i int32), f func(p *TimedPanel)) {
	size := min(panelRows, t.Dim()) * k
	p := &TimedPanel{Rows: make([]int32, 0, panelRows)}
	x, q, s := make([]float64, size), make([]float64, size), make([]float64, size)
	mean, later, level := make([]float64, k), make([]float64, k), make([]float64, k)
	end := func() {
		n := len(p.Rows) * k
		p.X, p.Q, p.S = x[:n], q[:n], s[:n]
		f(p)
		p.Rows = p.Rows[:0]
	}
	for part := range t.parts.Len() {
		first, last := t.parts.Bounds[part], t.parts.Bounds[part+1]
		if last-first == 1 {
			continue
		}
		clear(mean)
		clear(later)
		for _, i := range t.parts.Part(part) {
			row := x[len(p.Rows)*k:][:k]
			rowTo(row, i)
			for c, v := range row {
				mean[c] += v / float64(last-first)
			}
		}
		for b := last; b > first; {
			a := t.levelFrom(first, b)
			clear(level)
			for at := b - 1; at >= a; at-- {
				n := len(p.Rows)
				xi, qi, si := x[n*k:][:k], q[n*k:][:k], s[n*k:][:k]
				i, w, mass := t.order[at], t.weight[at], t.mass[at]
				rowTo(xi, i)
				d := t.diag[i]
				for c, v := range xi {
					v -= mean[c]
					xi[c], si[c], qi[c] = v, w*later[c], d*v-w*later[c]
					level[c] += mass * v
				}
				if p.Rows = append(p.Rows, i); len(p.Rows) == panelRows {
					end()
				}
			}
			for c, v := range level {
				later[c] += v
			}
			b = a
		}
	}
	if len(p.Rows) > 0 {
		end()
	}
}
