package comparison

import "math"

// Loss is the loss of an outcome.
type Loss string

const (
	Squared  Loss = "squared"
	Logistic Loss = "logistic"
)

// Mean is what the mean loss of an outcome is called.
func (l Loss) Mean() string {
	if l == Logistic {
		return "log-loss"
	}
	return "squared error"
}

// Ties is the treatment of a tie in the logistic loss.
type Ties string

const (
	Half     Ties = "half"     // half a win of either side
	Drop     Ties = "drop"     // nothing
	Davidson Ties = "davidson" // an outcome of its own, with the parameter ν
)

// outcome is one of the three.
type outcome int

const (
	won outcome = iota
	lost
	tied
)

// terms are the parts of a step that lines have: with the margin f and, for Davidson's ties, η = log ν,
// g = −∂J/∂(f,η) and V = ∂²J/∂(f,η)², for one outcome of weight 1. The second entries are 0 for other losses.
type terms struct {
	loss float64
	g    [2]float64
	v    [3]float64 // of f f, f η, η η
}

// of are the terms of one outcome with magnitude z.
func (o *Options) of(f, eta, z float64, k outcome) terms {
	switch {
	case o.Loss == Squared:
		r := target(z, k) - f
		return terms{loss: r * r, g: [2]float64{r}, v: [3]float64{1}}
	case o.Ties == Davidson:
		return davidson(f, eta, k)
	case k == tied && o.Ties == Drop:
		return terms{}
	}
	y := [3]float64{1, 0, 0.5}[k]
	p, q, up := logisticOf(f)
	return terms{loss: up - y*f, g: [2]float64{y - p}, v: [3]float64{p * q}}
}

// target is z of the squared loss.
func target(z float64, k outcome) float64 {
	switch k {
	case won:
		return z
	case lost:
		return -z
	}
	return 0
}

// davidson are the terms of P ∝ exp(f/2), exp(−f/2), ν.
func davidson(f, eta float64, k outcome) terms {
	most := max(math.Abs(f)/2, eta)
	a, b, t := math.Exp(f/2-most), math.Exp(-f/2-most), math.Exp(eta-most)
	sum := a + b + t
	a, b, t = a/sum, b/sum, t/sum
	d := a - b
	var out terms
	out.v = [3]float64{(a + b - d*d) / 4, -d * t / 2, t * (1 - t)}
	of := [3]float64{f / 2, -f / 2, eta}
	out.loss = most + math.Log(sum) - of[k]
	out.g = [2]float64{[3]float64{0.5, -0.5, 0}[k] - d/2, -t}
	if k == tied {
		out.g[1]++
	}
	return out
}

func logistic(f float64) float64 { return 1 / (1 + math.Exp(-f)) }

// logisticOf is p = 1/(1 + exp(−f)), 1 − p and log(1 + exp(f)), with one exponential.
func logisticOf(f float64) (p, q, softplus float64) {
	e := math.Exp(-math.Abs(f))
	p, q = 1/(1+e), e/(1+e)
	if f < 0 {
		p, q = q, p
	}
	return p, q, max(f, 0) + math.Log1p(e)
}

// lineTerms are those of all outcomes of a line with their weights, and square = Σ w² g gᵀ over single
// outcomes, in the order of v.
func (o *Options) lineTerms(l *Line, f, eta float64) (sum terms, square [3]float64) {
	w := l.OutcomeWeight()
	switch {
	case o.Loss == Squared:
		return squaredTerms(l, w, f)
	case o.Ties != Davidson:
		return o.logisticTerms(l, w, f)
	}
	for k, n := range l.Counts() {
		if n == 0 {
			continue
		}
		t := o.of(f, eta, l.WinMagnitude(), outcome(k))
		sum.loss += n * w * t.loss
		for i := range t.g {
			sum.g[i] += n * w * t.g[i]
		}
		for i := range t.v {
			sum.v[i] += n * w * t.v[i]
		}
		square[0] += n * w * w * t.g[0] * t.g[0]
		square[1] += n * w * w * t.g[0] * t.g[1]
		square[2] += n * w * w * t.g[1] * t.g[1]
	}
	return sum, square
}

// squaredTerms is lineTerms of the squared loss.
func squaredTerms(l *Line, w, f float64) (sum terms, square [3]float64) {
	z := l.WinMagnitude()
	squares := l.Wins*(z-f)*(z-f) + l.Losses*(z+f)*(z+f) + l.Ties*f*f
	sum.loss, square[0] = w*squares, w*w*squares
	sum.g[0] = w * (l.Wins*(z-f) - l.Losses*(z+f) - l.Ties*f)
	sum.v[0] = w * l.Count()
	return sum, square
}

// logisticTerms is lineTerms of the logistic loss, with one exponential for all outcomes.
func (o *Options) logisticTerms(l *Line, w, f float64) (sum terms, square [3]float64) {
	ties := l.Ties
	if o.Ties == Drop {
		ties = 0
	}
	p, q, up := logisticOf(f) // log(1 + exp(−f)) is less by f
	n := l.Wins + l.Losses + ties
	sum.loss = w * (n*up - (l.Wins+ties/2)*f)
	sum.g[0] = w * (l.Wins*q - l.Losses*p + ties*(0.5-p))
	sum.v[0] = w * n * p * q
	square[0] = w * w * (l.Wins*q*q + l.Losses*p*p + ties*(0.5-p)*(0.5-p))
	return sum, square
}
