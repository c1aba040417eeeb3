// Package outcome has the losses of outcomes of comparisons: of one, of a line, and of weighted ones.
package outcome

import (
	"math"

	"pairrank/data"
)

// Loss is a loss, with what it does with ties: the squared one, or the logistic one with half a win, nothing, or an
// outcome of its own.
type Loss int

const (
	Squared Loss = iota
	Half
	Drop
	Davidson
)

// Steps of margins are at most MostMove, margins at most MostMargin: beyond that, the scores have no finite optimum.
const MostMove, MostMargin = 10, 1e3

// Kind is one of three outcomes.
type Kind int

const (
	Won Kind = iota
	Lost
	Tied
)

// Terms are the parts of a step that lines have: with the margin f and, for Davidson's ties, η = log ν,
// G = −∂J/∂(f,η) and V = ∂²J/∂(f,η)², for one outcome of weight 1. The second entries are 0 for other losses.
type Terms struct {
	Loss float64
	G    [2]float64
	V    [3]float64 // of f f, f η, η η
}

// Of are the terms of one outcome of a line, whatever its weight.
func (o Loss) Of(l *data.Comparison, f, eta float64, k Kind) Terms {
	switch {
	case o == Squared:
		r := Target(l.WinMagnitude(), k) - f
		return Terms{Loss: r * r, G: [2]float64{r}, V: [3]float64{1}}
	case o == Davidson:
		return davidson(f, eta, k)
	case o.Silent(k):
		return Terms{}
	}
	y := [3]float64{1 - l.Rest, l.Rest, 0.5}[k]
	p, q, up := logisticOf(f)
	return Terms{Loss: up - y*f, G: [2]float64{y - p}, V: [3]float64{p * q}}
}

// Target is z of the squared loss.
func Target(z float64, k Kind) float64 {
	switch k {
	case Won:
		return z
	case Lost:
		return -z
	}
	return 0
}

// davidson are the terms of P ∝ exp(f/2), exp(−f/2), ν.
func davidson(f, eta float64, k Kind) Terms {
	most := max(math.Abs(f)/2, eta)
	a, b, t := math.Exp(f/2-most), math.Exp(-f/2-most), math.Exp(eta-most)
	sum := a + b + t
	a, b, t = a/sum, b/sum, t/sum
	d := a - b
	var out Terms
	out.V = [3]float64{(a + b - d*d) / 4, -d * t / 2, t * (1 - t)}
	of := [3]float64{f / 2, -f / 2, eta}
	out.Loss = most + math.Log(sum) - of[k]
	out.G = [2]float64{[3]float64{0.5, -0.5, 0}[k] - d/2, -t}
	if k == Tied {
		out.G[1]++
	}
	return out
}

// Logistic is 1/(1 + exp(−f)).
func Logistic(f float64) float64 { return 1 / (1 + math.Exp(-f)) }

// logisticOf is p = 1/(1 + exp(−f)), 1 − p and log(1 + exp(f)), with one exponential.
func logisticOf(f float64) (p, q, softplus float64) {
	e := math.Exp(-math.Abs(f))
	p, q = 1/(1+e), e/(1+e)
	if f < 0 {
		p, q = q, p
	}
	return p, q, max(f, 0) + math.Log1p(e)
}

// Line are those of all outcomes of a line with their weights, and square = Σ w² g gᵀ over single
// outcomes, in the order of v.
func (o Loss) Line(l *data.Comparison, f, eta float64) (sum Terms, square [3]float64) {
	w := l.OutcomeWeight()
	switch {
	case o == Squared:
		return squaredTerms(l, w, f)
	case o != Davidson:
		return o.logisticTerms(l, w, f)
	}
	for k, n := range l.Counts() {
		if n == 0 {
			continue
		}
		t := o.Of(l, f, eta, Kind(k))
		sum.Loss += n * w * t.Loss
		for i := range t.G {
			sum.G[i] += n * w * t.G[i]
		}
		for i := range t.V {
			sum.V[i] += n * w * t.V[i]
		}
		square[0] += n * w * w * t.G[0] * t.G[0]
		square[1] += n * w * w * t.G[0] * t.G[1]
		square[2] += n * w * w * t.G[1] * t.G[1]
	}
	return sum, square
}

// squaredTerms is Line of the squared loss.
func squaredTerms(l *data.Comparison, w, f float64) (sum Terms, square [3]float64) {
	z := l.WinMagnitude()
	squares := l.Wins*(z-f)*(z-f) + l.Losses*(z+f)*(z+f) + l.Ties*f*f
	sum.Loss, square[0] = w*squares, w*w*squares
	sum.G[0] = w * (l.Wins*(z-f) - l.Losses*(z+f) - l.Ties*f)
	sum.V[0] = w * l.Count()
	return sum, square
}

// logisticTerms is Line of the logistic loss, with one exponential for all outcomes: the square of an outcome y is
// (y − p)², less than that of y wins and 1 − y losses.
func (o Loss) logisticTerms(l *data.Comparison, w, f float64) (sum Terms, square [3]float64) {
	ties := l.Ties
	if o == Drop {
		ties = 0
	}
	p, q, up := logisticOf(f) // log(1 + exp(−f)) is less by f
	n, lost, won := l.Wins+l.Losses+ties, p-l.Rest, q-l.Rest
	sum.Loss = w * (n*up - (l.Wins-l.Rest*(l.Wins-l.Losses)+ties/2)*f)
	sum.G[0] = w * (l.Wins*won - l.Losses*lost + ties*(0.5-p))
	sum.V[0] = w * n * p * q
	square[0] = w * w * (l.Wins*won*won + l.Losses*lost*lost + ties*(0.5-p)*(0.5-p))
	return sum, square
}

// Silent reports whether an outcome says nothing.
func (o Loss) Silent(k Kind) bool { return k == Tied && o == Drop }

// Says reports whether a line says anything.
func (o Loss) Says(l *data.Comparison) bool {
	return o != Drop || l.Wins > 0 || l.Losses > 0
}

// Saying is says where some lines may say nothing, else nil.
func (o Loss) Saying(says func(c int) bool) func(c int) bool {
	if o == Drop {
		return says
	}
	return nil
}

// Said is how many outcomes of a line say something.
func (o Loss) Said(l *data.Comparison) float64 {
	if o == Drop {
		return l.Wins + l.Losses
	}
	return l.Count()
}

// Mass is the weight of the outcomes of a line, wins, losses and ties, in another sample.
type Mass [3]float64

// Masses are the terms of the masses of a line.
func (o Loss) Masses(l *data.Comparison, m *Mass, f, eta float64) (sum Terms) {
	for k, n := range m {
		if n == 0 {
			continue
		}
		t := o.Of(l, f, eta, Kind(k))
		for i := range t.G {
			sum.G[i] += n * t.G[i]
		}
		for i := range t.V {
			sum.V[i] += n * t.V[i]
		}
	}
	return sum
}

// Entropy is the mean loss of an outcome that has the margin f.
func (o Loss) Entropy(f, eta float64) float64 {
	p, one := Logistic(f), &data.Comparison{}
	if o != Davidson {
		return p*o.Of(one, f, eta, Won).Loss + (1-p)*o.Of(one, f, eta, Lost).Loss
	}
	sum := 0.0
	for _, k := range []Kind{Won, Lost, Tied} {
		loss := o.Of(one, f, eta, k).Loss
		sum += math.Exp(-loss) * loss
	}
	return sum
}

// Curvature is the second derivative of the loss of one comparison by its margin f.
func (o Loss) Curvature(f, eta float64) float64 {
	switch o {
	case Squared:
		return 1
	case Davidson:
		return davidson(f, eta, Won).V[0]
	}
	p := Logistic(f)
	return p * (1 - p)
}

// Penalty is the weight of ½‖β‖² at λ in the objective whose gradient and curvature Terms are.
func (o Loss) Penalty(lambda float64) float64 {
	if o == Squared {
		return lambda
	}
	return 2 * lambda
}
