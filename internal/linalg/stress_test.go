package linalg

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"
)

// randomTridiagonal draws a tridiagonal matrix with clustered, graded, split
// or wildly scaled entries.
func randomTridiagonal(r *rand.Rand) (kind int, d, e []float64) {
	n := 2 + r.IntN(180)
	d, e = make([]float64, n), make([]float64, n)
	kind = r.IntN(10)
	for i := range n {
		grade := math.Pow(10, -16*float64(i)/float64(n))
		switch kind {
		case 0:
			d[i], e[i] = r.NormFloat64(), r.NormFloat64()
		case 1: // three values, weakly coupled
			d[i], e[i] = float64(r.IntN(3)), math.Pow(10, -20*r.Float64())
		case 2:
			d[i], e[i] = grade, grade*r.NormFloat64()
		case 3:
			d[i], e[i] = 2, -1
		case 4:
			d[i], e[i] = 0, 1
		case 5: // falls apart
			d[i] = r.NormFloat64()
			if r.IntN(4) == 0 {
				e[i] = r.NormFloat64()
			}
		case 6: // one cluster
			d[i], e[i] = 1+1e-15*r.NormFloat64(), 1e-15*r.NormFloat64()
		case 7:
			d[i], e[i] = math.Pow(10, 40*r.Float64()-20), math.Pow(10, 40*r.Float64()-20)
		case 8:
			d[i], e[i] = gluedWilkinson(i, i), gluedWilkinson(i, i+1)
		case 9: // graded upwards
			d[i], e[i] = 1e-16/grade, 1e-16/grade*r.NormFloat64()
		}
	}
	return kind, d, e
}

// TestTridiagonalStress runs for PAIRRANK_STRESS seconds, half a second by default.
func TestTridiagonalStress(t *testing.T) {
	seconds := 0.5
	if s := os.Getenv("PAIRRANK_STRESS"); s != "" {
		var err error
		if seconds, err = strconv.ParseFloat(s, 64); err != nil {
			t.Fatalf("PAIRRANK_STRESS: %v", err)
		}
	}
	r := rand.New(rand.NewPCG(77, uint64(seconds*10)))
	begin, cases := time.Now(), 0
	worstOrthogonality, worstResidual := 0.0, 0.0
	for time.Since(begin).Seconds() < seconds {
		kind, d, e := randomTridiagonal(r)
		n := len(d)
		w, v := append([]float64(nil), d...), NewMat(n, n)
		tridiagonalEigen(w, append([]float64(nil), e...), v)
		o, res := orthogonality(v), tridiagonalResidual(d, e, w, v)
		worstOrthogonality, worstResidual = max(worstOrthogonality, o), max(worstResidual, res)
		if !(o <= 1e-14*math.Sqrt(float64(n))) || !(res <= 1e-14) {
			t.Fatalf("kind %d, n=%d: orthogonality %.2g, residual %.2g", kind, n, o, res)
		}
		for i := 1; i < n; i++ {
			if w[i] < w[i-1] {
				t.Fatalf("kind %d, n=%d: not ascending", kind, n)
			}
		}
		cases++
	}
	t.Logf("%d tridiagonals, worst orthogonality %.2g, worst residual %.2g", cases, worstOrthogonality, worstResidual)
}

// tridiagonalResidual is the largest entry of TV - VW relative to the norm of T.
func tridiagonalResidual(d, e, w []float64, v Mat) float64 {
	n := len(d)
	norm := max(math.Abs(w[0]), math.Abs(w[n-1]), 1e-300)
	worst := 0.0
	for i := range n {
		x := v.Row(i)
		for k := range n {
			s := (d[k] - w[i]) * x[k]
			if k > 0 {
				s += e[k-1] * x[k-1]
			}
			if k+1 < n {
				s += e[k] * x[k+1]
			}
			worst = max(worst, math.Abs(s)/norm)
		}
	}
	return worst
}
