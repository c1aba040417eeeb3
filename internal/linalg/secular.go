package linalg

import "math"

// secular is the equation f(λ) = 1/ρ + Σ z_i²/(d_i-λ) = 0 whose roots are the
// eigenvalues of diag(d) + ρ z zᵀ, ρ > 0, d ascending. Root j lies between
// d_j and d_{j+1}, the last one beyond the last pole.
type secular struct {
	d, z2 []float64
	rho   float64
	sum   float64 // Σ z2
}

// rootSearch looks for one root. λ is kept as a distance mu from the nearer
// pole, origin, so that the distances to the poles keep all their digits.
type rootSearch struct {
	secular
	j          int
	origin     float64
	lo, hi, mu float64
}

// secularValue is f at a point, split at the pole j, with the derivatives of
// the two halves and a bound of the rounding error of f.
type secularValue struct {
	f, left, right float64 // the halves' derivatives
	bound          float64
}

const rootSteps = 100 // a bisection would need fewer

// root finds root j and writes d_i - λ to delta, each to full relative
// accuracy. (Li, Solving secular equations stably and efficiently, LAPACK
// working note 89, 1993: two poles are fitted exactly and the rest frozen;
// a bracket guards every step.)
func (s secular) root(j int, delta []float64) float64 {
	r := rootSearch{secular: s, j: j}
	if len(s.d) == 1 {
		r.origin, r.mu = s.d[0], s.rho*s.z2[0]
	} else {
		if j == len(s.d)-1 {
			r.startLast()
		} else {
			r.startInner()
		}
		r.iterate()
	}
	for i, v := range s.d {
		delta[i] = (v - r.origin) - r.mu
	}
	return r.origin + r.mu
}

func (r *rootSearch) eval() secularValue {
	d, z2 := r.d, r.z2[:len(r.d)]
	var psi, dpsi, phi, dphi float64
	for i := 0; i <= r.j; i++ {
		t := 1 / ((d[i] - r.origin) - r.mu)
		q := z2[i] * t
		psi += q
		dpsi += q * t
	}
	for i := len(d) - 1; i > r.j; i-- {
		t := 1 / ((d[i] - r.origin) - r.mu)
		q := z2[i] * t
		phi += q
		dphi += q * t
	}
	rinv := 1 / r.rho
	return secularValue{
		f: rinv + psi + phi, left: dpsi, right: dphi,
		bound: epsilon * (9*(phi-psi) + rinv + math.Abs(r.mu)*(dpsi+dphi)),
	}
}

// startLast brackets the last root; the first guess fits the two last poles.
func (r *rootSearch) startLast() {
	k := len(r.d)
	r.origin = r.d[k-1]
	r.lo, r.hi = 0, r.rho*r.sum
	r.hi += 4 * epsilon * r.hi
	r.mu = r.hi / 2
	f := r.eval().f
	gap, mu, za, zb := r.d[k-1]-r.d[k-2], r.mu, r.z2[k-2], r.z2[k-1]
	c := f + za/(gap+mu) + zb/mu
	if f < 0 {
		r.lo = mu
	} else {
		r.hi = mu
	}
	if m := positiveRoot(c, c*gap-za-zb, -zb*gap); m > r.lo && m < r.hi {
		r.mu = m
	}
}

// startInner decides which half of the interval holds the root and takes the
// pole on that side as origin.
func (r *rootSearch) startInner() {
	d, j := r.d, r.j
	gap := d[j+1] - d[j]
	mid := gap / 2
	r.origin, r.mu = d[j], mid
	f := r.eval().f
	za, zb := r.z2[j], r.z2[j+1]
	c := f + za/mid - zb/(gap-mid)
	if f >= 0 {
		r.lo, r.hi = 0, mid
		r.mu = rootBetween(c, -(c*gap + za + zb), za*gap, r.lo, r.hi)
	} else {
		r.origin = d[j+1]
		r.lo, r.hi = -mid, 0
		r.mu = rootBetween(c, c*gap-za-zb, -zb*gap, r.lo, r.hi)
	}
}

func (r *rootSearch) iterate() {
	for it := range rootSteps {
		v := r.eval()
		if math.Abs(v.f) <= v.bound {
			return
		}
		if v.f < 0 {
			r.lo = r.mu
		} else {
			r.hi = r.mu
		}
		if r.hi-r.lo <= 2*epsilon*max(math.Abs(r.lo), math.Abs(r.hi)) {
			return
		}
		next := r.mu + r.step(v, it)
		if !r.inside(next) {
			next = r.split()
		}
		if !r.inside(next) || next == r.mu {
			return
		}
		r.mu = next
	}
}

func (r *rootSearch) inside(mu float64) bool { return mu > r.lo && mu < r.hi }

// step is the distance to the root of the rational function that has the
// value and slopes of f.
func (r *rootSearch) step(v secularValue, it int) float64 {
	d, j := r.d, r.j
	dl := (d[j] - r.origin) - r.mu
	if j == len(d)-1 {
		c := v.f - dl*v.left
		if c > 0 {
			return dl + dl*dl*v.left/c
		}
		return -v.f / v.left
	}
	dr := (d[j+1] - r.origin) - r.mu
	slope := v.left + v.right
	a := (dl+dr)*v.f - dl*dr*slope
	b := dl * dr * v.f
	c := v.f - dl*v.left - dr*v.right
	if it%3 == 2 { // the nearer pole alone, now and then
		if r.origin == d[j] {
			c = v.f - dr*slope - (d[j]-d[j+1])*r.z2[j]/(dl*dl)
		} else {
			c = v.f - dl*slope - (d[j+1]-d[j])*r.z2[j+1]/(dr*dr)
		}
	}
	root := math.Sqrt(max(0, a*a-4*b*c))
	var eta float64
	switch {
	case c == 0:
		eta = b / a
	case a <= 0:
		eta = (a - root) / (2 * c)
	default:
		eta = 2 * b / (a + root)
	}
	if v.f*eta >= 0 || eta != eta { // the wrong way: Newton
		return -v.f / slope
	}
	return eta
}

// split cuts the bracket, geometrically where its ends differ in magnitude.
func (r *rootSearch) split() float64 {
	lo, hi := r.lo, r.hi
	switch {
	case lo > 0 && hi > 4*lo:
		return math.Sqrt(lo) * math.Sqrt(hi)
	case hi < 0 && lo < 4*hi:
		return -math.Sqrt(-lo) * math.Sqrt(-hi)
	case lo == 0:
		return hi / 64
	case hi == 0:
		return lo / 64
	}
	return (lo + hi) / 2
}

// positiveRoot is the positive root of c m² + b m + q = 0, q < 0, or NaN.
func positiveRoot(c, b, q float64) float64 {
	root := math.Sqrt(max(0, b*b-4*c*q))
	if b > 0 {
		return -2 * q / (b + root)
	}
	if c == 0 {
		return math.NaN()
	}
	return (-b + root) / (2 * c)
}

// rootBetween is a root of c m² + b m + q inside (lo,hi), or the middle.
func rootBetween(c, b, q, lo, hi float64) float64 {
	root := math.Sqrt(max(0, b*b-4*c*q))
	t := -0.5 * (b + math.Copysign(root, b))
	if m := q / t; m > lo && m < hi {
		return m
	}
	if m := t / c; m > lo && m < hi {
		return m
	}
	return (lo + hi) / 2
}
