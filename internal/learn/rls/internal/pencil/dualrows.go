package pencil

import (
	"sync"

	"pairrank/internal/goals"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// dualRows holds W = FU of the dual form, and computes V = KW when it is needed.
//
// For an L of the form of goals.Blocks V needs no product of m×m matrices: F K W =
// U diag(d), so that V is L⁺W diag(d) on the range of F. On its null space, the
// constants of the components, V is the mean of the rows of K over each, times W. With weights of
// rows, goals.Blocks.Pinv is in the place of L⁺, and means are weighted.
type dualRows struct {
	k, w     linalg.Mat
	d        []float64
	full     func() linalg.Mat // V = KW
	pinv     *goals.Blocks     // L⁺, or nil
	constant []float64         // p.Constant times W, added to each row of V; nil is none
	nullSet  []int32           // the set of nullSets that a row is in, −1 for none
	means    func() linalg.Mat // of the rows of V over each of the sets
}

func newDualRows(k, w linalg.Mat, p *Pencil) *dualRows {
	r := &dualRows{k: k, w: w, d: p.Eigenvalues, constant: p.constantRow()}
	r.full = sync.OnceValue(func() linalg.Mat {
		v := k.Mul(w)
		addToRows(v, r.constant)
		return v
	})
	if b := goals.BlocksOf(p.L); b != nil {
		r.pinv = b.Pinv()
		var sets [][]int32
		r.nullSet, sets = nullSets(b, p.Centred)
		r.means = sync.OnceValue(func() linalg.Mat {
			mean := averages(k, sets, b.Weights()).Mul(w)
			addToRows(mean, r.constant)
			return mean
		})
	}
	return r
}

// nullSets lists the sets of rows whose constants span the null space of F: the
// components that compare, and each row of those that do not. of is the set of each
// row, −1 where F has no null space.
func nullSets(b *goals.Blocks, centred bool) (of []int32, sets [][]int32) {
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

// averages is the mean of the rows of K over each set, by the weights of the rows.
func averages(k linalg.Mat, sets [][]int32, weights []float64) linalg.Mat {
	mean := linalg.NewMat(len(sets), k.Cols)
	parallel.For(len(sets), func(_, s int) {
		row := mean.Row(s)
		for _, i := range sets[s] {
			own := 1.0
			if weights != nil {
				own = weights[i]
			}
			linalg.Axpy(own, k.Row(int(i)), row)
		}
		linalg.Scal(1/goals.Mass(sets[s], weights), row)
	})
	return mean
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
	r.pinv.Restrict(h).MulTo(v.Data, v.Data, v.Cols)
	for a, i := range h {
		if s := r.nullSet[i]; s >= 0 {
			linalg.Axpy(1, r.means().Row(int(s)), v.Row(a))
		}
	}
}
