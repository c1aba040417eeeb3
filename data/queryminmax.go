package data

import (
	"math"

	"pairrank/internal/parallel"
)

// applyQueryMinMax sets x' = (x − min)/(max − min) over the rows of each query,
// 0 where max = min.
func applyQueryMinMax(s *Set) error {
	queries := s.queries()
	switch x := s.X.(type) {
	case *Dense:
		parallel.For(queries.Len(), func(_, g int) { scaleQuery(x, queries.Part(g)) })
		return nil
	case *CSR:
		if err := checkQuerySparse(x, queries); err != nil {
			return err
		}
		eachQuery(x, queries, func(g int, q *queryColumns) {
			for _, i := range queries.Part(g) {
				cols, vals := x.Row(int(i))
				for k, j := range cols {
					lo, hi := q.bounds(j, len(queries.Part(g)))
					vals[k] = intoUnit(vals[k], lo, hi)
				}
			}
		})
		return nil
	}
	panic(unknownMatrix(s.X))
}

// intoUnit maps [lo,hi] to [0,1], halving first where the spread is more than a
// float64 holds, and everything to 0 where lo = hi.
func intoUnit(v, lo, hi float64) float64 {
	if hi == lo {
		return 0
	}
	if math.IsInf(hi-lo, 0) {
		return (v/2 - lo/2) / (hi/2 - lo/2)
	}
	return (v - lo) / (hi - lo)
}

// columnBlock is the number of features that scaleQuery treats at a time, so that it needs no
// memory beyond the stack.
const columnBlock = 64

func scaleQuery(x *Dense, rows []int32) {
	var lo, hi [columnBlock]float64
	for from := 0; from < x.Cols; from += columnBlock {
		to := min(x.Cols, from+columnBlock)
		for k := range to - from {
			lo[k], hi[k] = math.Inf(1), math.Inf(-1)
		}
		for _, i := range rows {
			for k, v := range x.Row(int(i))[from:to] {
				lo[k], hi[k] = min(lo[k], v), max(hi[k], v)
			}
		}
		for _, i := range rows {
			row := x.Row(int(i))[from:to]
			for k, v := range row {
				row[k] = intoUnit(v, lo[k], hi[k])
			}
		}
	}
}

// queryColumns holds the bounds of the stored values of each feature, for one query at a time. The
// entry of feature j belongs to query seen[j]−1.
type queryColumns struct {
	seen   []int32
	count  []int32
	lo, hi []float64
}

func (q *queryColumns) add(g int, j int32, v float64) {
	if q.seen[j] != int32(g)+1 {
		q.seen[j], q.count[j], q.lo[j], q.hi[j] = int32(g)+1, 1, v, v
		return
	}
	q.count[j]++
	q.lo[j], q.hi[j] = min(q.lo[j], v), max(q.hi[j], v)
}

// bounds returns least and greatest of feature j over the rows of the query,
// with the zeros that are left out.
func (q *queryColumns) bounds(j int32, rows int) (lo, hi float64) {
	lo, hi = q.lo[j], q.hi[j]
	if int(q.count[j]) < rows {
		lo, hi = min(lo, 0), max(hi, 0)
	}
	return lo, hi
}

// eachQuery calls visit for every query with the bounds of its features.
func eachQuery(x *CSR, queries *Partition, visit func(g int, q *queryColumns)) {
	workers := make([]*queryColumns, parallel.Workers())
	parallel.For(queries.Len(), func(worker, g int) {
		q := workers[worker]
		if q == nil {
			q = &queryColumns{make([]int32, x.Cols), make([]int32, x.Cols), make([]float64, x.Cols),
				make([]float64, x.Cols)}
			workers[worker] = q
		}
		for _, i := range queries.Part(g) {
			cols, vals := x.Row(int(i))
			for k, j := range cols {
				q.add(g, j, vals[k])
			}
		}
		visit(g, q)
	})
}

// checkQuerySparse refuses rows where a feature that is left out somewhere in a
// query is negative elsewhere in it: the zeros would become positive.
func checkQuerySparse(x *CSR, queries *Partition) error {
	bad := make([]*DensifyError, queries.Len())
	eachQuery(x, queries, func(g int, q *queryColumns) {
		rows := queries.Part(g)
		for _, i := range rows {
			cols, _ := x.Row(int(i))
			for _, j := range cols {
				if lo := q.lo[j]; lo < 0 && int(q.count[j]) < len(rows) {
					bad[g] = &DensifyError{Kind: NormalizeQueryMinMax, Feature: int(j) + 1, Shift: -lo}
					return
				}
			}
		}
	})
	for _, err := range bad {
		if err != nil {
			return err
		}
	}
	return nil
}
