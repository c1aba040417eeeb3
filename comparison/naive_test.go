package comparison

import (
	"math"
	"math/rand/v2"

	"pairrank/comparison/internal/incidence"
	"pairrank/comparison/internal/outcome"
	"pairrank/data"
)

// naive is the definition: a dense row of all unknowns for each single outcome, elimination without tricks.
type naive struct {
	p    *Problem
	o    Options
	rows []naiveRow
	k    int // penalised unknowns
	n    int // all
	open [][]int
	part []int32 // of each item, where components are open
}

// apart reports whether line c joins two components of the others.
func (v *naive) apart(c int) bool {
	l := &v.p.Lines[c]
	return v.part != nil && v.part[l.Left] != v.part[l.Right]
}

type naiveRow struct {
	line    int
	x       []float64
	z, w    float64
	outcome outcome.Kind
	y       float64 // the probability that the left item is better
}

// naiveOf leaves out some lines. Fractional counts are weights.
func naiveOf(p *Problem, o Options, out map[int]bool) *naive {
	v := &naive{p: p, o: o}
	items := len(p.Items)
	v.k = items
	if p.Features != nil {
		v.k = p.Features.Cols
		if p.Residual > 0 {
			v.k += items
		}
	}
	v.n = v.k + len(p.Covariates)
	if o.Loss == Logistic && o.Ties == Davidson {
		v.n++
	}
	basis := func(i int) []float64 {
		b := make([]float64, v.k)
		if p.Features == nil {
			b[i] = 1
			return b
		}
		copy(b, p.Features.Row(i))
		if p.Residual > 0 {
			b[p.Features.Cols+i] = math.Sqrt(p.Residual)
		}
		return b
	}
	for c := range p.Lines {
		l := &p.Lines[c]
		if out[c] {
			continue
		}
		a, b := basis(l.Left), basis(l.Right)
		x := make([]float64, v.n)
		for j := range a {
			x[j] = a[j] - b[j]
		}
		copy(x[v.k:], p.covariates(c))
		for k, n := range l.Counts() {
			if n > 0 {
				z := outcome.Target(l.WinMagnitude(), outcome.Kind(k))
				v.rows = append(v.rows, naiveRow{c, x, z, n * l.OutcomeWeight(), outcome.Kind(k), gradeOf(l, k)})
			}
		}
	}
	if p.Features == nil && o.Lambda == 0 {
		parts := incidence.Components(p.source(), len(p.Items), func(c int) bool {
			return !out[c] && o.loss().Says(&p.Lines[c])
		})
		v.part = parts.Of()
		for g := range parts.Len() {
			var set []int
			for _, i := range parts.Part(g) {
				set = append(set, int(i))
			}
			v.open = append(v.open, set)
		}
	}
	return v
}

// derivatives are the gradient and the Hessian of J/2 for the squared loss, else of J.
func (v *naive) derivatives(theta []float64) (g []float64, h [][]float64) {
	g, h = make([]float64, v.n), make([][]float64, v.n)
	for j := range h {
		h[j] = make([]float64, v.n)
	}
	add := func(x []float64, y []float64, w float64) {
		for i := range x {
			for j := range y {
				h[i][j] += w * x[i] * y[j]
			}
		}
	}
	for _, r := range v.rows {
		f := 0.0
		for j := range r.x {
			f += r.x[j] * theta[j]
		}
		switch {
		case v.o.Loss == Squared:
			for j := range g {
				g[j] -= r.w * (r.z - f) * r.x[j]
			}
			add(r.x, r.x, r.w)
		case v.o.Ties == Davidson:
			e := make([]float64, v.n)
			e[v.n-1] = 1

			nu := math.Exp(theta[v.n-1])
			a, b := math.Exp(f/2), math.Exp(-f/2)
			s := a + b + nu
			d, t := (a-b)/s, nu/s
			y, isTie := 0.0, 0.0
			switch r.outcome {
			case outcome.Won:
				y = 0.5
			case outcome.Lost:
				y = -0.5
			default:
				isTie = 1
			}
			for j := range g {
				g[j] -= r.w * ((y-d/2)*r.x[j] + (isTie-t)*e[j])
			}
			add(r.x, r.x, r.w*((a+b)/s-d*d)/4)
			add(r.x, e, -r.w*d*t/2)
			add(e, r.x, -r.w*d*t/2)
			add(e, e, r.w*t*(1-t))
		case r.outcome == outcome.Tied && v.o.Ties == Drop:
		default:
			p := 1 / (1 + math.Exp(-f))
			for j := range g {
				g[j] -= r.w * (r.y - p) * r.x[j]
			}
			add(r.x, r.x, r.w*p*(1-p))
		}
	}
	pen := v.o.Lambda
	if v.o.Loss == Logistic {
		pen *= 2
	}
	for j := range v.k {
		g[j] += pen * theta[j]
		h[j][j] += pen
	}
	return g, h
}

// step is a Newton step from theta, with the mean of each component held.
func (v *naive) step(theta []float64) []float64 {
	g, h := v.derivatives(theta)
	for _, set := range v.open {
		for _, i := range set {
			for _, j := range set {
				h[i][j]++
			}
		}
	}
	d := eliminate(h, g)
	out := make([]float64, v.n)
	for j := range out {
		out[j] = theta[j] - d[j]
	}
	return out
}

// eliminate solves a dense system with pivots.
func eliminate(a [][]float64, b []float64) []float64 {
	n := len(b)
	m := make([][]float64, n)
	for i := range m {
		m[i] = append(append([]float64(nil), a[i]...), b[i])
	}
	for k := range n {
		best := k
		for i := k; i < n; i++ {
			if math.Abs(m[i][k]) > math.Abs(m[best][k]) {
				best = i
			}
		}
		m[k], m[best] = m[best], m[k]
		for i := range n {
			if i != k {
				f := m[i][k] / m[k][k]
				for j := k; j <= n; j++ {
					m[i][j] -= f * m[k][j]
				}
			}
		}
	}
	x := make([]float64, n)
	for k := range x {
		x[k] = m[k][n] / m[k][k]
	}
	return x
}

// made is a random problem: counts, ties, weights, multi-edges; some have components, features, covariates.
func made(r *rand.Rand) *Problem {
	n := 4 + r.IntN(6)
	p := &Problem{Annotators: []string{"u", "v", "w", "x"}, Strata: []string{"s", "t"}}
	for i := range n {
		p.Items = append(p.Items, string(rune('A'+i)))
	}
	kind := r.IntN(4)
	cut := n
	if kind == 1 && n >= 6 {
		cut = n / 2 // two components
	}
	for c := range 6 * n {
		a, b := c%n, r.IntN(n)
		if a == b || (a < cut) != (b < cut) {
			continue
		}
		l := Line{Left: a, Right: b, Annotator: r.IntN(5) - 1, Stratum: r.IntN(3) - 1, Weight: 0.5 + r.Float64(),
			Magnitude: 0.5 + r.Float64()}
		switch r.IntN(3) {
		case 0:
			l.Wins, l.Losses, l.Ties = float64(r.IntN(4)), float64(r.IntN(4)), float64(1+r.IntN(2))
		case 1:
			l.Wins = 1
		default:
			l.Losses = 1
		}
		p.Lines = append(p.Lines, l)
	}
	if kind >= 2 {
		p.Features = data.NewDense(n, 2, nil)
		for i := range p.Features.Data {
			p.Features.Data[i] = r.NormFloat64()
		}
		if kind == 3 {
			p.Residual = 0.7
		}
	}
	if r.IntN(2) == 0 {
		p.Covariates = []string{"side", "length"}
		p.X = data.NewDense(len(p.Lines), 2, nil)
		for c := range p.Lines {
			p.X.Row(c)[0], p.X.Row(c)[1] = 1, r.NormFloat64()
		}
	}
	return p
}

// gradeOf is the probability that the left item is better, by outcome k of a line.
func gradeOf(l *Line, k int) float64 { return [3]float64{1 - l.Rest, l.Rest, 0.5}[k] }

// grade puts outcomes of every other problem of the logistic loss between wins and losses.
func grade(p *Problem, o Options, trial int) {
	if o.Loss != Logistic || o.Ties == Davidson || trial/4%2 == 0 {
		return
	}
	r := rand.New(rand.NewPCG(uint64(trial), 43))
	for c := range p.Lines {
		if r.IntN(4) > 0 {
			p.Lines[c].Rest = r.Float64() / 2
		}
	}
}

// losses are all ways to learn.
func losses(lambda float64) []Options {
	return []Options{{Loss: Squared, Ties: Half, Lambda: lambda}, {Loss: Logistic, Ties: Half, Lambda: lambda},
		{Loss: Logistic, Ties: Drop, Lambda: lambda}, {Loss: Logistic, Ties: Davidson, Lambda: lambda}}
}

// scoresOf are the scores, covariates and η of unknowns.
func (v *naive) place(p *Problem, theta []float64) []float64 {
	out := make([]float64, 0, len(p.Items)+v.n-v.k)
	for i := range p.Items {
		s := 0.0
		if p.Features == nil {
			s = theta[i]
		} else {
			for j, x := range p.Features.Row(i) {
				s += x * theta[j]
			}
			if p.Residual > 0 {
				s += math.Sqrt(p.Residual) * theta[p.Features.Cols+i]
			}
		}
		out = append(out, s)
	}
	return append(out, theta[v.k:]...)
}

// place is the scores, covariates and η.
func (b *Board) place() []float64 {
	if b.l != nil {
		return b.unknown
	}
	return b.f.Place
}
