package comparison

import (
	"context"
	"math"

	"pairrank/comparison/internal/outcome"
	"pairrank/internal/linalg"
	"pairrank/internal/linesearch"
	"pairrank/internal/parallel"
)

// refitter finds the scores of a board for other masses of its lines. It starts from those of the board and steps by
// the board's own inverse (chords: no factorisation), and by a factorisation at the place that is reached only where
// steps do not shorten. Where bias is reduced, the leverages h of Firth's term h(½ − p) are those of the board.
type refitter struct {
	b      *Board
	bias   []float64 // h of the lines; nil without
	within float64   // the largest move of the last step
	// inverse is that of the curvature of the board, and of Firth's term where bias is reduced.
	inverse linalg.Mat
}

// refitWithin is the largest move of the last step, beside 1 and the largest score: far below a standard error.
const refitWithin = 1e-6

// newRefitter is for boards at λ = 0.
func newRefitter(b *Board) *refitter {
	r, s := &refitter{b: b, within: refitWithin, inverse: b.inverse()}, b.s
	if !s.o.BiasReduced {
		return r
	}
	r.bias = make([]float64, len(s.p.Lines))
	m, x := make([]outcome.Mass, len(s.p.Lines)), &scratch{margins: b.Margins}
	s.eachLine(func(c int) {
		l, row := &s.p.Lines[c], s.rowOf(c)
		r.bias[c] = b.pulls([]int{c})[0].v[0] * product(r.inverse, row, row)
		for k, n := range l.Counts() {
			if !b.s.loss.Silent(outcome.Kind(k)) {
				m[c][k] = n * l.OutcomeWeight()
			}
		}
	})
	if f := r.factor(m, x); f.Rows > 0 {
		r.inverse = s.inverse(f)
	}
	return r
}

// scratch is the memory of one refit after another.
type scratch struct {
	place, sum, step []float64
	margins, odds    []float64 // of the lines: f, and exp(−f)
	eta              float64
}

func (r *refitter) newScratch() *scratch {
	s := r.b.s
	e, n := s.dims(), len(s.p.Lines)
	return &scratch{place: make([]float64, e), sum: make([]float64, e), step: make([]float64, e),
		margins: make([]float64, n), odds: make([]float64, n)}
}

// chords and newtons are the most steps of either kind.
const chords, newtons = 40, 60

// fit leaves the scores, covariates and η of masses in x.place, and margins there; it reports whether they settled.
func (r *refitter) fit(m []outcome.Mass, x *scratch) bool {
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
		linalg.Axpy(min(1, outcome.MostMove/last), x.step, x.place)
		if r.settled(last, x) {
			return true
		}
	}
	return r.newton(m, x)
}

// start puts the board's own scores, covariates and η into x.place.
func (r *refitter) start(x *scratch) {
	s := r.b.s
	copy(x.place, r.b.Scores)
	copy(x.place[s.items:], r.b.Gamma)
	if s.eta >= 0 {
		x.place[s.eta] = r.b.eta()
	}
}

// settled reports whether the last step was short enough, and then computes the margins.
func (r *refitter) settled(step float64, x *scratch) bool {
	if step > r.within*(1+linalg.MaxAbs(x.place)) {
		return false
	}
	r.marginsOf(x)
	return true
}

// newton is fit from the start, with a factorisation a step. A step is halved as long as J rises at its end more than
// half as steeply as it fell at its start: J is convex.
func (r *refitter) newton(m []outcome.Mass, x *scratch) bool {
	r.start(x)
	r.gradient(m, x)
	_, err := linesearch.Newton(context.Background(), &refit{r: r, m: m, x: x}, newtons)
	return err == nil
}

// refit is a fit of other masses with a factorisation a step.
type refit struct {
	r         *refitter
	m         []outcome.Mass
	x         *scratch
	slope, at float64 // of J along the step at its start, and the share that was moved by
}

// Direct solves for a step.
func (f *refit) Direct(context.Context) (share float64, err error) {
	factor := f.r.factor(f.m, f.x)
	if factor.Rows == 0 {
		return 0, errSingular
	}
	f.r.solve(factor, f.x)
	f.slope, f.at = linalg.Dot(f.x.sum, f.x.step), 0
	return min(1, outcome.MostMove/linalg.MaxAbs(f.x.step)), nil
}

// Move moves by a share of the step.
func (f *refit) Move(share float64) (falls bool, err error) {
	linalg.Axpy(share-f.at, f.x.step, f.x.place)
	f.at = share
	f.r.gradient(f.m, f.x)
	return !(linalg.Dot(f.x.sum, f.x.step) < -f.slope/2), nil
}

// Moved reports whether the step was short enough.
func (f *refit) Moved(share float64, _ bool) (last bool, err error) {
	return f.r.settled(share*linalg.MaxAbs(f.x.step), f.x), nil
}

// marginsOf computes the margins at x.place.
func (r *refitter) marginsOf(x *scratch) {
	s := r.b.s
	for c := range x.margins {
		t := s.rowOf(c)
		f := x.place[t.at[0]] - x.place[t.at[1]]
		for k := 2; k < len(t.at); k++ {
			f += t.val[k] * x.place[t.at[k]]
		}
		x.margins[c] = f
	}
	if s.eta >= 0 {
		x.eta = x.place[s.eta]
	}
}

// plain reports whether a line has one probability p alone: g is wins·q − losses·p + ties·(½ − p).
func (s *system) plain() bool { return s.o.Loss == Logistic && s.o.Ties != Davidson }

// gradient computes −∂J of the masses at x.place.
func (r *refitter) gradient(m []outcome.Mass, x *scratch) {
	s := r.b.s
	r.marginsOf(x)
	clear(x.sum)
	if s.plain() {
		for c, f := range x.margins {
			x.odds[c] = -f
		}
		linalg.Exp(x.odds, x.odds)
	}
	for c := range m {
		var g [2]float64
		if s.plain() {
			p := 1 / (1 + x.odds[c])
			g[0] = m[c][outcome.Won] - p*(m[c][outcome.Won]+m[c][outcome.Lost]) + (0.5-p)*m[c][outcome.Tied]
			if r.bias != nil {
				g[0] += r.bias[c] * (0.5 - p)
			}
		} else {
			g = s.loss.Masses(&m[c], s.p.Lines[c].WinMagnitude(), x.margins[c], x.eta).G
		}
		t := s.rowOf(c)
		x.sum[t.at[0]] += g[0]
		x.sum[t.at[1]] -= g[0]
		for k := 2; k < len(t.at); k++ {
			x.sum[t.at[k]] += t.val[k] * g[0]
		}
		if s.eta >= 0 {
			x.sum[s.eta] += g[1]
		}
	}
}

// factor is that of the masses at x.place, without rows where it is singular.
func (r *refitter) factor(m []outcome.Mass, x *scratch) linalg.Mat {
	s := r.b.s
	a := s.reduce(s.gram(s.every(), func(c int) [3]float64 {
		v := s.loss.Masses(&m[c], s.p.Lines[c].WinMagnitude(), x.margins[c], x.eta).V
		if r.bias != nil {
			p := outcome.Logistic(x.margins[c])
			v[0] += r.bias[c] * p * (1 - p)
		}
		return v
	}))
	if s.factor(a, s.pins) != nil {
		return linalg.Mat{}
	}
	return a
}

// solve makes x.step the solution for x.sum.
func (r *refitter) solve(factor linalg.Mat, x *scratch) {
	delta := r.b.s.reduceVector(x.sum)
	linalg.CholeskySolve(linalg.Lower, factor, linalg.Mat{Rows: len(delta), Cols: 1, Stride: 1, Data: delta})
	copy(x.step, r.b.s.expand(delta))
}

// each refits samples lo to hi−1 in parallel: draw fills the masses of sample k, keep receives them with the scratch of
// the fit, nil where it did not settle. When ctx ends, it returns its error after the samples that it works on.
func (r *refitter) each(ctx context.Context, lo, hi int, draw func(k int, m []outcome.Mass),
	keep func(k int, m []outcome.Mass, x *scratch)) error {
	type memory struct {
		m []outcome.Mass
		x *scratch
	}
	made := make([]*memory, parallel.Workers())
	parallel.For(hi-lo, func(worker, i int) {
		if ctx.Err() != nil {
			return
		}
		if made[worker] == nil {
			made[worker] = &memory{make([]outcome.Mass, len(r.b.s.p.Lines)), r.newScratch()}
		}
		y := made[worker]
		draw(lo+i, y.m)
		if r.fit(y.m, y.x) {
			keep(lo+i, y.m, y.x)
		} else {
			keep(lo+i, y.m, nil)
		}
	})
	return ctx.Err()
}
