package goals

import (
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/parallel"
	"pairrank/internal/pick"
)

// weights are those of the rows of Blocks, B = A^(p/2) M A^(p/2) with the diagonal A of the weights and a matrix M
// whose vectors of groups are √a_g: those of B are a_g^((p+1)/2).
type weights struct {
	of     []float64 // a, above 0
	order  int       // p: 1 of a Laplacian, 0 of its root, −1 of its inverse
	vector []float64 // a^((p+1)/2); nil where p is −1
	core   []float64 // the diagonal of M without its groups; that of B is a^p times as much
}

func newWeights(of []float64, order int) *weights {
	w := &weights{of: of, order: order, core: make([]float64, len(of))}
	switch order {
	case 1:
		w.vector = of
	case 0:
		w.vector = make([]float64, len(of))
		for i, a := range of {
			w.vector[i] = math.Sqrt(a)
		}
	}
	return w
}

// diagonalTo sets the diagonal of B from that of M.
func (w *weights) diagonalTo(dst []float64) {
	for i, d := range w.core {
		switch w.order {
		case 1:
			d *= w.of[i]
		case -1:
			d /= w.of[i]
		}
		dst[i] = d
	}
}

// some are the weights of some rows.
func (w *weights) some(rows []int32) *weights {
	if w == nil {
		return nil
	}
	some := newWeights(pick.Rows(w.of, rows), w.order)
	some.core = pick.Rows(w.core, rows)
	return some
}

// checkRowWeights panics unless there are m weights above 0, or none.
func checkRowWeights(of []float64, m int) {
	if of == nil {
		return
	}
	if len(of) != m {
		panic(fmt.Sprintf("goals: %d weights of %d rows", len(of), m))
	}
	for i, w := range of {
		if !(w > 0) || math.IsInf(w, 1) {
			panic(fmt.Sprintf("goals: row %d has weight %v: a weight is finite and above 0", i, w))
		}
	}
}

// Weights returns the weights of the rows, nil where each is 1; the caller must not change them.
func (b *Blocks) Weights() []float64 {
	if b.weights == nil {
		return nil
	}
	return b.weights.of
}

// Vector returns the entries of the vectors of the groups, nil where each is 1: the weights of a Laplacian, and their
// roots of a Root. The caller must not change them.
func (b *Blocks) Vector() []float64 {
	if b.weights == nil {
		return nil
	}
	return b.weights.vector
}

// weighs reports whether the vectors of groups have entries other than 1.
func (b *Blocks) weighs() bool { return b.Vector() != nil }

// Square is that of the entry of row i in the vectors of its groups.
func (b *Blocks) Square(i int) float64 {
	if !b.weighs() {
		return 1
	}
	return b.weights.vector[i] * b.weights.vector[i]
}

// WeightOf is the weight of row i: 1 of nil.
func WeightOf(weights []float64, i int32) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// Mass is the sum of the weights of some rows: their number where each is 1.
func Mass(rows []int32, weights []float64) float64 {
	if weights == nil {
		return float64(len(rows))
	}
	sum := 0.0
	for _, i := range rows {
		sum += weights[i]
	}
	return sum
}

// pairsOf is the sum of the products of the weights of every two of some rows: the number of pairs where each is 1.
func pairsOf(rows []int32, weights []float64) float64 {
	if weights == nil {
		return choose2(len(rows))
	}
	pairs, before := 0.0, 0.0
	for _, i := range rows {
		pairs += before * weights[i]
		before += weights[i]
	}
	return pairs
}

// List returns c where L = c(A − aaᵀ/s) for a single list of rows of weights a with the sum s, tied or not: the
// centring of ListWeight where each is 1. Of regression, where L = A, s is infinite. ok is false for any other L, and
// for nil. Cost O(1), or O(m) for singletons.
func (b *Blocks) List() (c, s float64, ok bool) {
	if b == nil || b.classes != nil {
		return 0, 0, false
	}
	if b.parts.Len() != 1 || b.whole[0] == 0 {
		for p, w := range b.whole {
			if w != 0 || b.between[p] != 1 || b.diag[p] == 0 {
				return 0, 0, false
			}
		}
		return 1, math.Inf(1), true
	}
	if s = float64(len(b.diag)); b.weights != nil {
		s = -b.between[0] / b.whole[0]
	}
	return b.between[0], s, true
}

// mulWeightedTo is MulTo where the vectors of groups have entries other than 1.
func (b *Blocks) mulWeightedTo(dst, x []float64, k int) {
	const parts, width = 64, 128
	if k == 1 {
		parallel.Chunks(b.parts.Len(), parts, func(_, lo, hi int) {
			for p := lo; p < hi; p++ {
				b.mulWeightedVecPart(dst, x, p)
			}
		})
		return
	}
	columns := max(1, (k+width-1)/width)
	chunks := (b.parts.Len() + parts - 1) / parts
	parallel.For(columns*chunks, func(_, task int) {
		lo := task % columns * width
		hi := min(k, lo+width)
		sum := make([]float64, 2*(hi-lo))
		for p := task / columns * parts; p < min(b.parts.Len(), (task/columns+1)*parts); p++ {
			b.mulWeightedPart(dst, x, k, lo, hi, p, sum)
		}
	})
}

// mulWeightedPart is mulPart with weights.
func (b *Blocks) mulWeightedPart(dst, x []float64, k, lo, hi, p int, sum []float64) {
	w, v := hi-lo, b.weights.vector
	all, class := sum[:w], sum[w:2*w]
	addWeighted := func(sum []float64, rows []int32, scale float64) {
		for c := range sum {
			sum[c] = 0
		}
		for _, i := range rows {
			for c, u := range x[int(i)*k+lo : int(i)*k+hi] {
				sum[c] += v[i] * u
			}
		}
		for c := range sum {
			sum[c] *= scale
		}
	}
	set := func(rows []int32, sum []float64) {
		for _, i := range rows {
			d := b.diag[i]
			xi, yi := x[int(i)*k+lo:int(i)*k+hi], dst[int(i)*k+lo:int(i)*k+hi]
			for c, u := range xi {
				yi[c] = d*u + v[i]*sum[c]
			}
		}
	}
	rows := b.parts.Part(p)
	addWeighted(all, rows, b.whole[p])
	if b.classes == nil {
		set(rows, all)
		return
	}
	for g := b.first[p]; g < b.first[p+1]; g++ {
		members := b.classes.Part(g)
		addWeighted(class, members, b.scale[g])
		for c, u := range all {
			class[c] += u
		}
		set(members, class)
	}
}

// mulWeightedVecPart is mulVecPart with weights.
func (b *Blocks) mulWeightedVecPart(dst, x []float64, p int) {
	v := b.weights.vector
	sumOf := func(rows []int32) (sum float64) {
		for _, i := range rows {
			sum += v[i] * x[i]
		}
		return sum
	}
	set := func(rows []int32, sum float64) {
		for _, i := range rows {
			dst[i] = b.diag[i]*x[i] + v[i]*sum
		}
	}
	all := b.whole[p] * sumOf(b.parts.Part(p))
	if b.classes == nil {
		set(b.parts.Part(p), all)
		return
	}
	for g := b.first[p]; g < b.first[p+1]; g++ {
		members := b.classes.Part(g)
		set(members, b.scale[g]*sumOf(members)+all)
	}
}

// applyWeighted is apply with weights of rows.
func (b *Blocks) applyWeighted(f func(float64) float64, order int) *Blocks {
	r := *b
	r.weights = newWeights(b.weights.of, order)
	r.diag = make([]float64, len(b.diag))
	r.whole, r.scale = make([]float64, len(b.whole)), make([]float64, len(b.scale))
	r.between = make([]float64, len(b.between))
	for p := range b.parts.Len() {
		rows := b.parts.Part(p)
		between := f(b.between[p])
		if r.between[p] = between; b.whole[p] != 0 {
			r.whole[p] = -between / Mass(rows, b.weights.of)
		}
		for _, i := range rows {
			r.weights.core[i] = f(b.weights.core[i])
		}
		for g := 0; b.classes != nil && g < b.first[p+1]-b.first[p]; g++ {
			c := b.first[p] + g
			if members := b.classes.Part(c); b.scale[c] != 0 {
				r.scale[c] = (between - r.weights.core[members[0]]) / Mass(members, b.weights.of)
			}
		}
	}
	r.weights.diagonalTo(r.diag)
	return &r
}

// weightedIdentity is L = A, the Laplacian of regression over rows with weights.
func weightedIdentity(of []float64) *Blocks {
	b := newBlocks(data.Singletons(len(of)))
	b.weights = newWeights(of, 1)
	for i := range b.between {
		b.between[i], b.weights.core[i] = 1, 1
	}
	b.weights.diagonalTo(b.diag)
	return b
}

// weigh makes Blocks with a pair weight of w(p) in part p those of rows with weights: complete or untied ones.
func (b *Blocks) weigh(of []float64, w func(p int) float64) *Blocks {
	if of == nil {
		return b
	}
	b.weights = newWeights(of, 1)
	for p := range b.parts.Len() {
		if b.whole[p] == 0 {
			continue
		}
		rows, weight := b.parts.Part(p), w(p)
		total := Mass(rows, of)
		b.between[p] = weight * total
		if b.classes == nil {
			for _, i := range rows {
				b.weights.core[i] = weight * total
			}
			continue
		}
		b.weighClasses(p, weight)
	}
	b.weights.diagonalTo(b.diag)
	return b
}

// weighClasses sets the diagonal of the classes of component p: w times the weights of the other classes, which are
// summed, since differences lose digits.
func (b *Blocks) weighClasses(p int, w float64) {
	lo, hi := b.first[p], b.first[p+1]
	others, sum := make([]float64, hi-lo), 0.0
	for g := lo; g < hi; g++ {
		others[g-lo] = sum
		sum += Mass(b.classes.Part(g), b.weights.of)
	}
	sum = 0
	for g := hi - 1; g >= lo; g-- {
		members := b.classes.Part(g)
		for _, i := range members {
			b.weights.core[i] = w * (others[g-lo] + sum)
		}
		sum += Mass(members, b.weights.of)
	}
}

// Norm is that of M, the largest of its diagonal and of the eigenvalues between classes: of B it is at most the largest
// a_i^p times as much. Cost O(m).
func (b *Blocks) Norm() float64 {
	return max(slices.Max(b.between), slices.Max(b.weights.core))
}
