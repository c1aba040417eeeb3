package comparison

import (
	"context"
	"fmt"
	"slices"

	"pairrank/internal/codes"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// at is the row of V of entry i.
func (c *Covariance) at(i int) (row int, ok bool) {
	switch {
	case c.About == nil:
		return i, true
	case i >= c.items:
		return i - c.items + len(c.About), true
	}
	row, ok = c.place[i]
	return row, ok
}

// only is a covariance of some items, whose entries v has.
func (c *Covariance) only(about []int, v linalg.Mat) *Covariance {
	out := *c
	out.About, out.cov, out.place = slices.Clone(about), v, map[int]int{}
	for row, i := range about {
		out.place[i] = row
	}
	return &out
}

// of is the covariance of some items, with the covariates and η. It panics where c does not have them.
func (c *Covariance) of(about []int) *Covariance {
	old := len(c.About)
	if c.About == nil {
		old = c.items
	}
	rows := make([]int, 0, len(about)+c.cov.Rows-old)
	for _, i := range about {
		row, ok := c.at(i)
		if !ok {
			panic(fmt.Sprintf("comparison: a covariance without item %d", i))
		}
		rows = append(rows, row)
	}
	for row := old; row < c.cov.Rows; row++ {
		rows = append(rows, row)
	}
	v := linalg.NewMat(len(rows), len(rows))
	for a, i := range rows {
		for b, j := range rows {
			v.Row(a)[b] = c.cov.Row(i)[j]
		}
	}
	return c.only(about, v)
}

// sandwichOf is Sandwich of some items, covariates and η. For a large board it takes the squares of the residuals as
// they are, since each leverage would take a solve; intervals of items with few comparisons are then too short. Each of
// the E' items, covariates and η takes a solve to Tolerance, and all of them O(C E'²). It returns the error of ctx, and
// of a large board an error where the solutions do not fit into a gigabyte.
func (b *Board) sandwichOf(ctx context.Context, about []int) (*Covariance, error) {
	if b.l == nil {
		return b.Sandwich().of(about), nil
	}
	s := b.s
	z, residual, err := b.l.ColumnsOf(ctx, about, true)
	if err != nil {
		return nil, err
	}
	m, eta := len(about)+s.Rest, b.eta()
	pieces := make([]linalg.Mat, sandwichPieces)
	size := (b.p.count() + sandwichPieces - 1) / sandwichPieces
	parallel.For(len(pieces), func(_, q int) {
		v := linalg.NewMat(m, m)
		u := make([]float64, m)
		for c := q * size; c < min((q+1)*size, b.p.count()); c++ {
			line := b.p.source().At(c)
			_, square := s.Loss.Line(line, b.Margins[c], eta)
			left, right := z.Row(line.Left), z.Row(line.Right)
			for k := range u {
				u[k] = left[k] - right[k]
			}
			for j, x := range b.p.covariates(c) {
				linalg.Axpy(x, z.Row(s.Items+j), u)
			}
			for i, x := range u {
				linalg.Axpy(square[0]*x, u, v.Row(i))
			}
			if s.EtaAt >= 0 {
				e := z.Row(s.EtaAt)
				for i := range u {
					linalg.Axpy(square[1]*e[i], u, v.Row(i))
					linalg.Axpy(square[1]*u[i]+square[2]*e[i], e, v.Row(i))
				}
			}
		}
		pieces[q] = v
	})
	for _, p := range pieces[1:] {
		linalg.Axpy(1, p.Data, pieces[0].Data)
	}
	c := b.covariance(pieces[0])
	c.Residual = residual
	c = c.only(about, pieces[0]).known(b)
	for k, row := range c.Exact { // entries are numbers of items
		if c.Exact[k] = row - len(about) + s.Items; row < len(about) {
			c.Exact[k] = about[row]
		}
	}
	return c, nil
}

// sandwichPieces is how many pieces of the lines add up their own matrix.
const sandwichPieces = 32

// inverseOf is the part of (L + pen I)⁻¹, beside covariates and η, that is of some items.
func (b *Board) inverseOf(ctx context.Context, about []int) (linalg.Mat, error) {
	if len(about) == 0 {
		return linalg.Mat{}, b.needs("choosing from all pairs", codes.FaultLargeNext)
	}
	z, _, err := b.l.ColumnsOf(ctx, about, false)
	if err != nil {
		return linalg.Mat{}, err
	}
	k := linalg.NewMat(len(about), len(about))
	for a, i := range about {
		copy(k.Row(a), z.Row(i)[:len(about)])
	}
	for a := range about {
		for c := range a {
			mean := (k.Row(a)[c] + k.Row(c)[a]) / 2
			k.Row(a)[c], k.Row(c)[a] = mean, mean
		}
	}
	return k, nil
}
