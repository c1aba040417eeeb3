package rls

import (
	"cmp"
	"context"
	"math"
	"slices"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// NestedPair is two rows with different labels that were left out, together with the choice that the others made.
type NestedPair struct {
	I, J int32 // I < J
	// Lambda is the index of the chosen λ: among those with the fewest wrong pairs the largest.
	Lambda int32
	// Halves counts the halves of wrong pairs among the Pairs of the others at that λ, each left out, too.
	Halves, Pairs int64
	// Difference is f_I − f_J at the chosen λ, trained on the others; exactly 0 where it is no more than rounding.
	Difference float64
}

// NestPairs leaves out every two rows with different labels y and, within the other m − 2 rows, leaves out every
// two rows again to choose λ: nested leave-pair-out. With the matrix Q of Residuals at λ/(m−4), the rows O of the outer
// pair are eliminated,
//
//	Q' = Q − Q_·O Q_OO⁻¹ Q_O·        a' = a − Q_·O Q_OO⁻¹ a_O
//
// and each inner pair H is the 2×2 system y_H − f_H = Q'_HH⁻¹ a'_H; the outer pair is predicted with Q at λ/(m−2)
// (after Pahikkala, Airola, Boberg and Salakoski 2008, Exact and efficient leave-pair-out cross-validation for ranking
// RLS). Differences of no more than 1e-12 of their terms are ties, which count ½.
//
// It costs O(m⁴/4) for each λ, where all labels differ; with two labels a quarter of it. It returns the pairs in the
// order of I and J; a *NotExactError unless the goal is a single list with its differences, or regression, of one
// output; ErrNumerical where a number is not finite; and the error of ctx. It panics unless every λ is positive and
// finite, and there are m ≥ 5 labels. tell receives how many rows of how many are done, and may be nil.
func (p *Path) NestPairs(ctx context.Context, y, lambdas []float64, tell func(done, total int)) ([]NestedPair, error) {
	m := p.Rows()
	if len(y) != m || m < 5 {
		panic("rls: NestPairs needs a label for each of five rows or more")
	}
	if err := p.goal.CanHoldOutAny(); err != nil {
		return nil, err
	}
	from := p.factored().NewResiduals()
	if from == nil {
		return nil, &NotExactError{Reason: "a pair is left out twice only of a single list, or of regression, of one " +
			"output, whose rows have no weights"}
	}
	n, scale := newNest(y), p.goal.LambdaScale()
	for l, lambda := range lambdas {
		checkLambda(lambda)
		for _, out := range []int{2, 4} {
			q, a, err := from.At(p.effective(lambda) * scale(make([]int32, out)...))
			if err != nil {
				return nil, pairError(err, lambda)
			}
			n.take(q, a, float64(out))
		}
		if err := n.all(ctx, int32(l), func(done int) {
			if tell != nil {
				tell(l*m+done, len(lambdas)*m)
			}
		}); err != nil {
			return nil, err
		}
	}
	return n.pairs(), nil
}

// nest is the state of NestPairs. Its rows are in the order of their labels, so that those with a larger label than a
// row follow it. Zeros follow the rows, so that vectors of any of the last rows can be filled up for linalg.PairSigns.
type nest struct {
	order []int      // the rows
	y     []float64  // their labels, and zeros
	after []int      // the first row with a larger label
	twice linalg.Mat // Q at λ/(m−4) and at λ/(m−2), and a of both
	once  linalg.Mat
	aa, a []float64
	best  [][]NestedPair // by row and following row; Halves is −1 where none is chosen yet
	work  []nestWork     // of each worker

	diagonal []float64 // of twice
}

// filling is the number of zeros that fill a vector up to a multiple of four, at most.
const filling = 3

// nestWork is the memory of one outer pair: Q_·O Q_OO⁻¹ by its two columns, a', and the diagonal of Q', with the
// largest of both.
type nestWork struct {
	p, r, a, d      []float64
	largest, widest float64
}

func newNest(y []float64) *nest {
	m := len(y)
	n := &nest{order: make([]int, m), y: make([]float64, m+filling), after: make([]int, m), best: make([][]NestedPair, m),
		aa: make([]float64, m), a: make([]float64, m), diagonal: make([]float64, m), twice: linalg.NewMat(m, m+filling),
		once: linalg.NewMat(m, m), work: make([]nestWork, parallel.Workers())}
	for i := range n.order {
		n.order[i] = i
	}
	slices.SortStableFunc(n.order, func(i, j int) int { return cmp.Compare(y[i], y[j]) })
	for k, i := range n.order {
		n.y[k] = y[i]
	}
	for k := m - 1; k >= 0; k-- {
		if n.after[k] = m; k+1 < m {
			if n.after[k] = n.after[k+1]; n.y[k+1] > n.y[k] {
				n.after[k] = k + 1
			}
		}
		n.best[k] = make([]NestedPair, m-n.after[k])
		for b := range n.best[k] {
			n.best[k][b].Halves = -1
		}
	}
	return n
}

// take keeps Q and a in the order of the rows.
func (n *nest) take(q linalg.Mat, a []float64, out float64) {
	toQ, toA := n.once, n.a
	if out == 4 {
		toQ, toA = n.twice, n.aa
	}
	for k, i := range n.order {
		toA[k] = a[i]
		row, from := toQ.Row(k), q.Row(i)
		for b, j := range n.order {
			row[b] = from[j]
		}
	}
}

// all leaves out every outer pair at one λ.
func (n *nest) all(ctx context.Context, l int32, tell func(done int)) error {
	m := len(n.order)
	for k := range n.diagonal {
		n.diagonal[k] = n.twice.Row(k)[k]
	}
	const chunk = 4
	for lo := 0; lo < m; lo += chunk {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var jobs [][2]int
		for i := lo; i < min(lo+chunk, m); i++ {
			for j := n.after[i]; j < m; j++ {
				jobs = append(jobs, [2]int{i, j})
			}
		}
		parallel.For(len(jobs), func(worker, k int) { n.pair(worker, l, jobs[k][0], jobs[k][1]) })
		tell(min(lo+chunk, m))
	}
	return nil
}

// pair leaves out rows i < j in the order of labels, counts the pairs of the others that are ordered wrongly without
// them, and keeps the prediction of the two where no λ before had fewer.
func (n *nest) pair(worker int, l int32, i, j int) {
	m := len(n.order)
	w := &n.work[worker]
	n.eliminate(w, i, j)
	best := &n.best[i][j-n.after[i]]
	halves, pairs := int64(0), int64(0)
	for k := range m {
		lo := n.after[k]
		if k == i || k == j || lo == m {
			continue
		}
		halves += n.count(w, k, lo, n.twice.Row(i), n.twice.Row(j))
		pairs += int64(m - lo)
		for _, out := range [2]int{i, j} {
			if out >= lo {
				pairs--
			}
		}
	}
	// A smaller λ with as many is not chosen: λ ascend.
	if best.Halves < 0 || halves <= best.Halves {
		best.Lambda, best.Halves, best.Pairs = l, halves, pairs
		best.Difference = n.difference(i, j)
	}
}

// eliminate fills the memory of an outer pair. The outer rows themselves, for which Q' is 0 up to rounding, and what
// fills vectors up get d = 0 and a far below 0: every row is in the right order with these.
func (n *nest) eliminate(w *nestWork, i, j int) {
	m := len(n.order)
	if w.p == nil {
		for _, x := range []*[]float64{&w.p, &w.r, &w.a, &w.d} {
			*x = make([]float64, m+filling)
		}
	}
	qi, qj := n.twice.Row(i), n.twice.Row(j)
	ii, ij, jj, ai, aj := qi[i], qi[j], qj[j], n.aa[i], n.aa[j]
	det := 1 / (ii*jj - ij*ij)
	largest, widest := 0.0, 0.0
	ps, rs, as, ds := w.p[:m], w.r[:m], w.a[:m], w.d[:m]
	aa, ks, ls := n.aa[:m], qi[:m], qj[:m]
	for k, d := range n.diagonal {
		x, z := ks[k], ls[k]
		p, r := (x*jj-z*ij)*det, (z*ii-x*ij)*det
		a := aa[k] - p*ai - r*aj
		d = d - p*x - r*z
		ps[k], rs[k], as[k], ds[k] = p, r, a, d
		if a < 0 {
			a = -a
		}
		if a > largest {
			largest = a
		}
		if d > widest {
			widest = d
		}
	}
	w.largest, w.widest = largest, widest
	const beyond = 0x1p20 // all others
	far := -beyond * (largest + widest*n.span())
	for _, out := range [filling + 2]int{i, j, m, m + 1, m + 2} {
		w.a[out], w.d[out] = far, 0
	}
}

// span is the largest difference of labels.
func (n *nest) span() float64 { return n.y[len(n.order)-1] - n.y[0] }

// tie is the largest share of its terms that rounding leaves of a difference.
const tie = 1e-12

// count counts the halves of the pairs of row k with the rows from lo on, all of larger labels, that are wrong: those
// where the product of f_k − f_l with the determinant of Q'_HH,
//
//	c (v² − d_k d_l) + v (a_l − a_k) − d_l a_k + d_k a_l        c = y_l − y_k, v = Q'_kl, d the diagonal of Q'
//
// is above 0.
func (n *nest) count(w *nestWork, k, lo int, qi, qj []float64) (halves int64) {
	m := len(n.order)
	pk, rk, ak, dk, yk := w.p[k], w.r[k], w.a[k], w.d[k], n.y[k]
	q, size := n.twice.Data[k*n.twice.Stride+lo:], (m-lo+filling)/(filling+1)*(filling+1)
	near := tie * ((n.y[m-1]-yk)*dk*w.widest + dk*w.largest + w.widest*math.Abs(ak))
	right, close := linalg.PairSigns(pk, rk, ak, dk, yk, near, q[:size], qi[lo:], qj[lo:], n.y[lo:], w.a[lo:], w.d[lo:])
	if !close {
		return 2 * int64(size-right)
	}
	for b, v := range q[:m-lo] {
		v -= pk*qi[lo+b] + rk*qj[lo+b]
		c, al, dl := n.y[lo+b]-yk, w.a[lo+b], w.d[lo+b]
		f := v*(c*v+(al-ak)) - dl*(c*dk+ak) + dk*al
		switch {
		case math.Abs(f) <= near && math.Abs(f) <= tie*(c*dk*dl+dk*math.Abs(al)+dl*math.Abs(ak)):
			halves++
		case f > 0:
			halves += 2
		}
	}
	return halves
}

// difference is f_i − f_j where both are left out.
func (n *nest) difference(i, j int) float64 {
	q := n.once.Row(i)[j]
	qi, qj := n.once.Row(i)[i], n.once.Row(j)[j]
	det := qi*qj - q*q
	of, x, z := (n.y[i]-n.y[j])*det, (qj+q)*n.a[i], (qi+q)*n.a[j]
	f := of - x + z
	if math.Abs(f) <= tie*(math.Abs(of)+math.Abs(x)+math.Abs(z)) {
		return 0
	}
	return f / det
}

// pairs are all outer pairs, in the order of the rows.
func (n *nest) pairs() []NestedPair {
	var out []NestedPair
	for i := range n.best {
		for b, p := range n.best[i] {
			p.I, p.J = int32(n.order[i]), int32(n.order[n.after[i]+b])
			if p.I > p.J {
				p.I, p.J, p.Difference = p.J, p.I, -p.Difference
			}
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b NestedPair) int { return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J)) })
	return out
}
