package kernelsum

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/linalg"
	"pairrank/internal/naive"
	"pairrank/relation/edge"
)

// edgeCase is labels of edges, kernels of both sides, and what is held out.
type edgeCase struct {
	kernels [2][]*data.Dense // cols nil in one domain
	y       *data.Dense
	loss    edge.Loss
	setting edge.Setting
	name    string
}

// edgeCases are the losses, the settings, two domains and one, over random problems. Some kernels have few dimensions,
// so that eigenvalues are zero or equal.
func edgeCases(t *testing.T, check func(c edgeCase, seed uint64)) {
	for seed := range uint64(gen.Count(t, 60)) {
		r := rand.New(rand.NewPCG(seed, 463))
		p, n := 2+r.IntN(7), 3+r.IntN(6)
		one := seed/6%3 == 2
		if one {
			n = p + 1
			p = n
		}
		c := edgeCase{y: data.NewDense(p, n, nil), loss: []edge.Loss{edge.Ranking, edge.Regression}[seed%2],
			setting: []edge.Setting{edge.Pairs, edge.Rows, edge.Cols}[seed/2%3]}
		c.name = fmt.Sprintf("seed %d, %s, %s, %d×%d, one domain %v", seed, c.loss, c.setting, p, n, one)
		for i := range c.y.Data {
			c.y.Data[i] = math.Round(2 * r.NormFloat64())
		}
		c.kernels[0] = kernelsOf(r, p)
		if !one {
			c.kernels[1] = kernelsOf(r, n)
		}
		check(c, seed)
	}
}

// kernelsOf are three kernels of n nodes: of rank two, of full rank, and the same for all with itself.
func kernelsOf(r *rand.Rand, n int) (all []*data.Dense) {
	for _, rank := range []int{2, n + 1} {
		x, k := linalg.NewMat(n, rank), linalg.NewMat(n, n)
		for i := range x.Data {
			x.Data[i] = 0.5 + r.NormFloat64()
		}
		k = x.MulT(x)
		all = append(all, data.NewDense(n, n, k.Data))
	}
	same := data.NewDense(n, n, nil)
	for i := range n {
		same.Row(i)[i] = 3
	}
	return append(all, same)
}

func (c edgeCase) edges(lambdas ...float64) *Edges {
	kernels := c.kernels
	if kernels[1] == nil {
		kernels[1] = kernels[0]
	}
	e := NewEdges(kernels, c.y, c.loss, c.kernels[1] == nil)
	e.HoldOut(c.setting, lambdas)
	return e
}

// sum is the sum of a side.
func (c edgeCase) sum(e *Edges, side int, weights []float64) linalg.Mat {
	kernels := c.kernels[side]
	if kernels == nil {
		kernels = c.kernels[0]
	} else if side == 1 {
		weights = weights[len(c.kernels[0]):]
	}
	out := linalg.NewMat(kernels[0].Rows, kernels[0].Rows)
	for i, k := range kernels {
		if n := e.Norms[side][i]; n > 0 {
			linalg.Axpy(weights[i]/n, k.Data, out.Data)
		}
	}
	return out
}

// retrained is E by training again without each edge, row or column: explicit pairs, and an explicit Kronecker product.
func (c edgeCase) retrained(e *Edges, weights []float64, lambda float64) (loss float64) {
	k, g := c.sum(e, 0, weights), c.sum(e, 1, weights)
	p, n := k.Rows, g.Rows
	both := make([]float64, p*n*p*n)
	for a := range p * n {
		for b := range p * n {
			both[a*p*n+b] = k.Row(a / n)[b/n] * g.Row(a % n)[b%n]
		}
	}
	units := map[edge.Setting]int{edge.Pairs: p * n, edge.Rows: p, edge.Cols: n}[c.setting]
	for unit := range units {
		var out []int
		for at := range p * n {
			if of := map[edge.Setting]int{edge.Pairs: at, edge.Rows: at / n, edge.Cols: at % n}[c.setting]; of == unit {
				out = append(out, at)
			}
		}
		in := naive.Without(p*n, out)
		rows := make([]int, len(in))
		for b, at := range in {
			rows[b] = at / n
		}
		a := make([]float64, len(in))
		y := naive.Pick(c.y.Data, in)
		if part := naive.Submatrix(both, p*n, in, in); c.loss == edge.Regression && len(in) > 0 {
			a, _ = naive.Dual(part, nil, y, lambda)
		} else if len(in) > 0 {
			a, _ = naive.Dual(part, naive.Pairs(y, rows, "magnitude", "include", "size"), nil, lambda)
		}
		residual := make([]float64, p*n)
		for at := range residual {
			residual[at] = c.y.Data[at] - linalg.Dot(naive.Submatrix(both, p*n, []int{at}, in), a)
		}
		for _, at := range out {
			mean, of := 0.0, in // the constant of the row
			if c.setting == edge.Rows {
				of = out
			}
			count := 0.0
			for _, other := range of {
				if other/n == at/n {
					mean, count = mean+residual[other], count+1
				}
			}
			if c.loss == edge.Regression || count == 0 {
				mean, count = 0, 1
			}
			loss += (residual[at] - mean/count) * (residual[at] - mean/count)
		}
	}
	return loss
}

// weightsOf are random weights of all sums.
func weightsOf(r *rand.Rand, e *Edges) (w []float64) {
	for _, n := range e.Sizes() {
		for range n {
			w = append(w, 0.1+r.Float64())
		}
	}
	return w
}

// The error of fixed weights is that of training again without each edge, row or column.
func TestEdgesEqualRetraining(t *testing.T) {
	edgeCases(t, func(c edgeCase, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 7))
		lambda := gen.Lambda(r, -6, 6)
		e := c.edges(lambda)
		w := weightsOf(r, e)
		value, _, err := e.At(context.Background(), w)
		if err != nil {
			t.Fatal(err)
		}
		size := linalg.Dot(e.z.Data, e.z.Data)
		want := c.retrained(e, w, lambda) + negligible*size
		if got := math.Exp(value); !(math.Abs(got-want) <= 1e-8*want+1e-15*size) {
			t.Errorf("%s, λ = %v: E = %v, by retraining %v", c.name, lambda, got, want)
		}
	})
}

func TestGradientOfEdges(t *testing.T) {
	edgeCases(t, func(c edgeCase, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 8))
		e := c.edges(gen.Lambda(r, -4, 4))
		w := weightsOf(r, e)
		if value, _, _ := e.At(context.Background(), w); math.Exp(value) < 1e-6*linalg.Dot(e.z.Data, e.z.Data) {
			return // differences of rounding
		}
		checkGradient(t, c.name, e, len(w), r)
	})
}

// One kernel has the weight 1; a kernel that stands twice has together the weight of one; another unit of a kernel
// changes no weight; another order permutes the first weights; no start is better than the end; and both sums are on
// their simplex.
func TestLearnLawsOfEdges(t *testing.T) {
	lambdas := []float64{0.01, 0.1, 1, 10, 100}
	learn := func(c edgeCase) ([]float64, float64, *Edges) {
		e := c.edges(lambdas...)
		w, err := Learn(context.Background(), e)
		if err != nil {
			t.Fatal(err)
		}
		v := math.Inf(1)
		for _, lambda := range lambdas {
			one, _, _ := c.edges(lambda).At(context.Background(), w)
			v = min(v, one)
		}
		return w, v, e
	}
	edgeCases(t, func(c edgeCase, seed uint64) {
		w, v, e := learn(c)
		at := w
		for _, n := range e.Sizes() {
			if sum := linalg.Sum(at[:n]); math.Abs(sum-1) > 1e-12 || slices.Min(at[:n]) < 0 {
				t.Errorf("%s: the weights %v are on no simplex", c.name, at[:n])
			}
			at = at[n:]
		}
		e.at = -1
		if first, _, _ := e.At(context.Background(), e.Start()); v > first {
			t.Errorf("%s: ln E is %v, and was %v at first", c.name, v, first)
		}
		only := c
		only.kernels[0] = c.kernels[0][1:2]
		if alone, _, _ := learn(only); alone[0] != 1 {
			t.Errorf("%s: one kernel has the weight %v", c.name, alone[0])
		}
		twice := c
		twice.kernels[0] = []*data.Dense{c.kernels[0][1], c.kernels[0][1]}
		doubled, _, _ := learn(twice)
		if math.Abs(doubled[0]-0.5) > 1e-8 || math.Abs(doubled[1]-0.5) > 1e-8 { // the sweeps of centred alignment end there
			t.Errorf("%s: a kernel that stands twice has the weights %v", c.name, doubled[:2])
		}
		larger := c
		larger.kernels[0] = append(clones(c.kernels[0][:1]), c.kernels[0][1:]...)
		for i := range larger.kernels[0][0].Data {
			larger.kernels[0][0].Data[i] *= 1024 // exact
		}
		turned := c
		turned.kernels[0] = []*data.Dense{c.kernels[0][2], c.kernels[0][1], c.kernels[0][0]}
		scaled, _, _ := learn(larger)
		start, other := e.Start(), turned.edges(lambdas...).Start()
		for i := range 3 {
			if scaled[i] != w[i] {
				t.Errorf("%s: weight %d is %v, in another unit %v", c.name, i, w[i], scaled[i])
			}
			if math.Abs(other[2-i]-start[i]) > 1e-6 { // centred, all kernels of two nodes are alike, and sweeps end early
				t.Errorf("%s: weight %d is %v at first, in another order %v", c.name, i, start[i], other[2-i])
			}
		}
	})
}
