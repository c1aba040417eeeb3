package dense

import (
	"context"
	"math"

	"pairrank/comparison/internal/incidence"
	"pairrank/comparison/internal/large"
	"pairrank/comparison/internal/outcome"
	"pairrank/internal/linalg"
	"pairrank/internal/linesearch"
	"pairrank/internal/parallel"
)

// Refitter finds the scores of a board for other masses of its lines. It starts from those of the board and steps by
// the board's own inverse (chords: no factorisation), and by a factorisation at the place that is reached only where
// steps do not shorten. Where bias is reduced, the leverages h of Firth's term h(½ − p) are those of the board.
type Refitter struct {
	b      *Fit
	Bias   []float64 // h of the lines; nil without
	rest   []float64 // what wins of the lines leave; nil where that is 0
	Within float64   // the largest move of the last step
	// inverse is that of the curvature of the board, and of Firth's term where bias is reduced.
	inverse linalg.Mat
}

// refitWithin is the largest move of the last step, beside 1 and the largest score: far below a standard error.
const refitWithin = 1e-6

// NewRefitter is for boards at λ = 0.
func NewRefitter(b *Fit) *Refitter {
	r, s := &Refitter{b: b, Within: refitWithin, inverse: b.Inverse()}, b.System
	if incidence.Graded(incidence.Source{Rows: s.Lines}) {
		r.rest = make([]float64, len(s.Lines))
		for c := range s.Lines {
			r.rest[c] = s.Lines[c].Rest
		}
	}
	if !s.BiasReduced {
		return r
	}
	r.Bias = make([]float64, len(s.Lines))
	m, x, eta := make([]outcome.Mass, len(s.Lines)), &Sample{Margins: b.Margins}, b.Eta()
	s.EachLine(func(c int) {
		l, row := &s.Lines[c], s.Row(c)
		t, _ := b.Loss.Line(l, b.Margins[c], eta)
		r.Bias[c] = t.V[0] * Product(r.inverse, row, row)
		for k, n := range l.Counts() {
			if !b.Loss.Silent(outcome.Kind(k)) {
				m[c][k] = n * l.OutcomeWeight()
			}
		}
	})
	if f := r.factor(m, x); f.Rows > 0 {
		r.inverse = s.inverse(f)
	}
	return r
}

// Sample is the memory of one refit after another.
type Sample struct {
	Place, sum, step []float64
	Margins, Odds    []float64 // of the lines: f, and exp(−f)
	eta              float64
}

func (r *Refitter) NewSample() *Sample {
	s := r.b.System
	e, n := s.Dims(), len(s.Lines)
	return &Sample{Place: make([]float64, e), sum: make([]float64, e), step: make([]float64, e),
		Margins: make([]float64, n), Odds: make([]float64, n)}
}

// chords and newtons are the most steps of either kind.
const chords, newtons = 40, 60

// Fit leaves the scores, covariates and η of masses in x.Place, and margins there; it reports whether they settled.
func (r *Refitter) Fit(m []outcome.Mass, x *Sample) bool {
	r.start(x)
	last := math.Inf(1)
	for range chords {
		r.gradient(m, x)
		linalg.Gemv(linalg.NoTrans, 1, r.inverse, x.sum, 0, x.step)
		moved := linalg.MaxAbs(x.step)
		if !(moved <= last/2) {
			break
		}
		last = moved
		linalg.Axpy(min(1, outcome.MostMove/last), x.step, x.Place)
		if r.settled(last, x) {
			return true
		}
	}
	return r.newton(m, x)
}

// start puts the board's own scores, covariates and η into x.Place.
func (r *Refitter) start(x *Sample) {
	copy(x.Place, r.b.Place)
}

// settled reports whether the last step was short enough, and then computes the margins.
func (r *Refitter) settled(step float64, x *Sample) bool {
	if step > r.Within*(1+linalg.MaxAbs(x.Place)) {
		return false
	}
	r.marginsOf(x)
	return true
}

// newton is Fit from the start, with a factorisation a step. A step is halved as long as J rises at its end more than
// half as steeply as it fell at its start: J is convex.
func (r *Refitter) newton(m []outcome.Mass, x *Sample) bool {
	r.start(x)
	r.gradient(m, x)
	_, err := linesearch.Newton(context.Background(), &refit{r: r, m: m, x: x}, newtons)
	return err == nil
}

// refit is a fit of other masses with a factorisation a step.
type refit struct {
	r         *Refitter
	m         []outcome.Mass
	x         *Sample
	slope, at float64 // of J along the step at its start, and the share that was moved by
}

// Direct solves for a step.
func (f *refit) Direct(context.Context) (share float64, err error) {
	factor := f.r.factor(f.m, f.x)
	if factor.Rows == 0 {
		return 0, large.ErrSingular
	}
	f.r.solve(factor, f.x)
	f.slope, f.at = linalg.Dot(f.x.sum, f.x.step), 0
	return min(1, outcome.MostMove/linalg.MaxAbs(f.x.step)), nil
}

// Move moves by a share of the step.
func (f *refit) Move(share float64) (falls bool, err error) {
	linalg.Axpy(share-f.at, f.x.step, f.x.Place)
	f.at = share
	f.r.gradient(f.m, f.x)
	return !(linalg.Dot(f.x.sum, f.x.step) < -f.slope/2), nil
}

// Moved reports whether the step was short enough.
func (f *refit) Moved(share float64, _ bool) (last bool, err error) {
	return f.r.settled(share*linalg.MaxAbs(f.x.step), f.x), nil
}

// marginsOf computes the margins at x.Place.
func (r *Refitter) marginsOf(x *Sample) {
	s := r.b.System
	for c := range x.Margins {
		t := s.Row(c)
		f := x.Place[t.at[0]] - x.Place[t.at[1]]
		for k := 2; k < len(t.at); k++ {
			f += t.val[k] * x.Place[t.at[k]]
		}
		x.Margins[c] = f
	}
	x.eta = s.EtaOf(x.Place)
}

// plain reports whether a line has one probability p alone: g is wins·q − losses·p + ties·(½ − p).
func (s *System) plain() bool { return s.Loss == outcome.Half || s.Loss == outcome.Drop }

// gradient computes −∂J of the masses at x.Place.
func (r *Refitter) gradient(m []outcome.Mass, x *Sample) {
	s := r.b.System
	r.marginsOf(x)
	clear(x.sum)
	if s.plain() {
		for c, f := range x.Margins {
			x.Odds[c] = -f
		}
		linalg.Exp(x.Odds, x.Odds)
	}
	for c := range m {
		var g [2]float64
		if s.plain() {
			p := 1 / (1 + x.Odds[c])
			g[0] = m[c][outcome.Won] - p*(m[c][outcome.Won]+m[c][outcome.Lost]) + (0.5-p)*m[c][outcome.Tied]
			if r.rest != nil {
				g[0] -= r.rest[c] * (m[c][outcome.Won] - m[c][outcome.Lost])
			}
			if r.Bias != nil {
				g[0] += r.Bias[c] * (0.5 - p)
			}
		} else {
			g = s.Loss.Masses(&s.Lines[c], &m[c], x.Margins[c], x.eta).G
		}
		t := s.Row(c)
		x.sum[t.at[0]] += g[0]
		x.sum[t.at[1]] -= g[0]
		for k := 2; k < len(t.at); k++ {
			x.sum[t.at[k]] += t.val[k] * g[0]
		}
		if s.EtaAt >= 0 {
			x.sum[s.EtaAt] += g[1]
		}
	}
}

// factor is that of the masses at x.Place, without rows where it is singular.
func (r *Refitter) factor(m []outcome.Mass, x *Sample) linalg.Mat {
	s := r.b.System
	a := s.reduce(s.Gram(s.Every(), func(c int) [3]float64 {
		v := s.Loss.Masses(&s.Lines[c], &m[c], x.Margins[c], x.eta).V
		if r.Bias != nil {
			p := outcome.Logistic(x.Margins[c])
			v[0] += r.Bias[c] * p * (1 - p)
		}
		return v
	}))
	if s.Factor(a, s.Pins) != nil {
		return linalg.Mat{}
	}
	return a
}

// solve makes x.step the solution for x.sum.
func (r *Refitter) solve(factor linalg.Mat, x *Sample) {
	delta := r.b.reduceVector(x.sum)
	linalg.CholeskySolve(linalg.Lower, factor, linalg.Column(delta))
	copy(x.step, r.b.expand(delta))
}

// Each refits samples lo to hi−1 in parallel: draw fills the masses of sample k, keep receives them with the scratch of
// the fit, nil where it did not settle. When ctx ends, it returns its error after the samples that it works on.
func (r *Refitter) Each(ctx context.Context, lo, hi int, draw func(k int, m []outcome.Mass),
	keep func(k int, m []outcome.Mass, x *Sample)) error {
	type memory struct {
		m []outcome.Mass
		x *Sample
	}
	made := make([]*memory, parallel.Workers())
	parallel.For(hi-lo, func(worker, i int) {
		if ctx.Err() != nil {
			return
		}
		if made[worker] == nil {
			made[worker] = &memory{make([]outcome.Mass, len(r.b.Lines)), r.NewSample()}
		}
		y := made[worker]
		draw(lo+i, y.m)
		if r.Fit(y.m, y.x) {
			keep(lo+i, y.m, y.x)
		} else {
			keep(lo+i, y.m, nil)
		}
	})
	return ctx.Err()
}
