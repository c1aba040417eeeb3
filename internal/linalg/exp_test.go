package linalg

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// bigExp is exp by its power series in 120 bits, after halving the argument
// ten times.
func bigExp(x float64) *big.Float {
	const prec, halvings = 200, 12
	r := new(big.Float).SetPrec(prec).SetMantExp(new(big.Float).SetPrec(prec).SetFloat64(x), -halvings)
	sum, term := new(big.Float).SetPrec(prec).SetInt64(1), new(big.Float).SetPrec(prec).SetInt64(1)
	for i := int64(1); i < 40; i++ {
		term.Mul(term, r)
		term.Quo(term, new(big.Float).SetPrec(prec).SetInt64(i))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// ulps is the distance of got from the exact value in units of the last place.
func ulps(got float64, exact *big.Float) float64 {
	near, _ := exact.Float64()
	if math.IsInf(near, 0) || math.IsInf(got, 0) {
		if got == near {
			return 0
		}
		return math.Inf(1)
	}
	ulp := math.Nextafter(near, math.Inf(1)) - near
	if math.IsInf(ulp, 0) {
		ulp = near - math.Nextafter(near, 0)
	}
	d, _ := new(big.Float).Sub(new(big.Float).SetFloat64(got), exact).Float64()
	return math.Abs(d) / ulp
}

func TestExp(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	x := []float64{0, 1, -1, 1e-300, -1e-20, 5e-324, 709, 709.5, 709.78, 709.782712893384, 709.7827128933841, 710,
		-708, -708.4, -709, -720, -740, -744.4, -745, -745.13, -745.14, -746, 1e308, -1e308}
	count := 3000
	if testing.Short() {
		count = 300
	}
	for range count {
		x = append(x, 1500*(r.Float64()-0.52), -r.ExpFloat64(), r.NormFloat64(), 0.01*r.NormFloat64(),
			-700-60*r.Float64())
	}
	exact := make([]*big.Float, len(x)) // once for all kernels
	for i, v := range x {
		if math.Abs(v) <= 1e6 { // else beyond the oracle
			exact[i] = bigExp(v)
		}
	}
	forKernels(t, func(t *testing.T) {
		y := make([]float64, len(x))
		Exp(y, x)
		worst := 0.0
		for i, v := range x {
			if exact[i] == nil {
				if want := math.Exp(v); y[i] != want {
					t.Errorf("exp(%g) is %g", v, y[i])
				}
				continue
			}
			u := ulps(y[i], exact[i])
			worst = max(worst, u)
			if u > 2 {
				t.Fatalf("exp(%v) is %v, off by %g ulp", v, y[i], u)
			}
		}
		t.Logf("worst error %.2f ulp", worst)
	})
}

func TestExpSpecial(t *testing.T) {
	inf := math.Inf(1)
	forKernels(t, func(t *testing.T) {
		for n := 1; n < 40; n++ { // in every place, and nothing beyond the end
			x := make([]float64, n)
			y := make([]float64, n+1)
			y[n] = forbidden
			for i := range x {
				x[i] = []float64{inf, -inf, math.NaN(), math.Float64frombits(0xfff4000000000123),
					math.Copysign(0, -1)}[i%5]
			}
			Exp(y, x)
			for i, v := range x {
				want := math.Exp(v)
				if y[i] != want && !(math.IsNaN(v) && math.IsNaN(y[i])) {
					t.Errorf("exp(%g) is %g at %d of %d", v, y[i], i, n)
				}
			}
			if math.Float64bits(y[n]) != math.Float64bits(forbidden) {
				t.Errorf("%d: wrote past the end", n)
			}
		}
	})
}

// TestExpPlace: the value depends on the argument only.
func TestExpPlace(t *testing.T) {
	forKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(6, 5))
		x := vector(r, 100)
		y := make([]float64, len(x))
		Exp(y, x)
		for i := range x {
			var one [1]float64
			Exp(one[:], x[i:i+1])
			if one[0] != y[i] {
				t.Fatalf("exp(%v) is %v alone and %v at %d", x[i], one[0], y[i], i)
			}
		}
	})
}

func TestGaussianRow(t *testing.T) {
	forKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(7, 5))
		for n := range 40 {
			g, yn := vector(r, n+1), vector(r, n+1)
			g[n] = forbidden
			for j := range n {
				yn[j] = math.Abs(yn[j])
			}
			if n > 3 {
				g[1], yn[2], g[3] = 1e9, 1e9, math.NaN()
			}
			want := append([]float64(nil), g...)
			const xn, gamma = 1.5, 0.25
			for j := range n {
				want[j] = math.Exp(-gamma * max(0, xn+yn[j]-2*g[j]))
			}
			GaussianRow(g[:n], yn, xn, gamma)
			for j, v := range g {
				if !(math.Abs(v-want[j]) <= 4*epsilon*want[j]) && !(math.IsNaN(v) && math.IsNaN(want[j])) {
					t.Errorf("%d: %g at %d, want %g", n, v, j, want[j])
				}
			}
			if math.Float64bits(g[n]) != math.Float64bits(forbidden) {
				t.Errorf("%d: wrote past the end", n)
			}
		}
	})
}
