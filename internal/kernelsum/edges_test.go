package kernelsum

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/linalg"
	"pairrank/internal/naive"
)

// someSimilarities are positive semidefinite matrices, one of them of low rank, with equal nodes.
func someSimilarities(r *rand.Rand, n int) (out []*data.Dense) {
	for _, rank := range []int{2, n + 2} {
		x := data.NewDense(n, rank, nil)
		for i := range x.Data {
			x.Data[i] = r.NormFloat64()
		}
		copy(x.Row(n-1), x.Row(0))
		k := data.NewDense(n, n, nil)
		copy(k.Data, linalg.Mat(*x).MulT(linalg.Mat(*x)).Data)
		out = append(out, k)
	}
	return out
}

// edgeCases are all settings and both losses, over random graphs.
func edgeCases(t *testing.T, check func(what string, rows, cols []*data.Dense, y *data.Dense, ranking bool, leave Leave,
	r *rand.Rand)) {
	for seed := range uint64(gen.Count(t, 60)) {
		r := rand.New(rand.NewPCG(seed, 47))
		leave, ranking := Leave(seed%3), seed/3%2 == 0
		p, c := 3+r.IntN(4), 3+r.IntN(4)
		y := data.NewDense(p, c, nil)
		for i := range y.Data {
			y.Data[i] = float64(r.IntN(4))
		}
		check(fmt.Sprintf("seed %d, leave %d, ranking %v", seed, leave, ranking), someSimilarities(r, p),
			someSimilarities(r, c), y, ranking, leave, r)
	}
}

// retrainedEdges is E by training again without what is left out.
func retrainedEdges(k, g linalg.Mat, y *data.Dense, ranking bool, leave Leave, lambda float64) float64 {
	p, c := y.Rows, y.Cols
	m := p * c
	big, row, out := make([]float64, m*m), make([]int, m), map[int][]int{}
	for a := range m {
		row[a] = a / c
		set := map[Leave]int{Edge: a, Row: a / c, Col: a % c}[leave]
		out[set] = append(out[set], a)
		for b := range m {
			big[a*m+b] = k.Row(a / c)[b/c] * g.Row(a % c)[b%c]
		}
	}
	residual := make([]float64, m)
	for _, held := range out {
		in := naive.Without(m, held)
		pairs, labels := []naive.Pair(nil), naive.Pick(y.Data, in)
		if ranking {
			pairs = naive.WeightedPairs(labels, naive.Pick(row, in), nil, "magnitude", "include", "size")
		}
		a, _ := naive.Dual(naive.Submatrix(big, m, in, in), pairs, labels, lambda)
		all := spread(m, in, a)
		at := func(e int) float64 { return y.Data[e] - linalg.Dot(big[e*m:][:m], all) }
		for _, e := range held {
			residual[e] = at(e)
			if ranking {
				mean, n := 0.0, 0.0
				for _, other := range in {
					if row[other] == row[e] {
						mean, n = mean+at(other), n+1
					}
				}
				if n > 0 {
					residual[e] -= mean / n
				}
			}
		}
	}
	if ranking {
		centreRows(linalg.Mat{Rows: p, Cols: c, Stride: c, Data: residual})
	}
	return linalg.Dot(residual, residual)
}

func TestEdgesEqualRetraining(t *testing.T) {
	edgeCases(t, func(what string, rows, cols []*data.Dense, y *data.Dense, ranking bool, leave Leave, r *rand.Rand) {
		lambda, weights := gen.Lambda(r, -4, 4), []float64{0.3, 0.7, 0.6, 0.4}
		mix := func(k []*data.Dense, w []float64) linalg.Mat {
			var normal []linalg.Mat
			for _, a := range clones(k) {
				normal = append(normal, Normalize(a))
			}
			return sum(normal, w)
		}
		want := retrainedEdges(mix(rows, weights[:2]), mix(cols, weights[2:]), y, ranking, leave, lambda)
		e := NewEdges(clones(rows), clones(cols), y.Clone(), ranking, leave, []float64{lambda})
		value, _, err := e.At(context.Background(), weights)
		if err != nil {
			t.Fatal(err)
		}
		size := linalg.Dot(e.y.Data, e.y.Data)
		if got := math.Exp(value) - negligible*size; !(math.Abs(got-want) <= 1e-8*want+1e-15*size) {
			t.Errorf("%s: E = %v, by retraining %v", what, got, want)
		}
	})
}

func TestGradientOfEdges(t *testing.T) {
	edgeCases(t, func(what string, rows, cols []*data.Dense, y *data.Dense, ranking bool, leave Leave, r *rand.Rand) {
		e := NewEdges(rows, cols, y, ranking, leave, []float64{gen.Lambda(r, -4, 4)})
		if linalg.Dot(e.y.Data, e.y.Data) > 0 {
			checkGradient(t, what, e, 4, r)
		}
	})
}

// Weights of each side are at least 0 and of sum 1; another unit of a matrix changes nothing; and the end is no worse
// than the start.
func TestLearnEdges(t *testing.T) {
	lambdas := []float64{0.01, 0.1, 1, 10}
	edgeCases(t, func(what string, rows, cols []*data.Dense, y *data.Dense, ranking bool, leave Leave, r *rand.Rand) {
		learn := func(rows []*data.Dense) ([]float64, *Edges) {
			e := NewEdges(clones(rows), clones(cols), y.Clone(), ranking, leave, lambdas)
			w, err := Learn(context.Background(), e)
			if err != nil {
				t.Fatal(err)
			}
			return w, e
		}
		w, e := learn(rows)
		large := rows[0].Clone()
		linalg.Scal(1024, large.Data)
		scaled, _ := learn([]*data.Dense{large, rows[1]})
		e.at = -1
		end, _, _ := e.At(context.Background(), w)
		e.at = -1
		if start, _, _ := e.At(context.Background(), e.Start()); !(end <= start+1e-9) {
			t.Errorf("%s: ln E is %v, and was %v at first", what, end, start)
		}
		if math.Abs(w[0]+w[1]-1) > 1e-12 || math.Abs(w[2]+w[3]-1) > 1e-12 || min(w[0], w[1], w[2], w[3]) < 0 {
			t.Errorf("%s: weights %v", what, w)
		}
		for i := range w {
			if w[i] != scaled[i] {
				t.Errorf("%s: weight %d is %v, in another unit %v", what, i, w[i], scaled[i])
			}
		}
	})
}
