package cv

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"pairrank/internal/parallel"
	"pairrank/pref"
)

// HalfSplits is the default number of random splits into halves. The standard error
// of the variance over 60 of them is small beside that of 60 units.
const HalfSplits = 60

// LeastUnits is the number of rows, queries or nodes below which a half has too few to
// estimate anything.
const LeastUnits = 8

// HalvesBudget is the work of half-samples, in multiplications, up to which they are made
// by default: some ten seconds of one core.
const HalvesBudget = 2e10

// Halves is the variance of an estimate on all units, from estimates on disjoint halves
// of them.
type Halves struct {
	// Variance of each value that was estimated,
	//
	//	V = mean over splits of (A₁ − A₂)²/4.
	//
	// A half has twice the variance of the whole, and the difference of two that
	// are independent twice that again.
	Variance []float64
	// Splits is the number of splits that have an estimate on both halves.
	Splits int
	// Units are how many rows, queries or nodes were split, and Of what they are.
	Units int
	Of    string
}

// Interval is the 95 % interval of value k, a share, by ShareInterval, in O(1). A nil Halves
// has none.
func (h *Halves) Interval(share float64, k int) Interval {
	if h == nil {
		return Interval{}
	}
	return ShareInterval(share, h.Variance[k], h.Units)
}

// errFewHalves is the reason why there is no variance.
var errFewHalves = errors.New("too few halves of the data have an estimate of their own")

// HalfSamples estimates the variance of an estimate together with all the choices that it
// makes, by random splits of the units, the rows or queries that are independent of one
// another, into two disjoint halves,
//
//	V = (1/S) Σ_s (a_s − b_s)²/4
//
// over S splits with the estimates a and b of the halves (half-samples: McCarthy 1969,
// Pseudo-replication: half samples; Politis, Romano and Wolf 1999, Subsampling). Unlike
// the standard error of a Point it does not take the trained models as given: it includes
// how much training itself varies, which for few rows and many features is the larger
// part.
//
// draw makes a split; estimate returns the values of a half, always equally many. It is
// called from several goroutines, and the result does not depend on their number. A split
// with a half whose estimate is an error does not count; where less than half of the
// splits count, that error is returned, and where ctx ends its error. The cost is
// 2·splits estimates.
func HalfSamples(ctx context.Context, splits int, seed uint64, draw func(r *rand.Rand) [2][]int,
	estimate func(ctx context.Context, units []int) ([]float64, error), progress func(done, total int)) (*Halves, error) {
	values := make([][2][]float64, splits)
	failed := make([]error, splits)
	var done atomic.Int64
	parallel.For(splits, func(_, s int) {
		if failed[s] = ctx.Err(); failed[s] != nil {
			return
		}
		for h, units := range draw(rand.New(rand.NewPCG(seed, 0x68616c660000+uint64(s)))) {
			if values[s][h], failed[s] = estimate(ctx, units); failed[s] != nil {
				break
			}
		}
		if n := done.Add(1); progress != nil {
			progress(int(n), splits)
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := &Halves{}
	for s, v := range values {
		if failed[s] != nil {
			continue
		}
		if out.Variance == nil {
			out.Variance = make([]float64, len(v[0]))
		}
		out.Splits++
		for k := range out.Variance {
			d := v[0][k] - v[1][k]
			out.Variance[k] += d * d / 4
		}
	}
	if 2*out.Splits < splits || splits == 0 {
		return nil, fmt.Errorf("%w: %w", errFewHalves, firstError(failed))
	}
	for k := range out.Variance {
		out.Variance[k] /= float64(out.Splits)
	}
	return out, nil
}

func firstError(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// SplitRows returns a function that draws two halves of the m rows with labels y. Rows of
// a label that at least four rows have are dealt evenly to both halves; the others are
// shuffled together. The halves differ by one row at most. A draw costs a sort of m rows.
func SplitRows(y []float64) func(r *rand.Rand) [2][]int {
	count := map[float64]int{}
	for _, v := range y {
		count[v]++
	}
	const enough = 4
	class := func(i int) (float64, bool) { return y[i], count[y[i]] >= enough }
	return func(r *rand.Rand) [2][]int {
		order := r.Perm(len(y))
		slices.SortStableFunc(order, func(i, j int) int {
			a, many := class(i)
			b, others := class(j)
			switch {
			case many != others:
				if many {
					return -1
				}
				return 1
			case !many || a == b:
				return 0
			case a < b:
				return -1
			}
			return 1
		})
		return dealt(order, r)
	}
}

// SplitQueries draws halves of n queries.
func SplitQueries(n int) func(r *rand.Rand) [2][]int {
	return func(r *rand.Rand) [2][]int { return dealt(r.Perm(n), r) }
}

// dealt gives every second one to each half, ascending, which is the first is drawn.
func dealt(order []int, r *rand.Rand) (halves [2][]int) {
	first := r.IntN(2)
	for place, i := range order {
		h := (place + first) % 2
		halves[h] = append(halves[h], i)
	}
	slices.Sort(halves[0])
	slices.Sort(halves[1])
	return halves
}

// RowsOfQueries returns the rows of some queries, ascending, in O(h log h) for h of them.
// It panics when a query is out of range.
func RowsOfQueries(queries *pref.Partition, some []int) []int {
	var rows []int
	for _, q := range some {
		for _, i := range queries.Part(q) {
			rows = append(rows, int(i))
		}
	}
	slices.Sort(rows)
	return rows
}
