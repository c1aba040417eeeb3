package linalg

import "math"

// The inner loops in plain Go, for processors without assembly and for the build tag noasm. They
// also document what the assembly does.

func microGo(k, tiles int, a, b, c []float64, ldc int, overwrite bool) {
	for t := range tiles {
		tileGo(a[4*k*t:4*k*(t+1)], b[:4*k], c[4*ldc*t:], ldc, overwrite)
	}
}

func tileGo(a, b, c []float64, ldc int, overwrite bool) {
	var c00, c01, c02, c03, c10, c11, c12, c13, c20, c21, c22, c23, c30, c31, c32, c33 float64
	for len(a) >= 4 && len(b) >= 4 {
		a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
		b0, b1, b2, b3 := b[0], b[1], b[2], b[3]
		c00 += a0 * b0
		c01 += a0 * b1
		c02 += a0 * b2
		c03 += a0 * b3
		c10 += a1 * b0
		c11 += a1 * b1
		c12 += a1 * b2
		c13 += a1 * b3
		c20 += a2 * b0
		c21 += a2 * b1
		c22 += a2 * b2
		c23 += a2 * b3
		c30 += a3 * b0
		c31 += a3 * b1
		c32 += a3 * b2
		c33 += a3 * b3
		a, b = a[4:], b[4:]
	}
	if overwrite {
		for r := range 4 {
			clear(c[r*ldc:][:4])
		}
	}
	addRow4(c, c00, c01, c02, c03)
	addRow4(c[ldc:], c10, c11, c12, c13)
	addRow4(c[2*ldc:], c20, c21, c22, c23)
	addRow4(c[3*ldc:], c30, c31, c32, c33)
}

func addRow4(c []float64, c0, c1, c2, c3 float64) {
	c = c[:4]
	c[0] += c0
	c[1] += c1
	c[2] += c2
	c[3] += c3
}

func packRowsGo(dst []float64, w int, alpha float64, a []float64, lda, k int) {
	s0, s1, s2, s3 := rows4(a, lda, k)
	for kk, v := range s0 {
		d := dst[kk*w:][:4]
		d[0] = alpha * v
		d[1] = alpha * s1[kk]
		d[2] = alpha * s2[kk]
		d[3] = alpha * s3[kk]
	}
}

func packColumnsGo(dst []float64, w, next int, alpha float64, a []float64, lda, k, panels int) {
	for p := range panels {
		for kk := range k {
			to, from := dst[p*next+kk*w:][:w], a[kk*lda+p*w:][:w]
			for ; len(to) >= 4 && len(from) >= 4; to, from = to[4:], from[4:] {
				to[0], to[1], to[2], to[3] = alpha*from[0], alpha*from[1], alpha*from[2], alpha*from[3]
			}
		}
	}
}

func dotGo(x, y []float64) float64 {
	var s0, s1, s2, s3 float64
	y = y[:len(x)]
	for len(x) >= 4 && len(y) >= 4 {
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		s0 += v * y[i]
	}
	return (s0 + s1) + (s2 + s3)
}

func axpyGo(alpha float64, x, y []float64) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += alpha * v
	}
}

// rows4 are the four rows of length n that packRows, dot4, axpy4 and symv4 work on.
func rows4(a []float64, lda, n int) (a0, a1, a2, a3 []float64) {
	return a[:n], a[lda:][:n], a[2*lda:][:n], a[3*lda:][:n]
}

func dot4Go(alpha float64, a []float64, lda int, x, dst []float64) {
	a0, a1, a2, a3 := rows4(a, lda, len(x))
	s0, s1, s2, s3 := dotsGo(x, a0, a1, a2, a3)
	dst = dst[:4]
	dst[0] += alpha * s0
	dst[1] += alpha * s1
	dst[2] += alpha * s2
	dst[3] += alpha * s3
}

// dotsGo are the products of x with four rows.
func dotsGo(x, a0, a1, a2, a3 []float64) (s0, s1, s2, s3 float64) {
	a0, a1, a2, a3 = a0[:len(x)], a1[:len(x)], a2[:len(x)], a3[:len(x)]
	for j, v := range x {
		s0 += a0[j] * v
		s1 += a1[j] * v
		s2 += a2[j] * v
		s3 += a3[j] * v
	}
	return s0, s1, s2, s3
}

func axpy4Go(c0, c1, c2, c3 float64, a []float64, lda int, y []float64) {
	a0, a1, a2, a3 := rows4(a, lda, len(y))
	for j, v := range y {
		y[j] = v + (c0*a0[j] + c1*a1[j]) + (c2*a2[j] + c3*a3[j])
	}
}

func symv4Go(a []float64, lda int, x, y, coef, dst []float64) {
	a0, a1, a2, a3 := rows4(a, lda, len(x))
	y, coef, dst = y[:len(x)], coef[:4], dst[:4]
	c0, c1, c2, c3 := coef[0], coef[1], coef[2], coef[3]
	var s0, s1, s2, s3 float64
	for j, v := range x {
		b0, b1, b2, b3 := a0[j], a1[j], a2[j], a3[j]
		s0 += b0 * v
		s1 += b1 * v
		s2 += b2 * v
		s3 += b3 * v
		y[j] += (c0*b0 + c1*b1) + (c2*b2 + c3*b3)
	}
	dst[0] += s0
	dst[1] += s1
	dst[2] += s2
	dst[3] += s3
}

func addRowsGo(coef []float64, rows []int32, a []float64, stride int, y []float64) {
	for ; len(y) >= 4; a, y = a[4:], y[4:] { // four sums that stay in registers
		s0, s1, s2, s3 := y[0], y[1], y[2], y[3]
		for k, i := range rows {
			v, from := coef[k], int(i)*stride
			row := a[from : from+4 : from+4]
			s0 += v * row[0]
			s1 += v * row[1]
			s2 += v * row[2]
			s3 += v * row[3]
		}
		y[0], y[1], y[2], y[3] = s0, s1, s2, s3
		if len(y) == 4 {
			return
		}
	}
	for k, i := range rows {
		axpyGo(coef[k], a[int(i)*stride:][:len(y)], y)
	}
}

func dotRowsGo(x []float64, rows []int32, a []float64, stride int, dst []float64) {
	for k := 0; k < len(rows); k += 4 {
		row := func(r int) []float64 { return a[int(rows[k+r])*stride:] }
		dst[k], dst[k+1], dst[k+2], dst[k+3] = dotsGo(x, row(0), row(1), row(2), row(3))
	}
}

func expGo(dst, x []float64) {
	for i, v := range x {
		dst[i] = exp(v)
	}
}

// exp is math.Exp, which on some processors overflows too early, from 709.4
// on instead of 709.78.
func exp(x float64) float64 {
	if x > 709 {
		return math.Exp(x-1) * math.E
	}
	return math.Exp(x)
}

func gaussianRowGo(g, yn []float64, xn, gamma float64) {
	for j, v := range g {
		g[j] = exp(-gamma * max(0, xn+yn[j]-2*v))
	}
}

func sinCosGo(sin, cos, x []float64) {
	for i, v := range x {
		sin[i], cos[i] = math.Sincos(v)
	}
}

func pairMarginsGo(pivot, toward, lambda float64, of, dst, c, gap, blocks []float64, stride int) (least,
	squares float64) {
	n := len(gap)
	least = math.Inf(1)
	for g, ci := range of {
		block, dst := blocks[g*stride:], dst[g*n:][:n]
		mii, mij, mjj := block[:n], block[n:][:n], block[2*n:][:n]
		di, dj, margin := block[3*n:][:n], block[4*n:][:n], block[5*n:][:n]
		for k, cj := range c[:n] {
			// The conversions keep products from being fused with sums, so that equal rows have equal u and w.
			u, w := float64(mii[k]*ci)+float64(mij[k]*cj), float64(mjj[k]*cj)+float64(mij[k]*ci)
			reduced := pivot - ci*u - cj*w
			if reduced < lambda {
				reduced = lambda
			}
			dst[k] = margin[k] + (u-w)*(toward-ci*di[k]-cj*dj[k])/reduced
			if dst[k] < least {
				least = dst[k]
			}
			rest := gap[k] - dst[k]
			squares += rest * rest
		}
	}
	return least, squares
}

func pairSignsGo(p, r, ak, dk, yk, near float64, q, qi, qj, y, a, d []float64) (below int, close bool) {
	signs := uint64(0) // from bits, since branches on them are mispredicted
	qi, qj, y, a, d = qi[:len(q)], qj[:len(q)], y[:len(q)], a[:len(q)], d[:len(q)]
	for k, v := range q {
		v -= p*qi[k] + r*qj[k]
		c, al := y[k]-yk, a[k]
		f := v*(c*v+(al-ak)) - d[k]*(c*dk+ak) + dk*al
		signs += math.Float64bits(f) >> 63
		close = close || math.Abs(f) <= near
	}
	return int(signs), close
}

func curvesGo(x, panels []float64, knots int) float64 {
	var s0, s1, s2, s3 float64
	for len(panels) > 0 {
		var v [curveLanes]float64
		x = x[copy(v[:], x):]
		s0 += dotGo(v[:], panels[:curveLanes])
		panels = panels[curveLanes:]
		for range knots {
			t, w := (*[curveLanes]float64)(panels), (*[curveLanes]float64)(panels[curveLanes:])
			panels = panels[2*curveLanes:]
			for i := 0; i < curveLanes; i += 4 {
				s0 += w[i] * positive(v[i]-t[i])
				s1 += w[i+1] * positive(v[i+1]-t[i+1])
				s2 += w[i+2] * positive(v[i+2]-t[i+2])
				s3 += w[i+3] * positive(v[i+3]-t[i+3])
			}
		}
	}
	return (s0 + s1) + (s2 + s3)
}

// positive is max(d, 0) without a branch, which nothing could predict.
func positive(d float64) float64 {
	bits := math.Float64bits(d)
	return math.Float64frombits(bits &^ uint64(int64(bits)>>63))
}
