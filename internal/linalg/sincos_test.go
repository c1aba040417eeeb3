package linalg

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// sinCosTolerance is the absolute error that SinCos promises.
const sinCosTolerance = 1e-15

// bigPi is π to 100 digits.
var bigPi = func() *big.Float {
	pi, _, err := big.ParseFloat("3.14159265358979323846264338327950288419716939937510582097494459230"+
		"7816406286208998628034825342117068", 10, 320, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	return pi
}()

// bigSinCos are sine and cosine by their power series, after whole turns are taken off.
func bigSinCos(x float64) (sin, cos float64) {
	const prec = 320
	number := func() *big.Float { return new(big.Float).SetPrec(prec) }
	turn := number().Mul(bigPi, number().SetInt64(2))
	turns, _ := number().Quo(number().SetFloat64(x), turn).Int(nil)
	r := number().Sub(number().SetFloat64(x), number().Mul(turn, number().SetInt(turns)))
	sums, term := [2]*big.Float{number(), number()}, number().SetInt64(1)
	for i := range int64(80) { // |r| < 2π
		sign := number().SetInt64(1 - i/2%2*2)
		sums[i%2].Add(sums[i%2], sign.Mul(sign, term))
		term.Mul(term, r)
		term.Quo(term, number().SetInt64(i+1))
	}
	cos, _ = sums[0].Float64()
	sin, _ = sums[1].Float64()
	return sin, cos
}

func TestSinCos(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	x := []float64{0, math.Copysign(0, -1), 1, -1, 5e-324, 1e-300, math.Pi, -math.Pi, math.Pi / 2, 1 << 30, -1 << 30,
		1<<30 + 1, 1e12, -1e15}
	for k := range 40 { // near the ends of the reduced range
		for _, v := range []float64{float64(k) * math.Pi / 4, -float64(k) * math.Pi / 4} {
			x = append(x, v, math.Nextafter(v, 100), math.Nextafter(v, -100))
		}
	}
	for range 500 {
		x = append(x, 10*r.NormFloat64(), 1e3*r.NormFloat64(), 1e8*r.NormFloat64(),
			math.Pi/2*math.Floor(1e8*r.Float64()))
	}
	exactSin, exactCos := make([]float64, len(x)), make([]float64, len(x)) // once for all kernels
	for i, v := range x {
		exactSin[i], exactCos[i] = bigSinCos(v)
	}
	forKernels(t, func(t *testing.T) {
		sin, cos := make([]float64, len(x)), make([]float64, len(x))
		SinCos(sin, cos, x)
		worst := 0.0
		for i, v := range x {
			d := max(math.Abs(sin[i]-exactSin[i]), math.Abs(cos[i]-exactCos[i]))
			if worst = max(worst, d); !(d <= sinCosTolerance) {
				t.Fatalf("sin and cos of %v are %v and %v, not %v and %v", v, sin[i], cos[i], exactSin[i], exactCos[i])
			}
		}
		t.Logf("worst error %.2g", worst)
	})
}

// TestSinCosPlace: the value depends on the argument only, one of the results may take the
// place of the arguments, and nothing is written beyond their end.
func TestSinCosPlace(t *testing.T) {
	forKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(6, 6))
		for n := range 40 {
			x := vector(r, n)
			for i := range x {
				x[i] *= 20
			}
			if n > 12 {
				x[3], x[9], x[11] = 1e11, math.NaN(), math.Inf(-1)
			}
			sin, cos := vector(r, n+1), append(append([]float64(nil), x...), forbidden)
			sin[n] = forbidden
			SinCos(sin, cos, cos[:n])
			for i, v := range x {
				var s, c [1]float64
				SinCos(s[:], c[:], x[i:i+1])
				if v == v && !math.IsInf(v, 0) && (s[0] != sin[i] || c[0] != cos[i]) || math.IsNaN(v) &&
					(sin[i] == sin[i] || cos[i] == cos[i]) {
					t.Fatalf("sin and cos of %v are %v and %v alone, and %v and %v at %d of %d",
						v, s[0], c[0], sin[i], cos[i], i, n)
				}
				if math.IsInf(v, 0) && (sin[i] == sin[i] || cos[i] == cos[i]) {
					t.Fatalf("sin and cos of %v are %v and %v", v, sin[i], cos[i])
				}
			}
			if math.Float64bits(sin[n]) != math.Float64bits(forbidden) ||
				math.Float64bits(cos[n]) != math.Float64bits(forbidden) {
				t.Fatalf("%d: wrote past the end", n)
			}
		}
	})
}
