package draw

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Draws have the probabilities of the definition, within five standard errors in every cell, for all ways to draw.
func TestBinomialOf(t *testing.T) {
	const draws = 200_000
	r := rand.New(rand.NewPCG(3, 1))
	for _, c := range []struct{ n, p float64 }{{0, 0.3}, {3, 0.7}, {12, 0.1}, {40, 0.9}, {30, 0.5}, {200, 0.3}, {50, 1},
		{1000, 0.98}} {
		seen := map[float64]float64{}
		for range draws {
			seen[Binomial(r, c.n, c.p)]++
		}
		for k := 0.0; k <= c.n && c.p < 1; k++ {
			lg := func(x float64) float64 { v, _ := math.Lgamma(x + 1); return v }
			p := math.Exp(lg(c.n) - lg(k) - lg(c.n-k) + k*math.Log(c.p) + (c.n-k)*math.Log1p(-c.p))
			if d := seen[k] - draws*p; math.Abs(d) > 5*math.Sqrt(draws*p*(1-p))+2 {
				t.Errorf("n %v, p %v: %v is drawn %v times, expected %.1f", c.n, c.p, k, seen[k], draws*p)
			}
			delete(seen, k)
		}
		if c.p == 1 {
			delete(seen, c.n)
		}
		if len(seen) > 0 {
			t.Errorf("n %v, p %v: drawn %v", c.n, c.p, seen)
		}
	}
}

// Mean, variance and third moment of draws are those of the distribution, within five standard errors.
func TestGammaOf(t *testing.T) {
	const draws = 400_000
	r := rand.New(rand.NewPCG(3, 2))
	for _, a := range []float64{0.3, 1, 2.5, 40} {
		var m [3]float64
		for range draws {
			x := Gamma(r, a) - a
			m[0], m[1], m[2] = m[0]+x/draws, m[1]+x*x/draws, m[2]+x*x*x/draws
		}
		fourth := 3*a*a + 6*a
		sixth := 15*a*a*a + 130*a*a + 120*a
		for k, c := range [][2]float64{{0, a}, {a, fourth - a*a}, {2 * a, sixth - 4*a*a}} {
			if math.Abs(m[k]-c[0]) > 5*math.Sqrt(c[1]/draws) {
				t.Errorf("shape %v: moment %d is %v, not %v", a, k+1, m[k], c[0])
			}
		}
	}
}
