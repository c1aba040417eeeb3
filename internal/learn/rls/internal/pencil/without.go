package pencil

import (
	"context"
	"sync"

	"pairrank/data"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// CanHoldOutWithout reports whether HoldOutWithout can hold out the groups at λ. It needs the
// primal form, groups that are whole components or part of a single list, and a λ large enough
// compared with the eigenvalues that the inverse keeps most digits.
func (p *Pencil) CanHoldOutWithout(groups *data.Partition, lambda float64) bool {
	const digits = 1e-6 // of the largest eigenvalue
	k := len(p.Eigenvalues)
	if p.dual || k < 2 || p.Degenerate() || !(lambda >= digits*p.Eigenvalues[k-1]) {
		return false
	}
	_, primal := p.rows.(*primalRows)
	return primal && (p.listWeight() > 0 || p.L.Components().Refines(groups))
}

// HoldOutWithout is HoldOut at one λ of the problems without one of some features j each,
// all at once. Without group H and feature j the weights are
//
//	w − G e_j w_j / G_jj,   G = (A' + λI)⁻¹, w = G b'
//
// for the moments A', b' without H: the inverse of a matrix without row and column j is the whole
// inverse minus an outer product of its column j (Schur complement). A group of h rows costs O(k³/3
// + k²J + hkJ) for J features. emit receives the predictions, h×v, without features[n], in the
// order of features. It is called from several goroutines, for a group from one of them, and must
// not keep the predictions. It returns ErrNotPositive where a system is not positive definite, and
// the error of ctx. CanHoldOutWithout must hold.
func (p *Pencil) HoldOutWithout(ctx context.Context, groups *data.Partition, lambda float64, scale func(g int) float64,
	features []int, emit func(g, n int, f linalg.Mat)) error {
	whole := p.L.Components().Refines(groups)
	source := p.rows.(*primalRows).source
	pool := sync.Pool{New: func() any { return &withoutScratch{} }}
	failed := make([]bool, groups.Len())
	parallel.For(groups.Len(), func(_, g int) {
		h := groups.Part(g)
		if len(h) == 0 || ctx.Err() != nil {
			return
		}
		s := pool.Get().(*withoutScratch)
		defer pool.Put(s)
		shift := lambda
		if scale != nil {
			shift *= scale(g)
		}
		if failed[g] = !s.solve(p, source, h, whole, shift, features); !failed[g] {
			s.emit(p, source, h, features, func(n int, f linalg.Mat) { emit(g, n, f) })
		}
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, is := range failed {
		if is {
			return ErrNotPositive
		}
	}
	return nil
}

// withoutScratch is the memory of a goroutine.
type withoutScratch struct {
	scratch
	columns linalg.Mat // k×J: G e_j
	rows    linalg.Mat // h×k
	along   linalg.Mat // h×J: X_H G e_j
	own     linalg.Mat // h×v: predictions with all features
	out     linalg.Mat // h×v
	varies  []bool     // features that are not constant in the rows that stay
	varying int        // how many these are
}

// solve sets the weights w, in moments.B, and the columns of the inverse, without H.
func (s *withoutScratch) solve(p *Pencil, source Source, h []int32, whole bool, lambda float64, features []int) bool {
	k, v := len(p.Eigenvalues), p.Outputs()
	s.moments = Moments{sized(&s.moments.A, k, k), sized(&s.moments.B, k, v)}
	a, b := s.moments.A, s.moments.B
	if whole {
		source.MomentsTo(s.moments, h)
		p.downdate(a, b)
	} else {
		p.downdateList(&s.scratch, source, p.listWeight(), h)
	}
	const constant = 1e-12 // of the squares of a feature: the size of rounding
	s.varies, s.varying = s.varies[:0], 0
	for i := range k {
		is := a.Row(i)[i] > constant*p.Total.A.Row(i)[i]
		s.varies = append(s.varies, is)
		if is {
			s.varying++
		}
		a.Row(i)[i] += lambda
	}
	if _, ok := linalg.Cholesky(linalg.Upper, a); !ok {
		return false
	}
	linalg.CholeskySolve(linalg.Upper, a, b)
	columns := sized(&s.columns, k, len(features))
	clear(columns.Data[:k*len(features)])
	for n, j := range features {
		columns.Row(j)[n] = 1
	}
	linalg.CholeskySolve(linalg.Upper, a, columns)
	s.columns = columns
	return true
}

// emit predicts the rows without each of the features.
func (s *withoutScratch) emit(p *Pencil, source Source, h []int32, features []int, emit func(n int, f linalg.Mat)) {
	k, v, w := len(p.Eigenvalues), p.Outputs(), s.moments.B
	rows, view := source.RowsView(h)
	if !view {
		rows = sized(&s.rows, len(h), k)
		source.RowsTo(rows, h)
	}
	own, along := sized(&s.own, len(h), v), sized(&s.along, len(h), len(features))
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, rows, w, 0, own)
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, rows, s.columns, 0, along)
	addToRows(own, s.constants(p, w))
	addToRows(along, s.constants(p, s.columns))
	out := sized(&s.out, len(h), v)
	for n, j := range features {
		others := s.varying
		if s.varies[j] {
			others--
		}
		for i := range len(h) {
			for c := range v {
				out.Row(i)[c] = 0
				if others > 0 || !p.Centred {
					out.Row(i)[c] = own.Row(i)[c] - along.Row(i)[n]*w.Row(j)[c]/s.columns.Row(j)[n]
				}
			}
		}
		emit(n, out)
	}
}

// constants are cᵀ times the columns of a, for the constant c of the problem; nil where
// there is none.
func (s *withoutScratch) constants(p *Pencil, a linalg.Mat) []float64 {
	if p.Constant == nil {
		return nil
	}
	out := make([]float64, a.Cols)
	for j, c := range p.Constant {
		linalg.Axpy(c, a.Row(j), out)
	}
	return out
}
