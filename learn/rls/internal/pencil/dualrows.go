package pencil

import (
	"sync"

	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
	"pairrank/pref"
)

// dualRows has W = FU of the dual form, and V = KW as it is asked for.
//
// For the Laplacians of scored rows V needs no product of m×m matrices: F K W =
// U diag(d), so V is L⁺W diag(d) where F acts, and beside it only what F takes
// away: the mean of K over each component, times W.
type dualRows struct {
	k, w   linalg.Mat
	d      []float64
	full   func() linalg.Mat // V = KW
	pinv   *pref.Blocks      // L⁺, or nil
	moved  []float64         // adds to each row of V, p.Constant times W; nil is none
	beside []int32           // row of means that adds to each row of V, −1 for none
	means  func() linalg.Mat
}

func newDualRows(k, w linalg.Mat, p *Pencil) *dualRows {
	r := &dualRows{k: k, w: w, d: p.D, moved: p.constantRow()}
	r.full = sync.OnceValue(func() linalg.Mat {
		v := linalg.NewMat(k.Rows, k.Rows)
		linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, k, w, 0, v)
		addToRows(v, r.moved)
		return v
	})
	if b, ok := p.L.(*pref.Blocks); ok {
		r.pinv = b.Pinv()
		var kept [][]int32
		r.beside, kept = besideRoot(b, p.Centred)
		r.means = sync.OnceValue(func() linalg.Mat {
			mean := averages(k, w, kept)
			addToRows(mean, r.moved)
			return mean
		})
	}
	return r
}

// besideRoot lists the sets of rows over which F has the constant as its null
// space: the components that compare, and each row of those that do not. of is
// the set of each row, −1 where F has no null space.
func besideRoot(b *pref.Blocks, centred bool) (of []int32, sets [][]int32) {
	of = make([]int32, b.Dim())
	parts := b.Components()
	for p := range parts.Len() {
		rows := parts.Part(p)
		switch {
		case !centred:
			of[rows[0]] = -1
			continue
		case b.Compares(p):
			for _, i := range rows {
				of[i] = int32(len(sets))
			}
			sets = append(sets, rows)
		default:
			for a, i := range rows {
				of[i] = int32(len(sets))
				sets = append(sets, rows[a:a+1])
			}
		}
	}
	return of, sets
}

// averages is the mean of the rows of K over each set, times W.
func averages(k, w linalg.Mat, sets [][]int32) linalg.Mat {
	mean := linalg.NewMat(len(sets), k.Cols)
	parallel.For(len(sets), func(_, s int) {
		row := mean.Row(s)
		for _, i := range sets[s] {
			linalg.Axpy(1, k.Row(int(i)), row)
		}
		linalg.Scal(1/float64(len(sets[s])), row)
	})
	out := linalg.NewMat(len(sets), w.Cols)
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, mean, w, 0, out)
	return out
}

func (r *dualRows) rowsTo(v, w linalg.Mat, h []int32, whole bool) {
	for a, i := range h {
		copy(w.Row(a), r.w.Row(int(i)))
	}
	if r.pinv == nil || !whole {
		full := r.full()
		for a, i := range h {
			copy(v.Row(a), full.Row(int(i)))
		}
		return
	}
	for a := range h {
		row := v.Row(a)
		for j, x := range w.Row(a) {
			row[j] = x * r.d[j]
		}
	}
	pref.Restrict(r.pinv, h).MulTo(v.Data, v.Data, v.Cols)
	for a, i := range h {
		if s := r.beside[i]; s >= 0 {
			linalg.Axpy(1, r.means().Row(int(s)), v.Row(a))
		}
	}
}
