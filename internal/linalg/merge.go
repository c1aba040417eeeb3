package linalg

import (
	"math"

	"pairrank/internal/parallel"
)

// Where an eigenvector of a merge has its non-zeros: in the columns of the
// first half, in both after a deflating rotation, or in the second half.
const (
	firstHalf = iota
	bothHalves
	secondHalf
)

// merging joins the solved blocks [lo,mid) and [mid,hi) of a torn matrix. In
// the basis of their eigenvectors it is diag(d) + rho z zᵀ.
type merging struct {
	d     []float64 // old, then new eigenvalues
	v     Mat       // old, then new eigenvectors, rows
	n1, n int
	z     []float64
	rho   float64
	half  []byte
	keep  []int // the indices that take part, d ascending
	gone  []int // the deflated ones: their eigenpairs stay
	count [3]int
	place []int // the column of U for each kept index: first half, both, second
	wide  bool  // use all cores
	rows  []float64
	u     Mat // row j is eigenvector j of the rank-one problem
}

func (t *divider) merge(lo, mid, hi int, wide bool) {
	n := hi - lo
	total := len(t.d)
	m := merging{
		d: t.d[lo:hi], v: t.v.Slice(lo, hi, lo, hi), n1: mid - lo, n: n, wide: wide,
		rows: t.rows[lo*total:][:n*n],
	}
	m.tear(t.e[mid-1])
	m.deflate()
	lambda := make([]float64, n)
	if k := len(m.keep); k > 0 {
		m.u, _ = matIn(t.u[lo*total:], k, k)
		m.arrange()
		m.rankOne(lambda[:k])
		m.multiply()
	}
	m.finish(lambda)
}

// tear sets up z and rho from the off-diagonal entry that was removed.
func (m *merging) tear(beta float64) {
	m.z = make([]float64, m.n)
	m.half = make([]byte, m.n)
	for i := range m.n {
		if i < m.n1 {
			m.z[i] = m.v.Row(i)[m.n1-1] / math.Sqrt2
		} else {
			m.z[i] = math.Copysign(1, beta) * m.v.Row(i)[m.n1] / math.Sqrt2
			m.half[i] = secondHalf
		}
	}
	m.rho = 2 * math.Abs(beta)
}

// deflate finds the eigenpairs that the merge does not change: those with a
// negligible z, and, after a rotation, one of two with close eigenvalues.
func (m *merging) deflate() {
	order := make([]int, m.n)
	ascending(order, m.d)
	zmax := MaxAbs(m.z)
	tol := 4 * epsilon * max(MaxAbs(m.d), zmax)
	if m.rho*zmax <= tol {
		m.gone = order
		return
	}
	m.keep, m.gone = make([]int, 0, m.n), make([]int, 0, m.n)
	last := -1 // the latest candidate; what follows may still deflate it
	for _, i := range order {
		switch {
		case m.rho*math.Abs(m.z[i]) <= tol:
			m.gone = append(m.gone, i)
			continue
		case last >= 0 && m.rotate(last, i, tol):
			m.gone = append(m.gone, last)
		case last >= 0:
			m.keep = append(m.keep, last)
		}
		last = i
	}
	if last >= 0 {
		m.keep = append(m.keep, last)
	}
}

// rotate moves all of z[p] to z[i] if that disturbs the matrix by at most tol.
func (m *merging) rotate(p, i int, tol float64) bool {
	r := math.Hypot(m.z[i], m.z[p])
	c, s := m.z[i]/r, -m.z[p]/r
	if math.Abs((m.d[i]-m.d[p])*c*s) > tol {
		return false
	}
	m.z[i], m.z[p] = r, 0
	if m.half[i] != m.half[p] {
		m.half[i], m.half[p] = bothHalves, bothHalves
	}
	rotateRows(m.v.Row(p), m.v.Row(i), c, s)
	dp, di := m.d[p], m.d[i]
	m.d[p], m.d[i] = dp*c*c+di*s*s, dp*s*s+di*c*c
	return true
}

// arrange groups the kept indices by half, so that the zeros of the old
// eigenvectors are skipped when they are multiplied.
func (m *merging) arrange() {
	for _, i := range m.keep {
		m.count[m.half[i]]++
	}
	next := [3]int{0, m.count[firstHalf], m.count[firstHalf] + m.count[bothHalves]}
	m.place = make([]int, len(m.keep))
	for a, i := range m.keep {
		m.place[a] = next[m.half[i]]
		next[m.half[i]]++
	}
}

// rankOne solves the problem diag(d) + rho z zᵀ of the kept indices: the
// eigenvalues and, in m.u, the eigenvectors, their entries arranged. These
// are computed from the z for which the rounded eigenvalues are exact, which
// makes them orthogonal to working accuracy (Gu and Eisenstat 1994).
func (m *merging) rankOne(lambda []float64) {
	k := len(m.keep)
	eq := secular{d: make([]float64, k), z2: make([]float64, k), rho: m.rho}
	for a, i := range m.keep {
		eq.d[a], eq.z2[a] = m.d[i], m.z[i]*m.z[i]
		eq.sum += eq.z2[a]
	}
	workers := 1
	if m.wide {
		workers = parallel.Workers()
	}
	m.chunks(workers, k, 16, func(lo, hi int) {
		for j := lo; j < hi; j++ {
			lambda[j] = eq.root(j, m.u.Row(j))
		}
	})
	z := make([]float64, k)
	m.chunks(workers, k, 64, func(lo, hi int) { m.exactZ(z, eq.d, lo, hi) })
	m.chunks(workers, k, 16, func(lo, hi int) {
		row := borrow(k)
		for j := lo; j < hi; j++ {
			m.vector(m.u.Row(j), z, *row)
		}
		giveBack(row)
	})
}

func (m *merging) chunks(workers, n, size int, body func(lo, hi int)) {
	parallel.ForWorkers(workers, (n+size-1)/size, func(_, q int) {
		body(q*size, min(n, (q+1)*size))
	})
}

// exactZ writes the entries [lo,hi) of the z that belongs to the computed
// eigenvalues: z_i² = Π_j (λ_j-d_i) / Π_{j≠i} (d_j-d_i).
func (m *merging) exactZ(z, d []float64, lo, hi int) {
	for i := lo; i < hi; i++ {
		z[i] = -m.u.Row(i)[i]
	}
	for j, dj := range d {
		u := m.u.Row(j)
		for i := lo; i < min(j, hi); i++ {
			z[i] *= u[i] / (d[i] - dj)
		}
		for i := max(lo, j+1); i < hi; i++ {
			z[i] *= u[i] / (d[i] - dj)
		}
	}
	for i := lo; i < hi; i++ {
		z[i] = math.Copysign(math.Sqrt(math.Abs(z[i])), m.z[m.keep[i]])
	}
}

// vector turns the distances u_i = d_i - λ into the unit eigenvector of λ.
func (m *merging) vector(u, z, row []float64) {
	ss := 0.0
	for i, v := range u {
		v = z[i] / v
		row[i] = v
		ss += v * v
	}
	inv := 1 / math.Sqrt(ss)
	for i, v := range row {
		u[m.place[i]] = v * inv
	}
}

// multiply forms the new eigenvectors from the old ones.
func (m *merging) multiply() {
	k := len(m.keep)
	k1, k12 := m.count[firstHalf], m.count[firstHalf]+m.count[bothHalves]
	n1, n2 := m.n1, m.n-m.n1
	p := borrow(k12*n1 + (k-k1)*n2)
	left, rest := matIn(*p, k12, n1)
	right, _ := matIn(rest, k-k1, n2)
	for a, i := range m.keep {
		if m.half[i] != secondHalf {
			copy(left.Row(m.place[a]), m.v.Row(i)[:n1])
		}
		if m.half[i] != firstHalf {
			copy(right.Row(m.place[a]-k1), m.v.Row(i)[n1:])
		}
	}
	rows, _ := matIn(m.rows, k, m.n)
	m.product(m.u.Slice(0, k, 0, k12), left, rows.Slice(0, k, 0, n1))
	m.product(m.u.Slice(0, k, k1, k), right, rows.Slice(0, k, n1, m.n))
	giveBack(p)
}

// product is C := AB, on all cores if the merge may use them.
func (m *merging) product(a, b, c Mat) {
	p := product{
		m: a.Rows, n: b.Cols, k: a.Cols, alpha: 1,
		a: operandOf(a, NoTrans), b: operandOf(b, T), c: c.Data, ldc: c.Stride,
	}
	if m.wide {
		p.run()
	} else {
		p.serial()
	}
}

// finish puts the new and the deflated eigenpairs in ascending order.
func (m *merging) finish(lambda []float64) {
	k := len(m.keep)
	rows, _ := matIn(m.rows, m.n, m.n)
	for a, i := range m.gone {
		copy(rows.Row(k+a), m.v.Row(i))
		lambda[k+a] = m.d[i]
	}
	order := make([]int, m.n)
	ascending(order, lambda)
	for i, a := range order {
		m.d[i] = lambda[a]
		copy(m.v.Row(i), rows.Row(a))
	}
}
