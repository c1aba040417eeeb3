package comparison

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pairrank/comparison/internal/outcome"
)

// naiveFactors is the objective with factors of annotators by its definition, over single outcomes: of the scores,
// the coefficients and the factors, one after another. It returns its gradient, too.
func naiveFactors(p *Problem, o Options, shrink float64, x []float64) (j float64, g []float64) {
	n, q := len(p.Items), len(p.Covariates)
	g = make([]float64, len(x))
	s, gamma, c := x[:n], x[n:n+q], x[n+q:]
	for i := range p.Lines {
		l := &p.Lines[i]
		d, factor := s[l.Left]-s[l.Right], 1.0
		if l.Annotator >= 0 {
			factor = c[l.Annotator]
		}
		f := factor * d
		for k, v := range p.covariates(i) {
			f += gamma[k] * v
		}
		slope := 0.0
		for k, count := range l.Counts() {
			w, z := count*l.OutcomeWeight(), outcome.Target(l.WinMagnitude(), outcome.Kind(k))
			if o.Loss == Squared {
				j, slope = j+w*(z-f)*(z-f), slope-2*w*(z-f)
				continue
			}
			if k == int(outcome.Tied) && o.Ties == Drop {
				continue
			}
			y := [3]float64{1, 0, 0.5}[k]
			j, slope = j+w*(math.Log(1+math.Exp(f))-y*f), slope+w*(1/(1+math.Exp(-f))-y)
		}
		g[l.Left] += slope * factor
		g[l.Right] -= slope * factor
		for k, v := range p.covariates(i) {
			g[n+k] += slope * v
		}
		if l.Annotator >= 0 {
			g[n+q+l.Annotator] += slope * d
		}
	}
	for i, v := range s {
		j, g[i] = j+o.Lambda*v*v, g[i]+2*o.Lambda*v
	}
	for k, v := range c {
		j, g[n+q+k] = j+shrink*(v-1)*(v-1), g[n+q+k]+2*shrink*(v-1)
	}
	return j, g
}

// meanWeights are the weights of the factors in their mean.
func meanWeights(p *Problem, o Options) []float64 {
	w, sum := make([]float64, len(p.Annotators)), 0.0
	for c := range p.Lines {
		if l := &p.Lines[c]; l.Annotator >= 0 && o.loss().Says(l) {
			w[l.Annotator], sum = w[l.Annotator]+l.Count()*l.OutcomeWeight(), sum+l.Count()*l.OutcomeWeight()
		}
	}
	for k := range w {
		w[k] /= sum
	}
	return w
}

// project takes what moves the means of the scores and of the factors from a gradient.
func project(g, w []float64, n, q int) {
	mean := 0.0
	for _, v := range g[:n] {
		mean += v / float64(n)
	}
	for i := range n {
		g[i] -= mean
	}
	dot, square := 0.0, 0.0
	for k, v := range w {
		dot, square = dot+v*g[n+q+k], square+v*v
	}
	for k, v := range w {
		g[n+q+k] -= dot / square * v
	}
}

// naiveDescent goes down the gradient from x until it vanishes, by steps of Barzilai and Borwein (1988), each halved
// until the objective does not rise.
func naiveDescent(p *Problem, o Options, shrink float64, x []float64) ([]float64, float64) {
	n, q, w := len(p.Items), len(p.Covariates), meanWeights(p, o)
	at := func(x []float64) (float64, []float64) {
		j, g := naiveFactors(p, o, shrink, x)
		project(g, w, n, q)
		return j, g
	}
	j, g := at(x)
	step, size := 1e-3, 1.0
	for k := 0; k < 20_000 && size > 1e-10; k++ {
		next := slices.Clone(x)
		for {
			for i := range next {
				next[i] = x[i] - step*g[i]
			}
			if to, _ := at(next); to <= j+1e-13*(1+j) {
				break
			}
			step /= 2
		}
		to, h := at(next)
		ss, sy := 0.0, 0.0
		size = slices.Max(absolute(h))
		for i := range x {
			d := next[i] - x[i]
			ss, sy = ss+d*d, sy+d*(h[i]-g[i])
		}
		x, g, j = next, h, to
		if step = 1e-3; sy > 0 {
			step = ss / sy
		}
	}
	return x, size
}

func absolute(x []float64) []float64 {
	out := slices.Clone(x)
	for i, v := range out {
		out[i] = math.Abs(v)
	}
	return out
}

// judged is a board of tastes: annotators whose factors are spread, every fifth one turned round.
func judged(r *rand.Rand, items, annotators, each int) *Problem {
	p := &Problem{}
	scores := make([]float64, items)
	for i := range items {
		p.Items, scores[i] = append(p.Items, strconv.Itoa(i)), r.NormFloat64()
	}
	for k := range annotators {
		p.Annotators = append(p.Annotators, "w"+strconv.Itoa(k))
		c := 0.2 + 1.8*r.Float64()
		if k%5 == 4 {
			c = -c
		}
		for range each {
			a := r.IntN(items)
			b := (a + 1 + r.IntN(items-1)) % items
			l := Line{Left: a, Right: b, Annotator: k, Stratum: -1, Cluster: -1, Magnitude: 1 + r.Float64()}
			switch y := 1 / (1 + math.Exp(-c*(scores[a]-scores[b]))); {
			case r.Float64() < 0.1:
				l.Ties = 1
			case r.Float64() < y:
				l.Wins = 1 + float64(r.IntN(2))
			default:
				l.Losses = 1
			}
			if r.IntN(4) == 0 {
				l.Weight = 0.5 + r.Float64()
			}
			p.Lines = append(p.Lines, l)
		}
	}
	for range each { // nobody said who
		p.Lines = append(p.Lines, Line{Left: 0, Right: 1, Wins: 1, Losses: 1, Ties: 1, Annotator: -1, Stratum: -1,
			Cluster: -1})
	}
	return p
}

// TestFactorsAreOfTheDefinition compares scores, coefficients and factors with a naive descent of the definition, and
// asks for a gradient of 0 of all boards.
func TestFactorsAreOfTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	descents := 0
	for trial := range 300 {
		p := judged(r, 3+r.IntN(4), 2+r.IntN(5), 10+r.IntN(30))
		if trial%3 == 0 {
			p.AddSide()
		}
		o := Options{Loss: []Loss{Squared, Logistic}[trial%2], Ties: []Ties{Half, Drop}[trial/2%2],
			Lambda: []float64{0, 0.3}[trial/4%2]}
		shrink := math.Exp2(float64(r.IntN(7) - 3))
		plain, err := Fit(context.Background(), p, o)
		if separated := new(SeparatedError); errors.As(err, &separated) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		b, err := plain.withFactors(context.Background(), shrink)
		if separated := new(SeparatedError); errors.As(err, &separated) {
			continue
		} else if err != nil {
			t.Fatal(trial, err)
		}
		n, q, w := len(p.Items), len(p.Covariates), meanWeights(p, o)
		x := slices.Concat(b.Scores, b.Gamma, b.factors.c)
		j, g := naiveFactors(p, o, shrink, x)
		project(g, w, n, q)
		mean := 0.0
		for k, v := range w {
			mean += v * b.factors.c[k]
		}
		if size := slices.Max(absolute(g)); size > 1e-8*(1+j) || !near(mean, 1) || !near(j, b.Objective) {
			t.Fatalf("%d: %+v, P = %v: the gradient is %g, the mean of the factors %v, J = %v, want %v", trial, o, shrink, size,
				mean, b.Objective, j)
		}
		if before, _ := naiveFactors(p, o, shrink, slices.Concat(plain.Scores, plain.Gamma,
			slices.Repeat([]float64{1}, len(w)))); j > before*(1+1e-12) {
			t.Fatalf("%d: J rose from %v to %v", trial, before, j)
		}
		if trial%10 > 0 {
			continue
		}
		want, left := naiveDescent(p, o, shrink, slices.Concat(plain.Scores, plain.Gamma,
			slices.Repeat([]float64{1}, len(w))))
		if left > 1e-9 {
			continue
		}
		descents++
		for i := range x {
			if !near(x[i], want[i]) {
				t.Errorf("%d: unknown %d is %v, want %v", trial, i, x[i], want[i])
			}
		}
	}
	if descents < 20 {
		t.Errorf("only %d descents ended", descents)
	}
}

// Factors are refused, and not left out in silence, beside several values of lambda and beside votes of people.
func TestFactorsAreRefused(t *testing.T) {
	p := &Problem{Items: []string{"a", "b", "c"}, Annotators: []string{"x", "y"}, Clusters: []string{"q", "r"}}
	for k := range 12 {
		p.Lines = append(p.Lines, Line{Left: k % 3, Right: (k + 1) % 3, Wins: 1, Annotator: k % 2, Stratum: -1,
			Cluster: k % 2})
	}
	if _, err := Rank(t.Context(), *p, RankOptions{AnnotatorScale: true, Lambdas: []float64{1, 2}}); err == nil {
		t.Error("several values of lambda are taken")
	}
	p.Lines[0].Trusted = true
	if _, err := Rank(t.Context(), *p, RankOptions{AnnotatorScale: true}); err == nil ||
		!strings.Contains(err.Error(), "factors") {
		t.Errorf("votes of people: %v", err)
	}
}

// Where no scores are finite without an annotator, who alone saw d lose, intervals and the held-out error say that they
// are over steps; and nothing is said where all are finite.
func TestStepsAreTold(t *testing.T) {
	for _, lost := range []int{1, 3} { // annotators who saw d lose
		p := &Problem{Items: []string{"a", "b", "c", "d"}}
		for k := range 6 {
			p.Annotators = append(p.Annotators, strconv.Itoa(k))
			for i := range p.Items {
				for j := range i {
					l := Line{Left: i, Right: j, Wins: 2, Losses: 1, Annotator: k, Stratum: -1, Cluster: -1}
					if i == 3 && k >= lost {
						l.Losses = 0
					}
					p.Lines = append(p.Lines, l)
				}
			}
		}
		p.Lines[0].Wins = 5 // else the annotators are alike, and the spread 0
		b, err := Fit(t.Context(), p, Options{Loss: Logistic})
		if err == nil {
			b, err = b.withFactors(t.Context(), 10)
		}
		if err != nil {
			t.Fatal(err)
		}
		r, _ := newRanker(*p, RankOptions{Options: Options{Loss: Logistic}})
		v := b.Jackknife()
		h, err := b.Predict(t.Context(), Unit{Kind: "annotator"}, 1)
		if v == nil || err != nil {
			t.Fatal(v, err)
		}
		r.tellSteps("intervals", v.Stepped, v.Units)
		r.tellSteps("the error of what is left out", h.Stepped, h.Sets)
		if want := 1 / lost; v.Stepped != want || h.Stepped != want || len(r.journal.Notes()) != 2*want {
			t.Errorf("%d saw d lose: %d of %d intervals and %d of %d held out, %v", lost, v.Stepped, v.Units, h.Stepped,
				h.Sets, r.journal.Notes())
		}
	}
}
