package naive

import (
	"fmt"
	"math"
)

// extended is an unevaluated sum hi + lo of two float64, about 32 digits: the
// oracle's own rounding must not be taken for a difference.
type extended struct{ hi, lo float64 }

func wide(v float64) extended { return extended{v, 0} }

func (a extended) add(b extended) extended {
	s := a.hi + b.hi
	t := s - a.hi
	e := (a.hi - (s - t)) + (b.hi - t) + a.lo + b.lo
	h := s + e
	return extended{h, e - (h - s)}
}

func (a extended) neg() extended { return extended{-a.hi, -a.lo} }

func (a extended) mul(b extended) extended {
	p := a.hi * b.hi
	e := math.FMA(a.hi, b.hi, -p) + a.hi*b.lo + a.lo*b.hi
	h := p + e
	return extended{h, e - (h - p)}
}

func (a extended) div(b extended) extended {
	q := wide(a.hi / b.hi)
	r := a.add(q.mul(b).neg())
	q = q.add(wide(r.hi / b.hi))
	r = a.add(q.mul(b).neg())
	return q.add(wide(r.hi / b.hi))
}

// solve is Gaussian elimination with partial pivoting. It destroys a, n×n, and
// b, and panics on a singular matrix.
func solve(a []extended, b []extended) []float64 {
	n := len(b)
	for c := range n {
		p := c
		for i := c + 1; i < n; i++ {
			if math.Abs(a[i*n+c].hi) > math.Abs(a[p*n+c].hi) {
				p = i
			}
		}
		if a[p*n+c].hi == 0 {
			panic(fmt.Sprintf("naive: singular at column %d", c))
		}
		for j := range n {
			a[c*n+j], a[p*n+j] = a[p*n+j], a[c*n+j]
		}
		b[c], b[p] = b[p], b[c]
		for i := c + 1; i < n; i++ {
			f := a[i*n+c].div(a[c*n+c]).neg()
			for j := c; j < n; j++ {
				a[i*n+j] = a[i*n+j].add(f.mul(a[c*n+j]))
			}
			b[i] = b[i].add(f.mul(b[c]))
		}
	}
	x := make([]float64, n)
	for c := n - 1; c >= 0; c-- {
		for j := c + 1; j < n; j++ {
			b[c] = b[c].add(a[c*n+j].mul(b[j]).neg())
		}
		b[c] = b[c].div(a[c*n+c])
		x[c] = b[c].hi
	}
	return x
}
