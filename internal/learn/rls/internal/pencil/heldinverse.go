package pencil

import (
	"context"
	"math"

	"pairrank/internal/goals"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// HoldsOut reports whether a pencil of InvertDual serves HoldOut: λ is at least a millionth of the size of the problem.
func (p *Pencil) HoldsOut() bool {
	const most = 1e6
	return p.sizes.system <= most*p.inverted.lambda
}

// holdOutInverted is HoldOut of InvertDual, at its λ: ho has no other λ and no scales. With a and Q of the inverse the
// dual coefficients without the rows H, and the predictions of these, are
//
//	Q_HH δ = a_H    a' = a − Q_:H δ, 0 in H    f'_H = K_H a'
//
// A group of h rows costs O(h²m + h³).
func (p *Pencil) holdOutInverted(ctx context.Context, ho HoldOut) error {
	right, a := p.invertedCoefficients()
	leaver := &invertedLeaver{p, p.inverted, a, make([]float64, a.Rows), goals.Diagonal(p.L)}
	for c := range leaver.gamma {
		leaver.gamma[c] = sqrt(max(0, linalg.Dot(right.Row(c), a.Row(c))))
	}
	parallel.For(ho.Groups.Len(), func(_, g int) {
		if ho.leavesOut(g) && ctx.Err() == nil {
			f, r := leaver.leave(ho.Groups.Part(g))
			ho.Emit(g, 0, f, r)
		}
	})
	return ctx.Err()
}

// invertedLeaver has what all groups share: a and γ of each output, and the diagonal of L.
type invertedLeaver struct {
	p        *Pencil
	o        *inverted
	a        linalg.Mat
	gamma    []float64
	diagonal []float64
}

// leave predicts the rows h without them, with the bounds of rounding.go.
func (v *invertedLeaver) leave(h []int32) (linalg.Mat, *Rounding) {
	n, m, outputs := len(h), len(v.o.c), v.a.Rows
	qh, kh, moved := linalg.NewMat(n, m), linalg.NewMat(n, m), linalg.NewMat(n, m)
	for x, i := range h {
		copy(qh.Row(x), v.o.q.Row(int(i)))
		copy(kh.Row(x), v.o.k.Row(int(i)))
		v.movesTo(moved.Row(x), int(i))
	}
	q, solved := linalg.NewMat(n, n), linalg.NewMat(n, outputs+n) // δ, and X for the transposed rows of GL
	for b, j := range h {
		for x := range n {
			q.Row(x)[b] = qh.Row(x)[j]
			solved.Row(b)[outputs+x] = moved.Row(x)[j]
		}
		for c := range outputs {
			solved.Row(b)[c] = v.a.Row(c)[j]
		}
	}
	fixNull(q, v.p.componentsInside(h))
	inner := make([]float64, n)
	for b := range inner {
		inner[b] = sqrt(q.Row(b)[b])
	}
	solveSemidefinite(q, solved)
	delta, x := solved.Slice(0, n, 0, outputs), solved.Slice(0, n, outputs, outputs+n)
	left := v.a.Clone()
	linalg.Gemm(linalg.T, linalg.NoTrans, -1, delta, qh, 1, left)
	for c := range outputs {
		for _, i := range h {
			left.Row(c)[i] = 0
		}
	}
	f := kh.MulT(left)
	for c := range outputs {
		for i, of := range v.p.Constant {
			for row := range n {
				f.Row(row)[c] += of * left.Row(c)[i]
			}
		}
	}
	v.p.equateDuplicates(f, h)
	linalg.Gemm(linalg.T, linalg.NoTrans, -1, x, qh, 1, moved)
	return f, v.rounding(h, f, left, delta, x, moved, inner)
}

// movesTo sets dst to row i of GL: how its score moves with the labels.
func (v *invertedLeaver) movesTo(dst []float64, i int) {
	if s := v.o.set[i]; s >= 0 {
		copy(dst, v.o.moves.Row(int(s)))
	}
	c := v.o.c[i]
	if c == 0 {
		return
	}
	linalg.Axpy(-v.o.lambda/c, v.o.q.Row(i), dst)
	if dst[i]++; v.p.Centred {
		parts := v.p.L.Components()
		rows := parts.Part(int(parts.Of()[i]))
		for _, j := range rows {
			dst[j] -= 1 / float64(len(rows))
		}
	}
}

// inverseUnit times the condition of the problem is the rounding of a computed inverse, relative to the predictions: a
// solution by factors has none like it.
const inverseUnit = 4 * epsilon

// rounding bounds the rounding in the predictions f: left are the coefficients a' that they come from, and moved the
// rows of GL less Xᵀ Q_H:.
func (v *invertedLeaver) rounding(h []int32, f, left, delta, x, moved linalg.Mat, inner []float64) *Rounding {
	r, of := &Rounding{maxAbs: largestOf(f), each: linalg.NewMat(f.Rows, f.Cols)}, &v.p.sizes
	inverse := inverseUnit * (1 + of.system/v.o.lambda) * r.maxAbs
	for c := range f.Cols {
		size := v.norm(left.Row(c))
		right, within := of.right[c]+(of.system+v.o.lambda)*size, v.gamma[c]
		for b, i := range h {
			d := math.Abs(delta.Row(b)[c])
			right += sqrt(v.diagonal[i]) * d
			within += inner[b] * d
		}
		for row, i := range h {
			g := v.norm(moved.Row(row))
			if of := v.o.c[i]; of > 0 {
				g += 4 * epsilon / sqrt(of)
			}
			sum := of.row*size + g*right
			for b, j := range h {
				sum += math.Abs(x.Row(b)[row]) * (sqrt(v.diagonal[j])*size + inner[b]*within)
			}
			r.each.Row(row)[c] = errorUnit*sum + inverse
			r.most = max(r.most, atMost*(errorUnit*sum+inverse))
		}
	}
	return r
}

// norm is ‖row/√c‖ over the rows that are compared.
func (v *invertedLeaver) norm(row []float64) float64 {
	sum := 0.0
	for j, c := range v.o.c {
		if c > 0 {
			sum += row[j] * row[j] / c
		}
	}
	return sqrt(sum)
}
