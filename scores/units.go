package scores

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pairrank/internal/linalg"
	"pairrank/internal/pick"
)

// unitBlock is how many units are left out at a time, and leastUnits the fewest that errors are of.
const unitBlock, leastUnits = 256, 3

// leaving leaves out units of a table, one at a time.
type leaving struct {
	*fit
	p          *Problem
	l, inverse linalg.Mat
	items      []int // in the order of units
	start      []int // of the items of each unit, and the end
	blocks     int
	norm       float64   // Σ (n_i − 1), of all items
	sum        []float64 // of the contributions so far
	square     linalg.Mat
	squares    []float64 // Σ q² of each system
	deviation  float64   // Σ (y − a − b)²
}

// contribute finds what each unit contributes. Without unit g the worths are a − x, (L − L_g) x = u_g, with the
// normal equations L_g of the unit and its residuals u_g = Σ_{i∈g} C_i (y_i − a), C_i = I_i − 1_i 1_iᵀ/n_i.
func (f *fit) contribute(p *Problem, l, inverse linalg.Mat) error {
	s := len(p.Systems)
	v := &leaving{fit: f, p: p, l: l, inverse: inverse, sum: make([]float64, s), square: linalg.NewMat(s, s),
		squares: make([]float64, s)}
	v.sortItems()
	if f.units < leastUnits {
		return nil
	}
	if f.essential = p.essential(); f.essential >= 0 {
		return nil
	}
	v.blocks = min(f.units, mostBlocks)
	f.parts, f.share = linalg.NewMat(v.blocks, s), make([]float64, v.blocks)
	for lo := 0; lo < f.units; lo += unitBlock {
		if err := v.leave(lo, min(lo+unitBlock, f.units)); err != nil {
			return err
		}
	}
	v.finish()
	f.shares = v.sharesOf()
	return nil
}

// sortItems puts the items with two scores or more in the order of their units, and these in the order of their first
// names, so that signs do not depend on the order of the items.
func (v *leaving) sortItems() {
	of, all := v.p.units()
	for i := range of {
		if _, _, n := moments(v.p.Y.Row(i)); n >= 2 {
			v.items = append(v.items, i)
			v.norm += float64(n - 1)
		}
	}
	byName := func(a, b int) int { return cmp.Compare(v.p.Items[a], v.p.Items[b]) }
	slices.SortStableFunc(v.items, byName)
	first := make([]int, all) // the place of a unit's first item, from 1
	for at, i := range v.items {
		if g := of[i]; first[g] == 0 {
			first[g] = at + 1
		}
	}
	slices.SortStableFunc(v.items, func(a, b int) int { return first[of[a]] - first[of[b]] })
	for at, i := range v.items {
		if at == 0 || of[i] != of[v.items[at-1]] {
			v.start = append(v.start, at)
		}
	}
	v.units, v.start = len(v.start), append(v.start, len(v.items))
}

// unit is the items of a unit.
func (v *leaving) unit(g int) []int { return v.items[v.start[g]:v.start[g+1]] }

// addCentred adds C_i (x y + z) to a vector, for the systems that have a score of item i, with x 0 or 1, and returns
// the sum of the squares of what it added.
func (v *leaving) addCentred(to []float64, i int, x float64, z []float64) float64 {
	row := v.p.Y.Row(i)
	mean, n, square := 0.0, 0, 0.0
	for k, y := range row {
		if !math.IsNaN(y) {
			mean += x*y + z[k]
			n++
		}
	}
	mean /= float64(n)
	for k, y := range row {
		if !math.IsNaN(y) {
			c := x*y + z[k] - mean
			to[k] += c
			square += c * c
		}
	}
	return square
}

// residuals adds u_g of a unit to a vector, and the unit's share of the differences, which it returns, and of the cells
// to those.
func (v *leaving) residuals(g int, u, minus, cells []float64) (share float64) {
	clear(cells)
	differences := 0
	for _, i := range v.unit(g) {
		v.deviation += v.addCentred(u, i, 1, minus)
		for k, y := range v.p.Y.Row(i) {
			if !math.IsNaN(y) {
				cells[k]++
				differences++
			}
		}
		differences--
	}
	share = float64(differences) / v.norm
	v.share[g%v.blocks] += share
	for k, c := range cells {
		part := c / float64(v.cells[k])
		v.squares[k] += part * part
	}
	return share
}

// leave adds what the units lo … hi−1 contribute. It iterates x ← L⁺ (u + L_g x), which converges where enough is left
// of each system without the unit, and solves for those units where it does not.
func (v *leaving) leave(lo, hi int) error {
	s, n := len(v.worth), hi-lo
	u, x := linalg.NewMat(n, s), linalg.NewMat(n, s)
	minus, cells := make([]float64, s), make([]float64, s)
	linalg.Axpy(-1, v.worth, minus)
	open, share := pick.All[int](n), make([]float64, n)
	for r := range open {
		share[r] = v.residuals(lo+r, u.Row(r), minus, cells)
	}
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, u, v.inverse, 0, x)
	for r, q := range share {
		linalg.Scal(1/(1-q), x.Row(r)) // the solution, where the table is complete
	}
	const most = 60
	for k := 0; k < most && len(open) > 0; k++ {
		open = v.iterate(lo, open, u, x)
	}
	for _, r := range open {
		if err := v.solve(lo+r, u.Row(r), x.Row(r)); err != nil {
			return err
		}
	}
	v.add(lo, x)
	return nil
}

// iterate is a step of the units that are open, from lo on; it returns those that are not at their ends.
func (v *leaving) iterate(lo int, open []int, u, x linalg.Mat) (still []int) {
	s := len(v.worth)
	w, next := linalg.NewMat(len(open), s), linalg.NewMat(len(open), s)
	for j, r := range open {
		copy(w.Row(j), u.Row(r))
		for _, i := range v.unit(lo + r) {
			v.addCentred(w.Row(j), i, 0, x.Row(r))
		}
	}
	linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, w, v.inverse, 0, next)
	const tolerance = 1e-14
	for j, r := range open {
		change, size := 0.0, 0.0
		for k, y := range next.Row(j) {
			change, size = max(change, math.Abs(y-x.Row(r)[k])), max(size, math.Abs(y))
		}
		if change > tolerance*size {
			still = append(still, r)
		}
		copy(x.Row(r), next.Row(j))
	}
	return still
}

// solve finds x without an iteration.
func (v *leaving) solve(g int, u, x []float64) error {
	l := v.l.Clone()
	for _, i := range v.unit(g) {
		row := v.p.Y.Row(i)
		_, _, n := moments(row)
		addItem(l, row, -1, n)
	}
	inverse, err := pseudoInverse(l)
	if err != nil {
		return fmt.Errorf("without item %q: %w", v.p.Items[v.unit(g)[0]], err)
	}
	linalg.Symv(linalg.Upper, 1, inverse, u, 0, x)
	return nil
}

// add adds what units contribute to the sums.
func (v *leaving) add(lo int, x linalg.Mat) {
	linalg.Scal(1-1/float64(v.units), x.Data)
	for r := range x.Rows {
		linalg.Axpy(1, x.Row(r), v.sum)
		linalg.Axpy(1, x.Row(r), v.parts.Row((lo+r)%v.blocks))
	}
	linalg.Syrk(linalg.Upper, linalg.T, 1, x, 1, v.square)
}

// finish takes the mean from the contributions.
func (v *leaving) finish() {
	n := float64(v.units)
	sum := linalg.Mat{Rows: 1, Cols: len(v.sum), Stride: len(v.sum), Data: v.sum}
	linalg.Syrk(linalg.Upper, linalg.T, -1/n, sum, 1, v.square)
	linalg.Symmetrize(linalg.Upper, v.square)
	v.covariance = v.square
	linalg.Scal(n/(n-1), v.covariance.Data)
	for b := range v.blocks {
		linalg.Axpy(-v.share[b], v.sum, v.parts.Row(b))
	}
	v.free = v.squares
	for k, q := range v.squares {
		v.free[k] = 1/q - 1
	}
	cells := 0
	for _, c := range v.cells {
		cells += c
	}
	v.residual = v.deviation / float64(cells-len(v.items)-len(v.worth)+1)
}
