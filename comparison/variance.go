package comparison

import (
	"context"
	"math"

	"pairrank/comparison/internal/dense"
	"pairrank/comparison/internal/incidence"
	"pairrank/internal/linalg"
	"pairrank/internal/student"
)

// Covariance is the covariance of the scores, the covariates and η, E×E, with the quantile of its intervals.
type Covariance struct {
	cov linalg.Mat
	// About are the items whose scores cov has, before the covariates and η; nil for all.
	About []int
	// Quantile is that of a 95 % interval: 1.96, or Student's.
	Quantile float64
	// Freedom is the degrees of freedom of Quantile; 0 for those of the normal distribution.
	Freedom int
	// Unit is what was left out one after another, or weighed, as Problem.Independent names it, and Units how many
	// there are; "" and 0 where outcomes are independent.
	Unit  string
	Units int
	// Stepped is how many units leave scores with factors of annotators without a finite optimum: these are one step of
	// Newton from the board of all.
	Stepped int
	// Exact are the entries without a variance because every outcome is what the scores predict.
	Exact []int
	// Replicates is the number of samples of Bootstrap; 0 for others.
	Replicates int
	// Residual is the largest relative residual of the solves of a large board: its variances are as inexact.
	Residual float64

	items int
	place map[int]int // of the items in About
}

// covariance is one of all items, covariates and η, with normal intervals.
func (b *Board) covariance(v linalg.Mat) *Covariance {
	return &Covariance{cov: v, Quantile: student.Normal975, items: len(b.Scores)}
}

// Sandwich is the covariance A⁻¹ (Σ w² u uᵀ) A⁻¹ with a term u = Tᵀg for each single outcome (Huber 1967, The behavior
// of maximum likelihood estimates under nonstandard conditions). It takes outcomes as independent, and needs λ = 0 or
// bias-reduced scores: a penalty shrinks scores, and intervals around them do not cover. With reduced bias the square
// of a residual is the expected one, p(1 − p): squares of the residuals of an item that only wins are too small, with
// coverage 79 % instead of 98 % (evidence/checks/coverage.md).
//
// Residuals r of the squared loss are 0 if the outcomes of few comparisons agree. So r²(1 + h) + hσ² replaces r², with
// the leverage h = w tᵀA⁻¹t of the outcome and the variance σ² of all outcomes by their residuals. For small h this is
// close to MacKinnon and White's HC2 and HC3 (1985, Some heteroskedasticity-consistent covariance matrix estimators);
// for h = 1, where these are undefined, it is σ². The quantile is Student's with Σ(1 − h) degrees of freedom,
// if these are fewer than 200. Where weights differ, or outcomes lie between wins and losses, squares of residuals of
// the logistic loss are divided by 1 − h, as outcomes draw the scores to themselves (HC2), and the quantile is
// Student's with the degrees of freedom of outcomesOfItem, as a few outcomes say little about a variance (Imbens and
// Kolesár 2016, Robust standard errors in small samples). Cost O(C p² + E³). Sandwich returns nil for a large board;
// use Rank.
func (b *Board) Sandwich() *Covariance {
	if b.l != nil {
		return nil
	}
	v := b.covariance(b.sandwich())
	switch {
	case b.o.Loss == Squared:
		v.freeOf(b)
	case b.p.loose():
		v.setFreedom(b.outcomesOfItem())
	}
	return v.known(b)
}

// Width is the half of the 95 % interval of an entry, or of a difference, as Of; NaN also where the standard error is 0
// but for rounding, since an interval has a width.
func (v *Covariance) Width(i, j int) float64 {
	se := v.Of(i, j)
	if se <= equal {
		return math.NaN()
	}
	return v.Quantile * se
}

// forget makes a variance and its covariances NaN.
func (v *Covariance) forget(i int) {
	for j := range v.cov.Rows {
		v.cov.Row(i)[j], v.cov.Row(j)[i] = math.NaN(), math.NaN()
	}
}

func (b *Board) sandwich() linalg.Mat {
	pooled := 0.0
	switch o := b.o; {
	case o.Loss == Squared:
		pooled, _ = b.pooled()
	case b.p.loose():
		pooled = 1
	}
	return b.sandwichBy(pooled)
}

// pooled is the variance of an outcome by the residuals of all, Σ r² / Σ (1 − h) with the leverages h of outcomes, and
// its degrees of freedom Σ (1 − h).
func (b *Board) pooled() (variance, free float64) {
	s, inverse, left := b.s, b.inverse(), 0.0
	for c := range b.p.count() {
		l, row := b.p.source().At(c), s.Row(c)
		t, _ := s.Loss.Line(l, b.Margins[c], 0)
		left += t.Loss / l.OutcomeWeight()
		free += l.Count() * (1 - l.OutcomeWeight()*dense.Product(inverse, row, row))
	}
	if free < equal*float64(b.p.count()) {
		return 0, 0
	}
	return left / free, free
}

// sandwichBy is sandwich with leverages: those of the squared loss take the variance of all outcomes, for the logistic
// one any number above 0. 0 takes the squares of residuals alone.
func (b *Board) sandwichBy(pooled float64) linalg.Mat {
	s, inverse := b.s, b.inverse()
	eta := b.eta()
	middle := s.Gram(s.Every(), func(c int) [3]float64 {
		l := b.p.source().At(c)
		t, square := s.Loss.Line(l, b.Margins[c], eta)
		switch row := s.Row(c); {
		case b.o.BiasReduced:
			return [3]float64{l.OutcomeWeight() * t.V[0]}
		case pooled > 0 && b.o.Loss == Squared:
			h := l.OutcomeWeight() * dense.Product(inverse, row, row)
			square[0] = square[0]*(1+h) + l.Count()*l.OutcomeWeight()*l.OutcomeWeight()*h*pooled
		case pooled > 0 && s.Loss.Says(l):
			h := t.V[0] / s.Loss.Said(l) * dense.Product(inverse, row, row)
			for k := range square {
				square[k] /= max(dense.Undetermined, 1-h)
			}
		}
		return square
	})
	half, v := linalg.NewMat(s.Dims(), s.Dims()), linalg.NewMat(s.Dims(), s.Dims())
	if v.Rows < dense.ManyUnknowns {
		linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, inverse, middle, 0, half)
		linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, half, inverse, 0, v)
		return v
	}
	sparseTimes(middle, inverse, half)
	linalg.Gemmt(linalg.Lower, linalg.NoTrans, linalg.NoTrans, 1, inverse, half, 0, v)
	linalg.Symmetrize(linalg.Lower, v)
	return v
}

// Jackknife is the covariance by leaving out each unit of Problem.Independent: cluster, line or annotator,
//
//	(H−1)/H Σ_h (θ_h − θ̄)(θ_h − θ̄)ᵀ
//
// with the scores θ_h of HoldOut without unit h, of H (Tukey 1958, Bias and confidence in not-quite large samples). It
// takes units as independent, not their comparisons. If one unit alone connects an item to most others of its
// component, the variance of the item and all its covariances are NaN; the scores θ_h are then centred over the other
// items, and intervals are relative to these. With reduced bias a variance is at least that of Sandwich, because all
// units agree on an item that only wins. Jackknife returns nil with fewer than three units, for a large board, and if
// more than half of the items, or covariates, depend on one unit.
func (b *Board) Jackknife() *Covariance { return b.jackknife(context.Background(), nil) }

// jackknife is Jackknife, with what the board without factors is without each unit where that is known already.
func (b *Board) jackknife(ctx context.Context, held []dense.Without) *Covariance {
	s := b.s
	kind, sets := b.p.independent(leastUnits)
	if b.l != nil || len(sets) < leastUnits {
		return nil
	}
	places, stepped := make([][]float64, len(sets)), 0
	if b.factors == nil {
		if held == nil {
			held = b.withoutEach(sets, true)
		}
		for h := range held {
			places[h] = held[h].Place
		}
	} else {
		var err error
		stepped, err = b.eachWithout(ctx, sets, func(h int, rest *Board) { places[h] = rest.f.Place })
		if err != nil {
			return nil
		}
	}
	alone := make([]bool, s.Items)
	if s.Pins != nil {
		if alone = b.alone(sets); alone == nil {
			return nil
		}
		for _, p := range places {
			b.centreRest(p, alone)
		}
	}
	e := s.Dims()
	d, known := deviations(places, alone, e)
	if !known {
		return nil
	}
	c := b.leftOut(d, alone)
	c.Stepped = stepped
	c.overUnits(kind, sets, b.p)
	if b.o.BiasReduced {
		b.atLeastSandwich(c.cov)
	}
	if (b.o.Loss == Squared || incidence.Graded(b.p.source())) && s.Pins != nil {
		c.forgetAgreed(b)
		return c
	}
	return c.known(b)
}

// leftOut is the covariance by deviations of scores without each unit from their mean. Items that are alone have none.
func (b *Board) leftOut(d linalg.Mat, alone []bool) *Covariance {
	n := float64(d.Rows)
	c := b.covariance(linalg.NewMat(d.Cols, d.Cols))
	linalg.Syrk(linalg.Lower, linalg.T, (n-1)/n, d, 0, c.cov)
	linalg.Symmetrize(linalg.Lower, c.cov)
	for i, is := range alone {
		if is {
			c.forget(i)
		}
	}
	return c
}

// forgetAgreed forgets the entries on which all units agree.
func (c *Covariance) forgetAgreed(b *Board) {
	for _, i := range c.known(b).Exact {
		c.forget(i)
	}
}

// atLeastSandwich gives each variance at least that of Sandwich.
func (b *Board) atLeastSandwich(v linalg.Mat) {
	least := b.sandwich()
	for i := range v.Rows {
		v.Row(i)[i] = max(v.Row(i)[i], least.Row(i)[i])
	}
}

// deviations are those of e numbers from their means, but for 0 of those that are alone. known is false where one has
// none.
func deviations(places [][]float64, alone []bool, e int) (d linalg.Mat, known bool) {
	mean := make([]float64, e)
	for _, p := range places {
		for i, v := range p {
			mean[i] += v / float64(len(places))
		}
	}
	d = linalg.NewMat(len(places), e)
	for h, p := range places {
		for i, v := range p {
			if i < len(alone) && alone[i] {
				continue
			}
			if math.IsNaN(v) {
				return d, false
			}
			d.Row(h)[i] = v - mean[i]
		}
	}
	return d, true
}

// alone are the items that fall off the largest part of their component where one of the sets is left out, nil where
// these are more than half of all.
func (b *Board) alone(sets [][]int) []bool {
	s := b.s
	out, count := make([]bool, s.Items), 0
	parted := b.parted()
	for _, set := range sets {
		if !parted(set) {
			continue
		}
		parts := s.Connected(set)
		if parts.Len() == s.Pins.Parts.Len() {
			continue
		}
		main := make([]int, s.Pins.Parts.Len()) // the largest part of each component
		for c := range main {
			main[c] = -1
		}
		for g := range parts.Len() {
			c := s.Pins.Parts.Of()[parts.Part(g)[0]]
			if main[c] < 0 || len(parts.Part(g)) > len(parts.Part(main[c])) {
				main[c] = g
			}
		}
		for i, g := range parts.Of() {
			if !out[i] && main[s.Pins.Parts.Of()[i]] != int(g) {
				out[i] = true
				count++
			}
		}
	}
	if 2*count > s.Items {
		return nil
	}
	return out
}

// parted reports whether some lines are all that compare two items: without others all stay connected. Cost O(lines).
func (b *Board) parted() func(lines []int) bool {
	pairs := b.p.ByPair()
	of, rest := b.p.setOf(pairs), make([]int, len(pairs))
	count := func(lines []int, by int) (none bool) {
		for _, c := range lines {
			if b.s.Loss.Says(b.p.source().At(c)) {
				rest[of[c]] += by
				none = none || rest[of[c]] == 0
			}
		}
		return none
	}
	count(incidence.All(b.p.count()), 1)
	return func(lines []int) bool {
		none := count(lines, -1)
		count(lines, 1)
		return none
	}
}

// centreRest gives the scores mean 0 over the items of each component that are not alone.
func (b *Board) centreRest(place []float64, alone []bool) {
	for g := range b.s.Pins.Parts.Len() {
		n, sum := 0.0, 0.0
		for _, i := range b.s.Pins.Parts.Part(g) {
			if !alone[i] {
				n, sum = n+1, sum+place[i]
			}
		}
		for _, i := range b.s.Pins.Parts.Part(g) {
			place[i] -= sum / max(n, 1)
		}
	}
}

// Of returns the standard error of entry i of the scores, covariates and η, or for j ≥ 0 that of the difference of
// entries i and j; NaN if it is unknown.
func (c *Covariance) Of(i, j int) float64 {
	i, ok := c.at(i)
	if !ok {
		return math.NaN()
	}
	v := c.cov.Row(i)[i]
	if j >= 0 {
		if j, ok = c.at(j); !ok {
			return math.NaN()
		}
		v += c.cov.Row(j)[j] - 2*c.cov.Row(i)[j]
	}
	return math.Sqrt(max(0, v)) // NaN stays
}
