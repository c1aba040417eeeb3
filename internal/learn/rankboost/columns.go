package rankboost

import (
	"context"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/parallel"
)

// column is the places where a feature is not zero, sorted from the outermost
// value inwards: above zero descending, below zero ascending, equal values by
// place. The last place of a value is stored as its complement ^p where a
// threshold stands between the value and the next one inwards.
type column struct {
	feature      int
	above, below []int32
}

// columns holds the features that have a threshold, with the memory that a round needs to search
// them.
type columns struct {
	x     data.Matrix
	rows  []int32   // the row of each place
	list  []column  // by feature
	peak  []float64 // the largest |r| of each column in this round
	piece int       // how many columns a piece of the search has
}

// entry is a value that is not zero: its magnitude and its place.
type entry struct {
	size  float64
	place int32
}

// sortColumns sorts every feature over the given rows, in parallel. When ctx ends it returns early
// with an incomplete result, which must not be used.
func sortColumns(ctx context.Context, x data.Matrix, rows []int32) *columns {
	_, n := x.Dims()
	read := readerOf(x, rows)
	all := make([]column, n)
	scratch := make([]sides, parallel.Workers())
	parallel.ForWorkers(len(scratch), n, func(worker, j int) {
		if ctx.Err() != nil {
			return
		}
		s := &scratch[worker]
		s.above, s.below = s.above[:0], s.below[:0]
		read(s, j)
		all[j] = s.column(j, len(rows))
	})
	c := &columns{x: x, rows: rows}
	places := 0
	for _, col := range all {
		if col.splits() {
			c.list = append(c.list, col)
			places += len(col.above) + len(col.below)
		}
	}
	const work = 1 << 14 // places below which a piece is not worth a goroutine
	c.piece = 1 + work*len(c.list)/(1+places)
	c.peak = make([]float64, len(c.list))
	return c
}

// splits reports whether the column has a threshold.
func (c column) splits() bool {
	marked := func(p int32) bool { return p < 0 }
	return slices.ContainsFunc(c.above, marked) || slices.ContainsFunc(c.below, marked)
}

// sides is a feature while it is sorted.
type sides struct{ above, below []entry }

// add takes the value of a place, in ascending order of the places.
func (s *sides) add(value float64, place int) {
	switch {
	case value > 0:
		s.above = append(s.above, entry{value, int32(place)})
	case value < 0:
		s.below = append(s.below, entry{-value, int32(place)})
	case value != value:
		panic("rankboost: a feature is NaN")
	}
}

// column sorts the sides of feature j. places is how many there are with the
// zeros.
func (s *sides) column(j, places int) column {
	zeros := len(s.above)+len(s.below) < places
	return column{
		feature: j,
		above:   outsideIn(s.above, zeros || len(s.below) > 0),
		below:   outsideIn(s.below, zeros), // else the threshold next to above's is the same
	}
}

// outsideIn sorts entries by falling size and marks where thresholds are;
// inner reports whether there is one inwards of all of them.
func outsideIn(entries []entry, inner bool) []int32 {
	if len(entries) == 0 {
		return nil
	}
	slices.SortFunc(entries, func(a, b entry) int {
		switch {
		case a.size > b.size:
			return -1
		case a.size < b.size:
			return 1
		}
		return int(a.place) - int(b.place)
	})
	places := make([]int32, len(entries))
	last := len(entries) - 1
	for k, e := range entries {
		places[k] = e.place
		if k < last && e.size != entries[k+1].size || k == last && inner {
			places[k] = ^e.place
		}
	}
	return places
}

// readerOf returns a function that adds the values of feature j to sides. It turns sparse rows into
// columns first, of 12 bytes a value.
func readerOf(x data.Matrix, rows []int32) func(s *sides, j int) {
	switch x := x.(type) {
	case *data.Dense:
		return func(s *sides, j int) {
			for p, row := range rows {
				s.add(x.Data[int(row)*x.Stride+j], p)
			}
		}
	case *data.CSR:
		first, places, values := byColumn(x, rows)
		return func(s *sides, j int) {
			for k := first[j]; k < first[j+1]; k++ {
				s.add(values[k], int(places[k]))
			}
		}
	}
	panic(fmt.Sprintf("rankboost: matrix type %T is not known", x))
}

// byColumn is the stored values of the given rows by column, each with its
// place: those of column j are first[j] … first[j+1]−1, by ascending place.
func byColumn(x *data.CSR, rows []int32) (first []int, places []int32, values []float64) {
	first = make([]int, x.Cols+1)
	for _, row := range rows {
		cols, _ := x.Row(int(row))
		for _, j := range cols {
			first[j+1]++
		}
	}
	for j := range x.Cols {
		first[j+1] += first[j]
	}
	places, values = make([]int32, first[x.Cols]), make([]float64, first[x.Cols])
	next := slices.Clone(first[:x.Cols])
	for p, row := range rows {
		cols, vals := x.Row(int(row))
		for k, j := range cols {
			places[next[j]], values[next[j]] = int32(p), vals[k]
			next[j]++
		}
	}
	return first, places, values
}

// value is the value of feature j at a place, marked or not.
func (c *columns) value(place int32, j int) float64 {
	if place < 0 {
		place = ^place
	}
	row := int(c.rows[place])
	switch x := c.x.(type) {
	case *data.Dense:
		return x.Data[row*x.Stride+j]
	case *data.CSR:
		cols, vals := x.Row(row)
		if k, stored := slices.BinarySearch(cols, int32(j)); stored {
			return vals[k]
		}
	}
	return 0
}

// between is a threshold that parts lo from hi, lo < hi: halfway, or lo itself
// where no number lies between them, since x > θ is what counts.
func between(lo, hi float64) float64 {
	mid := lo/2 + hi/2 // does not overflow
	if mid < lo || mid >= hi || math.IsInf(mid, 0) {
		return lo
	}
	return mid
}
