package linalg

import (
	"math"
	"math/rand/v2"
	"testing"
)

// pairsWithin bounds the relative difference of two ways to round a dozen operations.
const pairsWithin = 1e-12

// TestPairMargins compares with the definition by matrices, of pairs among which some have equal rows.
func TestPairMargins(t *testing.T) {
	forKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(31, 5))
		for trial := range 200 {
			n, rows := 4+4*r.IntN(6), 1+r.IntN(4)
			stride := pairVectors*n + r.IntN(2)*n
			c, gap, dst := randomMat(uint64(trial), 1, n+1).Data, make([]float64, n), make([]float64, rows*n)
			blocks, of := randomMat(uint64(trial+1000), rows, stride), randomMat(uint64(trial+2000), 1, rows).Data
			pivot, toward, lambda := 3+r.Float64(), r.NormFloat64(), math.Exp2(4*r.NormFloat64()-4)
			for k := range n {
				gap[k] = 1 + r.Float64()
				if r.IntN(3) == 0 { // equal rows
					g := r.IntN(rows)
					c[k] = of[g]
					blocks.Row(g)[2*n+k] = blocks.Row(g)[k]
				}
			}
			least, squares := PairMargins(dst, of, c, gap, blocks.Data, stride, pivot, toward, lambda)
			wantLeast, wantSquares := math.Inf(1), 0.0
			for p, got := range dst {
				g, k := p/n, p%n
				at := func(vector int) float64 { return blocks.Row(g)[vector*n+k] }
				u, w := at(0)*of[g]+at(1)*c[k], at(1)*of[g]+at(2)*c[k]
				reduced := max(lambda, pivot-of[g]*u-c[k]*w)
				by := (u - w) * (toward - of[g]*at(3) - c[k]*at(4)) / reduced
				if math.Abs(got-at(5)-by) > pairsWithin*(1+math.Abs(at(5))+math.Abs(by)+100/reduced) {
					t.Fatalf("margin %d of %d is %g, want %g", k, n, got, at(5)+by)
				}
				if c[k] == of[g] && at(0) == at(2) && got != at(5) {
					t.Fatalf("the margin of equal rows changes from %g to %g", at(5), got)
				}
				wantLeast = min(wantLeast, got)
				wantSquares += (gap[k] - got) * (gap[k] - got)
			}
			if least != wantLeast || math.Abs(squares-wantSquares) > pairsWithin*wantSquares {
				t.Fatalf("%d pairs: least %g, squares %g; want %g and %g", n, least, squares, wantLeast, wantSquares)
			}
		}
		dst, block := make([]float64, 16), make([]float64, 96)
		block[13] = math.NaN()
		if _, squares := PairMargins(dst, dst[:2], dst, dst[:8], block, 48, 1, 1, 1); !math.IsNaN(squares) {
			t.Errorf("the squares of a margin that is NaN are %g", squares)
		}
		for _, wrong := range []func(){
			func() { PairMargins(dst, dst[:2], dst, dst[:7], block, 48, 1, 1, 1) },
			func() { PairMargins(dst[:15], dst[:2], dst, dst[:8], block, 48, 1, 1, 1) },
			func() { PairMargins(dst, dst[:2], dst[:7], dst[:8], block, 48, 1, 1, 1) },
			func() { PairMargins(dst, dst[:2], dst, dst[:8], block[:95], 48, 1, 1, 1) },
			func() { PairMargins(dst, dst[:2], dst, dst[:8], block, 47, 1, 1, 1) },
			func() { PairMargins(dst, nil, dst, dst[:8], block, 48, 1, 1, 1) },
			func() { PairSigns(1, 1, 1, 1, 1, 1, dst[:6], dst, dst, dst, dst, dst) },
			func() { PairSigns(1, 1, 1, 1, 1, 1, dst[:8], dst, dst, dst, dst, dst[:7]) },
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Error("no panic")
					}
				}()
				wrong()
			}()
		}
	})
}

// TestPairSigns compares with the definition, of numbers of which some are near 0.
func TestPairSigns(t *testing.T) {
	forKernels(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(31, 6))
		near := 0
		for trial := range 300 {
			n := 4 * r.IntN(6)
			v := randomMat(uint64(trial), 6, n+1)
			s := randomMat(uint64(trial+1000), 1, 5).Data
			q, qi, qj, y, a, d := v.Row(0)[:n], v.Row(1), v.Row(2), v.Row(3), v.Row(4), v.Row(5)
			below, least := 0, math.Inf(1)
			for k := range q {
				x, c := q[k]-s[0]*qi[k]-s[1]*qj[k], y[k]-s[4]
				f := x*(c*x+a[k]-s[2]) - d[k]*(c*s[3]+s[2]) + s[3]*a[k]
				if least = min(least, math.Abs(f)); f < 0 {
					below++
				}
			}
			bound := 0.02
			if math.Abs(least-bound) < pairsWithin || least < pairsWithin {
				continue
			}
			if least < bound {
				near++
			}
			got, close := PairSigns(s[0], s[1], s[2], s[3], s[4], bound, q, qi, qj, y, a, d)
			if got != below || close != (least < bound) {
				t.Fatalf("%d are below 0 and the least is %g: got %d, near %v", below, least, got, close)
			}
		}
		if near == 0 {
			t.Error("no number was near 0")
		}
	})
}
