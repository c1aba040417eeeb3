package kron

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/linalg"
)

// kernelOf is the kernel matrix of p nodes, two of them equal. Linear and cubic kernels have eigenvalues that
// are 0, those of the Gaussian kernel fall to rounding, and those of the Laplacian kernel do not.
func kernelOf(r *rand.Rand, p int, kind string) *data.Dense {
	x := linalg.NewMat(p, 3)
	for i := range x.Data {
		x.Data[i] = r.NormFloat64()
	}
	copy(x.Row(1), x.Row(0))
	k := data.NewDense(p, p, nil)
	for i := range p {
		for j := range p {
			dot, d := linalg.Dot(x.Row(i), x.Row(j)), 0.0
			for c, v := range x.Row(i) {
				d += (v - x.Row(j)[c]) * (v - x.Row(j)[c])
			}
			k.Row(i)[j] = map[string]float64{
				"linear": dot, "cubic": (1 + dot) * (1 + dot) * (1 + dot),
				"gaussian": math.Exp(-d / 4), "laplace": math.Exp(-math.Sqrt(d)),
			}[kind]
		}
	}
	return k
}

var kinds = []string{"linear", "cubic", "gaussian", "laplace"}

func random(r *rand.Rand, p, n int) *data.Dense {
	y := data.NewDense(p, n, nil)
	for i := range y.Data {
		y.Data[i] = r.NormFloat64()
	}
	return y
}

// retrained is the score of a pair by a factorisation without its row and column.
func retrained(t *testing.T, k, g, y *data.Dense, lambda float64, e Edge) float64 {
	t.Helper()
	less := func(a *data.Dense, row, col int) *data.Dense {
		out := data.NewDense(a.Rows-1, a.Cols-1, nil)
		for i := range out.Rows {
			from := a.Row(i)
			if i >= row {
				from = a.Row(i + 1)
			}
			copy(out.Row(i), from[:col])
			copy(out.Row(i)[col:], from[col+1:])
		}
		return out
	}
	path, err := Factor(t.Context(), less(k, e.Row, e.Row), less(g, e.Col, e.Col),
		less(y, e.Row, e.Col), Options{Loss: Regression})
	if err != nil {
		t.Fatal(err)
	}
	coef, score, a := path.At(lambda).Coef, 0.0, 0
	for i, v := range k.Row(e.Row) {
		if i == e.Row {
			continue
		}
		b := 0
		for j, w := range g.Row(e.Col) {
			if j != e.Col {
				score += v * w * coef.Row(a)[b]
				b++
			}
		}
		a++
	}
	return score
}

// TestHoldOutBothOfMany compares pairs of so many nodes that few unknowns couple them with trainings without
// their rows and columns.
func TestHoldOutBothOfMany(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 92))
	worst := tally{}
	coupled := 0
	for _, rows := range kinds {
		for _, cols := range kinds {
			k, g := kernelOf(r, 70, rows), kernelOf(r, 80, cols)
			y := random(r, k.Rows, g.Rows)
			path, err := Factor(t.Context(), k, g, y, Options{Loss: Regression})
			if err != nil {
				t.Fatal(err)
			}
			_, greatest := path.Extent()
			for _, octaves := range []float64{-3, 2, 7, 14, 21} { // at most eight digits are left
				lambda := greatest * math.Exp2(-octaves)
				if _, ok := newSkeleton(path.rows.d, path.cols.d, lambda, k.Rows/3); ok {
					coupled++
				}
				pairs := []Edge{{0, 0}, {1, 5}, {5, 1}, {r.IntN(k.Rows), r.IntN(g.Rows)}}
				for len(pairs) <= coupledBatch {
					pairs = append(pairs, pairs[0])
				}
				pairs = append(pairs, Edge{r.IntN(k.Rows), r.IntN(g.Rows)})
				next := 0
				err := path.HoldOutBoth(t.Context(), lambda, pairs, func(h int, score float64) {
					if h != next {
						t.Fatalf("pair %d after %d", h, next-1)
					}
					if next++; h < 4 || h == len(pairs)-1 {
						want := retrained(t, k, g, y, lambda, pairs[h])
						worst.near(t, fmt.Sprintf("%s × %s", rows, cols), score, want, size(y), tolerance)
					}
				})
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if coupled < 60 {
		t.Errorf("%d of 80 problems only have few unknowns", coupled)
	}
	t.Logf("largest relative differences %v", worst)
}

// TestCoupled compares the two ways with retraining when the skeleton is all of M.
func TestCoupled(t *testing.T) {
	r := rand.New(rand.NewPCG(93, 94))
	worst := tally{}
	for range gen.Count(t, 100) {
		p := drawProblem(r, 6, r.IntN(3) == 0)
		path, err := Factor(t.Context(), p.rows, p.cols, p.y, Options{Loss: Regression})
		if err != nil {
			t.Fatal(err)
		}
		s, ok := newSkeleton(path.rows.d, path.cols.d, p.lambda, min(p.y.Rows, p.y.Cols))
		if !ok {
			t.Fatal("as many pairs as nodes are not enough")
		}
		e := Edge{r.IntN(p.y.Rows), r.IntN(p.y.Cols)}
		want := p.without(Both, e.Row, e.Col, Regression)
		err = newCoupled(newBoth(path, p.lambda, 1), s).holdOut(t.Context(), []hole{{e.Row, e.Col, -1}},
			func(_ int, delta float64) {
				score := p.y.Row(e.Row)[e.Col] - delta
				worst.near(t, "coupled", score, want, size(p.y), tolerance)
			})
		if err != nil {
			t.Fatal(err)
		}
		err = newCholesky(newBoth(path, p.lambda, 1)).holdOut(t.Context(), []hole{{e.Row, e.Col, -1}},
			func(_ int, delta float64) {
				worst.near(t, "cholesky", p.y.Row(e.Row)[e.Col]-delta, want, size(p.y), tolerance)
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("largest relative differences %v", worst)
}

// TestSkeleton compares AB' with M entry by entry, down to λ at the size of rounding.
func TestSkeleton(t *testing.T) {
	r := rand.New(rand.NewPCG(95, 96))
	spectra := map[string]func(i int) float64{
		"one":       func(int) float64 { return 3 },
		"none":      func(int) float64 { return 0 },
		"two":       func(i int) float64 { return float64(i % 2) },
		"geometric": func(i int) float64 { return math.Exp2(-float64(i) / 2) },
		"even":      func(i int) float64 { return float64(i) },
		"random":    func(int) float64 { return math.Exp(4 * r.NormFloat64()) },
		"clipped":   func(i int) float64 { return max(0, math.Exp2(-float64(i)/3)-1e-9) },
	}
	const bound = 1e-11 // of the relative error: skeletonError, and the rounding of some sixty terms
	for first, f := range spectra {
		for second, g := range spectra {
			d1, d2 := make([]float64, 90), make([]float64, 70)
			for i := range d1 {
				d1[i] = f(i)
			}
			for i := range d2 {
				d2[i] = g(i)
			}
			for _, octaves := range []float64{-60, -3, 0, 5, 10, 20, 40} {
				_, hi1 := extent(d1)
				_, hi2 := extent(d2)
				lambda := math.Exp2(-octaves)
				if hi1*hi2 > 0 {
					lambda *= hi1 * hi2
				}
				s, ok := newSkeleton(d1, d2, lambda, 70)
				if !ok {
					t.Errorf("%s × %s / 2^%g: 70 pairs are not enough", first, second, octaves)
					continue
				}
				for k, x := range d1 {
					for l, y := range d2 {
						if off := math.Abs(linalg.Dot(s.a.Row(k), s.b.Row(l))*(x*y+lambda) - 1); !(off <= bound) {
							t.Fatalf("%s × %s / 2^%g: entry %d,%d is off by %.3g, of %d pairs",
								first, second, octaves, k, l, off, s.a.Cols)
						}
					}
				}
			}
		}
	}
}

// TestHoldOutBothStops checks that the context is read between batches, and the pairs beforehand.
func TestHoldOutBothStops(t *testing.T) {
	r := rand.New(rand.NewPCG(97, 98))
	k := kernelOf(r, 40, "linear")
	path, err := Factor(t.Context(), k, k, random(r, 40, 40), Options{Loss: Regression})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	seen := 0
	err = path.HoldOutBoth(ctx, 1, make([]Edge, 3*coupledBatch), func(int, float64) {
		seen++
		cancel()
	})
	if !errors.Is(err, context.Canceled) || seen != coupledBatch {
		t.Errorf("%d pairs, %v", seen, err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a pair of no node is taken")
		}
	}()
	_ = path.HoldOutBoth(t.Context(), 1, []Edge{{0, 40}}, func(int, float64) { t.Error("a score") })
}
